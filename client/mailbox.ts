/** One mailbox. Its token is enough to read it. */

import { destroyMailbox, listMessages, readMessage, removeMessage } from '../contract/api/mailbox-routes.ts'
import type { MailboxCreated, MessageSummary } from '../contract/mailbox.ts'
import type { Api } from './api.ts'
import { asyncDispose } from './dispose.ts'
import { MayflyError } from './errors.ts'
import { findLink } from './links.ts'
import { liveMessages } from './live-messages.ts'
import { Message } from './message.ts'
import type { LiveOptions, WaitOptions } from './options.ts'
import { type WaitScope, waitForFirst, waitForPick } from './wait.ts'

export class Mailbox implements AsyncDisposable {
  readonly address: string
  /** Everyone who has it can read and delete this mailbox. */
  readonly token: string
  /** After this time the address refuses mail, and every call fails with `mailbox_not_found`. */
  readonly expiresAt: Date
  readonly #api: Api
  readonly #scope: WaitScope

  /** @internal */
  constructor(api: Api, { email, token, expiresAt }: Pick<MailboxCreated, 'email' | 'token' | 'expiresAt'>) {
    this.address = email
    this.token = token
    this.expiresAt = new Date(expiresAt)
    this.#api = api
    this.#scope = { api, token, address: email }
  }

  /**
   * Waits for the first message that matches. One that is already there counts; to wait for the next one, pass the last as `after`. `match`
   * is a condition of your own in addition to the others.
   */
  async waitForMessage({
    match,
    ...options
  }: WaitOptions & { match?: ((message: Message) => boolean) | undefined } = {}): Promise<Message> {
    if (!match) return this.#message(await waitForFirst(this.#scope, options))
    return waitForPick(this.#scope, options, 'message that matches', fields => {
      const message = this.#message(fields)
      return match(message) ? message : undefined
    })
  }

  /** The one-time code of the first message that matches and has one. */
  waitForCode(options: WaitOptions = {}): Promise<string> {
    return waitForPick(this.#scope, options, 'message with a code', message => message.codes[0])
  }

  /** The confirmation link of the first message that matches and has one. With `host`, the first link to that host or a subdomain of it. */
  waitForLink({ host, ...options }: WaitOptions & { host?: string | undefined } = {}): Promise<string> {
    const what = host === undefined ? 'message with a confirmation link' : `message with a link to ${host}`
    return waitForPick(this.#scope, options, what, message => findLink(message, host))
  }

  /** Yields every message, starting with those already there. Resumes by itself after a lost connection, and ends when the mailbox does. */
  async *messages(options: LiveOptions = {}): AsyncGenerator<Message, void> {
    for await (const message of liveMessages(this.#scope, options)) yield this.#message(message)
  }

  /** All messages, newest first, without text and headers. */
  async listMessages(options: { signal?: AbortSignal | undefined } = {}): Promise<MessageSummary[]> {
    return (await this.#api.call(listMessages, { token: this.token, ...options })).messages
  }

  async readMessage(id: string, options: { signal?: AbortSignal | undefined } = {}): Promise<Message> {
    return this.#message(await this.#api.call(readMessage, { token: this.token, params: { id }, ...options }))
  }

  async deleteMessage(id: string): Promise<void> {
    await ignoring('message_not_found', this.#api.send(removeMessage, { token: this.token, params: { id } }))
  }

  /** Destroys the mailbox and its mail. No error if it is already gone. */
  async delete(): Promise<void> {
    await ignoring('mailbox_not_found', this.#api.send(destroyMailbox, { token: this.token }))
  }

  /** For `await using`. No error if the server is gone: the mailbox expires by itself. */
  async [asyncDispose](): Promise<void> {
    await ignoring('network', this.delete())
  }

  /** Without the token, so that a log contains nothing that opens the mailbox. */
  toJSON(): { address: string; expiresAt: string } {
    return { address: this.address, expiresAt: this.expiresAt.toISOString() }
  }

  #message(fields: ConstructorParameters<typeof Message>[2]): Message {
    return new Message(this.#api, this.token, fields)
  }
}

async function ignoring(code: MayflyError['code'], call: Promise<unknown>): Promise<void> {
  try {
    await call
  } catch (error) {
    if (!(error instanceof MayflyError && error.code === code)) throw error
  }
}
