/** A Mayfly server. */
import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import * as z from 'zod/mini'
import { encodeSolution } from '../contract/challenge.ts'
import { MAILBOX_BATCH_MAX } from '../contract/limits.ts'
import {
  type ApiMailbox,
  createMailbox,
  createMailboxes,
  destroyMailboxById,
  destroyMailboxes,
  listMailboxes,
  readMailbox,
} from '../contract/mailbox.ts'
import type { Route } from '../contract/route.ts'
import { routes } from '../contract/routes.ts'
import { readChallenge } from '../contract/site.ts'
import { Api, Deadline, patiently } from './api.ts'
import { checkCount, checkId, checkOptions, checkText, readSecret } from './check-options.ts'
import { hasCode, ignoring, MayflyError } from './errors.ts'
import { asyncDispose, Mailbox } from './mailbox.ts'
import type { CreateMailboxesOptions, CreateMailboxOptions, MayflyOptions, Patience } from './options.ts'
import { Webhooks } from './webhooks.ts'

/** Most of the configuration is for the site. */
const readConfig = {
  method: 'GET',
  path: routes.config,
  response: z.object({ domains: z.array(z.string()), botCheck: z.object({ provider: z.enum(['off', 'pow', 'recaptcha']) }) }),
} as const satisfies Route

const CREATE_MS_DEFAULT = 30_000
const SOLVE_MS_MAX = 60_000
/** More than a server asks for: one derivation, which nothing can interrupt, takes at most a tenth of a second. */
const SOLVE_MAX = { cost: 100_000, keyLength: 64 } as const

export class Mayfly {
  readonly url: string
  readonly #api: Api
  readonly #apiKey: string | undefined
  #provider: 'off' | 'pow' | 'recaptcha' | undefined

  constructor(options: MayflyOptions) {
    checkOptions('new Mayfly', options)
    this.#api = new Api(options)
    this.#apiKey = readSecret('new Mayfly', 'apiKey', options.apiKey ?? '') || undefined
    this.url = this.#api.url
  }

  /**
   * Creates an address. Solves the server's proof of work if it asks for one. What fails for the moment is tried again until `timeoutMs`
   * under the same `Idempotency-Key`, so that there is one mailbox and it is this one.
   */
  async createMailbox(options: CreateMailboxOptions = {}): Promise<Mailbox> {
    checkOptions('createMailbox', options)
    const { signal, timeoutMs = CREATE_MS_DEFAULT, ...wanted } = options
    const deadline = new Deadline(timeoutMs, signal)
    const botCheck = await this.#botCheck(deadline)
    const call = { body: { ...wanted, botCheck }, ...this.#creation() }
    return new Mailbox(this.#api, await deadline.retry(() => this.#api.call(createMailbox, { ...call, ...deadline.attempt }), isUnderWay))
  }

  /** Creates `count` addresses or none, each hundred of them in one request. Needs an API key. */
  async createMailboxes(count: number, options: CreateMailboxesOptions = {}): Promise<Mailbox[]> {
    checkCount('createMailboxes', count)
    checkOptions('createMailboxes', options)
    const { signal, timeoutMs = CREATE_MS_DEFAULT, ...wanted } = options
    const deadline = new Deadline(timeoutMs, signal)
    const made: Mailbox[] = []
    try {
      while (made.length < count) {
        const call = { body: { ...wanted, count: Math.min(MAILBOX_BATCH_MAX, count - made.length) }, ...this.#creation() }
        const batch = await deadline.retry(() => this.#api.call(createMailboxes, { ...call, ...deadline.attempt }), isUnderWay)
        made.push(...batch.mailboxes.map(mailbox => new Mailbox(this.#api, mailbox)))
      }
      return made
    } catch (error) {
      await Promise.allSettled(made.map(mailbox => mailbox[asyncDispose]()))
      throw error
    }
  }

  /** The mailbox of a token, e.g. one that another process created. `mailbox_not_found` if it has expired. */
  async openMailbox(token: string, options: Patience = {}): Promise<Mailbox> {
    const secret = readSecret('openMailbox', 'token', token)
    checkText('openMailbox', 'token', secret)
    checkOptions('openMailbox', options)
    const found = await patiently(options, limits => this.#api.call(readMailbox, { token: secret, ...limits }))
    return new Mailbox(this.#api, { ...found, token: secret })
  }

  /** Live mailboxes of this token, or of all API keys of the account, newest first. Only those that this key created have an `email`. */
  async *listMailboxes(options: Patience = {}): AsyncGenerator<ApiMailbox, void> {
    checkOptions('listMailboxes', options)
    let cursor: string | undefined
    do {
      const call = { query: { cursor }, token: this.#apiKey }
      const page = await patiently(options, limits => this.#api.call(listMailboxes, { ...call, ...limits }))
      yield* page.mailboxes
      cursor = page.nextCursor
    } while (cursor !== undefined)
  }

  /** Deletes a mailbox of the list by its id, also one that another API key of the account created. No error if it is already gone. */
  async deleteMailbox(id: string): Promise<void> {
    checkId('deleteMailbox', id)
    const call = { params: { id }, token: this.#apiKey }
    await ignoring(
      'mailbox_not_found',
      patiently({}, limits => this.#api.send(destroyMailboxById, { ...call, ...limits })),
    )
  }

  /**
   * Deletes every mailbox of the list, e.g. those of a test run that was killed. Resolves to their number, without those of an attempt
   * whose response was lost. Careful: with an API key these are the mailboxes of ALL API keys of the account, also those that other
   * programs are using.
   */
  async deleteAllMailboxes(): Promise<number> {
    return (await patiently({}, limits => this.#api.call(destroyMailboxes, { token: this.#apiKey, ...limits }))).destroyed
  }

  /** The domains that the server receives mail for. */
  async domains(options: Patience = {}): Promise<string[]> {
    checkOptions('domains', options)
    return (await patiently(options, limits => this.#api.call(readConfig, limits))).domains
  }

  /** The webhooks of all mailboxes of this API token, or of all API keys of the account. */
  get webhooks(): Webhooks {
    return new Webhooks(this.#api, this.#apiKey, 'key')
  }

  #creation() {
    return { token: this.#apiKey, headers: { 'idempotency-key': randomKey() } }
  }

  async #botCheck(deadline: Deadline): Promise<string | undefined> {
    if (this.#apiKey !== undefined) return undefined
    this.#provider ??= await deadline.retry(async () => (await this.#api.call(readConfig, deadline.attempt)).botCheck.provider)
    if (this.#provider === 'off') return undefined
    if (this.#provider === 'pow') return this.#solve(deadline)
    throw new MayflyError('bot_check_unsolvable', `${this.url} asks visitors for reCAPTCHA, which a program cannot pass. Use an API key.`)
  }

  /** The client solves it as the site does: about 0.1 s. */
  async #solve(deadline: Deadline): Promise<string> {
    const query = { action: 'generate_email' } as const
    const challenge = await deadline.retry(() => this.#api.call(readChallenge, { query, ...deadline.attempt }))
    for (const name of ['cost', 'keyLength'] as const) {
      const size = challenge.parameters[name]
      if (!(size > 0 && size <= SOLVE_MAX[name])) throw unsolvable(`has a ${name} of ${size}, not of 1 to ${SOLVE_MAX[name]}`)
    }
    const timeout = Math.min(SOLVE_MS_MAX, deadline.leftMs) || 1
    const key = (...given: Parameters<typeof deriveKey>) => {
      deadline.signal?.throwIfAborted()
      return deriveKey(...given)
    }
    const solution = await solveChallenge({ challenge, deriveKey: key, timeout })
    if (!solution) throw unsolvable('could not be solved in time')
    return encodeSolution(challenge, { ...solution })
  }
}

const unsolvable = (why: string) => new MayflyError('bot_check_unsolvable', `The server's proof of work ${why}`)

/** The first attempt, whose response was lost, is still being worked on. */
const isUnderWay = (error: MayflyError) => hasCode(error, 'idempotency_key_in_use')

/** `crypto.randomUUID` is missing on pages without https. */
const randomKey = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map(byte => byte.toString(16).padStart(2, '0')).join('')
