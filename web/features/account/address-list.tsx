import type { MailboxCreated } from '#contract/mailbox.ts'
import { Button } from '#web/components/ui/button.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n.tsx'
import { useOpenToken } from './open-address.ts'

/** A switcher: every live address of the account, the open one marked. */
export function AddressList({ mailboxes, onOpen }: { mailboxes: readonly MailboxCreated[]; onOpen: (mailbox: MailboxCreated) => void }) {
  const texts = useTexts('account')
  const { language } = useLanguage()
  const openToken = useOpenToken()
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'short', timeStyle: 'short' })
  if (mailboxes.length === 0) return <p className="mb-5">{texts.noAddresses}</p>
  return (
    <ul className="mb-6 divide-y divide-line">
      {mailboxes.map(mailbox => (
        <li key={mailbox.token} className="flex items-center justify-between gap-4 py-3">
          <div className="min-w-0">
            <p className="break-all font-mono">{mailbox.email}</p>
            <p className="text-muted text-sm">{texts.goneAt({ time: time.format(new Date(mailbox.expiresAt)) })}</p>
          </div>
          <Button aria-label={`${texts.open} ${mailbox.email}`} disabled={mailbox.token === openToken} onClick={() => onOpen(mailbox)}>
            {mailbox.token === openToken ? texts.opened : texts.open}
          </Button>
        </li>
      ))}
    </ul>
  )
}
