import { useCallback, useEffect, useRef, useState } from 'react'
import type { MessageList, MessageSummary } from '#contract/mailbox.ts'
import { lazyPart } from '#web/components/layout/lazy-part.tsx'
import { deleteMessage, listMessages } from '#web/lib/api/mailbox-routes.ts'
import { ProblemError, request, send } from '#web/lib/api/request.ts'
import { track } from '#web/lib/browser/analytics.ts'
import { copyText } from '#web/lib/browser/clipboard.ts'
import { watchWake } from '#web/lib/browser/clock.ts'
import { untilReleased } from '#web/lib/browser/released.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { joinLiveStream, POLL_MS, retryNow } from '#web/lib/mailbox/live-stream.ts'
import { claimArrivals, markRead, readMarks } from '#web/lib/mailbox/read-marks.ts'
import { showToast } from '#web/lib/notify/toasts.ts'
import { offerUndo, type UndoableChange } from '#web/lib/notify/undo.ts'
import type { InboxTexts } from '#web/texts/en/core.ts'
import { INITIAL_INBOX, type InboxControl, type InboxStore, openInbox } from './inbox-store.ts'

/** How long the state of the connection makes way for it. */
const NOTHING_NEW_MS = 2000
const NO_IDS: ReadonlySet<string> = new Set()
const NO_MAIL: readonly MessageSummary[] = []

/** What draws the list: fetched when a server connects, or with the first list that has mail. */
export const InboxRows = lazyPart(() => import('./inbox-row.tsx'), 'default')

export const loadArrivals = () => import('./arrivals.tsx')

async function listWithRows(token: string, signal: AbortSignal): Promise<MessageList> {
  const list = await request(listMessages, { token, signal })
  if (list.messages.length > 0) await InboxRows.preload()
  return list
}

/** The messages of the mailbox that `token` opens; empty without one. */
export function useInbox(token: string | undefined, onEndChanged: () => void): InboxControl {
  const texts = useTexts('inbox')
  const { undo } = useTexts('layout')
  const [store, setStore] = useState<InboxStore>()
  // Not useSyncExternalStore: React would draw after every event of a burst, and gives the page up after fifty times in a row.
  const [state, setState] = useState(INITIAL_INBOX)
  const [arrived, setArrived] = useState(NO_MAIL)
  const [announcement, setAnnouncement] = useState('')
  const [read, setRead] = useState(NO_IDS)
  /** Mails that were not announced yet: several may come before the page is drawn again. */
  const untold = useRef(NO_MAIL)
  const deletions = useRef(new Set<UndoableChange>())

  useEffect(() => {
    if (token === undefined) return
    const unmounted = new AbortController()
    let latest = INITIAL_INBOX
    const opened = openInbox(
      {
        list: signal => listWithRows(token, signal),
        join: (listener, signal) => joinLiveStream(token, listener, signal),
        // A row that moves between press and release opens nothing.
        onChange: next => {
          latest = next
          void untilReleased().then(() => !unmounted.signal.aborted && setState(latest))
        },
        onEndChanged,
        onArrived: (messages, isFirstHand) => {
          untold.current = [...messages, ...untold.current]
          setArrived(untold.current)
          const unreported = isFirstHand ? claimArrivals(token, messages) : 0
          if (unreported > 0) track('email_received', { value: unreported })
        },
      },
      unmounted.signal,
    )
    setStore(opened)
    setRead(readMarks(token))
    const poll = setInterval(() => void opened.refresh(), POLL_MS)
    watchWake(() => void opened.refresh(), unmounted.signal)
    return () => {
      // Leaving this mailbox makes pending deletions final.
      for (const deletion of deletions.current) deletion.commit()
      deletions.current.clear()
      unmounted.abort()
      clearInterval(poll)
      untold.current = NO_MAIL
      setStore(undefined)
      setState(INITIAL_INBOX)
      setArrived(NO_MAIL)
      setAnnouncement('')
    }
  }, [token, onEndChanged])

  useEffect(() => {
    const mails = untold.current
    // Once, and not again when the language changes.
    if (arrived.length === 0 || mails.length === 0) return
    untold.current = NO_MAIL
    // Without its code the list still has the mail.
    loadArrivals().then(
      ({ tellArrivals }) => setAnnouncement(tellArrivals(mails, texts)),
      () => undefined,
    )
  }, [arrived, texts])

  useCopyFromNotification(texts)

  const retry = useCallback(() => {
    retryNow()
    void store?.refresh()
  }, [store])
  const deleteWithUndo = useCallback(
    (id: string) => {
      if (token === undefined || !store) return
      store.hide(id)
      const commit = () => {
        send(deleteMessage, { token, params: { id }, isKept: true }).catch(error => {
          if (error instanceof ProblemError && error.status === 404) return
          showToast({ variant: 'destructive', title: texts.deleteFailed })
          store.unhide(id)
        })
      }
      const toast = { variant: 'default', title: texts.deleted } as const
      deletions.current.add(offerUndo({ commit, undo: () => store.unhide(id) }, toast, undo))
    },
    [store, token, texts, undo],
  )
  const mark = useCallback((id: string) => token !== undefined && setRead(markRead(token, id)), [token])
  const unread = new Set(state.messages.filter(message => !read.has(message.id)).map(message => message.id))
  return { ...state, ...useRefresh(store), unread, announcement, retry, deleteMessage: deleteWithUndo, markRead: mark }
}

/** Asks for the list by hand. */
function useRefresh(store: InboxStore | undefined): Pick<InboxControl, 'refresh' | 'isNothingNew'> {
  const [isNothingNew, setIsNothingNew] = useState(false)
  const refresh = useCallback(async () => {
    if (!(await store?.refresh())) return
    setIsNothingNew(true)
    setTimeout(() => setIsNothingNew(false), NOTHING_NEW_MS)
  }, [store])
  return { refresh, isNothingNew }
}

/** Copies the code when the button of a notification was pressed, which has brought the page to the front. */
function useCopyFromNotification(texts: InboxTexts): void {
  useEffect(() => {
    const left = new AbortController()
    const copy = async ({ data }: MessageEvent) => {
      if (typeof data?.copy === 'string' && (await copyText(data.copy))) showToast({ title: texts.copied, description: texts.codeCopied })
    }
    navigator.serviceWorker?.addEventListener('message', copy, { signal: left.signal })
    // The press may be what opened this page.
    navigator.serviceWorker?.controller?.postMessage('listening')
    return () => left.abort()
  }, [texts])
}
