import { useEffect, useMemo, useRef, useState } from 'react'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { MailboxCreated, MessageSummary } from '#contract/mailbox.ts'
import { CodeButton } from '#web/components/ui/code-button.tsx'
import { ChevronDown } from '#web/components/ui/icons.tsx'
import { usePopover } from '#web/components/ui/popover.ts'
import { Toaster } from '#web/components/ui/toaster.tsx'
import { useProMailboxes } from '#web/lib/auth/pro-mailboxes.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import { readUnread } from '#web/lib/mailbox/unread-mail.ts'
import { showNotification } from '#web/lib/notify/show-notification.ts'
import { showInTitle } from '#web/lib/notify/title-badge.ts'
import { AddressList, NewAddress, showAddress, useIsOpenKept, useOpenToken } from './addresses.tsx'

type Mails = readonly MessageSummary[]
const NONE: ReadonlyMap<string, Mails> = new Map()
/** How often the addresses that are not shown are asked for mail: whoever waits for a code there looks at this page. */
const WATCH_MS = 10_000

/** The messages of these addresses that nobody has opened in this browser, by token, once each has been asked for. */
function useUnread(mailboxes: readonly MailboxCreated[] | undefined): ReadonlyMap<string, Mails> {
  const [unread, setUnread] = useState(NONE)
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    const read = async ({ token }: MailboxCreated) => {
      const mails = await readUnread(token, signal)
      if (!signal.aborted) setUnread(known => new Map([...known, [token, mails]]))
    }
    // In turn, since a browser has six connections for all requests of a site.
    let timer = 0
    const readAll = async () => {
      // An address may have ended a moment ago: then it has no mail.
      for (const mailbox of mailboxes ?? []) if (!signal.aborted) await read(mailbox).catch(() => undefined)
      if (!signal.aborted) timer = window.setTimeout(readAll, WATCH_MS)
    }
    void readAll()
    return () => {
      unmounted.abort()
      clearTimeout(timer)
    }
  }, [mailboxes])
  return unread
}

type MailElsewhere = { readonly mailbox: MailboxCreated; readonly mail: MessageSummary }

/** Tells of mail at addresses that are not shown: in the title, and by a notification for each that came while the page was open. */
function useToldElsewhere(mails: readonly MailElsewhere[], isKnown: boolean): void {
  const texts = useTexts('inbox')
  const told = useRef<Set<string>>(undefined)
  useEffect(() => {
    if (!isKnown) return
    const news = told.current ? mails.filter(({ mail }) => !told.current?.has(mail.id)) : []
    told.current = new Set([...(told.current ?? []), ...mails.map(({ mail }) => mail.id)])
    for (const { mailbox, mail } of news) {
      const [code] = codesOf(mail)
      const title = texts.notificationTitle({ sender: mail.from.name || mail.from.address || texts.noSender })
      const offered = code === undefined ? undefined : { code, label: `${groupCode(code)} · ${texts.copyThisCode}` }
      void showNotification(title, `${mail.subject || texts.noSubject} · ${mailbox.email}`, mail.id, offered)
    }
  }, [mails, isKnown, texts])
  const count = mails.length
  useEffect(() => {
    const unmounted = new AbortController()
    showInTitle('elsewhere', count > 0 ? `(+${count}) ` : '', unmounted.signal)
    return () => unmounted.abort()
  }, [count])
}

/** No button offers the code of a contradicted sender. */
const codesOf = ({ verdict, codes }: MessageSummary) => (verdict === 'contradicted' ? [] : codes)

/** The newest code that came to an address which is not shown, with its name. */
function CodeElsewhere({ mails }: { mails: readonly MailElsewhere[] }) {
  const newest = mails
    .filter(({ mail }) => codesOf(mail).length > 0)
    .toSorted((a, b) => b.mail.receivedAt.localeCompare(a.mail.receivedAt))[0]
  const [code] = newest ? codesOf(newest.mail) : []
  if (!newest || code === undefined) return null
  return (
    <CodeButton code={code} className="mb-2 ml-auto gap-x-3! max-sm:w-full sm:mb-1">
      <span className="min-w-0 flex-1 truncate text-left text-muted text-sm" title={newest.mailbox.email}>
        {newest.mailbox.email}
      </span>
    </CodeButton>
  )
}

/** Beside its button; on a phone a sheet at the lower edge, over the dimmed page. */
const PANEL =
  'absolute left-0 z-40 mt-1 max-h-[min(44rem,calc(100dvh-8.5rem))] w-[min(34rem,calc(100vw-2.5rem))] animate-fade overflow-y-auto rounded-lg border border-line bg-raised px-4 pt-1 shadow-lift sm:px-5 ' +
  'max-sm:fixed max-sm:inset-x-0 max-sm:bottom-0 max-sm:max-h-[88dvh] max-sm:w-auto max-sm:rounded-b-none max-sm:shadow-[0_0_0_100vmax_rgb(0_0_0/0.4)]'

/** On the home page of a signed-in account: switches between its live addresses, and has the form for a chosen name. */
export default function AddressSwitcher() {
  const texts = useTexts('account')
  const { mailboxes, reload } = useProMailboxes()
  const { isOpen, leave, root, button } = usePopover()
  const unread = useUnread(mailboxes)
  const openToken = useOpenToken()
  const isKept = useIsOpenKept()
  const elsewhere = useMemo(
    () =>
      (mailboxes ?? [])
        .filter(({ token }) => token !== openToken)
        .flatMap(mailbox => (unread.get(mailbox.token) ?? []).map(mail => ({ mailbox, mail }))),
    [mailboxes, openToken, unread],
  )
  useToldElsewhere(elsewhere, mailboxes?.every(({ token }) => unread.has(token)) ?? false)
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
            className="-ml-3 inline-flex min-h-11 items-center gap-2 whitespace-nowrap rounded-md px-3 huge-text:whitespace-normal transition-colors duration-150 ease-out hover:bg-sunken"
          >
            <span className="font-medium">{texts.addresses}</span>
            <span className="text-muted text-sm">{texts.addressesUsed({ used, max: PRO_MAILBOXES_MAX })}</span>
            {elsewhere.length > 0 && (
              <span data-testid="mail-elsewhere" className="inline-flex items-center gap-1.5 font-medium text-river-ink text-sm">
                <span aria-hidden="true" className="size-2 rounded-full bg-river forced-colors:bg-[CanvasText]" />
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
            <AddressList
              mailboxes={mailboxes}
              unread={new Map([...unread].map(([token, mails]) => [token, mails.length]))}
              onOpen={mailbox => {
                showAddress(mailbox)
                leave()
              }}
              onDeleted={reload}
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
      <CodeElsewhere mails={elsewhere} />
    </section>
  )
}
