/**
 * Each way in which rights or mailboxes end, while everything that can be created is being created: afterwards nothing of it opens, counts
 * or receives, nothing exceeds a maximum at any moment, and every refusal says what to do.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { PRO_MAILBOXES_MAX } from '#contract/limits.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { ApiTokens } from '#server/accounts/api-credentials.ts'
import { proOwner } from '#server/accounts/owned-mailboxes.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { hashMailbox } from '#server/database/mailbox-rows.ts'
import { accountOwner } from '#server/database/rights.ts'
import { parseToken } from '#server/mail/keys/token.ts'
import { askServer } from '#server/operator/control.ts'
import { TOTP_STEP_MS, totpCodeAt } from '#server/operator/totp.ts'
import { createSecretBox } from '#server/platform/cryptography.ts'
import { loadSecret } from '#server/start/data-folder.ts'
import type { MailboxId } from '#server/store/store.ts'
import { Authenticator } from '../harness/clients/authenticator.ts'
import { fromBase32 } from '../harness/clients/operator.ts'
import { newBrowserKeys } from '../harness/clients/push-browser.ts'
import { type Answer, PASSWORD, type Visitor } from '../harness/clients/visitor.ts'
import { bearer, startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { type Engines, onEachEngine } from './engines.ts'

const API_MAILBOXES_MAX = 12
const ROUNDS = 3
/** The answers that a request may get while its account, key, token or mailbox ends. */
const EXPECTED = new Set([
  ...['sign_in_required', 'api_token_invalid', 'mailbox_not_found', 'mailboxes_max', 'api_mailboxes_max', 'api_keys_max'],
  ...['webhooks_max', 'push_subscriptions_max', 'forbidden', 'rate_limited', 'idempotency_key_in_use', 'local_part_taken'],
])
/** The same for who is signing in, or proves who they are. */
const EXPECTED_OF_ENTRIES = new Set([
  ...EXPECTED,
  'credentials_wrong',
  'passkey_refused',
  'passkeys_max',
  'second_factor_wrong',
  'not_found',
])
/** Passkeys need a name. */
const ORIGIN = 'http://localhost:8080'
const OPERATORS = Array.from({ length: 30 }, (_, index) => `operator${index}@sender.test`)
const NEW_PASSWORD = 'the password of the rescue'
const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
}
const idOf = (token: string) => parseToken(token)?.mailboxId ?? expect.fail('a token of a mailbox')

onEachEngine(racesSuite)

type Owner = { readonly id: string; readonly email: string; readonly browser: Visitor; readonly key: string; readonly keyId: string }
type Made = { readonly email: string; readonly token: string }

function racesSuite(engines: Engines): void {
  let server: TestServer
  let database: Database
  let secret: string | undefined
  let made = 0
  const operators = OPERATORS.values()
  beforeAll(async () => {
    const limits = {
      API_MAILBOXES_MAX: String(API_MAILBOXES_MAX),
      MCP: 'on',
      PUSH_SERVICES: '127.0.0.1',
      WEBHOOK_ALLOW_PRIVATE: '127.0.0.1',
      OPERATORS: OPERATORS.join(','),
      PUBLIC_URL: ORIGIN,
    }
    const env: Record<string, string> = { ...limits, ...(await engines()) }
    secret = env.SECRET
    server = await startTestServer({ env, isClockRunning: true })
    database = await openDatabase({ databaseUrl: env.DATABASE_URL, dataDir: server.folder })
  })
  afterAll(async () => {
    await database[Symbol.asyncDispose]()
    await server[Symbol.asyncDispose]()
  })

  async function newOwner(email = `owner${++made}@sender.test`): Promise<Owner> {
    const browser = await server.signedIn(email)
    const { key, id: keyId } = JSON.parse((await browser.post(routes.accountApiKeys, { name: 'k' })).text)
    const { id } = await database.db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirstOrThrow()
    return { id, email, browser, key, keyId }
  }

  async function resetLink(email: string): Promise<string> {
    expect((await server.visitor().post(routes.authForgotPassword, { email, language: 'en' })).status).toBe(202)
    return server.recorder.nextToken(email)
  }

  const reset = (destroyMailboxes: boolean) => async (owner: Owner) => {
    const token = await resetLink(owner.email)
    return () => server.visitor().post(routes.authResetPassword, { token, password: NEW_PASSWORD, destroyMailboxes })
  }
  const now = (end: (owner: Owner) => Promise<Answer>) => async (owner: Owner) => () => end(owner)

  /** `ends`: which rights it ends, and whether what was made with them. */
  const endings = {
    'deleting the account': {
      prepare: now(({ browser }) => browser.post(routes.authDeleteAccount, { password: PASSWORD })),
      ends: ['session', 'key', 'mailboxes'],
    },
    'deleting it by the operator': {
      prepare:
        async ({ email }: Owner) =>
        async () => {
          expect(await askServer(server.folder, { destroyAccount: email })).toEqual({ isDone: true })
          return undefined
        },
      ends: ['session', 'key', 'mailboxes'],
    },
    'a reset that destroys the addresses': { prepare: reset(true), ends: ['session', 'key', 'mailboxes'] },
    'a reset that keeps them': { prepare: reset(false), ends: ['session', 'key'] },
    'changing the password': {
      prepare: now(({ browser }) => browser.post(routes.authChangePassword, { currentPassword: PASSWORD, password: NEW_PASSWORD })),
      ends: ['session'],
    },
    'signing out everywhere': { prepare: now(({ browser }) => browser.post(routes.authSignOutEverywhere)), ends: ['session'] },
    'revoking the key': {
      prepare: now(({ browser, keyId }) => browser.ask('DELETE', pathTo(routes.accountApiKey, { id: keyId }))),
      ends: ['key'],
    },
  } as const

  describe.each(Object.keys(endings) as (keyof typeof endings)[])('%s', name => {
    test.each(Array.from({ length: ROUNDS }, (_, round) => round))('while everything is created, round %i', async round => {
      const owner = await newOwner()
      const intruder = server.visitor()
      expect((await intruder.signIn(owner.email)).status).toBe(200)
      const end = await endings[name].prepare(owner)
      const ends: readonly string[] = endings[name].ends
      const watch = watchLimits(owner)
      const flood = new Flood({ session: intruder, key: server.visitor(bearer(owner.key)) })
      await flood.untilMade(4 + round)
      const answer = await end()
      expect(answer?.status ?? 204).toBe(204)
      const late = await flood.stop(ends)
      expect(await watch.stop()).toEqual([])
      expect(late, 'created by requests that began after the right had ended').toEqual([])
      expect(flood.refusals.filter(code => !EXPECTED.has(code))).toEqual([])
      const endedKeys = ends.includes('key') ? [owner.key, ...(ends.includes('session') ? flood.keys : [])] : []
      for (const key of endedKeys) expect((await createWith(key)).code).toBe('api_token_invalid')
      if (!ends.includes('mailboxes')) return
      for (const { email, token } of flood.mailboxes) {
        expect(await server.app.mail.openMailbox(token)).toBeUndefined()
        expect(await server.app.mail.checkRecipient(email)).toBe('mailbox_not_found')
      }
      expect(await rowsOf(owner, flood.mailboxes)).toEqual({})
    })

    test.each(Array.from({ length: ROUNDS }, (_, round) => round))(
      'while sign-ins, passkeys and second factors begin, round %i',
      async round => {
        const owner = await newOwner(operators.next().value)
        const intruder = server.visitor()
        expect((await intruder.signIn(owner.email)).status).toBe(200)
        const [link, end] = [await resetLink(owner.email), await endings[name].prepare(owner)]
        const ends: readonly string[] = endings[name].ends
        const entries = new Entries(owner.email, intruder)
        onTestFinished(() => entries.stop())
        await entries.untilBegun(2 + round)
        const early = [...entries.begun]
        const answer = await end()
        expect(answer?.status ?? 204).toBe(204)
        await entries.stop()
        expect(entries.refusals.filter(code => !EXPECTED_OF_ENTRIES.has(code))).toEqual([])
        // Who knows the password may sign in again after the others were signed out.
        const isReplaced = name.startsWith('deleting') || name.startsWith('a reset')
        const ended = isReplaced ? entries.begun : ends.includes('session') ? early : []
        for (const visitor of ended) {
          expect(await visitor.session()).toBeNull()
          expect((await visitor.ask('GET', routes.operatorOverview)).code).toBe('sign_in_required')
        }
        if (!isReplaced) return
        expect((await server.visitor().post(routes.authResetPassword, { token: link, password: PASSWORD })).code).toBe('link_expired')
        for (const table of ['sessions', 'passkeys', 'link_tokens'] as const)
          expect(await database.db.selectFrom(table).select('user_id').where('user_id', '=', owner.id).execute(), table).toEqual([])
        for (const held of entries.passkeys) expect((await signInWith(held)).code).toBe('passkey_refused')
      },
    )
  })

  test('revoking an operator’s token while it creates', async () => {
    const tokens = new ApiTokens(testDatabaseAccess(database))
    for (let round = 0; round < ROUNDS; round++) {
      const name = `t${++made}`
      const credential = (await tokens.create(name)) ?? ''
      const flood = new Flood({ key: server.visitor(bearer(credential)) })
      await flood.untilMade(4 + round)
      expect(await tokens.revoke(name)).toBe(true)
      expect(await flood.stop(['key'])).toEqual([])
      expect(flood.refusals.filter(code => !EXPECTED.has(code))).toEqual([])
      const owner = `token:${name}`
      for (const table of ['owned_mailboxes', 'webhooks', 'agent_sessions'] as const) {
        const left = () => database.db.selectFrom(table).select('owner').where('owner', '=', owner).execute()
        await expect.poll(left).toEqual([])
      }
    }
  })

  test('destroying a mailbox while webhooks, subscriptions and repeated requests are created for it', async () => {
    const { key } = await newOwner()
    const byKey = server.visitor(bearer(key))
    for (let round = 0; round < ROUNDS * 5; round++) {
      const { token } = JSON.parse((await byKey.post(routes.mailboxes, {}, { 'idempotency-key': `a-key-of-round-${made}-${round}` })).text)
      const mailbox = (await server.app.mail.openMailbox(token)) ?? expect.fail('it is there')
      const own = server.visitor(bearer(token))
      const creations = Array.from({ length: 6 }, (_, i) =>
        i % 2 ? createPush(own) : own.post(routes.mailboxWebhooks, { url: 'http://127.0.0.1:1/' }),
      )
      await sleep(round)
      await own.ask('DELETE', routes.mailbox)
      const codes = (await Promise.all(creations)).flatMap(({ code }) => code ?? [])
      expect(codes.filter(code => !EXPECTED.has(code))).toEqual([])
      for (const table of ['owned_mailboxes', 'idempotent_mailboxes', 'push_subscriptions'] as const) {
        const rows = database.db.selectFrom(table).select('mailbox_hash')
        expect(await rows.where('mailbox_hash', '=', hash(table, mailbox.mailboxId)).execute(), table).toEqual([])
      }
      const webhooks = database.db.selectFrom('webhooks').select('id')
      expect(await webhooks.where('owner', '=', hash('webhooks', mailbox.mailboxId)).execute()).toEqual([])
    }
  })

  /** Computed as the server does. */
  function hash(table: Parameters<typeof hashMailbox>[1], mailboxId: MailboxId): string {
    return hashMailbox(createSecretBox(secret ?? loadSecret(server.folder)), table, mailboxId)
  }

  const createWith = (key: string) => server.visitor(bearer(key)).post(routes.mailboxes, {})

  function createPush(own: Visitor): Promise<Answer> {
    const { p256dh, auth } = newBrowserKeys().keys
    const keys = { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') }
    return own.post(routes.mailboxPush, { endpoint: `http://127.0.0.1:1/${++made}`, ...keys })
  }

  /** Rows of the account that are left, by their tables. */
  async function rowsOf({ id }: Owner, mailboxes: readonly Made[]): Promise<Record<string, number>> {
    const { db } = database
    const owners = [accountOwner(id), proOwner(id)]
    const counts: Record<string, number> = {}
    for (const table of ['owned_mailboxes', 'webhooks', 'agent_sessions'] as const)
      counts[table] = (await db.selectFrom(table).select('owner').where('owner', 'in', owners).execute()).length
    for (const table of ['sessions', 'api_keys'] as const)
      counts[table] = (await db.selectFrom(table).select('id').where('user_id', '=', id).execute()).length
    for (const table of ['push_subscriptions', 'idempotent_mailboxes'] as const) {
      const hashes = mailboxes.map(({ token }) => hash(table, idOf(token)))
      counts[table] = (await db.selectFrom(table).select('mailbox_hash').where('mailbox_hash', 'in', hashes).execute()).length
    }
    return Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0))
  }

  /** Looks all the time; resolves to what exceeded its maximum. */
  function watchLimits({ id }: Owner) {
    const exceeded = new Set<string>()
    let isStopping = false
    const { db } = database
    const count = async (table: 'owned_mailboxes' | 'webhooks' | 'agent_sessions', owner: string, max: number) => {
      const { length } = await db.selectFrom(table).select('owner').where('owner', '=', owner).execute()
      if (length > max) exceeded.add(`${table} of ${owner}: ${length}`)
    }
    const watching = (async () => {
      while (!isStopping) {
        await count('owned_mailboxes', proOwner(id), PRO_MAILBOXES_MAX)
        await count('owned_mailboxes', accountOwner(id), API_MAILBOXES_MAX)
        await count('webhooks', accountOwner(id), 20)
        await count('agent_sessions', accountOwner(id), 50)
        const keys = await db.selectFrom('api_keys').select('id').where('user_id', '=', id).execute()
        if (keys.length > 20) exceeded.add(`api_keys: ${keys.length}`)
        await sleep(1)
      }
    })()
    return {
      async stop() {
        isStopping = true
        await watching
        return [...exceeded]
      },
    }
  }

  async function signInWith(authenticator: Authenticator, visitor = server.visitor()): Promise<Answer> {
    const passkey = authenticator.use(JSON.parse((await visitor.post(routes.authPasskeyOptions)).text))
    return visitor.post(routes.authPasskeySignIn, { passkey })
  }

  /** Signs in, adds passkeys and signs in with them, sets up and passes a second factor, again and again. */
  class Entries {
    /** The sessions that were begun. */
    readonly begun: Visitor[]
    readonly passkeys: Authenticator[] = []
    readonly refusals: string[] = []
    readonly #email: string
    readonly #intruder: Visitor
    readonly #workers: Promise<void>[]
    #recoveryCodes: string[] | undefined
    #isStopping = false

    constructor(email: string, intruder: Visitor) {
      this.#email = email
      this.#intruder = intruder
      this.begun = [intruder]
      const ways = [() => this.#signIn(), () => this.#signIn(), () => this.#addPasskey(), () => this.#passSecondFactor()]
      this.#workers = ways.map(way => this.#work(way))
    }

    async untilBegun(count: number): Promise<void> {
      const all = () => Math.min(this.begun.length / count, this.passkeys.length, this.#recoveryCodes ? 1 : 0)
      await expect.poll(all, { timeout: 60_000, interval: 1 }).toBeGreaterThanOrEqual(1)
    }

    /** Goes on for a while after the ending. */
    async stop(): Promise<void> {
      await sleep(100)
      this.#isStopping = true
      await Promise.all(this.#workers)
    }

    async #work(way: () => Promise<Answer>): Promise<void> {
      while (!this.#isStopping) {
        const { status, code } = await way()
        if (status >= 400) this.refusals.push(code ?? `${status}`)
        await sleep(5)
      }
    }

    async #signIn(): Promise<Answer> {
      const visitor = server.visitor()
      const answer = await visitor.signIn(this.#email)
      if (answer.status === 200) this.begun.push(visitor)
      return answer
    }

    async #addPasskey(): Promise<Answer> {
      const options = await this.#intruder.post(routes.accountPasskeyOptions, { password: PASSWORD })
      if (options.status !== 200) return options
      const authenticator = new Authenticator(ORIGIN)
      const added = await this.#intruder.post(routes.accountPasskeys, { passkey: authenticator.create(JSON.parse(options.text)) })
      if (added.status !== 201) return added
      this.passkeys.push(authenticator)
      const visitor = server.visitor()
      const answer = await signInWith(authenticator, visitor)
      if (answer.status === 200) this.begun.push(visitor)
      return answer
    }

    async #passSecondFactor(): Promise<Answer> {
      if (this.#recoveryCodes) return this.#intruder.post(routes.operatorVerify, { code: this.#recoveryCodes.pop() ?? '000000' })
      const enrolled = await this.#intruder.post(routes.operatorEnrol, { password: PASSWORD })
      if (enrolled.status !== 200) return enrolled
      const code = totpCodeAt(fromBase32(JSON.parse(enrolled.text).secret), Math.floor(server.now() / TOTP_STEP_MS))
      const confirmed = await this.#intruder.post(routes.operatorConfirm, { code })
      if (confirmed.status === 200) this.#recoveryCodes = JSON.parse(confirmed.text).recoveryCodes
      return confirmed
    }
  }

  type Caller = 'session' | 'key'
  /** Creates everything, again and again, with a session, a key, or both. */
  class Flood {
    readonly mailboxes: Made[] = []
    readonly keys: string[] = []
    readonly refusals: string[] = []
    readonly #workers: Promise<void>[]
    readonly #late: string[] = []
    readonly #subscribed: Promise<void>[] = []
    #ended: readonly string[] = []
    #isStopping = false

    constructor(by: Partial<Record<Caller, Visitor>>) {
      const { session, key } = by
      const ofSession: [string, () => Promise<Answer>][] = session
        ? [
            ['address', () => session.post(routes.mailboxes, {})],
            ['chosen name', () => session.post(routes.mailboxes, { localPart: `chosen.${++made}` })],
            ['repeated', () => session.post(routes.mailboxes, {}, { 'idempotency-key': `a-session-key-${made % 3}-of-this` })],
            ['key', () => session.post(routes.accountApiKeys, { name: 'another' })],
          ]
        : []
      const ofKey: [string, () => Promise<Answer>][] = key
        ? [
            ['mailbox', () => key.post(routes.mailboxes, {})],
            ['batch', () => key.post(routes.mailboxBatch, { count: 3 })],
            ['chosen mailbox', () => key.post(routes.mailboxes, { localPart: `by.key.${++made}` })],
            ['repeated mailbox', () => key.post(routes.mailboxes, {}, { 'idempotency-key': `an-api-key-${made % 3}-of-this` })],
            ['webhook', () => key.post(routes.webhooks, { url: 'http://127.0.0.1:1/' })],
            ['agent session', () => key.post(routes.mcp, INITIALIZE, { accept: 'application/json, text/event-stream' })],
          ]
        : []
      const all = [...ofSession.map(each => ['session', ...each] as const), ...ofKey.map(each => ['key', ...each] as const)]
      this.#workers = all.flatMap(([caller, what, create]) => [this.#work(caller, what, create), this.#work(caller, what, create)])
    }

    async untilMade(count: number): Promise<void> {
      await expect.poll(() => this.mailboxes.length, { timeout: 30_000, interval: 1 }).toBeGreaterThanOrEqual(count)
    }

    /** Goes on for a while after these rights ended; resolves to what was still created by new requests. */
    async stop(ended: readonly string[]): Promise<string[]> {
      this.#ended = ended
      await sleep(100)
      this.#isStopping = true
      await Promise.all(this.#workers)
      await Promise.all(this.#subscribed)
      return this.#late
    }

    async #work(caller: Caller, what: string, create: () => Promise<Answer>): Promise<void> {
      while (!this.#isStopping) {
        const isLate = this.#ended.includes(caller)
        const { status, code, text } = await create()
        if (status >= 400) this.refusals.push(code ?? `${status}`)
        else if (this.#note(text) && isLate) this.#late.push(what)
        if (status >= 400) await sleep(2)
      }
    }

    /** `false` for the address of any visitor, which a browser gets that is signed out. */
    #note(text: string): boolean {
      if (!text.startsWith('{')) return true
      const body = JSON.parse(text)
      if (typeof body.key === 'string') this.keys.push(body.key)
      if (body.email && !body.kept && body.id === undefined) return false
      const created: Made[] = body.mailboxes ?? (body.token ? [body] : [])
      this.mailboxes.push(...created)
      for (const { token } of created.slice(0, 1)) this.#subscribed.push(this.#subscribe(token))
      return true
    }

    async #subscribe(token: string): Promise<void> {
      const { code } = await createPush(server.visitor(bearer(token)))
      if (code !== undefined) this.refusals.push(code)
    }
  }
}
