/**
 * The queue of webhooks on a database, with a real receiver, two processes and a clock that the test sets. Run in
 * test/databases/.
 */

import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Database, openDatabase } from '#server/database/database.ts'
import { accountOwner } from '#server/database/rights.ts'
import { AuditLog } from '#server/operator/audit-log.ts'
import { Moderation } from '#server/operator/moderation.ts'
import { RequestTargets } from '#server/outbound/guarded-request.ts'
import { type MessageReference, WebhookDeliveries } from '#server/outbound/webhook-deliveries.ts'
import { type WebhookOwner, WebhookRegistry } from '#server/outbound/webhook-registry.ts'
import type { MailboxId, MessageId } from '#server/store/store.ts'
import { testDatabaseAccess } from '../harness/mayfly/test-database-access.ts'
import { testTelemetry } from '../harness/mayfly/test-telemetry.ts'

const HOUR_MS = 3_600_000

export function webhooksSuite(name: string, createDatabase: () => Promise<string | undefined>): void {
  describe(name, () => {
    let folder: string
    let now = Date.UTC(2026, 0, 1)
    let status = 204
    let received: string[] = []
    let owners = 0
    const databases: Database[] = []
    const senders: WebhookDeliveries[] = []
    let openSender: () => WebhookDeliveries
    /** Messages that the mail store has; `undefined` if it is unreachable. */
    let stored: Set<string> | undefined = new Set()
    let webhooks: WebhookRegistry
    let url = ''
    const receiver = createServer((request, response) => {
      received.push(String(request.headers['webhook-id']))
      request.resume()
      response.writeHead(status).end()
    })

    const newOwner = (): WebhookOwner => ({ kind: 'account', owner: `token:t${++owners}`, apiKeyId: undefined, apiTokenHash: undefined })
    const find = async (of: WebhookOwner, id: string) => (await webhooks.find(of, id)) ?? expect.fail('the webhook is there')
    const waiting = async () => (await databases[0]?.db.selectFrom('webhook_deliveries').select('id').execute())?.length
    const nextAttempt = async () =>
      (await databases[0]?.db.selectFrom('webhook_deliveries').select('next_attempt_at').executeTakeFirst())?.next_attempt_at
    /** A mail of a mailbox that outlives each test, unless told otherwise. */
    const mail = ({ messageId = 'a', owner = '', expiresAt = now + 365 * 24 * HOUR_MS } = {}) => ({
      mailboxId: 'm' as MailboxId,
      messageId: messageId as MessageId,
      owner,
      expiresAt,
    })
    /** As for a mail that is stored at once. */
    const send = async (sender: WebhookDeliveries, webhookIds: readonly string[], about = mail(), n = 0) => {
      const ids = await sender.enqueue(webhookIds, () => event(n), about)
      await sender.confirm(ids)
      return ids
    }
    const event = (n = 0) => ({ type: 'message.received', timestamp: new Date(now).toISOString(), data: { n } })

    beforeAll(async () => {
      folder = mkdtempSync(join(tmpdir(), 'mayfly-webhooks-'))
      await once(receiver.listen(0, '127.0.0.1'), 'listening')
      url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
      const place = { databaseUrl: await createDatabase(), dataDir: folder }
      const targets = new RequestTargets(['127.0.0.1'])
      const clock = () => now
      for (let process = 0; process < 2; process++) {
        const database = await openDatabase(place)
        databases.push(database)
        const access = testDatabaseAccess(database, { clock })
        webhooks = new WebhookRegistry({ ...access, targets, isLive: async () => true })
        const hasMail = async ({ messageId }: MessageReference) => (stored ?? expect.fail('the store is away')).has(messageId)
        const deps = { ...access, registry: webhooks, targets, hasMail, telemetry: testTelemetry() }
        openSender = () => new WebhookDeliveries(deps)
        senders.push(openSender())
      }
    })
    afterAll(async () => {
      for (const one of [...senders, ...databases]) await one[Symbol.asyncDispose]()
      receiver.close()
      rmSync(folder, { recursive: true, force: true })
    })
    const [one, two] = [() => senders[0] ?? expect.fail(), () => senders[1] ?? expect.fail()]

    test('with two processes, every delivery is sent once by one of them', async () => {
      const ids = await Promise.all(Array.from({ length: 10 }, async () => (await webhooks.create(newOwner(), { url })).id))
      received = []
      await Promise.all(Array.from({ length: 6 }, (_, n) => send(n % 2 ? one() : two(), ids, mail(), n)))
      await expect.poll(waiting, { timeout: 30_000 }).toBe(0)
      expect(received).toHaveLength(60)
      expect(new Set(received).size).toBe(60)
    })

    test('a failed delivery is retried under one id after growing pauses, and dropped after eight attempts', async () => {
      const of = newOwner()
      const { id } = await webhooks.create(of, { url })
      received = []
      status = 500
      await send(one(), [id])
      for (const [pauses, pauseMs] of [0, 5, 30, 120, 600, 1800, 3600, 7200].map(seconds => seconds * 1000).entries()) {
        if (pauses > 0) {
          now += pauseMs - 1
          two().kick()
          await sleep(50)
          expect(received, 'not a millisecond before its time').toHaveLength(pauses)
        }
        now += 1 + pauseMs * 0.2
        two().kick()
        await expect.poll(() => received.length).toBe(pauses + 1)
        await expect.poll(async () => (await find(of, id)).failures).toBe(pauses + 1)
      }
      await expect.poll(waiting).toBe(0)
      expect(new Set(received).size).toBe(1)
      status = 204
      await send(one(), [id])
      await expect.poll(async () => (await find(of, id)).failures).toBe(0)
    })

    test('what is enqueued for a suspended account by a process that looked before is not sent', async () => {
      const { db, ...database } = databases[0] ?? expect.fail()
      const user = {
        id: 'suspended',
        email: 's@example.com',
        email_key: 's@example.com',
        password_hash: '',
        language: 'en',
        created_at: now,
      }
      await db.insertInto('users').values(user).execute()
      const owner = accountOwner(user.id)
      const { id } = await webhooks.create({ kind: 'account', owner }, { url })
      received = []
      const access = testDatabaseAccess({ db, ...database })
      const moderation = new Moderation({ ...access, audit: new AuditLog(access) })
      const early = await one().enqueue([id], () => event(), mail({ owner }))
      expect(await moderation.suspend('cli', user.email)).toBe(true)
      const late = await one().enqueue([id], () => event(), mail({ owner }))
      await two().confirm([...early, ...late])
      await expect.poll(waiting).toBe(0)
      expect(received).toEqual([])
      await moderation.resume('cli', user.email)
      const sent = await send(two(), [id], mail({ owner }))
      await expect.poll(waiting).toBe(0)
      expect(received).toEqual(sent)
    })

    test('twenty failures in a row or a 410 disable a webhook, a new secret enables it, and both secrets sign for a day', async () => {
      const of = newOwner()
      const { id, secret } = await webhooks.create(of, { url })
      status = 410
      await send(one(), [id])
      await expect.poll(async () => (await find(of, id)).disabled_reason).toBe('gone')
      const rotated = await webhooks.rotate(of, id)
      expect(webhooks.open(await find(of, id))?.secrets).toEqual([rotated?.secret, secret])
      now += 24 * HOUR_MS
      expect(webhooks.open(await find(of, id))?.secrets).toEqual([rotated?.secret])
      status = 503
      for (let n = 0; n < 20; n++) await send(one(), [id], mail(), n)
      await expect.poll(async () => (await find(of, id)).disabled_reason, { timeout: 30_000 }).toBe('too_many_failures')
      expect((await webhooks.list(of))[0]).toMatchObject({ failures: 20, lastFailure: 'status_503', disabledReason: 'too_many_failures' })
      status = 204
      now += HOUR_MS
      two().kick()
      await expect.poll(waiting).toBe(0)
    })

    test('at most a thousand deliveries of a webhook wait, and its owner can see why further ones are dropped', async () => {
      const [of, other] = [newOwner(), newOwner()]
      const [{ id }, { id: otherId }] = [await webhooks.create(of, { url }), await webhooks.create(other, { url })]
      const later = now + HOUR_MS
      const rows = Array.from({ length: 1000 }, (_, n) => {
        const of = { id: `full_${n}`, webhook_id: id, account: '', mailbox_hash: '' }
        return { ...of, sealed_body: '', is_confirmed: 1, attempts: 1, next_attempt_at: later, expires_at: later }
      })
      await databases[0]?.db.insertInto('webhook_deliveries').values(rows).execute()
      received = []
      await send(one(), [id, otherId])
      await expect.poll(() => received.length).toBe(1)
      await expect.poll(waiting).toBe(1000)
      expect((await webhooks.list(of))[0]).toMatchObject({ lastFailure: 'queue_full' })
      expect((await webhooks.list(other))[0]?.lastFailure).toBeUndefined()
      expect(await webhooks.remove(of, id)).toBe(true)
      expect(await waiting()).toBe(0)
    })

    test('a delivery written before its mail is sent when the mail is stored, and removed when it is not', async () => {
      const { id } = await webhooks.create(newOwner(), { url })
      const keep = (messageId: string) => one().enqueue([id], () => event(), mail({ messageId }))
      received = []
      const [ids, others] = [await keep('a'), await keep('b')]
      two().kick()
      await sleep(100)
      expect(received).toEqual([])
      await one().withdraw(others)
      await one().confirm(ids)
      await expect.poll(() => received).toEqual(ids)
      await expect.poll(waiting).toBe(0)
    })

    test('a delivery is not sent after its mailbox has expired', async () => {
      const { id } = await webhooks.create(newOwner(), { url })
      received = []
      status = 500
      const expiresAt = now + 20_000
      const ids = await send(one(), [id], mail({ expiresAt }))
      for (const [attempts, pauseMs] of [
        [1, 6000],
        [2, 36_000],
      ] as const) {
        await expect.poll(() => received).toEqual(Array.from({ length: attempts }, () => ids[0]))
        await expect.poll(nextAttempt).toBeGreaterThan(now)
        now += pauseMs
        two().kick()
      }
      await expect.poll(waiting).toBe(0)
      await send(one(), [id], mail({ expiresAt }))
      await expect.poll(waiting).toBe(0)
      expect(received).toHaveLength(2)
      status = 204
    })

    test('deliveries of a killed process are sent after a minute if the mail is stored, and dropped if not', async () => {
      const { id } = await webhooks.create(newOwner(), { url })
      const keep = (messageId: string) => one().enqueue([id], () => event(), mail({ messageId }))
      received = []
      const [ids] = [await keep('stored'), await keep('never stored')]
      stored = undefined
      now += 60_000
      two().kick()
      await sleep(100)
      expect([received, await waiting()]).toEqual([[], 2])
      stored = new Set(['stored'])
      now += 120_000
      two().kick()
      await expect.poll(() => received).toEqual(ids)
      await expect.poll(waiting).toBe(0)
    })

    test('accounts with receivers that hang, or are slow although they never fail, delay nobody else', async () => {
      const open = new Set<ServerResponse>()
      let responded = 0
      const slow = createServer((request, response) => {
        request.resume()
        if (request.url === '/fast') return response.writeHead(204).end()
        open.add(response)
        // Longer than a request takes that counts as quick.
        const end = setTimeout(() => {
          responded++
          response.writeHead(204).end()
        }, 3000)
        response.once('close', () => {
          clearTimeout(end)
          open.delete(response)
        })
      })
      await once(slow.listen(0, '127.0.0.1'), 'listening')
      const slowUrl = `http://127.0.0.1:${(slow.address() as AddressInfo).port}/`
      const [accounts, mails] = [70, 12]
      const backlog = Array.from({ length: accounts }, async (_, at) => {
        const of = newOwner()
        const ids = await Promise.all(['', 'fast'].map(async path => (await webhooks.create(of, { url: slowUrl + path })).id))
        return Promise.all(
          Array.from({ length: mails }, (_, n) => one().enqueue(ids, () => event(n), mail({ owner: `account:slow${at}` }))),
        )
      })
      const ids = (await Promise.all(backlog)).flat(2)
      await one().confirm(ids)
      await expect.poll(() => open.size).toBeGreaterThan(30)
      for (let n = 0; n < 3; n++) {
        // The others have waited for longer.
        now += 1000
        const { id } = await webhooks.create(newOwner(), { url })
        received = []
        await send(one(), [id], mail({ owner: `account:innocent${n}` }))
        await expect.poll(() => received.length, { timeout: 60_000 }).toBe(1)
      }
      expect(responded).toBeLessThan((accounts * mails) / 2)
      // Sixteen places of each of the two processes, when all of them are known to be slow.
      await expect.poll(() => open.size, { timeout: 60_000 }).toBeLessThanOrEqual(32)
      await databases[0]?.db.deleteFrom('webhook_deliveries').execute()
      slow.closeAllConnections()
      slow.close()
      await expect.poll(waiting).toBe(0)
    })

    test('URL and secret are encrypted in the database, and removing a webhook removes its deliveries', async () => {
      const of = newOwner()
      status = 500
      const { id, secret } = await webhooks.create(of, { url: `${url}hidden` })
      await send(one(), [id])
      await expect.poll(async () => (await find(of, id)).failures).toBe(1)
      const rows = JSON.stringify(await databases[0]?.db.selectFrom('webhooks').selectAll().execute())
      for (const hidden of [secret, secret.slice(6), 'hidden']) expect(rows).not.toContain(hidden)
      expect(await webhooks.remove(newOwner(), id)).toBe(false)
      expect(await webhooks.remove(of, id)).toBe(true)
      expect(await waiting()).toBe(0)
      status = 204
    })

    // The last test: it stops both processes.
    test('a stop does not wait for a silent receiver, and what it cut off is sent after the restart as a first attempt', async () => {
      for (const sender of senders) await sender[Symbol.asyncDispose]()
      const asked: string[] = []
      let isSilent = true
      const silent = createServer((request, response) => {
        asked.push(String(request.headers['webhook-id']))
        if (!isSilent) response.writeHead(204).end()
      })
      await once(silent.listen(0, '127.0.0.1'), 'listening')
      const of = newOwner()
      const { id } = await webhooks.create(of, { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}/` })
      const stopping = openSender()
      await send(stopping, [id])
      await expect.poll(() => asked.length).toBe(1)
      const stoppedAt = performance.now()
      await stopping[Symbol.asyncDispose]()
      expect(performance.now() - stoppedAt).toBeLessThan(5000)
      expect((await find(of, id)).failures).toBe(0)
      const left = await databases[0]?.db.selectFrom('webhook_deliveries').select(['attempts', 'next_attempt_at']).execute()
      expect(left).toEqual([{ attempts: 0, next_attempt_at: now }])
      isSilent = false
      await using restarted = openSender()
      restarted.kick()
      await expect.poll(waiting).toBe(0)
      expect(asked).toEqual([asked[0], asked[0]])
      silent.closeAllConnections()
      silent.close()
    })
  })
}
