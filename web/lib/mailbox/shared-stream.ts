/**
 * Live mail for every tab over one stream. Browsers allow six HTTP/1.1 connections to a host, so a stream per tab would stall the seventh tab
 * altogether: the tab that holds a Web Lock streams and tells the others over a BroadcastChannel; when it closes, the lock passes on.
 * Where locks are missing (plain-http origins) only the visible tab streams and the hidden ones poll.
 */
import * as z from 'zod/mini'
import { mailboxEventSchema } from '#contract/mailbox.ts'
import { hashText } from '../bot-check/fingerprint.ts'
import { type LiveState, runStream, type StreamListener } from './live-stream.ts'

export type { LiveState } from './live-stream.ts'

const tabMessageSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('event'), event: mailboxEventSchema, cursor: z.optional(z.string()) }),
  z.object({ kind: z.literal('state'), state: z.enum(['live', 'reconnecting', 'polling']) }),
  z.object({ kind: z.literal('resumed') }),
  /** A tab that just opened asks the streaming one for its state. */
  z.object({ kind: z.literal('hello') }),
])
type TabMessage = z.infer<typeof tabMessageSchema>

/** Runs until `signal` aborts. `listener` hears the same in every tab. */
export function joinLive(token: string, listener: StreamListener, signal: AbortSignal): void {
  // The name tells mailboxes apart without carrying the token.
  const name = `mayfly.live.${hashText(token)}`
  const channel = new BroadcastChannel(name)
  const tell = (message: TabMessage) => channel.postMessage(message)
  let ownState: LiveState | undefined
  channel.onmessage = message => {
    const heard = z.safeParse(tabMessageSchema, message.data)
    if (!heard.success || signal.aborted) return
    if (heard.data.kind === 'hello') ownState && tell({ kind: 'state', state: ownState })
    else hear(heard.data, listener)
  }
  signal.addEventListener('abort', () => channel.close(), { once: true })
  tell({ kind: 'hello' })

  const streamed: StreamListener = {
    cursor: listener.cursor,
    onEvent(event, cursor) {
      tell(cursor === undefined ? { kind: 'event', event } : { kind: 'event', event, cursor })
      listener.onEvent(event, cursor, true)
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

function hear(message: Exclude<TabMessage, { kind: 'hello' }>, listener: StreamListener): void {
  if (message.kind === 'event') listener.onEvent(message.event, message.cursor, false)
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

/** A lock request that is aborted rejects; that is how a tab leaves. */
function ignoreAbort(error: unknown): void {
  if (!(error instanceof DOMException && error.name === 'AbortError')) throw error
}
