/// <reference lib="esnext.disposable" preserve="true" />
/** One mailbox. Its token is enough to read it. */

import * as z from 'zod/mini'
import { readEventStream, type ServerSentEvent, SILENCE_MS } from '../contract/event-stream.ts'
import {
  deleteMessage,
  destroyMailbox,
  listMessages,
  type MailboxCreated,
  type MailboxEvent,
  type MessageSummary,
  mailboxEventSchema,
  readMessage,
  streamEvents,
  type Message as WireMessage,
} from '../contract/mailbox.ts'
import { type Api, backoffMs, patiently, pause } from './api.ts'
import { checkCount, checkId, checkOptions } from './check-options.ts'
import { hasCode, ignoring, ignoringTransient, MailTimeoutError, MayflyError, UnexpectedMailError } from './errors.ts'
import { findCode, findLink } from './links-and-codes.ts'
import { Message } from './message.ts'
import type { LiveOptions, NoMailOptions, Patience, WaitOptions } from './options.ts'
import { isAfter, readUnlessRemoved, type WaitScope, waitForFirst, waitForPick } from './wait.ts'
import { Webhooks } from './webhooks.ts'

/** Older engines have no such symbol; compilers then use this one. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')

/** At the end of a test nobody wants to wait for a server that hangs. */
const DISPOSE_MS_MAX = 5000

/** `match` is a condition of your own in addition to the others. */
type MatchOptions = WaitOptions & { match?: ((message: Message) => boolean) | undefined }

export class Mailbox implements AsyncDisposable {
  readonly address: string
  /** `Mayfly.deleteMailbox` takes it. Only mailboxes that were created with an API key have one, and only where they were created. */
  readonly id: string | undefined
  /** After this time the address refuses mail, and every call fails with `mailbox_not_found`. */
  readonly expiresAt: Date
  readonly #api: Api
  readonly #scope: WaitScope

  /** @internal */
  constructor(api: Api, { email, token, expiresAt, secondsLeft, id }: MailboxCreated) {
    this.address = email
    this.id = id
    this.expiresAt = new Date(expiresAt)
    this.#api = api
    this.#scope = { api, token, address: email, expiresAt: this.expiresAt, endsAt: performance.now() + secondsLeft * 1000 }
  }

  /** Everyone who has it can read and delete this mailbox. No property, so that nothing that prints the mailbox prints it. */
  get token(): string {
    return this.#scope.token
  }

  /** The webhooks of this mailbox alone, if an API key created it. */
  get webhooks(): Webhooks {
    return new Webhooks(this.#api, this.token, 'mailbox')
  }

  /** Waits for the first message that matches. One that is already there counts; to wait for the next one, pass the last as `after`. */
  async waitForMessage(options: MatchOptions = {}): Promise<Message> {
    checkOptions('waitForMessage', options)
    const { match, ...conditions } = options
    if (!match) return this.#message(await waitForFirst(this.#scope, conditions))
    return waitForPick(this.#scope, conditions, { what: 'message that matches', missing: '`match` refused it' }, fields => {
      const message = this.#message(fields)
      return holds(match, message) ? message : undefined
    })
  }

  /** Waits until `count` messages match; resolves to the first of them, oldest first. */
  async waitForMessages(count: number, options: MatchOptions = {}): Promise<Message[]> {
    checkCount('waitForMessages', count)
    checkOptions('waitForMessages', options)
    const { match, ...conditions } = options
    const found: Message[] = []
    const search = { what: `${count} messages`, missing: `it matches, but ${count} were wanted; the same bytes twice are one message` }
    return waitForPick(this.#scope, conditions, search, fields => {
      const message = this.#message(fields)
      if (!match || holds(match, message)) found.push(message)
      return found.length >= count ? found : undefined
    })
  }

  /**
   * The one-time code of the first message that matches and has one. With `codePattern`, what its first group matches in subject or text,
   * or all of it without a group.
   */
  async waitForCode(options: WaitOptions & { codePattern?: RegExp | undefined } = {}): Promise<string> {
    checkOptions('waitForCode', options)
    const { codePattern, ...conditions } = options
    const what = codePattern ? `message with a code like ${codePattern}` : 'message with a code'
    return waitForPick(this.#scope, conditions, { what, missing: 'no code' }, message => findCode(message, codePattern))
  }

  /** The confirmation link of the first message that matches and has one. With `host`, the first link to that host or a subdomain of it. */
  async waitForLink(options: WaitOptions & { host?: string | undefined } = {}): Promise<string> {
    checkOptions('waitForLink', options)
    const { host, ...conditions } = options
    const what = host === undefined ? 'message with a confirmation link' : `message with a link to ${host}`
    return waitForPick(this.#scope, conditions, { what, missing: 'no such link' }, message => findLink(message, host))
  }

  /** Watches for `withinMs`. Throws `UnexpectedMailError` as soon as a message matches; one that is already there counts. */
  async expectNoMail(options: NoMailOptions): Promise<void> {
    checkOptions('expectNoMail', options)
    const { withinMs, ...conditions } = options
    if (withinMs === undefined) throw new TypeError('expectNoMail: withinMs says how long to watch')
    try {
      const { subject, from } = await waitForFirst(this.#scope, { ...conditions, timeoutMs: withinMs })
      const arrived = (await this.listMessages({ signal: options.signal })).reverse()
      const message = `A mail came to ${this.address} that should not have: ${JSON.stringify(subject)} from ${from.address || '(no sender)'}`
      throw new UnexpectedMailError(message, arrived)
    } catch (error) {
      if (!(error instanceof MailTimeoutError)) throw error
    }
  }

  /** Yields every message, starting with those already there. Resumes by itself after a lost connection, and ends when the mailbox does. */
  async *messages(options: LiveOptions = {}): AsyncGenerator<Message, void> {
    checkOptions('messages', options)
    for await (const message of liveMessages(this.#scope, options)) yield this.#message(message)
  }

  /** All messages, newest first, without text and headers. */
  async listMessages(options: Patience = {}): Promise<MessageSummary[]> {
    checkOptions('listMessages', options)
    return (await patiently(options, limits => this.#api.call(listMessages, { token: this.token, ...limits }))).messages
  }

  async readMessage(id: string, options: Patience = {}): Promise<Message> {
    checkId('readMessage', id)
    checkOptions('readMessage', options)
    const call = { token: this.token, params: { id } }
    return this.#message(await patiently(options, limits => this.#api.call(readMessage, { ...call, ...limits })))
  }

  async deleteMessage(id: string): Promise<void> {
    checkId('deleteMessage', id)
    const call = { token: this.token, params: { id } }
    await ignoring(
      'message_not_found',
      patiently({}, limits => this.#api.send(deleteMessage, { ...call, ...limits })),
    )
  }

  /** Destroys the mailbox and its mail. No error if it is already gone. */
  async delete(): Promise<void> {
    await patiently({}, limits => this.#destroy(limits))
  }

  /** For `await using`. One attempt, and no error if the server is away: the mailbox expires by itself. */
  async [asyncDispose](): Promise<void> {
    await ignoringTransient(this.#destroy({ timeoutMs: DISPOSE_MS_MAX }))
  }

  #destroy(limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined }): Promise<void> {
    return ignoring('mailbox_not_found', this.#api.send(destroyMailbox, { token: this.token, ...limits }))
  }

  /** Without the token, so that a log contains nothing that opens the mailbox. */
  toJSON(): { address: string; id?: string | undefined; expiresAt: string } {
    return { address: this.address, id: this.id, expiresAt: this.expiresAt.toISOString() }
  }

  #message(fields: ConstructorParameters<typeof Message>[2]): Message {
    return new Message(this.#api, this.token, fields)
  }
}

/** A promise is true whatever it resolves to, and would match any mail. */
function holds(match: (message: Message) => unknown, message: Message): boolean {
  const result = match(message)
  if (typeof result === 'object' && result !== null && 'then' in result)
    throw new TypeError('match must return true or false, not a promise')
  return Boolean(result)
}

const WATCH_MS = 5_000
/** How long after the end of its mailbox a server is expected to say so. */
const END_MS_MAX = 60_000
const BACKOFF_MS = { first: 200, max: 10_000 } as const

/**
 * Each message once, ordered by arrival. Ends with the mailbox, or when `signal` aborts. The event stream only says that something is new:
 * what it is comes from the list. In the stream itself a message whose sender was checked late comes behind newer ones.
 */
async function* liveMessages(scope: WaitScope, { after, signal }: LiveOptions): AsyncGenerator<WireMessage, void> {
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
