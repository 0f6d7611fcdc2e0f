/** The tabs of two addresses, with the mail that comes to the one that is not shown. Fetched with the second address. */
import { type KeyboardEvent, useEffect, useMemo } from 'react'
import { ElsewhereButton } from '#web/components/ui/code-button.tsx'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { type MailElsewhere, useCodeElsewhere, useToldElsewhere, useUnread } from '#web/lib/mailbox/mail-elsewhere.ts'
import { urgentStore } from './new-address-status.tsx'
import type { MailboxControl } from './use-mailbox.ts'

type AddressTabsProps = {
  mailbox: MailboxControl
  shown: StoredAddress
  other: StoredAddress
}

const createdMs = ({ expiresAt, lifetimeSeconds }: StoredAddress) => Date.parse(expiresAt) - lifetimeSeconds * 1000

/** Two addresses of one browser, by their names, the newer one on the right. Each keeps its place, whichever is shown. */
export function AddressTabs({ mailbox, shown, other }: AddressTabsProps) {
  const { tabs: texts } = useTexts('mailboxDialogs')
  // While an address is awaited, the one that is shown stays.
  const isHeld = mailbox.isCreating
  const addresses = [shown, other].toSorted((a, b) => createdMs(a) - createdMs(b) || (a.token < b.token ? -1 : 1))
  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLElement>) {
    if (isHeld || (key !== 'ArrowLeft' && key !== 'ArrowRight')) return
    currentTarget.querySelector<HTMLElement>('[aria-selected=false]')?.focus()
    mailbox.switchToOther()
  }
  return (
    <div role="tablist" aria-label={texts} onKeyDown={onKeyDown} className="-mx-5 flex border-line border-b px-5 sm:-mx-6 sm:px-6">
      {addresses.map(({ token, email }) => (
        <button
          key={token}
          type="button"
          role="tab"
          aria-selected={token === shown.token}
          aria-disabled={isHeld && token !== shown.token}
          tabIndex={token === shown.token ? 0 : -1}
          title={email}
          onClick={() => !isHeld && token !== shown.token && mailbox.switchToOther()}
          className="tab flex min-h-11 min-w-0 flex-1 gap-2 px-2 text-left font-mono text-sm"
        >
          <span className="min-w-0 truncate">
            {email.slice(0, email.lastIndexOf('@'))}
            {/* Part of the same word to a screen reader. */}
            <span className="text-[0px]">{email.slice(email.lastIndexOf('@'))}</span>
          </span>
          {token === other.token && <NewMails other={other} onGone={mailbox.forgetOther} />}
        </button>
      ))}
    </div>
  )
}

const NONE: readonly MailElsewhere[] = []
const STRIP_PLACE =
  'absolute! left-0 flex-nowrap! max-sm:top-1/2 max-sm:w-full max-sm:max-w-none! max-sm:-translate-y-1/2 sm:-top-1.5 sm:left-6 low:min-h-9'

/**
 * Mounted anew with each switch, so that mail which was there before is no news. The switcher of an account tells of the mail at its own
 * addresses. A second one of a visitor who signed in since is none of them.
 */
function NewMails({ other, onGone }: { other: StoredAddress; onGone: MailboxControl['forgetOther'] }) {
  const { newMails } = useTexts('inbox')
  const isSignedIn = useAuth().status === 'signed-in'
  const { mailboxes } = useProMailboxes()
  const isOwnerKnown = !isSignedIn || mailboxes !== undefined
  const isOfAccount = mailboxes?.some(({ token }) => token === other.token) ?? false
  const unread = useUnread(
    useMemo(() => [other], [other]),
    onGone,
  ).get(other.token)
  const mails = useMemo(() => (unread ?? []).map(mail => ({ address: other, mail })), [unread, other])
  const told = isOwnerKnown && !isOfAccount ? mails : NONE
  useToldElsewhere(told, isOwnerKnown && unread !== undefined)
  const code = useCodeElsewhere(told)
  useEffect(() => {
    urgentStore.set(code && <ElsewhereButton {...code} className={STRIP_PLACE} />)
    return () => urgentStore.set(undefined)
  }, [code])
  const count = mails.length
  if (count === 0) return null
  return (
    <span className="flex shrink-0 items-center gap-1.5 font-medium font-sans text-ink">
      <span aria-hidden="true" className="unread-dot" />
      <span aria-hidden="true">{count > 9 ? '9+' : count}</span>
      <span className="sr-only">, {newMails({ count })}</span>
    </span>
  )
}
