import type { MailboxCreated } from '#contract/mailbox.ts'
import { Address } from '#web/components/ui/address.tsx'
import { Button } from '#web/components/ui/button.tsx'
import { StatusDot } from '#web/components/ui/status-dot.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import { useOpenToken } from './open-address.ts'

type Props = {
  mailboxes: readonly MailboxCreated[]
  /** Unread messages by token, where they are known. */
  unread?: ReadonlyMap<string, number>
  onOpen: (mailbox: MailboxCreated) => void
}

/** Lists the live addresses of the account, to switch between them. */
export function AddressList({ mailboxes, unread, onOpen }: Props) {
  const texts = useTexts('account')
  const { language } = useLanguage()
  const openToken = useOpenToken()
  const time = new Intl.DateTimeFormat(language, { weekday: 'long', hour: 'numeric', minute: '2-digit' })
  if (mailboxes.length === 0) return <p className="mb-5">{texts.noAddresses}</p>
  return (
    <ul className="mb-6 divide-y divide-line">
      {mailboxes.map(mailbox => (
        <li key={mailbox.token} className="flex items-center justify-between gap-3 min-h-17 py-3 sm:gap-4">
          <div className="min-w-0">
            <p className="font-mono max-sm:text-sm [overflow-wrap:anywhere]">
              <Address email={mailbox.email} />
            </p>
            <p className="flex flex-wrap gap-x-3 text-muted text-sm">
              {texts.goneAt({ time: time.format(new Date(mailbox.expiresAt)) })}
              <Unread count={unread?.get(mailbox.token) ?? 0} />
              {mailbox.token === openToken && <StatusDot tone="live">{texts.opened}</StatusDot>}
            </p>
          </div>
          {mailbox.token !== openToken && (
            <Button aria-label={`${texts.open} ${mailbox.email}`} className="shrink-0" onClick={() => onOpen(mailbox)}>
              {texts.open}
            </Button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Unread({ count }: { count: number }) {
  const texts = useTexts('account')
  if (count === 0) return null
  return <span className="font-medium text-dusk-ink">{texts.unread({ count })}</span>
}
