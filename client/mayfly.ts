/** A Mayfly server. */
import { createMailbox, destroyMailboxById, destroyMailboxes, listMailboxes, readMailbox } from '../contract/api/mailbox-routes.ts'
import { readConfig } from '../contract/api/site-routes.ts'
import type { ApiMailbox } from '../contract/mailbox.ts'
import { Api } from './api.ts'
import { MayflyError } from './errors.ts'
import { Mailbox } from './mailbox.ts'
import type { CreateMailboxOptions, MayflyOptions } from './options.ts'
import { obtainProofOfWork } from './proof-of-work.ts'
import { retryCreation } from './retry.ts'

export class Mayfly {
  readonly url: string
  readonly #api: Api
  readonly #apiKey: string | undefined
  #provider: Promise<'off' | 'pow' | 'recaptcha'> | undefined

  constructor({ apiKey, ...options }: MayflyOptions) {
    this.#api = new Api(options)
    this.#apiKey = apiKey
    this.url = this.#api.url
  }

  /**
   * Creates an address. Solves the server's proof of work if it asks for one. An answer that was lost is asked for again under the same
   * `Idempotency-Key`, so that there is one mailbox and it is this one.
   */
  async createMailbox({ signal, ...wanted }: CreateMailboxOptions = {}): Promise<Mailbox> {
    const botCheck = await this.#botCheck(signal)
    const body = { ...wanted, botCheck }
    const headers = { 'idempotency-key': randomKey() }
    const made = await retryCreation(signal, () => this.#api.call(createMailbox, { body, token: this.#apiKey, headers, signal }))
    return new Mailbox(this.#api, made)
  }

  /** The mailbox of a token, e.g. one that another process created. `mailbox_not_found` if it has expired. */
  async openMailbox(token: string, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<Mailbox> {
    return new Mailbox(this.#api, { ...(await this.#api.call(readMailbox, { token, signal })), token })
  }

  /**
   * The live mailboxes of this API token, or of all API keys of the account, newest first. Only those that this very key created have an
   * `email`. They can be deleted by `id`; reading one needs its token.
   */
  async *listMailboxes({ signal }: { signal?: AbortSignal | undefined } = {}): AsyncGenerator<ApiMailbox, void> {
    let cursor: string | undefined
    do {
      const page = await this.#api.call(listMailboxes, { query: { cursor }, token: this.#apiKey, signal })
      yield* page.mailboxes
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  /** Deletes a mailbox of the list by its id, also one that another API key of the account created. No error if it is already gone. */
  async deleteMailbox(id: string): Promise<void> {
    try {
      await this.#api.send(destroyMailboxById, { params: { id }, token: this.#apiKey })
    } catch (error) {
      if (!(error instanceof MayflyError && error.code === 'mailbox_not_found')) throw error
    }
  }

  /**
   * Deletes every mailbox of the list, e.g. those of a test run that was killed. Resolves to their number. Careful: with an API key these
   * are the mailboxes of ALL API keys of the account, also those that other programs are using.
   */
  async deleteAllMailboxes(): Promise<number> {
    return (await this.#api.call(destroyMailboxes, { token: this.#apiKey })).destroyed
  }

  /** The domains that the server receives mail for. */
  async domains(): Promise<string[]> {
    return (await this.#api.call(readConfig, {})).domains
  }

  async #botCheck(signal: AbortSignal | undefined): Promise<string | undefined> {
    if (this.#apiKey !== undefined) return undefined
    this.#provider ??= this.#readProvider()
    const provider = await this.#provider
    if (provider === 'off') return undefined
    if (provider === 'pow') return obtainProofOfWork(this.#api, signal)
    throw new MayflyError('bot_check_unsolvable', `${this.url} asks visitors for reCAPTCHA, which a program cannot pass. Use an API key.`)
  }

  /** Fetched once; a failure is not cached. */
  async #readProvider(): Promise<'off' | 'pow' | 'recaptcha'> {
    try {
      return (await this.#api.call(readConfig, {})).botCheck.provider
    } catch (error) {
      this.#provider = undefined
      throw error
    }
  }
}

/** `crypto.randomUUID` is missing on pages without https. */
function randomKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
}
