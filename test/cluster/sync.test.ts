/**
 * `MAIL_STORE_REPLICAS=auto+sync`: a write is acknowledged when `WAITAOF` says that master and replica have it on disk. Needs Valkey, or
 * Redis 7.2.
 */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { openValkeyStore } from '#server/store/valkey/valkey-store.ts'
import { deliverTo, mailboxRecord, sealed } from '../harness/mayfly/store-fixture.ts'
import { canRunOtherEngines, installEngine } from '../harness/servers/other-engines.ts'
import { findRedis, type RedisCluster, type RedisNode, restart, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

const MAILBOXES = 30
/** One after the other. */
const WRITES = 30
/** The first version with `WAITAOF`. Every Valkey reports this one. */
const VERSION_MIN = 7.2

const version = redisVersion()

// Debian 12 has Redis 7.0, whose refusal is tested too.
const isOld = version !== undefined && version < VERSION_MIN
if (isOld) {
  test('this Redis has no WAITAOF, so the server refuses to start with it', async () => {
    await using old = await startRedisCluster()
    await expect(old.nodes[0]?.call('WAITAOF', '1', '0', '10')).rejects.toThrow(/unknown command/i)
    await expect(openCluster({ urls: old.url.split(','), replicas: 1, isSynced: true })).rejects.toThrow(
      / runs Redis 7\.0\.\d+, which cannot say when a write is on disk\. Upgrade /,
    )
  })
}

describe.skipIf(isOld ? !canRunOtherEngines : version === undefined)(
  'with writes synced to disk (needs valkey-server, redis-server 7.2, or Linux on x64 with python3)',
  () => {
    let cluster: RedisCluster
    const open = async () => {
      const connection = await openCluster({ urls: cluster.url.split(','), replicas: 1, isSynced: true })
      return await openValkeyStore({ cluster: connection, clock: Date.now, keyCheck: 'one' })
    }
    beforeAll(async () => {
      const bin = isOld ? await installEngine('Valkey 9.1.2') : undefined
      cluster = await startRedisCluster({ bin, settings: ['--appendfsync', 'always'] })
    })
    afterAll(() => cluster?.[Symbol.asyncDispose]())

    test('acknowledged mail is there after every node was killed at once', async () => {
      const records = Array.from({ length: MAILBOXES }, () => mailboxRecord(Date.now() + 600_000))
      const message = { ...sealed('synced'), sealedRaw: randomBytes(2000) }
      {
        await using store = await open()
        for (const record of records) expect(await store.createMailbox(record)).toBe('created')
        const outcomes = await Promise.all(records.map(({ mailboxId }) => deliverTo(store, mailboxId, message)))
        expect(outcomes).toEqual(records.map(() => 'stored'))
      }
      await Promise.all(cluster.nodes.map(node => node.kill9()))
      await Promise.all(cluster.nodes.map(node => node.start()))
      await until(async () => (await Promise.all(cluster.nodes.map(isWhole))).every(Boolean), 60_000)
      await using store = await open()
      for (const { mailboxId } of records) {
        const found = await store.readMessage(mailboxId, message.messageId)
        expect(Buffer.from(found?.sealedRaw ?? []).equals(message.sealedRaw)).toBe(true)
      }
    })

    test('one question to the replica is enough: no write waits until it tells its state by itself', async () => {
      await using store = await open()
      const heard = async () => {
        const stats = await Promise.all(cluster.nodes.map(async node => String(await node.call('INFO', 'commandstats'))))
        return stats.reduce((total, text) => total + Number(/cmdstat_replconf:calls=(\d+)/.exec(text)?.[1] ?? 0), 0)
      }
      const heardOf: number[] = []
      for (let i = 0; i < WRITES; i++) {
        const before = await heard()
        expect(await store.createMailbox(mailboxRecord(Date.now() + 600_000))).toBe('created')
        heardOf.push((await heard()) - before)
      }
      // The question and the reply, unless a slow disk is asked again. A question that comes too early waits for a second, in which each of
      // three replicas tells its state.
      expect(heardOf.sort((a, b) => a - b)[WRITES / 2]).toBeLessThanOrEqual(3)
    })

    test.each([
      {
        name: 'appendfsync no',
        change: (node: RedisNode) => node.call('CONFIG', 'SET', 'appendfsync', 'no'),
        restore: (node: RedisNode) => node.call('CONFIG', 'SET', 'appendfsync', 'always'),
        told: /no replica had the write on disk in time: .*"appendfsync always" on every node/,
      },
      {
        name: 'WAITAOF renamed',
        change: (node: RedisNode) => restart(node, ['--rename-command', 'WAITAOF', '']),
        restore: (node: RedisNode) => restart(node),
        told: /does not know a command that is needed: .*WAITAOF.*"rename-command"/,
      },
    ])('$name: mail is refused for it, and no replica is blamed', async ({ change, restore, told }) => {
      await using store = await open()
      const record = mailboxRecord(Date.now() + 600_000)
      await store.createMailbox(record)
      const problems = async () => ((await store.health()).problems ?? []).map(({ fact, remedy }) => `${fact}: ${remedy}`)
      const replicas = await findReplicas(cluster)
      const masters = cluster.nodes.filter(node => !replicas.includes(node))
      await Promise.all(masters.map(change))
      try {
        await expect.poll(() => deliverTo(store, record.mailboxId, sealed('unsynced')).catch(({ code }) => code)).toBe('unavailable')
        await expect.poll(problems, { timeout: 30_000 }).toContainEqual(expect.stringMatching(told))
        expect(await problems()).not.toContainEqual(expect.stringContaining('does not acknowledge'))
      } finally {
        await Promise.all(masters.map(restore))
      }
      await expect.poll(problems, { timeout: 30_000 }).toEqual([])
    })

    test('mail is not acknowledged without a replica that syncs, and the retry counts as the same message', async () => {
      await using store = await open()
      const record = mailboxRecord(Date.now() + 600_000)
      await store.createMailbox(record)
      const replicas = await findReplicas(cluster)
      for (const { pid } of replicas) process.kill(pid, 'SIGSTOP')
      try {
        await expect(deliverTo(store, record.mailboxId, sealed('unsynced'))).rejects.toMatchObject({ code: 'unavailable' })
      } finally {
        for (const { pid } of replicas) process.kill(pid, 'SIGCONT')
      }
      const retry = () => deliverTo(store, record.mailboxId, sealed('unsynced')).catch(String)
      await expect.poll(retry, { timeout: 30_000 }).toBe('duplicate')
    })
  },
)

async function isWhole(node: RedisCluster['nodes'][number]): Promise<boolean> {
  const [info, replication] = await Promise.all([node.call('CLUSTER', 'INFO'), node.call('INFO', 'replication')])
  return String(info).includes('cluster_state:ok') && !String(replication).includes('master_link_status:down')
}

/** Which nodes are masters after a failover. */
async function findReplicas({ nodes }: RedisCluster) {
  const roles = await Promise.all(nodes.map(async node => String(await node.call('INFO', 'replication')).includes('role:slave')))
  return nodes.filter((_, i) => roles[i])
}

function redisVersion(): number | undefined {
  const program = findRedis()
  return program === undefined ? undefined : Number(/v=(\d+\.\d+)/.exec(execFileSync(program, ['--version'], { encoding: 'utf8' }))?.[1])
}
