import { useEffect, useState } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { MailboxCreated } from '#contract/mailbox.ts'
import { ChevronDown } from '#web/components/ui/icons.tsx'
import { usePopover } from '#web/components/ui/popover.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { countUnread } from '#web/lib/mailbox/count-unread.ts'
import { AddressList, NewAddress, showAddress, useOpenToken } from './addresses.tsx'

const NONE: ReadonlyMap<string, number> = new Map()

/** How many messages of these addresses nobody has opened in this browser, by token, once each has been asked for. */
function useUnreadCounts(mailboxes: readonly MailboxCreated[] | undefined): ReadonlyMap<string, number> {
  const [counts, setCounts] = useState(NONE)
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    const count = async ({ token }: MailboxCreated) => {
      const unread = await countUnread(token, signal)
      if (!signal.aborted) setCounts(known => new Map([...known, [token, unread]]))
    }
    // An address may have ended a moment ago: then it has no count.
    for (const mailbox of mailboxes ?? []) count(mailbox).catch(() => undefined)
    return () => unmounted.abort()
  }, [mailboxes])
  return counts
}

/** Beside its button; on a phone a sheet at the lower edge, over the dimmed page. */
const PANEL =
  'absolute left-0 z-40 mt-1 max-h-[min(36rem,75dvh)] w-[min(34rem,calc(100vw-2.5rem))] animate-fade overflow-y-auto rounded-lg border border-line bg-raised px-4 pt-1 shadow-lift sm:px-5 ' +
  'max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-[88dvh] max-sm:w-auto max-sm:rounded-b-none max-sm:shadow-[0_0_0_100vmax_rgb(0_0_0/0.4)]'

/** On the home page of a signed-in account: switches between its live addresses, and has the form for a chosen name. */
export default function AddressSwitcher() {
  const texts = useTexts('account')
  const { mailboxes, reload } = useProMailboxes()
  const { isOpen, leave, root, button } = usePopover()
  const unread = useUnreadCounts(isOpen ? mailboxes : undefined)
  const openToken = useOpenToken()
  const used = mailboxes?.length ?? 0
  // biome-ignore lint/correctness/useExhaustiveDependencies: an address was made, deleted or has expired whenever another one is open
  useEffect(() => void reload(), [openToken, isOpen, reload])
  return (
    <section aria-label={texts.addresses} className="flex min-h-11 items-center">
      <div {...root} className="relative min-w-0">
        {mailboxes && (
          <button
            {...button}
            type="button"
            className="-ml-3 inline-flex min-h-11 items-center gap-2 rounded-md px-3 transition-colors duration-150 ease-out hover:bg-sunken"
          >
            <span className="font-medium">{texts.addresses}</span>
            <span className="text-muted text-sm">{texts.addressesUsed({ used, max: PRO_MAILBOXES_MAX })}</span>
            <ChevronDown aria-hidden="true" strokeWidth={1.5} className="size-5 shrink-0 text-muted" />
          </button>
        )}
        {isOpen && mailboxes && (
          <div
            // A press on the panel itself keeps the focus inside, so that it stays open.
            tabIndex={-1}
            className={PANEL}
          >
            <AddressList
              mailboxes={mailboxes}
              unread={unread}
              onOpen={mailbox => {
                showAddress(mailbox)
                leave()
              }}
            />
            {/* Its button stays in view, however many addresses there are. */}
            <div className="sticky bottom-0 -mx-4 flex flex-col border-line border-t bg-raised px-4 pt-3 pb-[max(1rem,env(safe-area-inset-bottom))] sm:-mx-5 sm:px-5">
              <h3 className="mb-3 font-medium">{texts.newAddress}</h3>
              <NewAddress
                onCreated={mailbox => {
                  showAddress(mailbox)
                  leave()
                }}
                isFull={used >= PRO_MAILBOXES_MAX}
              />
              {/* At the end of the panel that grows away from where it hangs, so that no button moves under a finger. */}
              <div className="-mx-3 max-sm:-order-1">
                <Toaster isInside />
              </div>
            </div>
          </div>
        )}
      </div>
    </section>
  )
}
