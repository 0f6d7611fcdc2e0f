/** A node that may lose mail: mail that it could throw away gets no 250, and the operator is told. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { beside } from '../harness/beside.ts'
import { type Address, askMailbox, createAddress } from '../harness/clients/mailbox-client.ts'
import { tryDelivery } from '../harness/clients/smtp-client.ts'
import { CLUSTER_PAUSED, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { findRedis, type RedisCluster, type RedisNode, restart, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

/** So many that each shard has some, and that they do not fit into `ROOM_BYTES`. */
const ADDRESSES = 110
const ROOM_BYTES = 300_000
const SENDERS = 10
/** Ten seconds on a machine that does nothing else. */
const SOON_MS = 60_000
const CHANGES = 6
const PAUSE_MS_MAX = 3000

const allowLog = [
  OWN_ACCOUNTS,
  CLUSTER_PAUSED,
  /"msg":"127\.0\.0\.1:\d+ throws acknowledged mail away when its memory is full \(maxmemory-policy [a-z-]+\): /,
  // A busy machine may see it before keys are thrown away.
  /"msg":"The memory of a master of MAIL_STORE_URL is full /,
  /"msg":"Acknowledged mail or addresses are lost: \d+ keys were (?:thrown away|gone after a restart) /,
  /"msg":"127\.0\.0\.1:\d+ keeps no append-only file, so it restarts empty: /,
  // It says which node may throw keys away.
  /throws (?:keys|acknowledged mail) away .*"msg":"(?:A message could not be received|Mail could not be taken|Request failed)"/,
  // A replica that is being restarted.
  /"msg":"1 of 3 shards of MAIL_STORE_URL (?:have too few replicas|do not reply) /,
]

describe.skipIf(!findRedis())('a node that may lose mail (needs redis-server on this machine)', () => {
  const stack = new AsyncDisposableStack()
  let [cluster, server] = [] as unknown as [RedisCluster, RunningServer]
  beforeAll(async () => {
    cluster = stack.use(await startRedisCluster({ settings: ['--maxmemory', '100mb'] }))
    server = stack.use(await start())
  })
  afterAll(() => stack.disposeAsync())

  const start = () =>
    startServerProcess({
      env: {
        ...{ MAIL_STORE_URL: cluster.url, SECRET: 'x'.repeat(32), BOT_CHECK: 'off', DNS_SERVERS: 'off' },
        ...{ NETWORK_LIMIT_FACTOR: '100000', LOG_LEVEL: 'info' },
      },
      allowLog,
    })
  const readiness = async (at = server) => (await fetch(`http://127.0.0.1:${at.httpPort}${routes.readyz}`)).json()
  /** That mail was refused is told for half a minute more. */
  const untilReady = () =>
    vi.waitFor(async () => expect(await readiness()).not.toHaveProperty('shards'), { timeout: SOON_MS, interval: 50 })
  const complaints = async () =>
    (await examineCluster({ urls: cluster.url.split(','), replicas: 'auto', isSynced: false }))
      .filter(({ status }) => status === 'failure')
      .map(({ sentence, remedy }) => `${sentence} ${remedy}`)
      // A busy machine may see it before keys are thrown away.
      .filter(complaint => !complaint.startsWith('The memory of a master of MAIL_STORE_URL is full '))

  /** Log, readiness, metrics and doctor name the node and the remedy. */
  const expectToldOf = async ({ port }: RedisNode, policy: string, at = server) => {
    const fact = `127.0.0.1:${port} throws acknowledged mail away when its memory is full (maxmemory-policy ${policy})`
    const remedy = 'Set "maxmemory-policy noeviction" on every node'
    await vi.waitFor(
      async () => expect(await readiness(at)).toMatchObject({ status: 'degraded', shards: { total: 3, away: 0, unsafe: 1 } }),
      { timeout: SOON_MS },
    )
    const heard = () => at.output().replaceAll('\\"', '"')
    await vi.waitFor(
      () => expect(heard()).toContain(`${fact}: senders to the mailboxes of its shard get 451, new addresses are on the others. ${remedy}`),
      { timeout: SOON_MS },
    )
    expect(await (await fetch(`http://127.0.0.1:${at.httpPort}${routes.metrics}`)).text()).toContain(
      'mayfly_store_shards{state="unsafe"} 1',
    )
    expect(await complaints()).toEqual([`${fact}. ${remedy}.`])
  }

  const usedBytes = async (node: RedisNode) => Number(/used_memory:(\d+)/.exec(String(await node.call('INFO', 'memory')))?.[1])
  const setPolicy = (node: RedisNode, policy: string) => node.call('CONFIG', 'SET', 'maxmemory-policy', policy)
  const squeeze = async (node: RedisNode) => node.call('CONFIG', 'SET', 'maxmemory', (await usedBytes(node)) + ROOM_BYTES)
  const evict = async (node: RedisNode, policy = 'allkeys-lru') => {
    await squeeze(node)
    await setPolicy(node, policy)
  }
  const restore = async (node: RedisNode) => {
    await setPolicy(node, 'noeviction')
    await node.call('CONFIG', 'SET', 'maxmemory', '100mb')
    await untilReady()
  }

  /** Sends a mail to each. Afterwards every one with a 250 can be read. Returns how many got which reply. */
  const expectKept = async (addresses: Iterable<Address> | AsyncIterable<Address>, at = server) => {
    const replies = new Map<Address, string>()
    const waiting = each(addresses)
    const sender = async () => {
      for await (const address of waiting) replies.set(address, await send(at, address))
    }
    await Promise.all(Array.from({ length: SENDERS }, sender))
    const lost = []
    for (const [address, reply] of replies) {
      if (reply === '250' && !(await isThere(at, address))) lost.push(address.email)
    }
    expect(lost).toEqual([])
    return Object.fromEntries([...Map.groupBy(replies.values(), reply => reply)].map(([reply, all]) => [reply, all.length]))
  }
  const createEach = async function* (at: RunningServer) {
    for (let i = 0; i < ADDRESSES; i++) yield await createAddress(at.httpPort)
  }
  const createAll = () => Array.fromAsync(createEach(server))
  const SOME_REFUSED = { 250: expect.any(Number), 451: expect.any(Number) }

  test('before the start: new addresses are on the other shards', async () => {
    const [, master] = cluster.nodes
    if (!master) return expect.fail('a cluster has nodes')
    await evict(master)
    await using other = await start()
    await expectToldOf(master, 'allkeys-lru', other)
    expect(await expectKept(createEach(other), other)).toEqual({ 250: ADDRESSES })
    await restore(master)
  })

  test.each([['allkeys-lru'], ['volatile-ttl']])('while it runs (%s): no mail that is sent after the change is lost', async policy => {
    const [, , master] = cluster.nodes
    if (!master) return expect.fail('a cluster has nodes')
    const addresses = await createAll()
    expect(await expectKept(addresses)).toEqual({ 250: ADDRESSES })
    const before = server.output().length
    await evict(master, policy)
    expect(await expectKept(addresses)).toEqual(SOME_REFUSED)
    await expectToldOf(master, policy)
    expect(await readiness()).toMatchObject({ mail: 'refused' })
    await restore(master)
    expect(await expectKept(addresses)).toEqual({ 250: ADDRESSES })
    await vi.waitFor(() => expect(server.output().slice(before)).toContain('The mail store takes mail again'), { timeout: SOON_MS })
  })

  test('a replica, and when it becomes the master', async () => {
    const [, master, , , replica] = cluster.nodes
    if (!master || !replica) return expect.fail('a cluster has nodes')
    const addresses = await createAll()
    await setPolicy(replica, 'allkeys-lru')
    await expectToldOf(replica, 'allkeys-lru')
    expect(await expectKept(addresses)).toEqual(SOME_REFUSED)
    await replica.call('CLUSTER', 'FAILOVER')
    await until(async () => String(await replica.call('ROLE')).startsWith('master'))
    await squeeze(replica)
    expect(await expectKept(addresses)).toEqual(SOME_REFUSED)
    await expectToldOf(replica, 'allkeys-lru')
    await restore(replica)
    expect(await expectKept(addresses)).toEqual({ 250: ADDRESSES })
  })

  test('a replica that joins', async () => {
    const replica = cluster.nodes[5]
    if (!replica) return expect.fail('a cluster has nodes')
    const addresses = await createAll()
    await replica.kill9()
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ shards: { alone: 1 } }), { timeout: SOON_MS })
    await replica.start()
    await setPolicy(replica, 'allkeys-random')
    await expectToldOf(replica, 'allkeys-random')
    expect(await expectKept(addresses)).toEqual(SOME_REFUSED)
    await restore(replica)
    expect(await expectKept(addresses)).toEqual({ 250: ADDRESSES })
  })

  test('without an append-only file it takes mail, and the log says what its restart loses', async () => {
    const [, , master] = cluster.nodes
    await master?.call('CONFIG', 'SET', 'appendonly', 'no')
    const said = `127.0.0.1:${master?.port} keeps no append-only file, so it restarts empty: if it is restarted before another is master, `
    await vi.waitFor(() => expect(server.output()).toContain(said), { timeout: SOON_MS })
    expect(await expectKept(await createAll())).toEqual({ 250: ADDRESSES })
    expect(await readiness()).not.toHaveProperty('shards')
    await master?.call('CONFIG', 'SET', 'appendonly', 'yes')
    await vi.waitFor(() => expect(server.output()).toContain('Every node of MAIL_STORE_URL keeps an append-only file again'), {
      timeout: SOON_MS,
    })
  })

  test('restarted without an append-only file while it is the master: what is lost is told', async () => {
    const [, , master] = cluster.nodes
    if (!master) return expect.fail('a cluster has nodes')
    await createAll()
    // It has read how much there is once it has seen both of these.
    await master.call('CONFIG', 'SET', 'maxmemory', 1)
    await vi.waitFor(async () => expect(await readiness()).toMatchObject({ shards: { full: 1 } }), { timeout: SOON_MS })
    await restore(master)
    const keys = Number(await master.call('DBSIZE'))
    await restart(master, ['--appendonly', 'no'])
    const told =
      /Acknowledged mail or addresses are lost: (\d+) keys were gone after a restart \(127\.0\.0\.1:(\d+)\): their senders get 550\./
    await vi.waitFor(() => expect(server.output()).toMatch(told), { timeout: SOON_MS })
    const [, lost, port] = told.exec(server.output()) ?? []
    expect([Number(lost) >= keys / 2, Number(port)]).toEqual([true, master.port])
    expect(await readiness()).toMatchObject({ status: 'degraded', mail: 'lost' })
    await master.call('CONFIG', 'SET', 'appendonly', 'yes')
    await untilReady()
  })

  test('changed back and forth while mail flows: only mail from before a change is lost, which is told', async () => {
    const [master] = cluster.nodes
    if (!master) return expect.fail('a cluster has nodes')
    const mails: { address: Address; reply: string; sentMs: number; answeredMs: number }[] = []
    const keepSending = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        const address = await createAddress(server.httpPort)
        const sentMs = performance.now()
        const reply = await send(server, address)
        mails.push({ address, reply, sentMs, answeredMs: performance.now() })
      }
    }
    const evicting: { fromMs: number; toMs: number }[] = []
    await beside(Array(SENDERS).fill(keepSending), async () => {
      for (let i = 0; i < CHANGES; i++) {
        await sleep(Math.random() * PAUSE_MS_MAX)
        await master.call('CONFIG', 'SET', 'maxmemory-policy', 'allkeys-random', 'maxmemory', (await usedBytes(master)) - ROOM_BYTES)
        const fromMs = performance.now()
        await sleep(Math.random() * PAUSE_MS_MAX)
        evicting.push({ fromMs, toMs: performance.now() })
        await master.call('CONFIG', 'SET', 'maxmemory-policy', 'noeviction', 'maxmemory', '100mb')
      }
      await sleep(PAUSE_MS_MAX)
    })
    await untilReady()
    const acknowledged = mails.filter(({ reply }) => reply === '250')
    const lost = []
    for (const mail of acknowledged) if (!(await isThere(server, mail.address))) lost.push(mail)
    const isAfterChange = ({ sentMs, answeredMs }: (typeof mails)[number]) =>
      evicting.some(({ fromMs, toMs }) => fromMs <= sentMs && answeredMs <= toMs) || evicting.every(({ fromMs }) => fromMs < sentMs)
    expect(lost.filter(isAfterChange)).toEqual([])
    expect(lost.length).toBeGreaterThan(0)
    expect(server.output()).toContain('Acknowledged mail or addresses are lost: ')
    const metrics = await (await fetch(`http://127.0.0.1:${server.httpPort}${routes.metrics}`)).text()
    expect(Number(/^mayfly_store_evicted_keys_total (\d+)/m.exec(metrics)?.[1])).toBeGreaterThan(0)
  })
})

async function isThere({ httpPort }: RunningServer, address: Address): Promise<boolean> {
  const response = await askMailbox(httpPort, address, routes.messages)
  return response.status === 200 && ((await response.json()) as { messages: unknown[] }).messages.length > 0
}

async function* each<T>(items: Iterable<T> | AsyncIterable<T>) {
  yield* items
}

/** The code of the last reply. */
const send = ({ smtpPort }: RunningServer, { email }: Address) =>
  tryDelivery(smtpPort, email, `Subject: for one\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(250)}`)
