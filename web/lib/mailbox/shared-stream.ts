/**
 * One event stream for all tabs. Browsers allow six HTTP/1.1 connections per host, so with a stream per tab the seventh tab would stall.
 * The tab that holds a Web Lock streams and passes events to the others over a BroadcastChannel; when it closes, another tab gets the lock.
 * Without locks (plain-http origins), only the visible tab streams and hidden ones poll.
 */
import { delivery, mailboxEvent } from '../api/response-shapes.ts'
import { hashText } from '../bot-check/fingerprint.ts'
import { either, object, oneOf, optional, type Shaped, text } from '../shape.ts'
import { type LiveState, runStream, type StreamListener } from './live-stream.ts'

export type { LiveState } from './live-stream.ts'

const tabMessage = either(
  object({ kind: oneOf('event'), event: mailboxEvent, cursor: optional(text) }),
  object({ kind: oneOf('state'), state: oneOf('live', 'reconnecting', 'polling') }),
  object({ kind: oneOf('delivery'), delivery }),
  object({ kind: oneOf('resumed') }),
  /** A newly opened tab asks the streaming one for its state. */
  object({ kind: oneOf('hello') }),
)
type TabMessage = Shaped<typeof tabMessage>

/** Runs until `signal` aborts. `listener` gets the same events in every tab. */
export function joinLiveStream(token: string, listener: StreamListener, signal: AbortSignal): void {
  // The name identifies the mailbox without containing the token.
  const name = `mayfly.live.${hashText(token)}`
  const channel = new BroadcastChannel(name)
  const tell = (message: TabMessage) => channel.postMessage(message)
  let ownState: LiveState | undefined
  channel.onmessage = message => {
    const data: unknown = message.data
    if (!tabMessage(data) || signal.aborted) return
    if (data.kind === 'hello') ownState && tell({ kind: 'state', state: ownState })
    else handleMessage(data, listener)
  }
  signal.addEventListener('abort', () => channel.close(), { once: true })
  tell({ kind: 'hello' })

  const streamed: StreamListener = {
    cursor: listener.cursor,
    onEvent(event, cursor) {
      tell(cursor === undefined ? { kind: 'event', event } : { kind: 'event', event, cursor })
      listener.onEvent(event, cursor, true)
    },
    onDelivery(seen) {
      tell({ kind: 'delivery', delivery: seen })
      listener.onDelivery(seen)
    },
    onState(state) {
      ownState = state
      tell({ kind: 'state', state })
      listener.onState(state)
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
  else if (message.kind === 'state') listener.onState(message.state)
  else listener.onResumed()
}

function streamWhileVisible(token: string, listener: StreamListener, signal: AbortSignal): void {
  let running: AbortController | undefined
  const update = () => {
    if (document.visibilityState === 'visible') {
      if (running) return
      running = new AbortController()
      runStream(token, listener, AbortSignal.any([signal, running.signal])).catch(ignoreAbort)
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
