/** The tabs of two addresses, with the mail that comes to the one that is not shown. Fetched with the second address. */
import { clsx } from 'clsx'
import { type KeyboardEvent, useMemo } from 'react'
import { useAuth } from '#web/lib/auth/auth.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { type MailElsewhere, useToldElsewhere, useUnread } from '#web/lib/mailbox/mail-elsewhere.ts'

type AddressTabsProps = { shown: StoredAddress; other: StoredAddress; onSwitch: () => void; onGone: (token: string) => void }

/** Two addresses of one browser. Each keeps its place, whichever is shown. */
export function AddressTabs({ shown, other, onSwitch, onGone }: AddressTabsProps) {
  const { tabs: texts } = useTexts('mailboxDialogs')
  const addresses = [shown, other].toSorted((a, b) => (a.token < b.token ? -1 : 1))
  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLElement>) {
    if (key !== 'ArrowLeft' && key !== 'ArrowRight') return
    currentTarget.querySelector<HTMLElement>('[aria-selected=false]')?.focus()
    onSwitch()
  }
  return (
    <div role="tablist" aria-label={texts} onKeyDown={onKeyDown} className="-mx-5 flex border-line border-b px-5 sm:-mx-6 sm:px-6">
      {addresses.map(({ token, email }) => (
        <button
          key={token}
          type="button"
          role="tab"
          aria-selected={token === shown.token}
          tabIndex={token === shown.token ? 0 : -1}
          title={email}
          onClick={() => token !== shown.token && onSwitch()}
          className={clsx(
            '-mb-px flex min-h-11 min-w-0 flex-1 items-center gap-2 border-b-2 px-2 text-left font-mono text-sm transition-colors duration-150 ease-out',
            token === shown.token
              ? 'border-dusk text-ink forced-colors:border-[Highlight]'
              : 'border-transparent text-muted hover:text-ink forced-colors:border-[Canvas]',
          )}
        >
          <span className="min-w-0 truncate">{email}</span>
          {token === other.token && <NewMails other={other} onGone={onGone} />}
        </button>
      ))}
    </div>
  )
}

const NONE: readonly MailElsewhere[] = []

/** Mounted anew with each switch, so that mail which was there before is no news. An account's title is its address switcher's. */
function NewMails({ other, onGone }: Pick<AddressTabsProps, 'other' | 'onGone'>) {
  const { newMails } = useTexts('inbox')
  const isSignedIn = useAuth().status === 'signed-in'
  const unread = useUnread(
    useMemo(() => [other], [other]),
    onGone,
  ).get(other.token)
  const mails = useMemo(() => (unread ?? []).map(mail => ({ address: other, mail })), [unread, other])
  useToldElsewhere(isSignedIn ? NONE : mails, unread !== undefined)
  const count = mails.length
  if (count === 0) return null
  return (
    <span className="ml-auto flex shrink-0 items-center gap-1.5 font-medium font-sans text-river-ink">
      <span aria-hidden="true" className="size-2 rounded-full bg-river forced-colors:bg-[CanvasText]" />
      <span aria-hidden="true">{count > 9 ? '9+' : count}</span>
      <span className="sr-only">, {newMails({ count })}</span>
    </span>
  )
}
