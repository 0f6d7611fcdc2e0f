/** The newest code that came to an address which is not shown, named. Fetched with the second address. */
import { type ComponentProps, useEffect, useState } from 'react'
import { COPIED_MS } from '#web/lib/browser/clipboard.ts'
import { useIsCodeHere } from '#web/lib/mailbox/code-places.ts'
import { codesOf, type MailElsewhere } from '#web/lib/mailbox/mail-elsewhere.ts'
import { CodeButton } from './code-button.tsx'

type Look = Pick<ComponentProps<typeof CodeButton>, 'size' | 'className'>

export function CodeElsewhere({ mails, ...look }: { mails: readonly MailElsewhere[] } & Look) {
  const newest = mails
    .filter(({ mail }) => codesOf(mail).length > 0)
    .toSorted((a, b) => b.mail.receivedAt.localeCompare(a.mail.receivedAt))[0]
  const [code] = newest ? codesOf(newest.mail) : []
  if (!newest || code === undefined) return null
  return <OfferedCode key={newest.mail.id} code={code} email={newest.address.email} {...look} />
}

/** Copied, it goes; its mail still has it. */
function OfferedCode({ code, email, ...look }: { code: string; email: string } & Look) {
  const isHere = useIsCodeHere(code)
  const [offer, setOffer] = useState<'open' | 'copied' | 'over'>('open')
  useEffect(() => {
    if (offer !== 'copied') return
    const timer = setTimeout(() => setOffer('over'), COPIED_MS)
    return () => clearTimeout(timer)
  }, [offer])
  if (isHere || offer === 'over') return null
  return (
    <CodeButton code={code} {...look} onCopied={() => setOffer('copied')}>
      <span className="min-w-0 flex-1 truncate text-left text-muted text-sm" title={email}>
        {email}
      </span>
    </CodeButton>
  )
}
