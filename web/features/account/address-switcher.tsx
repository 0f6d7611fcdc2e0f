import { useEffect, useMemo } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { IconButton } from '#web/components/ui/button.tsx'
import { ElsewhereButton } from '#web/components/ui/code-button.tsx'
import { ChevronDown } from '#web/components/ui/icons.ts'
import { ChevronRight, X } from '#web/components/ui/lazy-icons.ts'
import { usePopover } from '#web/components/ui/popover.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { useCodeElsewhere, useToldElsewhere, useUnread } from '#web/lib/mailbox/mail-elsewhere.ts'
import { onlyUnopened } from '#web/lib/mailbox/unread-mail.ts'
import { closeNotifications } from '#web/lib/notify/show-notification.ts'
import { AddressList, NewAddress, showAddress, useIsOpenKept, useOpenToken } from './addresses.tsx'

/** Beside its button; on a phone a sheet at the lower edge, over the dimmed page. */
const PANEL =
  'absolute left-0 z-40 mt-1 max-h-[min(44rem,calc(100dvh-8.5rem))] w-[min(34rem,calc(100vw-2.5rem))] animate-fade overflow-y-auto rounded-lg border border-line bg-raised px-4 shadow-lift sm:px-5 sm:pt-1 ' +
  'max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-[88dvh] max-sm:scroll-pt-14 max-sm:w-auto max-sm:rounded-b-none max-sm:shadow-[0_0_0_100vmax_rgb(0_0_0/0.4)]'

/** With so many addresses their list needs the room of the form. */
const FOLDED_FROM = 6

/** On the home page of a signed-in account: switches between its live addresses, and has the form for a chosen name. */
export default function AddressSwitcher() {
  const texts = useTexts('account')
  const { close } = useTexts('layout')
  const { mailboxes, reload } = useProMailboxes()
  const { isOpen, leave, root, button } = usePopover()
  const unread = useUnread(mailboxes, reload)
  const openToken = useOpenToken()
  const isKept = useIsOpenKept()
  const elsewhere = useMemo(
    () =>
      (mailboxes ?? [])
        .filter(({ token }) => token !== openToken)
        // Some were opened since, while their address was shown.
        .flatMap(address => onlyUnopened(address.token, unread.get(address.token) ?? []).map(mail => ({ address, mail }))),
    [mailboxes, openToken, unread],
  )
  useToldElsewhere(elsewhere, mailboxes?.every(({ token }) => unread.has(token)) ?? false, true)
  useEffect(() => {
    if (!mailboxes) return
    const isLive = (email: string) => mailboxes.some(address => address.email === email)
    void closeNotifications(about => !about.isOfAccount || isLive(about.email)).catch(console.warn)
  }, [mailboxes])
  const code = useCodeElsewhere(elsewhere)
  const used = mailboxes?.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address was made, kept, deleted or has expired whenever another one is open
  useEffect(() => void reload(), [openToken, isKept, isOpen, reload])
  return (
    <section aria-label={texts.addresses} className="flex min-h-11 flex-wrap items-center gap-x-3">
      <div {...root} className="relative min-w-0">
        {mailboxes && (
          <button
            {...button}
            type="button"
            className="-ml-3 inline-flex min-h-11 flex-wrap items-center gap-x-2 rounded-md px-3 text-left transition-colors duration-150 ease-out hover:bg-sunken"
          >
            <span className="font-medium">{texts.addresses}</span>
            <span className="text-muted text-sm">{texts.addressesUsed({ used, max: PRO_MAILBOXES_MAX })}</span>
            {elsewhere.length > 0 && (
              <span data-testid="mail-elsewhere" className="inline-flex items-center gap-1.5 font-medium text-river-ink text-sm">
                <span aria-hidden="true" className="unread-dot" />
                {texts.unread({ count: elsewhere.length })}
              </span>
            )}
            <ChevronDown aria-hidden="true" strokeWidth={1.5} className="size-5 shrink-0 text-muted" />
          </button>
        )}
        {isOpen && mailboxes && (
          <div
            // A press on the panel itself keeps the focus inside, so that it stays open.
            tabIndex={-1}
            className={PANEL}
          >
            {/* The button with its name is under the sheet, or behind the dimmed page. */}
            <div className="sticky [@media(height<20rem)]:static top-0 z-1 -mx-4 flex items-center justify-between border-line border-b bg-raised py-1 pr-2 pl-4 sm:hidden">
              <h2 className="font-medium text-base">{texts.addresses}</h2>
              <IconButton label={close} className="-outline-offset-2!" onClick={leave}>
                <X aria-hidden="true" strokeWidth={1.5} />
              </IconButton>
            </div>
            <AddressList
              mailboxes={mailboxes}
              unread={new Map([...unread].map(([token, mails]) => [token, onlyUnopened(token, mails).length]))}
              onOpen={mailbox => {
                showAddress(mailbox)
                leave()
              }}
              onDeleted={reload}
            />
            {/* Its button stays in view, however many addresses there are. */}
            <div className="sticky bottom-0 -mx-4 flex flex-col border-line border-t bg-raised px-4 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] sm:-mx-5 sm:px-5">
              <details open={used < FOLDED_FROM} className="group">
                <summary className="mb-1 flex min-h-11 items-center gap-1.5">
                  <ChevronRight
                    aria-hidden="true"
                    strokeWidth={1.5}
                    className="size-5 text-muted transition-transform duration-150 group-open:rotate-90"
                  />
                  <h2 className="font-medium text-base">{texts.newAddress}</h2>
                </summary>
                <NewAddress
                  used={used}
                  onCreated={mailbox => {
                    showAddress(mailbox)
                    leave()
                  }}
                />
              </details>
              {/* At the end of the panel that grows away from where it hangs, so that no button moves under a finger. */}
              <div className="-mx-3 max-sm:-order-1">
                <Toaster isInside />
              </div>
            </div>
          </div>
        )}
      </div>
      <div aria-live="polite" className="contents">
        {/* It stays where it is copied: on a phone the card below would jump up. */}
        {code && <ElsewhereButton code={code.code} email={code.email} className="mb-2 ml-auto max-sm:mt-1.5 max-sm:w-full sm:mb-1" />}
      </div>
    </section>
  )
}
