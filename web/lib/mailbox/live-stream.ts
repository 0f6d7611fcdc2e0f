/** Keeps an event stream of one mailbox open, which tells when others change: resumes at its cursor, backs off, notices silence. */
import { readEventStream, reconnectAfterMs, SILENCE_MS } from '#contract/event-stream.ts'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import type { DeliveryProgress, MailboxEvent } from '#contract/mailbox.ts'
import { delivery, mailboxEvent, streamEvent, streamEvents } from '../api/mailbox-routes.ts'
import { isUnanswered, ProblemError, send } from '../api/request.ts'
import { anySignal } from '../browser/any-signal.ts'
import { hashText } from '../hash-text.ts'
import { either, number, object, oneOf, optional, type Shaped, text } from '../shape.ts'

/** `polling`: no stream is possible for now, so only the refetch every minute updates the inbox. `away`: the server does not answer. */
export type LiveState = 'live' | 'reconnecting' | 'polling' | 'away'

/** How often the page fetches the inbox again, in case the stream missed something. */
export const POLL_MS = 60_000
const WATCH_MS = 5000
/** After this many failures in a row, the page no longer says "reconnecting". */
const FAILURES_UNTIL_POLLING = 4
/** How long to wait for a server that does not answer, give or take a quarter, so that it does not meet everybody at once. */
const AWAY_MS = 20_000

export type StreamListener = {
  /** The cursor of the last list or event, where the stream continues. */
  cursor(): string
  /** `isFirstHand` is true only in the tab that streams, for actions that must happen once per message and not once per tab. */
  onEvent(event: MailboxEvent, cursor: string | undefined, isFirstHand: boolean): void
  /** What the SMTP server is doing for this address right now. */
  onDelivery(delivery: DeliveryProgress): void
  /** `retryMs`: when the next try comes, if the server is away. */
  onState(state: LiveState, retryMs?: number): void
  /** Called when a stream opens again after a failure: a list that only the poll updated may be outdated. */
  onResumed(): void
}

/** The token of a further address whose mail has changed, for every tab. */
const CHANGES = 'mayfly.changes'
const watched = new Set<readonly string[]>()
/** Whether a stream, of whatever tab, tells this one of them now. */
let isTold = false
export const isToldOfChanges = () => isTold
const watching = new EventTarget()

/** Calls `onChange` when something has changed at these addresses, until `signal` aborts: the stream of the shown one tells of them too. */
export function watchChanges(tokens: readonly string[], onChange: (token: string) => void, signal: AbortSignal): void {
  const channel = new BroadcastChannel(CHANGES)
  channel.onmessage = ({ data }) => tokens.includes(data) && onChange(data)
  watched.add(tokens)
  watching.dispatchEvent(new Event('change'))
  signal.addEventListener('abort', () => {
    channel.close()
    watched.delete(tokens)
    watching.dispatchEvent(new Event('change'))
  })
}

/** Resolves when `signal` aborts or the mailbox is gone. */
async function runStream(token: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    const outcome = await readOnce(token, listener, signal, () => {
      if (failures > 0) listener.onResumed()
      failures = 0
    })
    if (outcome === 'gone' || signal.aborted) return
    if (typeof outcome === 'object') {
      // The server is restarting. That is no failure, so nothing is shown unless the next connection fails.
      await pause(outcome.reconnectAfterMs, signal)
      continue
    }
    failures++
    const isMany = failures > FAILURES_UNTIL_POLLING
    if (outcome === 'unanswered' && isMany) {
      const retryMs = AWAY_MS * (0.75 + Math.random() / 2)
      listener.onState('away', retryMs)
      await pause(retryMs, signal)
      continue
    }
    const isRefused = outcome === 'refused'
    listener.onState(isRefused || isMany ? 'polling' : 'reconnecting')
    await pause(isRefused ? POLL_MS : reconnectAfterMs(failures, Math.random()), signal)
  }
}

type Outcome = 'broken' | 'unanswered' | 'refused' | 'gone' | { readonly reconnectAfterMs: number }

async function readOnce(token: string, listener: StreamListener, signal: AbortSignal, onOpen: () => void): Promise<Outcome> {
  const dead = new AbortController()
  const both = anySignal(signal, dead.signal)
  let heardAt = Date.now()
  // Uses the wall clock, which continues while the machine sleeps: after a sleep the stream is replaced at once.
  const watchdog = setInterval(() => Date.now() - heardAt > SILENCE_MS && dead.abort(), WATCH_MS)
  const onOffline = () => dead.abort()
  window.addEventListener('offline', onOffline, { signal: both })
  const others = othersThan(token)
  const isOutdated = () => String(othersThan(token)) !== String(others)
  // A list that is fetched again is taken away and put back at once.
  watching.addEventListener('change', () => queueMicrotask(() => isOutdated() && dead.abort()), { signal: both })
  const changes = new BroadcastChannel(CHANGES)
  try {
    const response = await send(streamEvents, {
      token: String([token, ...others]),
      headers: { accept: 'text/event-stream', 'last-event-id': listener.cursor() },
      signal: both,
    })
    if (!response.body) return 'broken'
    listener.onState('live')
    onOpen()
    for await (const { id, data } of readEventStream(response.body, () => {
      heardAt = Date.now()
    })) {
      const event: unknown = JSON.parse(data)
      // An event of a newer server that this page does not know is ignored.
      if (!streamEvent(event)) continue
      if (event.type === 'reconnect') return { reconnectAfterMs: event.afterMs }
      if (event.type === 'delivery') listener.onDelivery(event)
      else if (event.type === 'changed') changes.postMessage(others[event.position])
      else listener.onEvent(event, id, true)
      if (event.type === 'expired') return 'gone'
    }
    return 'broken'
  } catch (error) {
    if (isOutdated()) return { reconnectAfterMs: 0 }
    if (signal.aborted || !(error instanceof ProblemError)) return 'broken'
    if (error.code === 'mailbox_not_found') {
      listener.onEvent({ type: 'expired' }, undefined, true)
      return 'gone'
    }
    if (isUnanswered(error)) return 'unanswered'
    return error.code === 'streams_max' || error.code === 'rate_limited' ? 'refused' : 'broken'
  } finally {
    clearInterval(watchdog)
    dead.abort()
    changes.close()
  }
}

const othersThan = (token: string) =>
  [...new Set([...watched].flat())]
    .filter(each => each !== token)
    .toSorted()
    .slice(0, PRO_MAILBOXES_MAX)

const retries = new EventTarget()

/** The visitor does not want to wait for the next try, in whatever tab it would be. */
export function retryNow(): void {
  retries.dispatchEvent(new Event('retry'))
  retries.dispatchEvent(new Event('asked'))
}

/** Waits while there is no network, and only until the visitor looks at the page again. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const done = new AbortController()
  const end = () => {
    done.abort()
    resolve()
  }
  const timer = setTimeout(() => navigator.onLine !== false && end(), ms)
  done.signal.addEventListener('abort', () => clearTimeout(timer))
  signal.addEventListener('abort', end, { signal: done.signal })
  window.addEventListener('online', end, { signal: done.signal })
  retries.addEventListener('retry', end, { signal: done.signal })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && end(), { signal: done.signal })
  return promise
}

const tabMessage = either(
  object({ kind: oneOf('event'), event: mailboxEvent, cursor: optional(text) }),
  object({ kind: oneOf('state'), state: oneOf('live', 'reconnecting', 'polling', 'away'), retryMs: optional(number) }),
  object({ kind: oneOf('delivery'), delivery }),
  object({ kind: oneOf('resumed') }),
  /** A newly opened tab asks the streaming one for its state. */
  object({ kind: oneOf('hello') }),
  object({ kind: oneOf('retry') }),
)
type TabMessage = Shaped<typeof tabMessage>

/**
 * One event stream for all tabs. Browsers allow six HTTP/1.1 connections per host, so with a stream per tab the seventh tab would stall.
 * The tab that holds a Web Lock streams and passes events to the others over a BroadcastChannel; when it closes, another tab gets the lock.
 * Without locks (plain-http origins), only the visible tab streams and hidden ones poll. Runs until `signal` aborts. `listener` gets the
 * same events in every tab.
 */
export function joinLiveStream(token: string, { onState, ...others }: StreamListener, signal: AbortSignal): void {
  const listener: StreamListener = {
    ...others,
    onState(state, retryMs) {
      isTold = state === 'live'
      onState(state, retryMs)
    },
  }
  // The name identifies the mailbox without containing the token.
  const name = `mayfly.live.${hashText(token)}`
  const channel = new BroadcastChannel(name)
  const tell = (message: TabMessage) => channel.postMessage(message)
  let ownState: LiveState | undefined
  channel.onmessage = message => {
    const data: unknown = message.data
    if (!tabMessage(data) || signal.aborted) return
    if (data.kind === 'hello') {
      // That tab has its list, so the server answers again.
      if (ownState === 'away') retries.dispatchEvent(new Event('retry'))
      ownState && tell({ kind: 'state', state: ownState })
    } else handleMessage(data, listener)
  }
  const leave = () => {
    isTold = false
    channel.close()
  }
  signal.addEventListener('abort', leave, { once: true })
  tell({ kind: 'hello' })
  retries.addEventListener('asked', () => tell({ kind: 'retry' }), { signal })

  const streamed: StreamListener = {
    cursor: listener.cursor,
    onEvent(event, cursor) {
      tell({ kind: 'event', event, cursor })
      listener.onEvent(event, cursor, true)
    },
    onDelivery(seen) {
      tell({ kind: 'delivery', delivery: seen })
      listener.onDelivery(seen)
    },
    onState(state, retryMs) {
      ownState = state
      tell({ kind: 'state', state, retryMs })
      listener.onState(state, retryMs)
    },
    onResumed() {
      tell({ kind: 'resumed' })
      listener.onResumed()
    },
  }
  if (navigator.locks) {
    navigator.locks.request(name, { signal }, () => runStream(token, streamed, signal)).catch(ignoreAbort)
  } else {
    streamWhileVisible(token, listener, signal)
  }
}

function handleMessage(message: Exclude<TabMessage, { kind: 'hello' }>, listener: StreamListener): void {
  if (message.kind === 'event') listener.onEvent(message.event, message.cursor, false)
  else if (message.kind === 'delivery') listener.onDelivery(message.delivery)
  else if (message.kind === 'state') listener.onState(message.state, message.retryMs)
  else if (message.kind === 'retry') retries.dispatchEvent(new Event('retry'))
  else listener.onResumed()
}

function streamWhileVisible(token: string, listener: StreamListener, signal: AbortSignal): void {
  let running: AbortController | undefined
  const update = () => {
    if (document.visibilityState === 'visible') {
      if (running) return
      running = new AbortController()
      runStream(token, listener, anySignal(signal, running.signal)).catch(ignoreAbort)
    } else {
      running?.abort()
      running = undefined
      listener.onState('polling')
    }
  }
  document.addEventListener('visibilitychange', update, { signal })
  update()
}

/** Leaving: an aborted lock request rejects. */
function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
}
