/**
 * Mailboxes of API keys and API tokens on a database and a real mail core, with a clock that the test sets. Run in
 * test/databases/.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { API_LIFETIME_SECONDS } from '#contract/limits.ts'
import type { ApiMailbox } from '#contract/mailbox.ts'
import { ApiCredentials, ApiKeys, ApiTokens, createApiToken } from '#server/accounts/api-credentials.ts'
import { ApiMailboxes } from '#server/accounts/api-mailboxes.ts'
import { type Database, openDatabase } from '#server/database/database.ts'
import { createSecretBox } from '#server/database/secret-box.ts'
import { RequestTargets } from '#server/outbound/guarded-request.ts'
import { Webhooks } from '#server/outbound/webhook-registry.ts'
import { startMail, type TestMail, testDomains } from '../harness/mayfly/start-mail.ts'
import { until } from '../harness/servers/redis-cluster.ts'

const MAILBOXES_MAX = 20
const LIFETIME = { lifetimeSeconds: API_LIFETIME_SECONDS.min }

export function apiMailboxesSuite(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    let folder: string
    let core: TestMail
    let database: Database
    let mailboxes: ApiMailboxes
    const secretBox = createSecretBox(Buffer.alloc(32, 7))
    const newApiKeys = () => new ApiKeys({ db: database.db, secretBox, clock: core.clock })
    let tokens = 0

    /** A token that has created nothing yet. */
    async function newCaller() {
      const { token, sha256 } = createApiToken()
      const apiTokens = new ApiTokens(database.db, core.clock)
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
      database = await openDatabase({ databaseUrl: await createDatabase(), dataDir: folder })
      const domains = testDomains('mayfly.test')
      mailboxes = new ApiMailboxes({
        database,
        secretBox,
        clock: core.clock,
        mail: core.mail,
        mailboxesMax: MAILBOXES_MAX,
        domains: () => domains,
      })
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

    describe('a token that is revoked while it creates something', () => {
      async function newStoredCaller() {
        const apiTokens = new ApiTokens(database.db, core.clock)
        const tokenName = `stored${++tokens}`
        const token = (await apiTokens.create(tokenName)) ?? ''
        const credentials = new ApiCredentials(newApiKeys(), apiTokens, [])
        const caller = (await credentials.find(token)) ?? expect.fail('the token is not known')
        return { caller, tokenName, revoke: () => apiTokens.revoke(tokenName) }
      }
      const kept = async (owner: string) => [
        await database.db.selectFrom('api_mailboxes').select('id').where('owner', '=', owner).execute(),
        await database.db.selectFrom('webhooks').select('id').where('owner', '=', owner).execute(),
      ]
      const isLockAwaited = async () => {
        const waits = sql<{ pid: number }>`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
        return (await waits.execute(database.db)).rows.length > 0
      }

      test('leaves no mailbox when it was revoked first', async () => {
        const { caller, revoke } = await newStoredCaller()
        const creating = mailboxes.create(caller, { ...LIFETIME, localPart: 'late.name' }, async () => void (await revoke()))
        await expect(creating).rejects.toMatchObject({ code: 'api_token_invalid' })
        expect(await kept(caller.owner)).toEqual([[], []])
        const names = database.db.selectFrom('chosen_names').select('name_hash').where('owner_id', '=', caller.owner)
        expect(await names.execute(), 'which a later token of this name would own').toEqual([])
      })

      test.each(['mailbox', 'webhook'])('leaves no %s when it is being revoked', async what => {
        const { caller, tokenName } = await newStoredCaller()
        const targets = new RequestTargets([])
        const webhooks = new Webhooks({ database, secretBox: createSecretBox(Buffer.alloc(32, 7)), clock: core.clock, targets })
        const create = async () =>
          what === 'mailbox'
            ? await mailboxes.create(caller, LIFETIME)
            : await webhooks.create({ kind: 'account', ...caller }, 'https://hooks.example.com/')
        let outcome: string | undefined
        const creating = await database.db.transaction().execute(async step => {
          await step.deleteFrom('api_tokens').where('name', '=', tokenName).execute()
          const created = create().then(
            () => 'created',
            error => error.code,
          )
          void created.then(result => {
            outcome = result
          })
          // On SQLite it waits for this transaction from its first statement on.
          if (database.dialect === 'postgres') await until(async () => outcome !== undefined || (await isLockAwaited()))
          return { created }
        })
        expect(await creating.created).toBe('api_token_invalid')
        expect(await kept(caller.owner)).toEqual([[], []])
      })
    })

    test('pages contain every mailbox once, newest first, also those of the same millisecond', async () => {
      const caller = await newCaller()
      const old = await mailboxes.create(caller, { ...LIFETIME, count: 5 })
      core.setTime(core.clock() + 1)
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
          .selectFrom('api_mailboxes')
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
      expect(await mailboxes.find(opened.mailboxId)).toEqual({ id: one?.id, owner: caller.owner })
      await core.mail.destroyMailbox(opened)
      await mailboxes.forget(opened.mailboxId)
      expect(await mailboxes.find(opened.mailboxId)).toBeUndefined()
      expect(await mailboxes.destroy(caller, two?.id ?? '')).toBe(true)
      expect(await mailboxes.destroy(caller, two?.id ?? '')).toBe(false)
      expect(await core.mail.openMailbox(two?.token ?? '')).toBeUndefined()
      core.setTime(core.clock() + LIFETIME.lifetimeSeconds * 1000)
      expect(await listAll(caller, 10)).toEqual([])
      expect(await mailboxes.destroy(caller, three?.id ?? '')).toBe(false)
      await mailboxes.sweep()
      expect(await database.db.selectFrom('api_mailboxes').select('id').where('owner', '=', caller.owner).execute()).toEqual([])
    })
  })
}
