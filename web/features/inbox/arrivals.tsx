/** What is done when mail comes while the page is open: it is told, and offered where its row is not in view. Fetched with the first. */
import { useCallback, useEffect, useState, useSyncExternalStore } from 'react'
import type { MessageSummary } from '#contract/mailbox.ts'
import { CodeButton } from '#web/components/ui/code-button.tsx'
import { ChevronDown } from '#web/components/ui/icons.ts'
import { COPIED_MS } from '#web/lib/browser/clipboard.ts'
import { watchScreen } from '#web/lib/browser/screen.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { groupCode } from '#web/lib/mailbox/group-code.ts'
import { addressStore } from '#web/lib/mailbox/page-addresses.ts'
import { hasTone, playTone } from '#web/lib/notify/notifications.ts'
import { showNotification } from '#web/lib/notify/show-notification.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { INBOX_ID } from '#web/lib/routing/scroll-to-section.ts'
import type { InboxTexts } from '#web/texts/en/core.ts'

/** `arrived`: unread mails that came while the page was open, newest first. */
export type ArrivalPillProps = { arrived: readonly MessageSummary[] }

/** The mail whose code is in the clipboard, and those that had arrived when it was pressed: a later one is still offered. */
type Copied = { readonly id: string; readonly known: readonly MessageSummary[] }

const NO_IDS: ReadonlySet<string> = new Set()
/** The part of a row that has to be on the screen for its mail to be seen: the line of the sender. */
const LINE_PX = 40
/** How much of the screen's lower edge the offer takes. */
const OFFER_PX = 72

/**
 * The newest mail if its row is outside the screen, with its code to copy or the way there. A mail that the visitor has scrolled away
 * from is not announced again, and neither is an earlier one. One that something late above it has pushed away still is.
 */
export default function ArrivalPill({ arrived }: ArrivalPillProps) {
  const texts = useTexts('inbox')
  const [seen, setSeen] = useState(NO_IDS)
  const [copied, setCopied] = useState<Copied>()
  const waiting = arrived.filter(({ id }) => !seen.has(id))
  const [newest] = waiting
  const place = useSyncExternalStore(
    watchScreen,
    useCallback(() => newest && placeOf(newest), [newest]),
  )
  const see = useCallback((mails: readonly MessageSummary[]) => setSeen(ids => new Set([...ids, ...mails.map(({ id }) => id)])), [])
  useEffect(() => {
    if (place !== 'on-screen') return
    const onScroll = ({ target }: Event) => target === document && see(arrived)
    // Before the listener that looks for the row's new place.
    addEventListener('scroll', onScroll, { capture: true, passive: true })
    return () => removeEventListener('scroll', onScroll, { capture: true })
  }, [arrived, place, see])
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => {
      setCopied(undefined)
      see(copied.known)
    }, COPIED_MS)
    return () => clearTimeout(timer)
  }, [copied, see])
  const isShown = newest !== undefined && (place === 'above' || place === 'below')
  if (!isShown) return null

  const [code] = newest.codes
  const showRow = () => {
    rowOf(newest.id)?.scrollIntoView({ block: 'center' })
    see(arrived)
  }
  return (
    <div data-print="never" className="arrival">
      {code !== undefined ? (
        <CodeButton key={newest.id} code={code} size="lg" onCopied={() => setCopied({ id: newest.id, known: arrived })} />
      ) : (
        <button
          type="button"
          onClick={showRow}
          className="flex min-h-11 items-center justify-center gap-x-2 rounded-md border border-river bg-river-wash px-5 font-semibold text-river-ink hover:border-ink"
        >
          {texts.newMails({ count: waiting.length })}
          <ChevronDown
            aria-hidden="true"
            strokeWidth={2}
            className={`size-4.5 shrink-0 huge-text:hidden ${place === 'above' ? 'rotate-180' : ''}`}
          />
        </button>
      )}
    </div>
  )
}

const rowOf = (id: string) => document.querySelector(`[data-message="${CSS.escape(id)}"]`)

/**
 * A mail with a code is on the screen when the code can be pressed. `hidden`: above the screen while the inbox is where the offer would be,
 * which must not lie over other mails.
 */
function placeOf({ id, codes }: MessageSummary): 'on-screen' | 'above' | 'below' | 'hidden' | undefined {
  const row = rowOf(id)
  if (!row) return undefined
  const { top, bottom } = row.getBoundingClientRect()
  const button = codes.length > 0 ? row.querySelector('[data-code]') : null
  if ((button?.getBoundingClientRect().bottom ?? top + LINE_PX) > innerHeight) return 'below'
  if (bottom > LINE_PX) return 'on-screen'
  const inbox = document.getElementById(INBOX_ID)?.getBoundingClientRect()
  return (inbox?.bottom ?? 0) > innerHeight - OFFER_PX ? 'hidden' : 'above'
}

/** Tells of mails that came, newest first. Returns what screen readers announce. */
export function tellArrivals(arrived: readonly MessageSummary[], texts: InboxTexts): string {
  const [first] = arrived
  if (!first) return ''
  const announcement = announce(arrived, first, texts)
  const [code] = first.codes
  const offered = code === undefined ? undefined : { code, label: `${groupCode(code)} · ${texts.copyThisCode}` }
  const title = texts.notificationTitle({ sender: senderName(first, texts) })
  const email = addressStore.get()?.email ?? ''
  void showNotification({ email, title, body: first.subject || texts.noSubject, tag: first.id, offered })
  if (hasTone()) playTone()
  // Over an open dialog nothing of the inbox can be seen, heard or pressed.
  if (document.querySelector('dialog[open]'))
    showToast({
      isUnasked: true,
      title:
        code === undefined ? announcement : texts.arrived({ sender: senderName(first, texts), subject: first.subject || texts.noSubject }),
      ...(code !== undefined && { code, durationMs: OFFERED_MS }),
    })
  return announcement
}

function announce(arrived: readonly MessageSummary[], first: MessageSummary, texts: InboxTexts): string {
  if (arrived.length > 1) return texts.arrivedMany({ count: arrived.length })
  const subject = first.subject || texts.noSubject
  const [code = ''] = first.codes
  // What most visitors wait for, unless the subject says it.
  const more = subject.includes(code) ? '' : `. ${groupCode(code)}`
  return texts.arrived({ sender: senderName(first, texts), subject }) + more
}

/** A code is offered for longer than other toasts stay, as there is something to do. */
const OFFERED_MS = 15_000

/** The sender's display name, else the address; both are chosen by the sender. */
export function senderName(message: Pick<MessageSummary, 'from'>, texts: Pick<InboxTexts, 'noSender'>): string {
  return message.from.name || message.from.address || texts.noSender
}
