/** The connection to a cluster, against real servers. */
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findRedis,
  moveSlot,
  type RedisCluster,
  type RedisNode,
  startRedis,
  startRedisCluster,
  until,
} from '#test/harness/servers/redis-cluster.ts'
import { HealthReader } from '../health.ts'
import { addressKey, defineScript } from './node-connection.ts'
import { isOlder } from './node-reading.ts'
import { openCluster } from './open-cluster.ts'
import { Subscriptions } from './subscriptions.ts'
import { keySlot, SLOTS } from './topology.ts'

const open = (url: string, options: { replicas?: number; isSynced?: boolean } = {}) =>
  openCluster({ urls: url.split(','), replicas: options.replicas ?? 'auto', isSynced: options.isSynced ?? false })
const LUA = `return redis.call('INCRBY', KEYS[1], ARGV[1])`
const ADD = defineScript({ isRepeatable: false, isReplicated: false })(LUA)
const READ_ONLY = defineScript({ isRepeatable: true, isReplicated: false, isRead: true })(LUA)
const ADD_REPLICATED = defineScript({ isRepeatable: false, isReplicated: true })(LUA)

test('slots match the cluster specification', () => {
  expect([keySlot('123456789'), keySlot('foo{hash_tag}'), keySlot('bar{hash_tag}'), keySlot('a{}b')]).toEqual([
    12739,
    2515,
    2515,
    keySlot('a{}b'),
  ])
})

test.each([
  ['7.2.4', '7.10.0', true],
  ['7.10.0', '7.2.4', false],
  ['6.2.14', '7.0.0', true],
  ['8.0.1', '8.0.2', false],
  ['', '7.2.0', false],
])('whether %s is older than %s: %s', (one, other, expected) => {
  expect(isOlder(new Map([['redis_version', one]]), new Map([['redis_version', other]]))).toBe(expected)
})

test.skipIf(!findRedis())('where endpoints are unknown, each node is found by its address (needs redis-server)', async () => {
  await using cluster = await startRedisCluster({ replicas: 0, settings: ['--bind', '127.0.0.1', '127.0.0.2'] })
  const [asked, moved] = cluster.nodes
  await moved?.call('CONFIG', 'SET', 'cluster-announce-ip', '127.0.0.2')
  await asked?.call('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'unknown-endpoint')
  await until(async () => String(await asked?.call('CLUSTER', 'NODES')).includes('127.0.0.2'))
  await using connection = await open(`redis://127.0.0.1:${asked?.port}`)
  expect(connection.topology.nodes.map(addressKey)).toContain(`127.0.0.2:${moved?.port}`)
})

test.skipIf(!findRedis())(
  'masters that forgot each other are told to meet, by their addresses, and not to be fixed (needs redis-server)',
  async () => {
    await using cluster = await startRedisCluster({ replicas: 0 })
    const { nodes, url } = cluster
    for (const node of nodes) {
      await node.call('CONFIG', 'SET', 'cluster-announce-hostname', 'localhost')
      await node.call('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'hostname')
    }
    for (const node of nodes) await until(async () => String(await node.call('CLUSTER', 'NODES')).split(',localhost').length > nodes.length)
    await using connection = await open(url)
    const ids = await Promise.all(nodes.map(async node => String(await node.call('CLUSTER', 'MYID'))))
    await Promise.all(nodes.map((node, i) => Promise.all(ids.filter((_, of) => of !== i).map(id => node.call('CLUSTER', 'FORGET', id)))))
    await connection.refresh()
    const health = await new HealthReader({ cluster: connection, prefix: 'test:', countEveryMs: 0 }).read()
    const [first] = nodes
    const meetings = (port = 0) =>
      nodes.filter(node => node.port !== port).map(node => `"redis-cli -h \\S+ -p ${port} cluster meet 127\\.0\\.0\\.1 ${node.port}"`)
    await expect(open(url)).rejects.toThrow(new RegExp(`Type (?:${meetings(first?.port).join('|')}) and "redis-cli .* as it has forgotten`))
    const told = health.problems?.find(({ kind }) => kind === 'unserved')?.remedy
    expect(told).toMatch(
      new RegExp(`Type (?:${nodes.flatMap(({ port }) => meetings(port)).join('|')}) and "redis-cli .* as it has forgotten`),
    )
    expect(told).not.toContain('--cluster fix')
  },
)

describe.skipIf(!findRedis())('a cluster (needs redis-server on this machine)', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startRedisCluster({ password: 'right' })
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  test('runs a script on the node of its key, and loads it again after the engine has forgotten it', async () => {
    await using connection = await open(cluster.url)
    const keys = Array.from({ length: 30 }, (_, i) => `count:${i}`)
    for (const total of [2, 4]) {
      expect(await Promise.all(keys.map(key => connection.run(ADD, key, [2])))).toEqual(keys.map(() => total))
      await Promise.all(connection.topology.shards.map(({ master }) => connection.callMaster(master, 'SCRIPT', 'FLUSH')))
    }
    expect(await connection.run(ADD_REPLICATED, 'count:0', [1])).toBe(5)
  })

  test('asks a few nodes, and not all, about slots that have no master', async () => {
    await using connection = await open(cluster.url)
    const atAll = (...words: readonly [name: string, ...args: (string | number)[]]) =>
      Promise.all(cluster.nodes.map(node => node.call(...words)))
    const readings = async () => (await atAll('INFO', 'commandstats')).filter(text => /^cmdstat_cluster\|slots:/m.test(String(text))).length
    await connection.refresh()
    const owner = connection.topology.shardOf(0)?.master
    await atAll('CLUSTER', 'DELSLOTS', 0)
    try {
      await connection.refresh()
      await atAll('CONFIG', 'RESETSTAT')
      await connection.refresh()
      expect(await readings()).toBe(3)
      expect(connection.topology.unservedSlots).toBe('0')
    } finally {
      await cluster.nodes.find(({ port }) => port === owner?.port)?.call('CLUSTER', 'ADDSLOTS', 0)
    }
    await until(() => connection.refresh().then(() => connection.topology.unservedSlots === ''))
  })

  test('a slot that its master does not serve is told, though others say that it does and no mail is for it', async () => {
    await using connection = await open(cluster.url)
    await connection.refresh()
    const owner = cluster.nodes.find(({ port }) => port === connection.topology.shardOf(0)?.master.port)
    await owner?.call('CLUSTER', 'DELSLOTS', 0)
    try {
      await connection.refresh()
      await until(async () => connection.topology.unservedSlots === '0')
    } finally {
      await owner?.call('CLUSTER', 'ADDSLOTS', 0)
    }
    await until(() => connection.refresh().then(() => connection.topology.unservedSlots === ''))
  })

  test('opens no connection after it was closed, though it still asks for the topology', async () => {
    const connection = await open(cluster.url)
    const clients = async () =>
      (
        await Promise.all(
          cluster.nodes.map(
            async node =>
              String(await node.call('CLIENT', 'LIST', 'TYPE', 'NORMAL'))
                .trim()
                .split('\n').length,
          ),
        )
      ).join()
    await until(async () => (await clients()) === '1,1,1,1,1,1')
    const refreshing = connection.refresh()
    await connection[Symbol.asyncDispose]()
    await refreshing
    await until(async () => (await clients()) === '1,1,1,1,1,1', 5000)
    await expect(connection.callMaster(connection.topology.shards[0]?.master ?? expect.fail(), 'PING')).rejects.toThrow('closed')
  })

  test('acknowledges nothing without the required replicas', async () => {
    await expect(open(cluster.url, { replicas: 2 })).rejects.toThrow(
      /^MAIL_STORE_REPLICAS is 2, but the master 127\.0\.0\.1:\d+ has 1: no mail could be acknowledged\. Add replicas /,
    )
    await using connection = await open(cluster.url, { replicas: 1 })
    for (const node of cluster.nodes.slice(3)) process.kill(node.pid, 'SIGSTOP')
    try {
      await expect(connection.run(ADD_REPLICATED, 'unacknowledged', [1])).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      for (const node of cluster.nodes.slice(3)) process.kill(node.pid, 'SIGCONT')
    }
  })

  test('waits once for a shard that hangs: later readers fail at once, until it answers again', async () => {
    await using patient = await startRedisCluster({ replicas: 0, settings: ['--cluster-node-timeout', '60000'] })
    await using connection = await open(patient.url)
    const [hung] = patient.nodes
    const key = Array.from({ length: 100 }, (_, i) => `hung:${i}`).find(name => keySlot(name) < SLOTS / 3 - 1) ?? ''
    const read = () => connection.run(READ_ONLY, key, [0])
    expect(await read()).toBe(0)
    process.kill(hung?.pid ?? 0, 'SIGSTOP')
    try {
      await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
      let [failed, isWriting] = [0, true]
      const writing = connection.run(ADD_REPLICATED, key, [0]).finally(() => {
        isWriting = false
      })
      const written = expect(writing).rejects.toMatchObject({ code: 'unavailable' })
      while (isWriting) {
        await expect(read()).rejects.toMatchObject({ code: 'unavailable' })
        failed++
        await sleep(10)
      }
      await written
      expect(failed, 'readers that failed while one write waited').toBeGreaterThan(5)
    } finally {
      process.kill(hung?.pid ?? 0, 'SIGCONT')
    }
    await until(async () => (await read()) === 0)
  })

  test('acknowledges without a replica that the other masters do not hear, long before they call it failed', async () => {
    await using patient = await startRedisCluster({ settings: ['--cluster-node-timeout', '60000'] })
    await using connection = await open(patient.url)
    const addRepeatedly = defineScript({ isRepeatable: true, isReplicated: true })(LUA)
    const add = (key: string) => connection.run(addRepeatedly, key, [0])
    const [ended, , , replicaOfEnded, silent] = patient.nodes
    const keyOf = async (shard: number) => {
      const slots = (await ended?.call('CLUSTER', 'SLOTS')) as [number, number, [Buffer, number]][]
      const [first = 0, last = 0] = slots.find(([, , [, port]]) => port === patient.nodes[shard]?.port) ?? []
      return Array.from({ length: 1000 }, (_, i) => `alone:${i}`).find(name => keySlot(name) >= first && keySlot(name) <= last) ?? ''
    }
    await replicaOfEnded?.kill9()
    expect(await add(await keyOf(0))).toBe(0)
    process.kill(silent?.pid ?? 0, 'SIGSTOP')
    const key = await keyOf(1)
    await until(async () => (await add(key)) === 0)
    expect(String(await ended?.call('CLUSTER', 'NODES'))).not.toMatch(/\bfail\b/)
    process.kill(silent?.pid ?? 0, 'SIGCONT')
    await replicaOfEnded?.start()
    for (const node of [replicaOfEnded, silent])
      await until(async () => String(await node?.call('INFO', 'replication')).includes('master_link_status:up'))
    // Both count again: one that hangs is missed at once.
    process.kill(silent?.pid ?? 0, 'SIGSTOP')
    await until(() =>
      add(key).then(
        () => false,
        () => true,
      ),
    )
    process.kill(silent?.pid ?? 0, 'SIGCONT')
  })

  test('asks nothing more about a doubted master once another has replaced it', async () => {
    await using patient = await startRedisCluster({ settings: ['--cluster-node-timeout', '60000'] })
    const [doubted, asked, , replica] = patient.nodes
    await using connection = await open(patient.url)
    const key = Array.from({ length: 100 }, (_, i) => `doubted:${i}`).find(name => keySlot(name) < SLOTS / 3 - 1) ?? ''
    process.kill(replica?.pid ?? 0, 'SIGSTOP')
    // The master alone: it stays doubted while its replica is silent.
    await until(async () => (await connection.run(ADD_REPLICATED, key, [1])) !== undefined)
    await doubted?.kill9()
    process.kill(replica?.pid ?? 0, 'SIGCONT')
    await replica?.call('CLUSTER', 'FAILOVER', 'TAKEOVER')
    await until(async () => (await connection.run(defineScript({ isRepeatable: true, isReplicated: false })(LUA), key, [1])) !== undefined)
    const questions = async () => /cmdstat_cluster\|nodes:calls=\d+/.exec(String(await asked?.call('INFO', 'commandstats')))?.[0]
    const before = await questions()
    await connection.refresh()
    expect(await questions()).toBe(before)
  })

  test('does not wait for a replica that is still copying everything from its master', async () => {
    const { url, nodes } = cluster
    const [master, , , replica] = nodes
    const replication = async () => String(await master?.call('INFO', 'replication'))
    await master?.call('CONFIG', 'SET', 'repl-diskless-sync-delay', '30')
    await master?.call('CONFIG', 'SET', 'repl-backlog-size', '16384')
    await replica?.kill9()
    await using connection = await open(url)
    const key = Array.from({ length: 100 }, (_, i) => `copied:${i}`).find(name => keySlot(name) < SLOTS / 3 - 1) ?? ''
    // More than its backlog: the replica cannot continue where it was.
    for (let i = 0; i < 10; i++) await master?.call('SET', key, '0'.repeat(10_000))
    await master?.call('SET', key, '0')
    await replica?.start()
    await until(async () => (await replication()).includes('state=wait_bgsave'))
    await connection.refresh()
    await until(async () => (await connection.run(ADD_REPLICATED, key, [1])) !== undefined)
    expect(await replication()).toContain('state=wait_bgsave')
    await master?.call('CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
    await until(async () => (await replication()).includes('state=online'))
  })

  test('waits for its replica while another copies for the first time', async () => {
    const [master, , , replica] = cluster.nodes
    const replication = async () => String(await master?.call('INFO', 'replication'))
    await using connection = await open(cluster.url)
    const key = Array.from({ length: 100 }, (_, i) => `joined:${i}`).find(name => keySlot(name) < SLOTS / 3 - 1) ?? ''
    const lists = async ({ call }: RedisNode) =>
      String(await call('CLUSTER', 'SLOTS'))
        .split(',')
        .includes(`${replica?.port}`)
    await until(async () => (await Promise.all(cluster.nodes.map(lists))).every(Boolean))
    await using joining = await startRedis({ clusterSettings: ['--masterauth', 'right', '--requirepass', 'right'], password: 'right' })
    await master?.call('CONFIG', 'SET', 'repl-diskless-sync-delay', '60')
    await joining.call('CLUSTER', 'MEET', '127.0.0.1', master?.port ?? 0)
    await until(async () => String(await joining.call('CLUSTER', 'REPLICATE', String(await master?.call('CLUSTER', 'MYID')))) === 'OK')
    await until(async () => (await replication()).includes('state=wait_bgsave'))
    for (let i = 0; i < 5; i++) {
      await connection.refresh()
      expect(await connection.run(ADD_REPLICATED, key, [1])).toBe(i + 1)
      expect(connection.mastersAlone()).toEqual([])
    }
    process.kill(replica?.pid ?? 0, 'SIGSTOP')
    try {
      await expect(connection.run(ADD_REPLICATED, key, [1])).rejects.toMatchObject({ code: 'unavailable' })
    } finally {
      process.kill(replica?.pid ?? 0, 'SIGCONT')
    }
    expect(await replication()).toContain('state=wait_bgsave')
    await master?.call('CONFIG', 'SET', 'repl-diskless-sync-delay', '0')
    const id = String(await joining.call('CLUSTER', 'MYID'))
    await joining.kill9()
    // Some may not have heard of it yet.
    for (const node of cluster.nodes) await node.call('CLUSTER', 'FORGET', id).catch(() => undefined)
  })

  test('waits for a live replica while another, still copying, is silent and then failed', async () => {
    await using patient = await startRedisCluster({ replicas: 2, settings: ['--cluster-node-timeout', '10000'] })
    const [master, , , live, , , copying] = patient.nodes
    const replication = async () => String(await master?.call('INFO', 'replication'))
    const waits = async () => Number(/cmdstat_wait:calls=(\d+)/.exec(String(await master?.call('INFO', 'commandstats')))?.[1] ?? 0)
    await using connection = await open(patient.url)
    const key = Array.from({ length: 100 }, (_, i) => `copied:${i}`).find(name => keySlot(name) < SLOTS / 3 - 1) ?? ''
    const add = () => connection.run(ADD_REPLICATED, key, [1])
    await copying?.kill9()
    await master?.call('CONFIG', 'SET', 'repl-diskless-sync-delay', '60')
    await master?.call('CONFIG', 'SET', 'repl-backlog-size', '16384')
    // More than its backlog: the replica cannot continue where it was.
    for (let i = 0; i < 10; i++) await master?.call('SET', key, '0'.repeat(10_000))
    await master?.call('SET', key, '0')
    await copying?.start()
    await until(async () => (await replication()).includes('state=wait_bgsave'))
    for (const node of [copying, live]) process.kill(node?.pid ?? 0, 'SIGSTOP')
    await expect(add()).rejects.toMatchObject({ code: 'unavailable' })
    // The master alone, when it is certain that nobody hears the two.
    await until(async () => (await add()) !== undefined)
    process.kill(live?.pid ?? 0, 'SIGCONT')
    const isWaitedFor = async () => {
      await connection.refresh()
      const before = await waits()
      return await add().then(async () => (await waits()) > before)
    }
    await until(isWaitedFor)
    await until(async () => String(await master?.call('CLUSTER', 'NODES')).includes(' slave,fail '))
    expect(await replication()).toContain('state=wait_bgsave')
    await until(isWaitedFor)
  })

  test('subscribes a channel again whose slot moved, and no other of the same node', async () => {
    await using connection = await open(cluster.url)
    const rings: [channel: string, message: string][] = []
    await using subscriptions = new Subscriptions(connection, (...ring) => rings.push(ring))
    const isOnFirst = (name: string) => keySlot(name) < SLOTS / 3 - 1
    const [moved = '', other = ''] = Array.from({ length: 100 }, (_, i) => `channel:${i}`).filter(isOnFirst)
    await Promise.all([subscriptions.add(moved), subscriptions.add(other)])
    await moveSlot(cluster, keySlot(moved))
    await until(async () => rings.some(([channel]) => channel === moved))
    await connection.call(other, 'SPUBLISH', 'still there')
    await until(async () => rings.some(([, message]) => message === 'still there'))
    expect(rings.filter(([channel]) => channel === other)).toEqual([[other, 'still there']])
  })

  test('refuses to start where mail could be lost, with the remedy', async () => {
    const node = cluster.nodes[0]
    const where = `127\\.0\\.0\\.1:${node?.port}`
    await expect(open('redis://127.0.0.1:1,redis://nowhere.invalid:7000')).rejects.toThrow(
      /^No node of the mail store answers: 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\), nowhere\.invalid:7000 \(.*\)\. Start Valkey there, or correct MAIL_STORE_URL\.$/,
    )
    await expect(open(cluster.url.replaceAll(':right@', ':wrong@'))).rejects.toThrow(
      new RegExp(
        `^The mail store at ${where} does not let us in: WRONGPASS .*\\. Correct the user and the password in MAIL_STORE_URL if every node says so\\. Else give`,
      ),
    )
    await expect(open(cluster.url.replaceAll(':right@', ''))).rejects.toThrow(
      new RegExp(`^The mail store at ${where} does not let us in: it asks for a password\\.`),
    )
    // A master and two replicas, one of each shard.
    const [first, , , , ...others] = cluster.nodes
    const setPolicy = (policy: string, nodes = [first, ...others]) =>
      Promise.all(nodes.map(each => each?.call('CONFIG', 'SET', 'maxmemory-policy', policy)))
    await setPolicy('allkeys-lru')
    await expect(open(cluster.url)).rejects.toThrow(/ throws acknowledged mail away .* Set "maxmemory-policy noeviction" on every node\.$/)
    await setPolicy('noeviction', [first])
    await using _connection = await open(cluster.url)
    await setPolicy('noeviction')
  })

  test('starts on the next node where one is gone, not yet ready, in no cluster, or has another password', async () => {
    await using gone = await startRedis({ password: 'right' })
    await using other = await startRedis({ password: 'other' })
    const loading = createServer(socket => socket.on('data', () => socket.write('-LOADING Redis is loading the dataset in memory\r\n')))
    await new Promise<void>(resolve => loading.listen(0, '127.0.0.1', resolve))
    const ports = [gone.port, other.port, (loading.address() as { port: number }).port, 1]
    const before = ports.map(port => `redis://:right@127.0.0.1:${port}`)
    await using connection = await open([...before, cluster.url].join(','))
    expect(connection.topology.shards).toHaveLength(3)
    await expect(open(before.join(','))).rejects.toThrow(new RegExp(`^127\\.0\\.0\\.1:${gone.port} does not run in cluster mode\\.`))
    loading.close()
  })

  test('a node without cluster mode, a cluster with missing slots and an emptied node are refused', async () => {
    await using alone = await startRedis()
    await expect(open(`redis://127.0.0.1:${alone.port}`)).rejects.toThrow(
      new RegExp(`^127\\.0\\.0\\.1:${alone.port} does not run in cluster mode\\. Start its nodes with "cluster-enabled yes" and join them`),
    )
    await using holed = await startRedisCluster({ replicas: 0, missingSlots: 10 })
    await expect(open(holed.url)).rejects.toThrow(/ serves 16374 of its 16384 slots, .* or type "redis-cli --cluster fix /)
    const [emptied] = holed.nodes
    await emptied?.call('CLUSTER', 'RESET')
    await expect(open(`redis://127.0.0.1:${emptied?.port}`)).rejects.toThrow(
      / belongs to no cluster: .* If it has lost its disk: deploy\/cluster\/README\.md#replace-a-machine\./,
    )
  })
})
