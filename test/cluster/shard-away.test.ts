/** One shard of three is away, full or without its replica: visitors still get addresses, limits hold, processes start, and all is said. */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import type { LocalCountReason } from '#server/platform/limits/limiter.ts'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { keySlot, SLOTS } from '#server/store/valkey/client/topology.ts'
import { createValkeyLimits } from '#server/store/valkey/valkey-limiter.ts'
import { CLUSTER_AWAY, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { envelope, mime, receive } from '../harness/mayfly/start-mail.ts'
import { bearer, startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'
import { findRedis, type RedisCluster, type RedisNode, startRedisCluster } from '../harness/servers/redis-cluster.ts'

const SECRET = randomBytes(32).toString('hex')
/** So many that the keys of some lie on each shard. */
const NETWORKS = 30
const TOKEN = `mft_${'t'.repeat(43)}`
const API_TOKENS = `ci:${createHash('sha256').update(TOKEN).digest('hex')}`
const allowLog = [
  OWN_ACCOUNTS,
  ...CLUSTER_AWAY,
  /The memory of a master of MAIL_STORE_URL is full \(127\.0\.0\.1:\d+\)/,
  /What has ended could not be removed/,
]
const READY = { status: 'ready' }
const DEGRADED = { status: 'degraded' }
const WELL = { total: 3, away: 0, full: 0, alone: 0, unsafe: 0, outdated: 0, denied: 0, unlinked: 0, unserved: 0 }
const readiness = async (server: TestServer) => (await fetch(server.url(routes.readyz))).json()
const untilReadiness = (server: TestServer, wanted: unknown) =>
  vi.waitFor(async () => expect(await readiness(server)).toEqual(wanted), { timeout: 60_000 })
/** As `CLUSTER_AWAY`, but nothing else. */
const ALONE = /1 of 3 shards of MAIL_STORE_URL have too few replicas/

describe.skipIf(!findRedis())('one shard of three (needs redis-server)', () => {
  const stack = new AsyncDisposableStack()
  let [cluster, server] = [] as unknown as [RedisCluster, TestServer]
  let ofIdentity: RedisNode
  const start = () =>
    startTestServer({
      env: { MAIL_STORE_URL: cluster.url, MAIL_STORE_REPLICAS: '0', SECRET, TRUST_PROXY: '127.0.0.1', API_TOKENS },
      allowLog,
      isClockRunning: true,
    })
  beforeAll(async () => {
    cluster = stack.use(await startRedisCluster({ replicas: 0 }))
    server = stack.use(await start())
    ofIdentity = cluster.nodes[Math.floor((keySlot('mayfly:about') * cluster.nodes.length) / SLOTS)] as RedisNode
  })
  afterAll(() => stack.disposeAsync())

  const createFromEachNetwork = (at: TestServer) =>
    Promise.all(
      Array.from({ length: NETWORKS }, async (_, i) => {
        const response = await at.post(routes.mailboxes, '{}', { 'x-forwarded-for': `203.0.${i}.1` })
        return response.status
      }),
    )
  const allCreated = Array.from({ length: NETWORKS }, () => 201)
  const countedLocally = async (reason: string) =>
    Number(
      new RegExp(`mayfly_limits_counted_locally_total{reason="${reason}"} (\\d+)`).exec(
        await (await fetch(server.url(routes.metrics))).text(),
      )?.[1],
    )

  test('full: everybody gets an address, and /readyz and the metrics say so', async () => {
    await untilReadiness(server, READY)
    expect(await createFromEachNetwork(server)).toEqual(allCreated)
    expect(await countedLocally('full')).toBe(0)
    await ofIdentity.call('CONFIG', 'SET', 'maxmemory', 1)
    await untilReadiness(server, { ...DEGRADED, shards: { ...WELL, full: 1 } })
    expect(await createFromEachNetwork(server)).toEqual(allCreated)
    expect(await countedLocally('full')).toBeGreaterThan(0)
    await ofIdentity.call('CONFIG', 'SET', 'maxmemory', 0)
    await untilReadiness(server, READY)
  })

  test('refusing writes: /readyz says that mail is refused', async () => {
    const requireReplicas = (count: number) =>
      Promise.all(cluster.nodes.map(node => node.call('CONFIG', 'SET', 'min-replicas-to-write', count)))
    const { email } = await server.createMailbox()
    await requireReplicas(1)
    expect(await receive(server.app.mail, envelope(email), mime('refused'))).toBe('unavailable')
    expect(await readiness(server)).toMatchObject({ status: 'degraded', mail: 'refused' })
    await requireReplicas(0)
    await expect.poll(() => receive(server.app.mail, envelope(email), mime('refused'))).toBe('delivered')
    await untilReadiness(server, READY)
  })

  test('away: everybody gets an address, limits hold in each process, and a process starts', async () => {
    await ofIdentity.kill9()
    expect(await createFromEachNetwork(server)).toEqual(allCreated)
    await untilReadiness(server, { ...DEGRADED, shards: { ...WELL, away: 1 } })
    expect(await countedLocally('away')).toBeGreaterThan(0)

    await using connection = await openCluster({ urls: cluster.url.split(','), replicas: 'auto', isSynced: false })
    const reasons: LocalCountReason[] = []
    const limits = createValkeyLimits({
      cluster: connection,
      secret: SECRET,
      clock: Date.now,
      countedLocally: reason => reasons.push(reason),
    })
    const limit = { name: 'test', max: 2, windowSeconds: 60 }
    for (let key = 0; key < NETWORKS; key++) {
      const taken = [await limits.take(limit, `${key}`), await limits.take(limit, `${key}`), await limits.take(limit, `${key}`)]
      expect(taken.map(allowance => allowance?.remaining)).toEqual([1, 0, undefined])
      const first = [await limits.once('test', `${key}`, 60_000), await limits.once('test', `${key}`, 60_000)]
      expect(first).toEqual([true, false])
    }
    expect(new Set(reasons)).toEqual(new Set(['away']))

    await using second = await start()
    expect(second.app.store.storeId).toBe(server.app.store.storeId)
    expect(await createFromEachNetwork(second)).toEqual(allCreated)

    const another = cluster.nodes.find(node => node !== ofIdentity)
    await another?.kill9()
    const unavailable = { status: 503, detail: '2 of 3 shards of the mail store do not reply.' }
    await untilReadiness(server, expect.objectContaining(unavailable))

    await another?.start()
    await ofIdentity.start()
    await untilReadiness(server, READY)
  })

  test('away: what an owner ends is destroyed on all others, however many stand before it', async () => {
    const asCi = bearer(TOKEN)
    const tokens: string[] = []
    const create = async (count: number) => {
      const created = await server.post(routes.mailboxBatch, JSON.stringify({ count }), { ...asCi, 'content-type': 'application/json' })
      tokens.push(...((await created.json()) as { mailboxes: { token: string }[] }).mailboxes.map(({ token }) => token))
    }
    const keysBefore = Number(await ofIdentity.call('DBSIZE'))
    // A shard that was away gets no new address for a second after it is back.
    await vi.waitFor(
      async () => {
        await create(1)
        expect(Number(await ofIdentity.call('DBSIZE'))).toBeGreaterThan(keysBefore)
      },
      { timeout: 30_000, interval: 500 },
    )
    for (let batch = 0; batch < 3; batch++) await create(100)
    const all = tokens.length
    const openings = async () => {
      const statuses = await Promise.all(
        tokens.map(async token => (await fetch(server.url(routes.mailbox), { headers: bearer(token) })).status),
      )
      return Object.fromEntries([200, 404, 503].map(status => [status, statuses.filter(each => each === status).length]))
    }
    await expect.poll(openings).toEqual({ 200: all, 404: 0, 503: 0 })
    await ofIdentity.kill9()
    await untilReadiness(server, expect.objectContaining(DEGRADED))
    const { 503: away = 0 } = await openings()
    expect(away).toBeGreaterThan(50)
    const answer = await fetch(server.url(routes.mailboxes), { method: 'DELETE', headers: asCi })
    expect(answer.status).toBe(503)
    await vi.waitFor(async () => expect(await openings()).toEqual({ 200: 0, 404: all - away, 503: away }), { timeout: 60_000 })
    await ofIdentity.start()
    await vi.waitFor(async () => expect(await openings()).toEqual({ 200: 0, 404: all, 503: 0 }), { timeout: 60_000 })
  })
})

describe.skipIf(!findRedis())('a replica of a shard (needs redis-server)', () => {
  test('is missed in /readyz, the metrics and the log until it is back', async () => {
    await using cluster = await startRedisCluster()
    await using server = await startTestServer({
      env: { MAIL_STORE_URL: cluster.url, SECRET },
      allowLog: [OWN_ACCOUNTS, ALONE],
      isClockRunning: true,
    })
    const [master, , , replica] = cluster.nodes
    await untilReadiness(server, READY)
    await replica?.kill9()
    await untilReadiness(server, { ...DEGRADED, shards: { ...WELL, alone: 1 } })
    const told = `too few replicas (127.0.0.1:${master?.port}): mail with its 250 is lost`
    await expect.poll(() => server.heardLog.warnings.join()).toContain(told)
    expect(await (await fetch(server.url(routes.metrics))).text()).toContain('mayfly_store_shards{state="alone"} 1')
    await replica?.start()
    await untilReadiness(server, READY)
  })
})
