/** Keeps an event stream of one mailbox open: resumes at its cursor, backs off after failures, notices silence. */
import { readEventStream, SILENCE_MS } from '#contract/event-stream.ts'
import type { DeliveryProgress, MailboxEvent } from '#contract/mailbox.ts'
import { openEvents, ProblemError } from '../api/mailbox-api.ts'
import { streamEvent } from '../api/response-shapes.ts'
import { POLL_MS } from './timing.ts'

/** `polling`: no stream is possible for now, so only the refetch every minute updates the inbox. */
export type LiveState = 'live' | 'reconnecting' | 'polling'

const WATCH_MS = 5000
const BACKOFF_MS = { first: 500, max: 30_000 } as const
/** After this many failures in a row, the page no longer says "reconnecting". */
const FAILURES_UNTIL_POLLING = 4

export type StreamListener = {
  /** The cursor of the last list or event, where the stream continues. */
  cursor(): string
  /** `isFirstHand` is true only in the tab that streams, for actions that must happen once per message and not once per tab. */
  onEvent(event: MailboxEvent, cursor: string | undefined, isFirstHand: boolean): void
  /** What the SMTP server is doing for this address right now. */
  onDelivery(delivery: DeliveryProgress): void
  onState(state: LiveState): void
  /** Called when a stream opens again after a failure: a list that only the poll updated may be outdated. */
  onResumed(): void
}

/** Resolves when `signal` aborts or the mailbox is gone. */
export async function runStream(token: string, listener: StreamListener, signal: AbortSignal): Promise<void> {
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
    const isRefused = outcome === 'refused'
    listener.onState(isRefused || failures > FAILURES_UNTIL_POLLING ? 'polling' : 'reconnecting')
    await pause(isRefused ? POLL_MS : backoffMs(failures, Math.random()), signal)
  }
}

/** Full jitter, so that a restarted server does not get all reconnects at once. */
export function backoffMs(failures: number, random: number): number {
  return BACKOFF_MS.first / 2 + random * Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** (failures - 1))
}

type Outcome = 'broken' | 'refused' | 'gone' | { readonly reconnectAfterMs: number }

async function readOnce(token: string, listener: StreamListener, signal: AbortSignal, onOpen: () => void): Promise<Outcome> {
  const dead = new AbortController()
  const both = AbortSignal.any([signal, dead.signal])
  let heardAt = Date.now()
  // Uses the wall clock, which continues while the machine sleeps: after a sleep the stream is replaced at once.
  const watchdog = setInterval(() => Date.now() - heardAt > SILENCE_MS && dead.abort(), WATCH_MS)
  const onOffline = () => dead.abort()
  window.addEventListener('offline', onOffline, { signal: both })
  try {
    const response = await openEvents(token, listener.cursor(), both)
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
      if (event.type === 'delivery') {
        listener.onDelivery(event)
        continue
      }
      listener.onEvent(event, id, true)
      if (event.type === 'expired') return 'gone'
    }
    return 'broken'
  } catch (error) {
    if (signal.aborted || !(error instanceof ProblemError)) return 'broken'
    if (error.code === 'mailbox_not_found') {
      listener.onEvent({ type: 'expired' }, undefined, true)
      return 'gone'
    }
    return error.code === 'streams_max' || error.code === 'rate_limited' ? 'refused' : 'broken'
  } finally {
    clearInterval(watchdog)
    dead.abort()
  }
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
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && end(), { signal: done.signal })
  return promise
}
