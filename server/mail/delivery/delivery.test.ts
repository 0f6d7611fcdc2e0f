/** Delivery to mailboxes on each store: mail threads send it to SQLite's thread themselves, and to a cluster by way of the main thread. */
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { MailboxId, MailStore, MessageId, StoreHealth } from '#server/store/store.ts'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { openValkeyStore } from '#server/store/valkey/valkey-store.ts'
import { envelope, listMessages, mime, READER, receive, startMail, type TestMail } from '#test/harness/mayfly/start-mail.ts'
import { findRedis, startRedisCluster } from '#test/harness/servers/redis-cluster.ts'
import { sharedCluster } from '#test/harness/servers/shared-cluster.ts'
import { newFolder } from '#test/harness/until-end.ts'
import type { Arrival } from '../delivery/envelope.ts'

const clock = () => Date.UTC(2026, 0, 1)

async function openClusterStore(): Promise<MailStore> {
  const cluster = await openCluster({ urls: (await sharedCluster()).split(','), replicas: 1, isSynced: false })
  return await openValkeyStore({ cluster, clock, keyCheck: 'one', prefix: `${randomBytes(6).toString('hex')}:` })
}

/** Keeps what a webhook would be told, and whether the message was stored at that time. */
class Recorder {
  mayEnqueueArrivals = true
  readonly arrivals: (Arrival & { wasStored: boolean })[] = []
  readonly settled: [MessageId, isStored: boolean][] = []
  readonly stored: MailboxId[] = []
  readonly destroyed: MailboxId[] = []
  store: MailStore | undefined
  failsAfter = Number.POSITIVE_INFINITY

  async enqueueArrival(arrival: Arrival) {
    if (this.arrivals.length >= this.failsAfter) throw new Error('the events cannot be kept')
    const { mailboxId, messageId } = arrival
    // In the order of the calls: the nodes of a cluster may reply in another.
    const recorded = { ...arrival, wasStored: false }
    this.arrivals.push(recorded)
    recorded.wasStored = (await this.store?.readMessage(mailboxId, messageId)) !== undefined
    return (isStored: boolean) => void this.settled.push([messageId, isStored])
  }
}

function deliverySuite(name: string, openStore: (folder: string) => Promise<MailStore>): void {
  describe(name, () => {
    let folder: string
    let core: TestMail
    let listener: Recorder
    beforeEach(async () => {
      folder = newFolder()
      listener = new Recorder()
      listener.store = await openStore(folder)
      core = await startMail(folder, {
        store: listener.store,
        webhookEvents: listener,
        mailStored: mailboxId => void listener.stored.push(mailboxId),
        mailboxDestroyed: async mailboxId => void listener.destroyed.push(mailboxId),
      })
    })
    afterEach(() => core[Symbol.asyncDispose]())

    async function createMailboxes(count: number) {
      const created = await Promise.all(Array.from({ length: count }, () => core.mail.createAddress({ lifetimeSeconds: 600 })))
      return await Promise.all(
        created.map(async ({ email, token }) => {
          const mailbox = await core.mail.openMailbox(token)
          if (!mailbox) throw new Error('a fresh token must open its mailbox')
          return { email, mailbox }
        }),
      )
    }

    test('every recipient gets a copy, whose event is kept before it is stored and settled after', async () => {
      const created = await createMailboxes(3)
      const emails = created.map(({ email }) => email)
      expect(await receive(core.mail, envelope(...emails), mime('to three'))).toBe('delivered')
      const ids: MessageId[] = []
      for (const { mailbox } of created) {
        const messages = (await listMessages(core.mail, mailbox))?.messages ?? []
        expect(messages).toMatchObject([{ subject: 'to three', receivedAt: new Date(clock()).toISOString() }])
        ids.push(messages[0]?.id as MessageId)
      }
      const mailboxIds = created.map(({ mailbox }) => mailbox.mailboxId)
      expect(listener.arrivals).toEqual(
        created.map(({ mailbox, email }, i) => ({
          mailboxId: mailbox.mailboxId,
          messageId: ids[i],
          receivedAt: clock(),
          envelopeTo: [email],
          wasStored: false,
        })),
      )
      expect(listener.settled).toEqual(ids.map(id => [id, true]))
      expect(listener.stored).toEqual(mailboxIds)
    })

    test('the same mail again has an event that is withdrawn', async () => {
      const [one, other] = await createMailboxes(2)
      const raw = mime('twice')
      expect(await receive(core.mail, envelope(one?.email ?? ''), raw)).toBe('delivered')
      expect(await receive(core.mail, envelope(one?.email ?? '', other?.email ?? ''), raw)).toBe('delivered')
      expect(listener.settled.map(([, isStored]) => isStored)).toEqual([true, false, true])
      expect(listener.stored).toEqual([one?.mailbox.mailboxId, other?.mailbox.mailboxId])
    })

    test('large copies are encrypted in groups, and all of them are the message byte for byte', async () => {
      const created = await createMailboxes(3)
      const raw = Buffer.concat([mime('large'), Buffer.alloc(3 * 1024 * 1024, 'x')])
      expect(await receive(core.mail, envelope(...created.map(({ email }) => email)), raw)).toBe('delivered')
      for (const { mailbox } of created) {
        const [row] = (await listMessages(core.mail, mailbox))?.messages ?? []
        expect(row).toMatchObject({ subject: 'large', size: raw.length })
        expect(raw.equals((await core.mail.readRaw(mailbox, row?.id ?? '', READER)) ?? Buffer.alloc(0))).toBe(true)
      }
      expect(listener.settled.map(([, isStored]) => isStored)).toEqual([true, true, true])
    })

    test('copies that were stored before a later group failed are reported', async () => {
      const created = await createMailboxes(3)
      const raw = Buffer.concat([mime('large'), Buffer.alloc(3 * 1024 * 1024, 'x')])
      listener.failsAfter = 2
      core.heardLog.allow(/the events cannot be kept/)
      expect(await receive(core.mail, envelope(...created.map(({ email }) => email)), raw)).toBe('unavailable')
      expect(listener.stored).toEqual(created.slice(0, 2).map(({ mailbox }) => mailbox.mailboxId))
    })

    test('no event is kept while nobody waits for one', async () => {
      const [one] = await createMailboxes(1)
      listener.mayEnqueueArrivals = false
      expect(await receive(core.mail, envelope(one?.email ?? ''), mime('quiet'))).toBe('delivered')
      expect(listener.arrivals).toEqual([])
      expect(listener.stored).toEqual([one?.mailbox.mailboxId])
    })

    test('a mailbox that is destroyed before its end is reported', async () => {
      const [one, other] = await createMailboxes(2)
      if (!one || !other) throw new Error('two were created')
      await core.mail.destroyMailbox(one.mailbox)
      await core.mail.destroyMailbox(one.mailbox)
      await core.mail.destroyAddress(other.email)
      expect(listener.destroyed).toEqual([one.mailbox.mailboxId, other.mailbox.mailboxId])
    })
  })
}

describe('when the disk is low', () => {
  const MIB = 1024 * 1024
  const health: StoreHealth = { ok: true, isFull: false, mailboxes: 0, bytesOnDisk: 40 * MIB, roomBytes: 10 * MIB, capacityBytes: 20 * MIB }
  const config = readConfig({ MAIL_DOMAINS: 'mayfly.test' })
  let folder: string
  let core: TestMail
  beforeEach(async () => {
    folder = newFolder()
    const memory = { ...config.memory, copiesBytesMax: 1 }
    core = await startMail(folder, { config: { ...config, memory }, storeHealth: () => health })
  })
  afterEach(() => core[Symbol.asyncDispose]())

  const create = (creator?: string) =>
    core.mail.createAddress({ lifetimeSeconds: 600, ...(creator !== undefined && { creator: [creator] }) })
  const large = (subject: string) => Buffer.concat([mime(subject), Buffer.alloc(MIB, 'x')])

  test('a mail to several mailboxes is stored in as many as fit in the share of their creator', async () => {
    core.heardLog.allow(/has used the eighth/)
    const created = [await create('a'), await create('a'), await create('a'), await create('b')]
    const raw = large('to four')
    expect(await receive(core.mail, envelope(...created.map(({ email }) => email)), raw)).toBe('partly_delivered')
    const counts = await Promise.all(created.map(async ({ mailboxId }) => (await core.store.findMailbox(mailboxId))?.messageCount))
    expect(counts).toEqual([1, 1, 0, 1])
  })

  test('a mailbox that was destroyed before its end counts no longer, whoever destroyed it', async () => {
    const created = [await create('a'), await create('a'), await create('a'), await create('a')]
    const [left, byToken, byOperator, forGood] = created.map(({ mailboxId }) => mailboxId)
    await core.mail.destroyMailbox({ mailboxId: byToken ?? expect.fail() })
    await core.mail.destroyAddress(created[2]?.email ?? '')
    await core.mail.destroyForGood(created[3] ?? expect.fail())
    const counted: MailboxId[] = []
    const findMailbox = core.store.findMailbox.bind(core.store)
    core.store.findMailbox = async mailboxId => {
      counted.push(mailboxId)
      return await findMailbox(mailboxId)
    }
    expect(await receive(core.mail, envelope(created[0]?.email ?? ''), large('to the one that is left'))).toBe('delivered')
    expect(counted).toContain(left)
    for (const gone of [byToken, byOperator, forGood]) expect(counted).not.toContain(gone)
  })

  test('a mail whose creator is being counted keeps no memory from other mail', async () => {
    const [slow, other] = [await create('a'), await create()]
    const gate = Promise.withResolvers<void>()
    const findMailbox = core.store.findMailbox.bind(core.store)
    core.store.findMailbox = async mailboxId => {
      await gate.promise
      return await findMailbox(mailboxId)
    }
    const counting = receive(core.mail, envelope(slow.email), large('counted'))
    expect(await receive(core.mail, envelope(other.email), large('meanwhile'))).toBe('delivered')
    gate.resolve()
    expect(await counting).toBe('delivered')
  })
})

deliverySuite('on SQLite', folder => openSqliteStore({ folder, diskReserveBytes: 0, clock }))
describe.skipIf(!findRedis())('needs redis-server on this machine', () => {
  deliverySuite('on a cluster', openClusterStore)
})

test('a creator whose share of a store is used up is named in the log, though the store is well', async () => {
  const room = 100
  const storeHealth = () => ({ ok: true, isFull: false, mailboxes: 0, bytesOnDisk: 0, roomBytes: room, capacityBytes: room })
  await using core = await startMail(newFolder(), { storeHealth })
  core.heardLog.allow(/has used the eighth/)
  const { email } = await core.mail.createAddress({ lifetimeSeconds: 6000, creator: ['a network'] })
  const said = async (subject: string) => {
    expect(await receive(core.mail, envelope(email), mime(subject))).toBe('storage_full')
    return core.heardLog.warnings.filter(line => line.includes('has used the eighth')).length
  }
  expect([await said('one'), await said('two')]).toEqual([1, 1])
  core.clock.advance(600_000)
  expect(await said('three')).toBe(2)
})

test.skipIf(!findRedis())('why a store refuses mail is logged once, and again when the cause comes back (needs redis-server)', async () => {
  await using cluster = await startRedisCluster({ replicas: 0 })
  const connection = await openCluster({ urls: cluster.url.split(','), replicas: 'auto', isSynced: false })
  const store = await openValkeyStore({ cluster: connection, clock, keyCheck: 'one' })
  await using core = await startMail('', { store })
  const { email } = await core.mail.createAddress({ lifetimeSeconds: 600 })
  const requireReplicas = (count: number) =>
    Promise.all(cluster.nodes.map(node => node.call('CONFIG', 'SET', 'min-replicas-to-write', count)))
  const said = () => core.heardLog.warnings.filter(line => /NOREPLICAS.*"msg":"A message could not be received"/.test(line)).length
  core.heardLog.allow(/NOREPLICAS/)

  await requireReplicas(1)
  for (const subject of ['one', 'two']) expect(await receive(core.mail, envelope(email), mime(subject))).toBe('unavailable')
  expect(said()).toBe(1)
  expect(core.mail.isRefusing()).toBe(true)
  expect(core.heardLog.warnings.join()).not.toContain(email)
  await requireReplicas(0)
  core.clock.advance(5000)
  expect(await receive(core.mail, envelope(email), mime('zero'))).toBe('delivered')
  core.clock.advance(5000)
  await requireReplicas(1)
  expect(await receive(core.mail, envelope(email), mime('three'))).toBe('unavailable')
  expect(said()).toBe(2)
  await requireReplicas(0)
  core.clock.advance(60_000)
  expect(await receive(core.mail, envelope(email), mime('one'))).toBe('delivered')
  expect(core.mail.isRefusing()).toBe(false)
  await requireReplicas(1)
  expect(await receive(core.mail, envelope(email), mime('three'))).toBe('unavailable')
  expect(said()).toBe(3)
})
