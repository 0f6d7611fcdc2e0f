/**
 * New mail as it arrives. The event stream only says that something is new: what it is comes from the list, in the order of arrival. In the
 * stream itself a message whose sender was checked late comes behind newer ones.
 */
import * as z from 'zod/mini'
import { readEventStream, type ServerSentEvent, SILENCE_MS } from '../contract/event-stream.ts'
import { listMessages, type MailboxEvent, mailboxEventSchema, streamEvents, type Message as WireMessage } from '../contract/mailbox.ts'
import { backoffMs, pause } from './api.ts'
import { hasCode, MayflyError } from './errors.ts'
import type { LiveOptions } from './options.ts'
import { isAfter, readUnlessRemoved, type WaitScope } from './wait.ts'

const WATCH_MS = 5_000
/** How long after the end of its mailbox a server is expected to say so. */
const END_MS_MAX = 60_000
const BACKOFF_MS = { first: 200, max: 10_000 } as const

/** Each message once, ordered by arrival. Ends with the mailbox, or when `signal` aborts. */
export async function* liveMessages(scope: WaitScope, { after, signal }: LiveOptions): AsyncGenerator<WireMessage, void> {
  const yielded = new Set<string>()
  let failures = 0
  let wasFound = false

  /** Yields the messages of the list that are new; returns its cursor. */
  async function* unseen(): AsyncGenerator<WireMessage, string> {
    const { messages, cursor } = await scope.api.call(listMessages, { token: scope.token, signal })
    wasFound = true
    for (const summary of messages.reverse()) {
      const { id } = summary
      if (yielded.has(id) || !isAfter(summary, after)) continue
      const message = await readUnlessRemoved(scope, id, { signal })
      // Before the message is yielded: a loop that ends there has received it.
      yielded.add(id)
      if (message) yield message
    }
    return cursor
  }

  while (!signal?.aborted) {
    let waitMs = 0
    try {
      const cursor = yield* unseen()
      const events = openStream(scope, cursor, signal, () => {
        failures = 0
      })
      for await (const { event: name, data } of events) {
        // A newer server may send other events.
        if (name !== 'message' && name !== 'expired') continue
        const event = parseEvent(data)
        if (event.type === 'expired') return
        // A message is sent again when its sender has been checked.
        if (event.type === 'message' && !yielded.has(event.message.id) && isAfter(event.message, after)) yield* unseen()
      }
    } catch (error) {
      if (signal?.aborted) return
      if (wasFound && hasCode(error, 'mailbox_not_found')) return
      const leftMs = scope.endsAt + END_MS_MAX - performance.now()
      if ((error instanceof MayflyError && !error.isTransient) || leftMs <= 0) throw error
      waitMs = error instanceof MayflyError ? Math.min((error.retryAfterSeconds ?? 0) * 1000, leftMs) : 0
    }
    await pause(Math.max(waitMs, backoffMs(failures++, BACKOFF_MS)), signal).catch(() => undefined)
  }
}

/** The events of one connection. Ends or rejects when it is lost or silent. */
async function* openStream(
  { api, token }: WaitScope,
  cursor: string,
  signal: AbortSignal | undefined,
  onOpen: () => void,
): AsyncGenerator<ServerSentEvent, void> {
  const lost = new AbortController()
  let heardAt = performance.now()
  let isReading = false
  // A caller that takes long over a message does not read; that is not the server's silence.
  const watchdog = setInterval(() => isReading && performance.now() - heardAt > SILENCE_MS && lost.abort(), WATCH_MS)
  try {
    const headers = { accept: 'text/event-stream', 'last-event-id': cursor }
    const { body } = await api.send(streamEvents, {
      token,
      headers,
      signal: signal ? AbortSignal.any([signal, lost.signal]) : lost.signal,
      timeoutMs: Number.POSITIVE_INFINITY,
    })
    if (!body) throw new MayflyError('network', 'The event stream came without a body')
    onOpen()
    const events = readEventStream(body, () => {
      heardAt = performance.now()
    })
    for (;;) {
      heardAt = performance.now()
      isReading = true
      const { done, value } = await events.next()
      isReading = false
      if (done) return
      yield value
    }
  } finally {
    clearInterval(watchdog)
    lost.abort()
  }
}

function parseEvent(data: string): MailboxEvent {
  try {
    return z.parse(mailboxEventSchema, JSON.parse(data))
  } catch (cause) {
    throw new MayflyError('unreadable_reply', 'The event stream holds no event of Mayfly', { status: 200, cause })
  }
}
