/**
 * The messages of one mailbox as the page knows them: one list from the server, then changes by event, and a refetch every minute in case
 * one is missed. Every step is idempotent, so a message that arrives twice (stream, other tab, refetch) is shown once.
 */
import type { DeliveryProgress, MailboxEvent, MessageList, MessageSummary } from '#contract/mailbox.ts'
import { isUnanswered, ProblemError } from '#web/lib/api/request.ts'
import type { LiveState, StreamListener } from '#web/lib/mailbox/live-stream.ts'

/** `connecting`: there has been no connection yet. */
type Shown = LiveState | 'connecting'

type InboxState = {
  /** `initial` shows skeleton rows. From `loaded` on there is a list, maybe empty, which stays through every error. */
  readonly status: 'initial' | 'loaded'
  readonly isFetching: boolean
  /** Newest first. */
  readonly messages: readonly MessageSummary[]
  /** Arrived while the page was open: their rows slide in. */
  readonly fresh: ReadonlySet<string>
  /** `away` only if the list cannot be fetched either. */
  readonly live: Shown
  /** When a server that is away is tried again, on the clock of `performance.now()`. */
  readonly retryAtMs?: number | undefined
  /** The last delivery event of this address. */
  readonly delivery?: DeliveryProgress
}

export type InboxControl = InboxState & {
  readonly unread: ReadonlySet<string>
  /** Announced by screen readers when mail arrives. */
  readonly announcement: string
  /** For a moment after the list was asked for by hand. */
  readonly isNothingNew: boolean
  refresh: () => void
  /** Tries a server again that is away. */
  retry: () => void
  deleteMessage: (id: string) => void
  markRead: (id: string) => void
}

export const INITIAL_INBOX: InboxState = { status: 'initial', isFetching: false, messages: [], fresh: new Set(), live: 'connecting' }

/** How soon a list is tried again that no server answered. */
const RETRY_MS = 20_000

type InboxDeps = {
  onChange: (state: InboxState) => void
  list: (signal: AbortSignal) => Promise<MessageList>
  /** Starts the live stream; called once, after the first list returned a cursor. */
  join: (listener: StreamListener, signal: AbortSignal) => void
  /** New messages. `isFirstHand` is false for those that another tab got from the stream. */
  onArrived: (messages: readonly MessageSummary[], isFirstHand: boolean) => void
  /** The server reports that the mailbox is gone, or kept by an account. */
  onEndChanged: () => void
}

export type InboxStore = {
  /** Whether the list was fetched and holds nothing new. */
  refresh(): Promise<boolean | undefined>
  /** Hides a message; `unhide` shows it again. The caller tells the server. */
  hide(id: string): void
  unhide(id: string): void
}

export function openInbox(deps: InboxDeps, signal: AbortSignal): InboxStore {
  let state = INITIAL_INBOX
  let cursor: string | undefined
  /** Including hidden ones. */
  let all: readonly MessageSummary[] = []
  const hidden = new Set<string>()
  let fetching: Promise<boolean | undefined> | undefined
  const connection = watchConnection(set, () => void refresh(), signal)
  /** Events that arrived during a fetch, whose list may be older. */
  let pendingEvents: MailboxEvent[] = []

  function set(next: Partial<InboxState>): void {
    if (signal.aborted) return
    state = { ...state, ...next }
    deps.onChange(state)
  }

  const visible = () => all.filter(message => !hidden.has(message.id))

  async function fetchList(): Promise<boolean | undefined> {
    set({ isFetching: true })
    pendingEvents = []
    try {
      const list = await deps.list(signal)
      const isFirst = cursor === undefined
      connection.listed(true, isFirst)
      cursor = newerCursor(cursor, list.cursor)
      const isNothingNew = show(pendingEvents.reduce(applyEvent, list.messages), !isFirst, true)
      if (isFirst) deps.join(streamListener, signal)
      return isNothingNew && !isFirst
    } catch (error) {
      // Another failed refetch is only logged: the previous list stays, and the next refetch comes within a minute.
      if (error instanceof ProblemError && error.code === 'mailbox_not_found') end()
      else if (!signal.aborted) console.warn(error)
      connection.listed(!isUnanswered(error), cursor === undefined)
    } finally {
      set({ status: 'loaded', isFetching: false })
    }
  }

  function refresh(): Promise<boolean | undefined> {
    fetching ??= fetchList().finally(() => {
      fetching = undefined
    })
    return fetching
  }

  function show(received: readonly MessageSummary[], isNews: boolean, isFirstHand: boolean): boolean {
    // No row, notification or shortcut offers the code of a contradicted sender.
    const messages = received.map(message => (message.verdict === 'contradicted' ? { ...message, codes: [] } : message))
    const known = new Set(all.map(message => message.id))
    const arrived = isNews ? messages.filter(message => !known.has(message.id)) : []
    all = messages
    set({ messages: visible() })
    if (arrived.length === 0) return true
    set({ fresh: new Set([...state.fresh, ...arrived.map(message => message.id)]) })
    if (!signal.aborted) deps.onArrived(arrived, isFirstHand)
    return false
  }

  function end(): void {
    if (signal.aborted) return
    // The stream ends with the mailbox, so its last event does not come: that the mail under way is refused.
    if (state.delivery?.step === 'connected' || state.delivery?.step === 'receiving')
      set({ delivery: { ...state.delivery, step: 'refused', reason: 'ended' } })
    deps.onEndChanged()
  }

  const streamListener: StreamListener = {
    cursor: () => cursor ?? '0',
    onEvent(event, eventCursor, isFirstHand) {
      if (signal.aborted) return
      cursor = newerCursor(cursor, eventCursor)
      if (event.type === 'expired') return end()
      if (event.type === 'extended') return deps.onEndChanged()
      if (fetching) pendingEvents.push(event)
      show(applyEvent(all, event), true, isFirstHand)
    },
    onDelivery: delivery => set({ delivery }),
    onState: connection.streamed,
    onResumed: () => void refresh(),
  }

  void refresh()
  return {
    refresh,
    hide(id) {
      hidden.add(id)
      set({ messages: visible() })
    },
    unhide(id) {
      hidden.delete(id)
      set({ messages: visible() })
    },
  }
}

/** What is said of the connection: a stream that something in between blocks is no server that is away. */
function watchConnection(show: (connection: Pick<InboxState, 'live' | 'retryAtMs'>) => void, refresh: () => void, signal: AbortSignal) {
  let streamState: Shown = 'connecting'
  let isAnswered = true
  let retryAtMs: number | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  signal.addEventListener('abort', () => clearTimeout(retry))
  const update = () => show({ live: streamState === 'away' && isAnswered ? 'polling' : streamState, retryAtMs })

  function streamed(state: LiveState, retryMs?: number): void {
    const isNews = state !== streamState
    streamState = state
    retryAtMs = retryMs && performance.now() + retryMs
    update()
    // The list tells whether it is the server or only its stream.
    if (state === 'away' && isNews) refresh()
  }

  /** A list was fetched, or failed. Before the first one there is no stream that tries again. */
  function listed(isNowAnswered: boolean, isFirst: boolean): void {
    isAnswered = isNowAnswered
    clearTimeout(retry)
    if (isFirst && isAnswered) streamState = 'connecting'
    else if (isFirst && !signal.aborted) {
      streamState = 'away'
      retryAtMs = performance.now() + RETRY_MS
      retry = setTimeout(refresh, RETRY_MS)
    }
    update()
  }
  return { streamed, listed }
}

/** Updates a known message (its authentication results are now known); a new one comes first. */
function applyEvent(messages: readonly MessageSummary[], event: MailboxEvent): readonly MessageSummary[] {
  if (event.type === 'expired' || event.type === 'extended') return messages
  if (event.type === 'removed') return messages.filter(message => message.id !== event.id)
  const isKnown = messages.some(message => message.id === event.message.id)
  return isKnown ? messages.map(message => (message.id === event.message.id ? event.message : message)) : [event.message, ...messages]
}

/** Cursors are opaque except for this: if both are whole numbers, the stream never goes back to the smaller one. */
function newerCursor(known: string | undefined, next: string | undefined): string | undefined {
  if (known === undefined || next === undefined) return next ?? known
  const [a, b] = [Number(known), Number(next)]
  return Number.isSafeInteger(a) && Number.isSafeInteger(b) && b < a ? known : next
}
