/** Stands beside an address when there is reason to: a menu of domains, the newest code. Fetched with the first. */
import { clsx } from 'clsx'
import { type CSSProperties, useState } from 'react'
import { IconButton } from '#web/components/ui/button.tsx'
import { CodeButton } from '#web/components/ui/code-button.tsx'
import { ChevronDown, RefreshCw } from '#web/components/ui/icons.tsx'
import { MenuItems } from '#web/components/ui/menu.tsx'
import { usePopover } from '#web/components/ui/popover.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useIsCodeOffered } from '#web/lib/mailbox/code-places.ts'
import { chooseDomain, useSiteConfig } from '#web/lib/site/site-config.ts'

type DomainMenuProps = {
  /** The live address. */
  email: string
  /** `insteadOf`: a site takes no address at the domain of this one. */
  onChosen: (options?: { insteadOf: string }) => void
}

/** Behind the domain of the address: another one gives a new address there, and is kept for those after it. */
export function DomainMenu({ email, onChosen }: DomainMenuProps) {
  const { domain: texts } = useTexts('mailboxDialogs')
  const { domains } = useSiteConfig()
  const { isOpen, leave, root, button } = usePopover()
  const [place, setPlace] = useState<CSSProperties>()
  const host = email.slice(email.lastIndexOf('@') + 1)
  // An operator may give each address a subdomain of its own.
  const own = domains.find(name => name === host) ?? domains.find(name => host.endsWith(`.${name}`))
  function choose(name: string, options?: { insteadOf: string }) {
    chooseDomain(name)
    onChosen(options)
  }
  const items = [
    ...domains.map(name => ({ label: name, isChosen: name === own, act: () => name !== own && choose(name), className: 'font-mono' })),
    {
      label: texts.refused,
      icon: <RefreshCw aria-hidden="true" strokeWidth={1.75} />,
      act: () => choose(domains[(domains.indexOf(own ?? '') + 1) % domains.length] ?? host, { insteadOf: host }),
      className: 'border-line border-t',
    },
  ]
  return (
    <div {...root} style={{ left: `calc(${host.length + 1} * 0.602em)` }} className="absolute bottom-0 grid h-1/2 place-items-center">
      <IconButton
        label={texts.label}
        aria-haspopup="menu"
        {...button}
        onClick={event => {
          // Not clipped by the card, and clear of the edge of a phone.
          const { left, bottom } = event.currentTarget.getBoundingClientRect()
          setPlace({ left: Math.max(20, Math.min(left - 120, innerWidth - 308)), top: bottom + 4 })
          button.onClick()
        }}
      >
        <ChevronDown aria-hidden="true" strokeWidth={1.75} />
      </IconButton>
      {isOpen && (
        <MenuItems
          label={texts.label}
          items={items}
          onChosen={leave}
          style={place}
          className="fixed w-72 max-w-[calc(100vw-2.5rem)] text-base text-ink [overflow-wrap:anywhere]"
        />
      )}
    </div>
  )
}

type PinnedCodeProps = { code: string; email: string }

/** Together they take less than a line of the smallest card. */
const PINNED_CHARS_MAX = 21

/** The newest code, in the room that a short domain leaves on its line: nothing moves when it comes, or while its row offers it. */
export function PinnedCode({ code, email }: PinnedCodeProps) {
  const isOffered = useIsCodeOffered(code)
  if (email.length - email.lastIndexOf('@') + code.length > PINNED_CHARS_MAX) return null
  return (
    <CodeButton
      code={code}
      size="line"
      // It is as high as a line to the eye, and as a finger to the touch.
      className={clsx(
        '-bottom-1.5 absolute right-0 animate-fade rounded-lg! border-0! border-transparent! border-y-7! bg-clip-padding huge-text:hidden sm:bottom-0 short:-bottom-0.75 short:border-y-10! forced-colors:border-y-[Canvas]! forced-colors:outline-1',
        isOffered && 'invisible',
      )}
    />
  )
}
