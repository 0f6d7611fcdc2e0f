/** Stands beside an address when there is reason to: a menu of domains, the newest code. Fetched with the first. */
import { clsx } from 'clsx'
import { type CSSProperties, useRef, useState, useSyncExternalStore } from 'react'
import { IconButton } from '#web/components/ui/button.tsx'
import { CodeButton } from '#web/components/ui/code-button.tsx'
import { ChevronDown, RefreshCw } from '#web/components/ui/icons.ts'
import { MenuItems } from '#web/components/ui/menu.tsx'
import { usePopover } from '#web/components/ui/popover.ts'
import { watchScreen } from '#web/lib/browser/screen.ts'
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

/** Between the domain and the code. */
const PINNED_GAP_PX = 6
/** How wide a letter of the address is, as in `address-size` of web/styles.css. */
const LETTER_EM = 0.602

/** The newest code, in the room that a short domain leaves on its line: nothing moves when it comes, or while its row offers it. */
export function PinnedCode({ code, email }: { code: string; email: string }) {
  const place = useRef<HTMLDivElement>(null)
  const isOffered = useIsCodeOffered(code)
  const hasRoom = useSyncExternalStore(watchScreen, () => {
    const { current } = place
    const line = current?.parentElement
    if (!line) return false
    const domainPx = (email.length - email.lastIndexOf('@')) * LETTER_EM * Number.parseFloat(getComputedStyle(line).fontSize)
    return domainPx + PINNED_GAP_PX + current.offsetWidth <= line.clientWidth
  })
  return (
    <div
      ref={place}
      className={clsx('-bottom-1.5 absolute right-0 sm:bottom-0 short:-bottom-0.75', (isOffered || !hasRoom) && 'invisible')}
    >
      <CodeButton code={code} size="line" className="animate-fade huge-text:hidden short:border-y-10!" />
    </div>
  )
}
