/**
 * Mailboxes of API keys and API tokens on a database and a real mail core, with a clock that the test sets. Run in
 * test/databases/.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql, type Transaction } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { ApiMailbox } from '#contract/mailbox.ts'
import { endRights } from '#server/accounts/account-endings.ts'
import { AgentSessions } from '#server/accounts/agent-sessions.ts'
import { type ApiCaller, ApiCredentials, ApiKeys, ApiTokens, createApiToken } from '#server/accounts/api-credentials.ts'
import { ApiMailboxes } from '#server/accounts/api-mailboxes.ts'
import { endMailboxes, OwnedMailboxes } from '#server/accounts/owned-mailboxes.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { forgetMailboxes } from '#server/database/mailbox-rows.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { parseToken } from '#server/mail/keys/token.ts'
import { RequestTargets } from '#server/outbound/guarded-request.ts'
import { WebhookRegistry } from '#server/outbound/webhook-registry.ts'
import { serve } from '#server/platform/limits/clients.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { startMail, type TestMail, testDomains } from '../harness/mayfly/start-mail.ts'
import { newSession, sweepAll, testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { until } from '../harness/servers/redis-cluster.ts'

const MAILBOXES_MAX = 20
const LIFETIME = { lifetimeSeconds: API_LIFETIME_SECONDS.min }

export function apiMailboxesSuite(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    let folder: string
    let core: TestMail
    let location: { databaseUrl: string | undefined; dataDir: string }
    let database: Database
    let mailboxes: ApiMailboxes
    const access = () => testDatabaseAccess(database, { clock: core.clock.now })
    const newApiKeys = () => new ApiKeys(access())
    let tokens = 0

    /** A token that has created nothing yet. */
    async function newCaller() {
      const { token, sha256 } = createApiToken()
      const apiTokens = new ApiTokens(access())
      const credentials = new ApiCredentials(newApiKeys(), apiTokens, [{ name: `t${++tokens}`, sha256 }])
      return (await credentials.find(token)) ?? expect.fail('the token is not known')
    }

    async function listAll(caller: Awaited<ReturnType<typeof newCaller>>, limit: number): Promise<ApiMailbox[]> {
      const all: ApiMailbox[] = []
      let cursor: string | undefined
      do {
        const page = await mailboxes.list(caller, { limit, cursor })
        expect(page.mailboxes.length).toBeLessThanOrEqual(limit)
        all.push(...page.mailboxes)
        cursor = page.nextCursor
      } while (cursor !== undefined)
      return all
    }

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'mayfly-api-mailboxes-'))
      core = await startMail(folder)
      location = { databaseUrl: await createDatabase(), dataDir: folder }
      database = await openDatabase(location)
      const domains = testDomains('mayfly.test')
      const owned = new OwnedMailboxes({ ...access(), mail: core.mail })
      mailboxes = new ApiMailboxes({ ...access(), owned, mailboxesMax: MAILBOXES_MAX, domains: () => domains })
    })
    afterAll(async () => {
      await database[Symbol.asyncDispose]()
      await core[Symbol.asyncDispose]()
      rmSync(folder, { recursive: true, force: true })
    })

    test('the limit holds for simultaneous requests, and a refused request leaves no mailbox behind', async () => {
      const caller = await newCaller()
      const before = (await core.store.health()).mailboxes
      const asked = await Promise.allSettled(Array.from({ length: 15 }, () => mailboxes.create(caller, { ...LIFETIME, count: 3 })))
      const refused = asked.flatMap(result => (result.status === 'rejected' ? [result.reason.code] : []))
      expect(refused).toEqual(Array(15 - Math.floor(MAILBOXES_MAX / 3)).fill('api_mailboxes_max'))
      expect(await mailboxes.create(caller, { ...LIFETIME, count: 2 })).toHaveLength(2)
      await expect(mailboxes.create(caller, LIFETIME)).rejects.toMatchObject({ code: 'api_mailboxes_max' })
      expect(await listAll(caller, 7)).toHaveLength(MAILBOXES_MAX)
      await core.store.sweep(1000)
      expect((await core.store.health()).mailboxes - before).toBe(MAILBOXES_MAX)
    })

    test('accounts of one line share its part of the disk, and each has one of its own for its pages and its keys', async () => {
      const creators: unknown[] = []
      const createAddresses: typeof core.mail.createAddresses = (request, ...rest) => {
        creators.push(request.creator)
        return core.mail.createAddresses(request, ...rest)
      }
      const owned = new OwnedMailboxes({ ...access(), mail: Object.assign(Object.create(core.mail), { createAddresses }) })
      const max = { name: 'test', code: 'mailboxes_max', mailboxes: 5 } as const
      const address = { ...LIFETIME, localPart: undefined, domain: 'mayfly.test' }
      const { owner } = await newCaller()
      for (const nameOwner of ['one', 'other']) {
        const create = () => owned.create({ right: { owner }, owner, nameOwner, max, charge: undefined, address, count: 1 })
        await serve(networksAround('203.0.113.9'), create)
        await serve(networksAround('2001:db8:1:2::3'), create)
      }
      const networks = [['203.0.113.0/24'], ['2001:db8:1::/56', '2001:db8:1::/48']]
      expect(creators).toEqual(['one', 'other'].flatMap(account => networks.map(around => [account, ...around])))
    })

    test('what an owner ends is destroyed once, however often they ask for it at once', async () => {
      const caller = await newCaller()
      await mailboxes.create(caller, { ...LIFETIME, count: 10 })
      const destroyed: string[] = []
      const allAsked = Promise.withResolvers<void>()
      const destroyForGood: typeof core.mail.destroyForGood = async mailbox => {
        destroyed.push(mailbox.mailboxId)
        await allAsked.promise
        return await core.mail.destroyForGood(mailbox)
      }
      const owned = new OwnedMailboxes({ ...access(), mail: Object.assign(Object.create(core.mail), { destroyForGood }) })
      const asked = Array.from({ length: 20 }, () => owned.destroyAll(caller))
      await until(async () => destroyed.length >= 10)
      for (let read = 0; read < 20; read++) await listAll(caller, 7)
      allAsked.resolve()
      expect((await Promise.all(asked)).reduce((sum, count) => sum + count)).toBe(10)
      expect(destroyed).toHaveLength(10)
      expect(await listAll(caller, 7)).toEqual([])
    })

    describe('a token or key that is revoked while it creates something', () => {
      async function newStoredCaller() {
        const apiTokens = new ApiTokens(access())
        const tokenName = `stored${++tokens}`
        const token = (await apiTokens.create(tokenName)) ?? ''
        const credentials = new ApiCredentials(newApiKeys(), apiTokens, [])
        const caller = (await credentials.find(token)) ?? expect.fail('the token is not known')
        const remove = (step: Transaction<DatabaseSchema>) => step.deleteFrom('api_tokens').where('name', '=', tokenName).execute()
        return { caller, remove, revoke: () => apiTokens.revoke(tokenName) }
      }
      async function newKeyCaller() {
        const userId = `user${++tokens}`
        const email = `${userId}@sender.test`
        const user = { id: userId, email, email_key: email, password_hash: '', language: 'en', created_at: core.clock.now() }
        await database.db.insertInto('users').values(user).execute()
        const { key, id } = await newApiKeys().create(await newSession(database, userId), 'a key')
        const credentials = new ApiCredentials(newApiKeys(), new ApiTokens(access()), [])
        const caller = (await credentials.find(key)) ?? expect.fail('the key is not known')
        const remove = (step: Transaction<DatabaseSchema>) => step.deleteFrom('api_keys').where('id', '=', id).execute()
        return { caller, remove, userId }
      }
      const kept = async ({ owner, nameOwner }: ApiCaller) => [
        await database.db.selectFrom('owned_mailboxes').select('id').where('owner', '=', owner).execute(),
        await database.db.selectFrom('webhooks').select('id').where('owner', '=', owner).execute(),
        await database.db.selectFrom('agent_sessions').select('id_hash').where('owner', '=', owner).execute(),
        // A later token of this name would own it.
        await database.db.selectFrom('chosen_names').select('name_hash').where('owner_id', '=', nameOwner).execute(),
      ]
      const isLockAwaited = async () => {
        const waits = sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await waits.execute(database.db)).rows.length > 0
      }

      test('leaves no mailbox when it was revoked first', async () => {
        const { caller, revoke } = await newStoredCaller()
        const creating = mailboxes.create(caller, { ...LIFETIME, localPart: 'late.name' }, async () => void (await revoke()))
        await expect(creating).rejects.toMatchObject({ code: 'api_token_invalid' })
        expect(await kept(caller)).toEqual([[], [], [], []])
      })

      test('is deleted with its account while one of its mailboxes is destroyed: neither waits for the other', async () => {
        // On SQLite one process writes at a time.
        if (database.dialect !== 'postgres') return
        const { caller, userId } = await newKeyCaller()
        const [inbox] = await mailboxes.create(caller, LIFETIME)
        const { mailboxId } = parseToken(inbox?.token ?? '') ?? expect.fail('it has no token')
        const sessions = new AgentSessions({ ...access(), isLive: core.mail.isLive })
        const session = await sessions.find(await sessions.begin(caller, () => false), caller)
        const { email = '', token = '' } = inbox ?? {}
        await session?.addInbox({ address: email, token, expiresAt: new Date(core.clock.now() + 600_000) })
        await using other = await openDatabase(location)
        const forgetting = await other.db.transaction().execute(async step => {
          await endRights(step, userId)
          let isEnded = false
          const forgotten = forgetMailboxes(access(), [mailboxId]).finally(() => {
            isEnded = true
          })
          forgotten.catch(() => undefined)
          await until(async () => isEnded || (await isLockAwaited()))
          await endMailboxes(step, userId)
          return { forgotten }
        })
        await forgetting.forgotten
        expect(await kept(caller)).toEqual([[], [], [], []])
      })

      const creations = {
        mailbox: (caller: ApiCaller) => mailboxes.create(caller, LIFETIME),
        'chosen name': (caller: ApiCaller) => mailboxes.create(caller, { ...LIFETIME, localPart: `late.name${tokens}` }),
        webhook: (caller: ApiCaller) => {
          const webhooks = new WebhookRegistry({ ...access(), targets: new RequestTargets([]), isLive: core.mail.isLive })
          return webhooks.create({ kind: 'account', ...caller }, { url: 'https://hooks.example.com/' })
        },
        'agent session': (caller: ApiCaller) => new AgentSessions({ ...access(), isLive: core.mail.isLive }).begin(caller, () => false),
      }
      const credentials = { token: newStoredCaller, key: newKeyCaller }
      const whats = Object.keys(creations) as (keyof typeof creations)[]
      const cases = whats.flatMap(what => [{ credential: 'token', what } as const, { credential: 'key', what } as const])

      test.each(cases)('leaves no $what when another process is revoking the $credential', async ({ credential, what }) => {
        const { caller, remove } = await credentials[credential]()
        // On SQLite one process has the database, and the creation waits for this transaction from its first statement on.
        const isShared = database.dialect === 'postgres'
        await using other = isShared ? await openDatabase(location) : undefined
        const creating = await (other ?? database).db.transaction().execute(async step => {
          await remove(step)
          let isEnded = false
          const created = creations[what](caller)
            .then(
              () => 'created',
              error => error.code,
            )
            .finally(() => {
              isEnded = true
            })
          if (isShared) await until(async () => isEnded || (await isLockAwaited()))
          return { created }
        })
        expect(await creating.created).toBe('api_token_invalid')
        expect(await kept(caller)).toEqual([[], [], [], []])
      })
    })

    test('pages contain every mailbox once, newest first, also those of the same millisecond', async () => {
      const caller = await newCaller()
      const old = await mailboxes.create(caller, { ...LIFETIME, count: 5 })
      core.clock.advance(1)
      const young = await mailboxes.create(caller, { ...LIFETIME, count: 4 })
      const all = (await listAll(caller, 2)).map(({ email }) => email)
      const emails = (made: readonly { email: string }[]) => made.map(({ email }) => email).sort()
      expect(all.slice(0, 4).sort()).toEqual(emails(young))
      expect(all.slice(4).sort()).toEqual(emails(old))
      await expect(mailboxes.list(caller, { cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_request' })
    })

    test('nobody else can list, destroy or read them, and the row does not reveal the address even with the server’s secret', async () => {
      const [caller, other] = [await newCaller(), await newCaller()]
      const [made] = await mailboxes.create(caller, LIFETIME)
      expect(await listAll(other, 10)).toEqual([])
      expect(await mailboxes.destroy(other, made?.id ?? '')).toBe(false)
      const sameOwner = { ...other, owner: caller.owner }
      expect(await listAll(sameOwner, 10)).toEqual([expect.not.objectContaining({ email: expect.anything() })])
      const rows = JSON.stringify(
        await database.db
          .selectFrom('owned_mailboxes')
          .selectAll()
          .where('id', '=', made?.id ?? '')
          .execute(),
      )
      for (const secret of [made?.email ?? '', made?.token ?? '']) {
        expect(rows).not.toContain(secret)
        expect(rows).not.toContain(Buffer.from(secret).toString('base64').slice(0, -4))
      }
    })

    test('a mailbox that expires or is destroyed no longer counts and leaves no row', async () => {
      const caller = await newCaller()
      const [one, two, three] = await mailboxes.create(caller, { ...LIFETIME, count: 3 })
      const opened = (await core.mail.openMailbox(one?.token ?? '')) ?? expect.fail('the mailbox is there')
      expect(await mailboxes.find(opened.mailboxId)).toEqual({ id: one?.id, owner: caller.owner, expiresAt: opened.expiresAt })
      await core.mail.destroyMailbox(opened)
      await forgetMailboxes(access(), [opened.mailboxId])
      expect(await mailboxes.find(opened.mailboxId)).toBeUndefined()
      expect(await mailboxes.destroy(caller, two?.id ?? '')).toBe(true)
      expect(await mailboxes.destroy(caller, two?.id ?? '')).toBe(false)
      expect(await core.mail.openMailbox(two?.token ?? '')).toBeUndefined()
      core.clock.advance(LIFETIME.lifetimeSeconds * 1000)
      expect(await listAll(caller, 10)).toEqual([])
      expect(await mailboxes.destroy(caller, three?.id ?? '')).toBe(false)
      await sweepAll(access())
      expect(await database.db.selectFrom('owned_mailboxes').select('id').where('owner', '=', caller.owner).execute()).toEqual([])
    })
  })
}
