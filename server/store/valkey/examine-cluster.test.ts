import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findRedis, type RedisCluster, startRedis, startRedisCluster, until } from '#test/harness/servers/redis-cluster.ts'
import { examineCluster } from './examine-cluster.ts'

describe.skipIf(!findRedis())('what the doctor says of a cluster (needs redis-server on this machine)', () => {
  let cluster: RedisCluster
  beforeAll(async () => {
    cluster = await startRedisCluster({ settings: ['--maxmemory', '100mb'] })
  })
  afterAll(() => cluster[Symbol.asyncDispose]())

  const examine = (urls = cluster.url.split(','), isSynced = false) => examineCluster({ urls, replicas: 'auto', isSynced })
  /** What is not well, with the name of `node` left out. */
  const complaints = async (node: { port: number } | undefined, ...args: Parameters<typeof examine>) =>
    (await examine(...args))
      .filter(({ status }) => status !== 'ok')
      .map(({ status, sentence, remedy }) =>
        `${status}: ${sentence} ${remedy}`.replaceAll(new RegExp(`(?:127.0.0.1|localhost):${node?.port}`, 'g'), 'NODE'),
      )

  test('one line if all is well', async () => {
    expect(await examine()).toEqual([
      {
        status: 'ok',
        sentence: expect.stringMatching(
          /^The cluster of MAIL_STORE_URL has 3 shards with all 16384 slots on 6 nodes \((?:Redis|Valkey) [\d.]+\), and a clock 0\.0 s from/,
        ),
      },
    ])
  })

  test('settings of every node, replicas too', async () => {
    const replica = cluster.nodes[4]
    const wrong = [
      ['appendonly', 'no', 'yes'],
      ['maxmemory', '0', '100mb'],
      ['maxmemory-policy', 'allkeys-lru', 'noeviction'],
      ['appendfsync', 'no', 'everysec'],
      ['client-output-buffer-limit', 'normal 0 1mb 10 pubsub 0 64kb 10', 'normal 0 0 0 pubsub 32mb 8mb 60'],
    ] as const
    for (const [name, value] of wrong) await replica?.call('CONFIG', 'SET', name, value)
    const said = await complaints(replica)
    for (const [name, , value] of wrong) await replica?.call('CONFIG', 'SET', name, value)
    expect(said).toEqual([
      'warning: NODE keeps no append-only file, so it restarts empty. Set "appendonly yes" on every node.',
      expect.stringMatching(
        /^warning: NODE has no maxmemory: when .* ends it\. Set "maxmemory \d+mb" there, so that mail is refused instead\.$/,
      ),
      'failure: NODE throws acknowledged mail away when its memory is full (maxmemory-policy allkeys-lru). Set "maxmemory-policy noeviction" on every node.',
      'failure: NODE has "appendfsync no": a power cut loses half a minute of mail. Set "appendfsync everysec" on every node.',
      ...['normal 0 1048576 10', 'pubsub 0 65536 10'].map(limit =>
        expect.stringContaining(`: NODE closes connections on which much is read (client-output-buffer-limit ${limit}). Set "client`),
      ),
    ])
  })

  test('connections that were closed to spare memory', async () => {
    const replica = cluster.nodes[4]
    await replica?.call('CONFIG', 'SET', 'maxmemory-clients', '1mb')
    await expect(replica?.call('PING', 'x'.repeat(3_000_000))).rejects.toThrow()
    await replica?.call('CONFIG', 'SET', 'maxmemory-clients', 0)
    expect(await complaints(replica)).toEqual([
      expect.stringMatching(
        /^warning: NODE has closed 1 connections since its start, .*\. Set "maxmemory-clients 0" there, then type "config/,
      ),
    ])
    await replica?.call('CONFIG', 'RESETSTAT')
    expect(await complaints(replica)).toEqual([])
  })

  test('slots of which a move was interrupted', async () => {
    const [from, , to] = cluster.nodes
    await from?.call('CLUSTER', 'SETSLOT', 7, 'MIGRATING', String(await to?.call('CLUSTER', 'MYID')))
    const open =
      'warning: Slots of NODE have begun to move: 7. If no rebalance runs, it was interrupted: type "redis-cli --cluster fix NODE", then rebalance again.'
    expect(await complaints(from)).toEqual([open])
    await from?.call('CLUSTER', 'SETSLOT', 7, 'STABLE')
    expect(await complaints(from)).toEqual([])
  })

  test.each([
    ['127.0.0.1', 2, 5],
    ['localhost', 5, 2],
  ])('nodes that are named and gone, and shards without a replica, where nodes are listed as %s', async (host, at, replicaAt) => {
    for (const node of cluster.nodes) await node.call('CONFIG', 'SET', 'cluster-announce-hostname', host)
    for (const node of cluster.nodes) await node.call('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'hostname')
    await until(async () => (await complaints(undefined)).length === 0)
    await using other = await startRedis()
    const named = [...cluster.url.split(','), `redis://127.0.0.1:${other.port}`]
    expect(await complaints(other, named)).toEqual([
      expect.stringMatching(/^warning: NODE does not run in cluster mode\. .* or correct MAIL_STORE_URL\.$/),
    ])
    const [master, replica] = [cluster.nodes[at], cluster.nodes[replicaAt]]
    await replica?.kill9()
    const gone =
      /^warning: The node NODE of MAIL_STORE_URL does not reply \(connect ECONNREFUSED\)\. Start it, or take it out of MAIL_STORE_URL\.$/
    expect(await complaints(replica)).toContainEqual(expect.stringMatching(gone))
    const missing = `127.0.0.1:${replica?.port}`
    const alone = `warning: 1 of 3 shards of MAIL_STORE_URL have too few replicas (NODE). Mail with its 250 is lost if one of these machines is. Start ${missing}: docs/scaling.md#when-something-fails.`
    await until(async () => (await complaints(master)).includes(alone))
    await master?.kill9()
    expect(await complaints(master)).toContainEqual(
      expect.stringMatching(
        /^failure: 1 of 3 shards of MAIL_STORE_URL do not reply \(NODE with the slots 10922-16383: .*[^.]\)\. Senders to their mailboxes get 451 /,
      ),
    )
    expect((await complaints(master)).join()).not.toContain('too few replicas')
    expect((await examine()).filter(({ status }) => status === 'ok')).toEqual([])
    // A replica that was restarted meanwhile has nothing of its master, so that no vote makes it one.
    await replica?.start()
    const promotion = `Start them. If they never come back, type "cluster failover force" at 127.0.0.1:${replica?.port}: deploy/cluster/README.md#when-masters-do-not-come-back.`
    await until(async () => (await complaints(master)).join().includes(promotion))
    await replica?.call('CLUSTER', 'FAILOVER', 'FORCE')
    await until(async () => (await examine()).some(({ status }) => status === 'ok'))
    await master?.start()
  })

  test('a machine with half of the masters or more', { timeout: 60_000 }, async () => {
    const at = (host: string) => ({ host, reachedAt: host, run: (program: string) => program })
    const [one, two, three] = [at('127.0.0.1'), at('127.0.0.2'), at('127.0.0.3')]
    await using spread = await startRedisCluster({ settings: ['--maxmemory', '100mb'], places: [one, two, three, two, three, one] })
    const said = () => complaints(undefined, spread.url.split(','))
    expect(await said()).toEqual([])
    await spread.nodes[3]?.call('CLUSTER', 'FAILOVER')
    const crowded =
      'warning: 2 of 3 masters of MAIL_STORE_URL are on 127.0.0.2: if it fails, no replica takes over and no mail is taken. ' +
      'Make replicas on other machines masters: deploy/cluster/README.md#give-the-masters-back.'
    await until(async () => (await said()).includes(crowded))
    // Nobody has the votes to promote a replica.
    for (const i of [1, 3]) await spread.nodes[i]?.kill9()
    const away = (port = 0) => expect.stringMatching(new RegExp(`^warning: The node 127.0.0.2:${port} of MAIL_STORE_URL does not reply `))
    await until(async () => /No server can start .*cluster_state:fail/.test((await said())[0] ?? ''))
    const [refusal, ...others] = await said()
    expect(refusal).toMatch(/^failure: No server can start .*cluster_state:fail.*deploy\/cluster\/README.md#when-masters-do-not-come-back/)
    const promotion =
      /^failure: 2 of 3 masters of MAIL_STORE_URL do not reply \(.*\)\. Start them\. If \/readyz on another machine answers 200, they run: do nothing here, .* Only if .* type "cluster failover takeover" at each of 127\.0\.0\.[13]:\d+, 127/
    expect(others).toEqual([away(spread.nodes[1]?.port), away(spread.nodes[3]?.port), expect.stringMatching(promotion)])
  })
})
