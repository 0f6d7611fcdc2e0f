/// <reference lib="esnext.disposable" preserve="true" />
/** One mailbox. Its token is enough to read it. */
import { deleteMessage, destroyMailbox, listMessages, type MailboxCreated, type MessageSummary, readMessage } from '../contract/mailbox.ts'
import { type Api, patiently } from './api.ts'
import { checkCount, checkId, checkOptions } from './check-options.ts'
import { ignoring, ignoringTransient, MailTimeoutError, UnexpectedMailError } from './errors.ts'
import { findCode, findLink } from './links-and-codes.ts'
import { liveMessages } from './live-messages.ts'
import { Message } from './message.ts'
import type { LiveOptions, NoMailOptions, Patience, WaitOptions } from './options.ts'
import { type WaitScope, waitForFirst, waitForPick } from './wait.ts'
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
