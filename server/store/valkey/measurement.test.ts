/** Whole readings of nodes are limited and go by turns; what is not read now is as it was. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRedis, type RedisCluster, startRedis, startRedisCluster, until } from '#test/harness/servers/redis-cluster.ts'
import type { Cluster } from './client/cluster.ts'
import { readNodeAt } from './client/node-reading.ts'
import { openCluster } from './client/open-cluster.ts'
import { aclRules } from './client/rights.ts'
import { keySlot, SLOTS, Topology } from './client/topology.ts'
import { type Measurement, measureNodes } from './measurement.ts'

describe.skipIf(!findRedis())('a measurement of a cluster (needs redis-server on this machine)', () => {
  const stack = new AsyncDisposableStack()
  let [nodes, cluster] = [] as unknown as [RedisCluster['nodes'], Cluster]
  let measured: Measurement | undefined
  beforeAll(async () => {
    const servers = stack.use(await startRedisCluster({ settings: ['--user', 'mayfly', 'on', '>right', ...aclRules(false)] }))
    nodes = servers.nodes
    const urls = servers.url.replaceAll('redis://', 'redis://mayfly:right@').split(',')
    cluster = stack.use(await openCluster({ urls, replicas: 'auto', isSynced: false }))
  }, 60_000)
  afterAll(() => stack.disposeAsync())
  const measure = async (nodesMax?: number) => {
    measured = { ...(await measureNodes(cluster, measured, nodesMax)), mailboxes: 0, countedAtMs: 0 }
    return measured
  }
  const addressOf = (index: number) => `127.0.0.1:${nodes[index]?.port}`
  const faultsAt = ({ faults = [] }: Measurement, index: number) =>
    faults.filter(({ name }) => name === addressOf(index)).map(({ effect }) => effect)
  /** How often each node was asked for a right that nothing else here uses. */
  const trials = async () =>
    await Promise.all(
      nodes.map(async ({ call }) => {
        const [, calls = 0, rejected = 0] =
          /cmdstat_pexpiretime:calls=(\d+),.*rejected_calls=(\d+)/.exec(String(await call('INFO', 'commandstats'))) ?? []
        return Number(calls) + Number(rejected)
      }),
    )

  test('reads one shard whole where no more is allowed, and tells what it found in its turn until it has ended', async () => {
    const before = await trials()
    const countAsked = async () => (await trials()).filter((count, i) => count > (before[i] ?? 0)).length
    for (let turn = 1; turn <= 3; turn++) {
      await measure(2)
      expect(await countAsked()).toBeLessThanOrEqual(2 * turn)
    }
    await until(async () => (await measure(2)) && (await countAsked()) === 6)
    // One is a replica, the other a master.
    for (const changed of [4, 1]) {
      await nodes[changed]?.call('ACL', 'SETUSER', 'mayfly', '-hset')
      const isFound = async () => faultsAt(await measure(2), changed).length > 0
      await until(isFound)
      for (let turn = 0; turn < 4; turn++) expect(await isFound()).toBe(true)
      await nodes[changed]?.call('ACL', 'SETUSER', 'mayfly', '+hset')
      await until(async () => !(await isFound()))
    }
  })

  test('every master tells its memory and what it may throw away, though it is read whole by turns', async () => {
    const before = await measure(2)
    expect(Object.keys(before.memories ?? {})).toHaveLength(3)
    for (const index of [0, 1, 2]) await nodes[index]?.call('CONFIG', 'SET', 'maxmemory', 1000, 'maxmemory-policy', 'allkeys-lru')
    const unsafe = await measure(2)
    expect(unsafe).toMatchObject({ full: 3, capacityBytes: 3000 })
    expect([0, 1, 2].map(index => faultsAt(unsafe, index))).toEqual([['refusal'], ['refusal'], ['refusal']])
    for (const index of [0, 1, 2]) await nodes[index]?.call('CONFIG', 'SET', 'maxmemory', 0, 'maxmemory-policy', 'noeviction')
    await until(async () => (await measure(2)).faults?.length === 0)
    expect(measured?.full).toBe(0)
  })

  test('the memory of a master that denies what is asked is what it was', async () => {
    const before = await measure()
    await nodes[0]?.call('ACL', 'SETUSER', 'mayfly', '-info')
    await until(async () => faultsAt(await measure(), 0).includes('denial'))
    const denied = measured ?? expect.fail('it is measured')
    expect(denied.memories?.[addressOf(0)]).toEqual(before.memories?.[addressOf(0)])
    expect(denied.capacityBytes).toBe(before.capacityBytes)
    await nodes[0]?.call('ACL', 'SETUSER', 'mayfly', '+info')
    await until(async () => (await measure()).faults?.length === 0)
  })

  test('a master that has left its cluster denies nothing, and one that has lost a slot does', async () => {
    await using left = await startRedis({ clusterSettings: ['--cluster-require-full-coverage', 'no'] })
    const before = Topology.read([[0, SLOTS - 1, [Buffer.from(left.host), left.port]]], left)
    const read = async () => await readNodeAt(left, { username: undefined, password: undefined, isEncrypted: false }, false, before)
    const paused = async () => (await read()).shortcomings.flatMap(({ effect, fact }) => (effect === 'paused' ? [fact] : []))
    expect(await paused()).toEqual([])
    await left.call('CLUSTER', 'ADDSLOTS', keySlot('elsewhere'))
    await expect.poll(paused).toEqual([expect.stringContaining('does not serve each of its slots: CLUSTERDOWN')])
  })

  test('a replica that copies under another address is linked, and one that its master refuses is not', { timeout: 60_000 }, async () => {
    const [master, , , replica] = nodes
    const links = async () => String(await master?.call('INFO', 'replication'))
    await master?.call('CONFIG', 'SET', 'repl-diskless-sync-delay', 60)
    await master?.call('CONFIG', 'SET', 'repl-backlog-size', 16_384)
    await replica?.kill9()
    const key = Array.from({ length: 100 }, (_, i) => `copied:${i}`).find(name => keySlot(name) < SLOTS / 3 - 1) ?? ''
    // More than its backlog: the replica cannot continue where it was.
    for (let i = 0; i < 10; i++) await master?.call('SET', key, '0'.repeat(10_000))
    await replica?.start(['--replica-announce-ip', '10.0.0.9'])
    await until(async () => /ip=10\.0\.0\.9,.*state=wait_bgsave/.test(await links()))
    expect(faultsAt(await measure(), 3)).toEqual([])
    await replica?.call('CONFIG', 'SET', 'masteruser', 'nobody', 'masterauth', 'wrong')
    await master?.call('CLIENT', 'KILL', 'TYPE', 'replica')
    await until(async () => (await links()).includes('connected_slaves:0'))
    await until(async () => faultsAt(await measure(), 3).includes('unlinked'))
    await replica?.call('CONFIG', 'SET', 'masteruser', '', 'masterauth', '')
    await master?.call('CONFIG', 'SET', 'repl-diskless-sync-delay', 0)
    await until(async () => (await links()).includes('state=online'))
    await until(async () => faultsAt(await measure(), 3).length === 0)
  })
})
