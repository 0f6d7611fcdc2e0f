/** An administrator changes a cluster: log, `/readyz`, metric and doctor name it, and its end only once it is over. */
import { renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { NodeConnection } from '#server/store/valkey/client/node-connection.ts'
import { aclRules } from '#server/store/valkey/client/rights.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { createAddress } from '../harness/clients/mailbox-client.ts'
import { tryDelivery } from '../harness/clients/smtp-client.ts'
import { CLUSTER_AWAY, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { findRedis, makeMaster, type RedisCluster, type RedisNode, restart, startRedisCluster } from '../harness/servers/redis-cluster.ts'

/** Ten seconds on a machine that does nothing else. */
const SOON_MS = 60_000
/** With so many, some are in the shard of any one node, and in any twelfth of the slots. */
const ADDRESSES = 60
/** Longer than it takes to be told, in each place. */
const PAUSE_MS = 45_000
/** Longer than a write waits, and shorter than two readings. */
const SHORT_PAUSE_MS = 12_000
/** Longer than a node must be well until its end is told. */
const WELL_MS = 6000
/** So many are refused that an end would have been told in between. */
const REFUSED_MIN = 60
const SLOTS = [5461, 6900] as const
const TAKEN_AGAIN = 'The mail store takes mail again'

/** `admin`: connections that were there before the change. */
type Place = {
  readonly nodes: readonly RedisNode[]
  readonly master: RedisNode
  readonly replica: RedisNode
  readonly admin: (node: RedisNode) => NodeConnection
}
type Change = (place: Place) => Promise<unknown>
const atAll =
  (...words: readonly [name: string, ...args: (string | number)[]]): Change =>
  ({ nodes }) =>
    Promise.all(nodes.map(node => node.call(...words)))
const inTurn =
  (...changes: readonly Change[]): Change =>
  async place => {
    for (const change of changes) await change(place)
  }
const kill: Change = ({ master, replica }) => Promise.all([master.kill9(), replica.kill9()])
const start: Change = ({ master, replica }) => Promise.all([master.start(), replica.start()])
const restartReplica: Change = ({ replica }) => restart(replica)
const NODES = ({ folder }: RedisNode) => [join(folder, 'nodes.conf'), join(folder, 'nodes.kept')] as const
const removeSlots = atAll('CLUSTER', 'DELSLOTSRANGE', ...SLOTS)
const returnSlots: Change = ({ master }) => master.call('CLUSTER', 'ADDSLOTSRANGE', ...SLOTS)

type Scene = {
  readonly name: string
  readonly change: Change
  readonly restore: Change
  readonly log: RegExp
  readonly state: 'away' | 'denied' | 'unlinked' | 'unserved'
  readonly doctor: RegExp
  readonly isRefused: boolean
  readonly end: string
}
const refused = { isRefused: true, end: TAKEN_AGAIN } as const

const SCENES: readonly Scene[] = [
  {
    ...refused,
    name: 'slots are taken from their master',
    change: removeSlots,
    restore: returnSlots,
    log: /Slots of MAIL_STORE_URL have no master \(5461-6900\): senders .* or type "redis-cli --cluster fix 127\.0\.0\.1:\d+"/,
    state: 'unserved',
    doctor: /serves 14944 of its 16384 slots.* or type "redis-cli --cluster fix 127/,
  },
  {
    ...refused,
    name: 'slots are taken away at their master alone',
    change: ({ master }) => master.call('CLUSTER', 'DELSLOTSRANGE', ...SLOTS),
    restore: returnSlots,
    log: /Slots of MAIL_STORE_URL have no master \(5461-6900\): senders .* or type "redis-cli --cluster fix 127\.0\.0\.1:\d+"/,
    state: 'unserved',
    doctor: /MASTER serves 14944 of its 16384 slots.* "redis-cli --cluster fix MASTER"/,
  },
  {
    ...refused,
    name: 'a cluster that serves no slot while one has no master',
    change: inTurn(atAll('CONFIG', 'SET', 'cluster-require-full-coverage', 'yes'), removeSlots),
    restore: inTurn(returnSlots, atAll('CONFIG', 'SET', 'cluster-require-full-coverage', 'no')),
    log: /MASTER takes no writes: CLUSTERDOWN The cluster is down: senders .* "cluster-require-full-coverage no"/,
    state: 'denied',
    doctor: /serves 14944 of its 16384 slots.* or type "redis-cli --cluster fix 127/,
  },
  {
    ...refused,
    name: 'a replica is paused, and its master calls it online',
    change: ({ replica, admin }) => admin(replica).call('CLIENT', 'PAUSE', PAUSE_MS, 'ALL'),
    restore: restartReplica,
    log: /REPLICA does not acknowledge what its master MASTER sends: senders .* somebody typed "client pause" there.* restart it/,
    state: 'unlinked',
    doctor: /REPLICA does not acknowledge what its master MASTER sends.* somebody typed "client pause" there.* restart it/,
  },
  {
    ...refused,
    name: 'a script does not end',
    change: async ({ master, admin }) =>
      void admin(master)
        .call('EVAL', 'while true do end', 0)
        .catch(() => undefined),
    restore: ({ master }) => master.call('SCRIPT', 'KILL'),
    log: /MASTER is kept busy: BUSY .*You can only call SCRIPT KILL or SHUTDOWN NOSAVE: senders .*Type "script kill" or "function kill" there/,
    state: 'denied',
    doctor: /MASTER is kept busy: BUSY .*SCRIPT KILL.*Type "script kill" or "function kill" there/,
  },
  {
    ...refused,
    name: 'a master is paused',
    change: ({ master, admin }) => admin(master).call('CLIENT', 'PAUSE', PAUSE_MS, 'ALL'),
    restore: ({ master }) => restart(master),
    log: /do not reply \(MASTER .*: no reply within .*somebody typed "client pause".* type "cluster failover force" at REPLICA, then restart it/,
    state: 'away',
    doctor: /do not reply \(MASTER .*somebody typed "client pause".* type "cluster failover force" at REPLICA, then restart it/,
  },
  {
    ...refused,
    name: 'a master and its replica do not run',
    change: kill,
    restore: start,
    log: /do not reply \(MASTER .*ECONNREFUSED/,
    state: 'away',
    doctor: /do not reply \(MASTER .*ECONNREFUSED/,
  },
  {
    ...refused,
    name: 'a master has lost its "nodes.conf"',
    change: async ({ master }) => {
      const [file, kept] = NODES(master)
      await master.kill9()
      renameSync(file, kept)
      await master.start()
    },
    restore: async ({ master }) => {
      const [file, kept] = NODES(master)
      await master.kill9()
      renameSync(kept, file)
      await master.start()
    },
    log: /1 of 3 shards .* do not reply \(one without an address with the slots .* "nodes\.conf" .* type "cluster failover force" at REPLICA/,
    state: 'away',
    doctor: /do not reply \(one without an address .* "nodes\.conf" .* type "cluster failover force" at REPLICA/,
  },
  {
    ...refused,
    name: 'names that nobody resolves',
    change: async ({ nodes, master, replica }) => {
      for (const node of nodes.filter(each => each === master || each === replica || nodes.indexOf(each) > 3))
        await node.call('CONFIG', 'SET', 'cluster-announce-hostname', `nowhere${node.port}.invalid`)
      await atAll('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'hostname')({ nodes } as Place)
    },
    restore: inTurn(
      atAll('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'ip'),
      atAll('CONFIG', 'SET', 'cluster-announce-hostname', ''),
    ),
    log: /1 of 3 shards .* do not reply \(nowhere\d+\.invalid:\d+ .*\. Correct "cluster-announce-hostname" there, or set /,
    state: 'away',
    doctor: /do not reply \(nowhere\d+\.invalid:\d+ .*\. Correct "cluster-announce-hostname" there, or set /,
  },
  {
    name: 'a replica listens where nobody but its master hears it',
    change: ({ replica, admin }) => admin(replica).call('CONFIG', 'SET', 'bind', '127.0.0.9'),
    restore: ({ replica, admin }) => admin(replica).call('CONFIG', 'SET', 'bind', '127.0.0.1'),
    log: /REPLICA does not reply \(connect ECONNREFUSED\): nothing yet, but once it is a master senders .*Its master hears it: open a firewall/,
    state: 'denied',
    doctor: /REPLICA of MAIL_STORE_URL does not reply/,
    isRefused: false,
    end: 'Every node of MAIL_STORE_URL gives this server what it needs again',
  },
  {
    name: 'rights that mail does not need are taken away at a master',
    change: ({ master }) => master.call('ACL', 'SETUSER', 'mayfly', '-pttl', '-time'),
    restore: ({ master }) => master.call('ACL', 'SETUSER', 'mayfly', '+pttl', '+time'),
    log: /MASTER does not give this user the rights it needs: \+time \+pttl: readers and new addresses of its shard may get 503\. Add them/,
    state: 'denied',
    doctor: /MASTER does not give this user the rights it needs: \+time \+pttl/,
    isRefused: false,
    end: 'Every node of MAIL_STORE_URL gives this server what it needs again',
  },
]

describe.skipIf(!findRedis())('what an administrator does to a cluster (needs redis-server)', { timeout: 180_000 }, () => {
  const stack = new AsyncDisposableStack()
  let [cluster, server] = [] as unknown as [RedisCluster, RunningServer]
  let urls: string[] = []
  beforeAll(async () => {
    const settings = ['--maxmemory', '100mb', '--cluster-node-timeout', '5000', '--user', 'mayfly', 'on', '>right', ...aclRules(false)]
    cluster = stack.use(await startRedisCluster({ settings }))
    urls = cluster.url.replaceAll('redis://', 'redis://mayfly:right@').split(',')
    server = stack.use(await startServer())
  }, 60_000)
  afterAll(() => stack.disposeAsync())
  const startServer = (more: Record<string, string> = {}) =>
    startServerProcess({
      env: {
        ...{ MAIL_STORE_URL: urls.join(), SECRET: 'x'.repeat(32), BOT_CHECK: 'off', DNS_SERVERS: 'off' },
        ...{ NETWORK_LIMIT_FACTOR: '100000', LOG_LEVEL: 'info' },
        ...more,
      },
      allowLog: [
        OWN_ACCOUNTS,
        ...CLUSTER_AWAY,
        /"msg":"Slots of MAIL_STORE_URL have no master/,
        /copies nothing of its master /,
        /"msg":"(?:The mail store at )?127\.0\.0\.1:\d+ (?:is kept busy|does not give this user)/,
        /"msg":"The memory of a master of MAIL_STORE_URL is full/,
        /"msg":"Acknowledged mail or addresses are lost/,
      ],
    })
  const ask = async (path: string, at = server) => await (await fetch(`http://127.0.0.1:${at.httpPort}${path}`)).text()
  const examine = async () =>
    (await examineCluster({ urls, replicas: 'auto', isSynced: false })).map(({ sentence, remedy = '' }) => `${sentence} ${remedy}`)
  const soon = (isSo: () => unknown) => vi.waitFor(isSo, { timeout: SOON_MS, interval: 100 })
  const log = (from: number, at = server) =>
    at
      .output()
      .slice(from)
      .split('\n')
      .flatMap(line => (line.startsWith('{') ? [JSON.parse(line) as { level: number; msg: string }] : []))
  const messages = (from: number, at = server) => log(from, at).map(({ msg }) => msg)
  const createAll = (at = server) => Array.fromAsync({ length: ADDRESSES }, () => createAddress(at.httpPort))
  /** Returns which replies came. */
  const sendToAll = async (addresses: readonly { email: string }[], at = server) =>
    new Set(await Promise.all(addresses.map(({ email }) => tryDelivery(at.smtpPort, email, 'Subject: one\r\n\r\nHello.\r\n'))))
  /** Returns the replies of the first time that one is refused: some changes come to this server with its next look at the cluster. */
  const sendUntilRefused = async (addresses: readonly { email: string }[]) => {
    const endMs = performance.now() + SOON_MS
    for (;;) {
      const codes = await sendToAll(addresses)
      if (codes.has('451') || performance.now() > endMs) return codes
    }
  }
  const findPlace = async (): Promise<Place> => {
    const { nodes } = cluster
    const [, master, , , replica] = nodes
    if (!master || !replica) return expect.fail('a cluster has nodes')
    await makeMaster(cluster, master)
    // A node hears a moment later of slots that were given back.
    const isWhole = async (node: RedisNode) => String(await node.call('CLUSTER', 'INFO')).includes('cluster_slots_assigned:16384')
    await soon(async () => expect(await Promise.all(nodes.map(isWhole))).not.toContain(false))
    await soon(async () => expect(await ask(routes.readyz)).not.toContain('"shards"'))
    const connections = new Map(
      [master, replica].map(node => [node, new NodeConnection(node, { username: undefined, password: undefined, isEncrypted: false })]),
    )
    for (const connection of connections.values()) await connection.call('PING')
    return { nodes, master, replica, admin: node => connections.get(node) ?? expect.fail('it is one of both') }
  }

  test.each(SCENES)('$name', async scene => {
    const place = await findPlace()
    const addresses = await createAll()
    const before = server.output().length
    const named = (text: string) =>
      text.replaceAll(`127.0.0.1:${place.master.port}`, 'MASTER').replaceAll(`127.0.0.1:${place.replica.port}`, 'REPLICA')
    const told = () => messages(before).map(named)
    /** What the log says once it has told it. The end of another scene may come later than that all is well. */
    const since = () => {
      const at = told().findIndex(text => scene.log.test(text))
      return at === -1 ? [] : told().slice(at)
    }
    try {
      await scene.change(place)
      // Where this server still takes the replica for one that copies, its master acknowledges alone.
      await soon(async () => expect(await ask(routes.readyz)).not.toContain('"alone":1'))
      const replies = scene.isRefused ? sendUntilRefused(addresses) : sendToAll(addresses)
      await soon(() => expect(told()).toContainEqual(expect.stringMatching(scene.log)))
      expect(await ask(routes.readyz)).toMatch(new RegExp(`"${scene.state}":[1-3]`))
      expect(await ask(routes.metrics)).toMatch(new RegExp(`^mayfly_store_shards\\{state="${scene.state}"\\} [1-3]$`, 'm'))
      expect((await examine()).map(named)).toContainEqual(expect.stringMatching(scene.doctor))
      if (scene.isRefused) expect(await replies).toContain('451')
      else expect(await replies).toEqual(new Set(['250']))
      expect(since()).not.toContain(scene.end)
    } finally {
      await scene.restore(place)
    }
    await soon(() => expect(since()).toContain(scene.end))
    // It is so when it is said.
    expect(await sendToAll(addresses)).toEqual(new Set(['250']))
  })

  test('a shard whose replica is away loses its master too: that it has its replica again is told once it has', async () => {
    const place = await findPlace()
    const before = server.output().length
    const end = 'Every shard of MAIL_STORE_URL has its replicas again'
    const said = () => messages(before).join('\n')
    await place.replica.kill9()
    await soon(() => expect(said()).toContain('have too few replicas'))
    const alone = server.output().length
    process.kill(place.master.pid, 'SIGSTOP')
    try {
      await soon(() => expect(said()).toContain('1 of 3 shards of MAIL_STORE_URL do not reply'))
      await soon(async () => expect(await ask(routes.readyz)).toMatch(/"away":1.*"alone":0/))
      expect(messages(alone)).not.toContain(end)
    } finally {
      process.kill(place.master.pid, 'SIGCONT')
    }
    await soon(() => expect(messages(alone)).toContain(TAKEN_AGAIN))
    expect(messages(alone)).not.toContain(end)
    await place.replica.start()
    await soon(() => expect(messages(alone)).toContain(end))
  })

  test('a limit cuts some connections: it is told once, and no end while mail is refused', async () => {
    const { master } = await findPlace()
    const addresses = await createAll()
    const before = server.output().length
    const told = () => messages(before).filter(text => text.startsWith(`The mail store at 127.0.0.1:${master.port}: `))
    let refusals = 0
    const sendUntil = async (isEnough: () => boolean) => {
      for (let i = 0; !isEnough(); i++)
        if ((await tryDelivery(server.smtpPort, addresses[i % ADDRESSES]?.email ?? '', 'Subject: one\r\n\r\nHello.\r\n')) === '451')
          refusals++
    }
    const mailUntil = (isEnough: () => boolean) => Promise.all([0, 1, 2].map(() => sendUntil(isEnough)))
    await master.call('CONFIG', 'SET', 'client-output-buffer-limit', 'normal 100 50 1')
    try {
      await mailUntil(() => told().length > 0)
      const refusedBefore = refusals
      await mailUntil(() => refusals > refusedBefore + REFUSED_MIN)
      expect(told()).toEqual([expect.stringMatching(/senders .* get 451\. .*raise "client-output-buffer-limit" there/)])
      expect(messages(before)).not.toContain(TAKEN_AGAIN)
    } finally {
      await master.call('CONFIG', 'SET', 'client-output-buffer-limit', 'normal 0 0 0')
    }
    await soon(() => expect(messages(before)).toContain(TAKEN_AGAIN))
    expect(await sendToAll(addresses)).toEqual(new Set(['250']))
  })

  test('a master is paused for some seconds: it is told before it goes on', async () => {
    const { master, admin } = await findPlace()
    const addresses = await createAll()
    const before = server.output().length
    await admin(master).call('CLIENT', 'PAUSE', SHORT_PAUSE_MS, 'ALL')
    const [replies] = await Promise.all([sendToAll(addresses), soon(() => master.call('PING'))])
    expect(replies).toContain('451')
    expect(messages(before).join('\n')).toMatch(
      new RegExp(`do not reply \\(127\\.0\\.0\\.1:${master.port} .*somebody typed "client pause"`),
    )
    await soon(() => expect(messages(before)).toContain(TAKEN_AGAIN))
  })

  test('a replica copies nothing, and its master hangs: that it copies again is told once it does', async () => {
    const { master, replica } = await findPlace()
    const before = server.output().length
    const end = 'Every replica of MAIL_STORE_URL copies its master again'
    const said = () => messages(before).join('\n')
    await replica.call('CONFIG', 'SET', 'cluster-replica-no-failover', 'yes')
    await replica.call('CONFIG', 'SET', 'masteruser', 'nobody', 'masterauth', 'wrong')
    await master.call('CLIENT', 'KILL', 'TYPE', 'replica')
    try {
      await soon(() => expect(said()).toContain('copies nothing of its master'))
      process.kill(master.pid, 'SIGSTOP')
      await soon(() => expect(said()).toContain('1 of 3 shards of MAIL_STORE_URL do not reply'))
      await sleep(WELL_MS)
      expect(messages(before)).not.toContain(end)
    } finally {
      process.kill(master.pid, 'SIGCONT')
      await replica.call('CONFIG', 'SET', 'masteruser', '', 'masterauth', '')
      await replica.call('CONFIG', 'SET', 'cluster-replica-no-failover', 'no')
    }
    await soon(() => expect(messages(before)).toContain(end))
  })

  test('all is removed at a master: the loss is told, until its count is reset', async () => {
    const place = await findPlace()
    await createAll()
    // It has been read since.
    const read = server.output().length
    await place.admin(place.master).call('CONFIG', 'SET', 'maxmemory', 1)
    await soon(() => expect(messages(read)).toContainEqual(expect.stringContaining('The memory of a master of MAIL_STORE_URL is full')))
    await place.admin(place.master).call('CONFIG', 'SET', 'maxmemory', '100mb')
    const keys = Number(await place.master.call('DBSIZE'))
    await place.master.call('FLUSHALL')
    const told = /are lost: (\d+) keys were removed at once by "flushall" or "flushdb" \(127\.0\.0\.1:(\d+)\): their senders get 550/
    await soon(() => expect(messages(read).join('\n')).toMatch(told))
    const [, lost, port] = told.exec(messages(read).join('\n')) ?? []
    expect([Number(lost) >= keys / 2, Number(port)]).toEqual([true, place.master.port])
    expect(await ask(routes.readyz)).toMatch(/"degraded".*"mail":"lost"/)
    expect(Number(/^mayfly_store_evicted_keys_total (\d+)/m.exec(await ask(routes.metrics))?.[1])).toBeGreaterThanOrEqual(Number(lost))
    const emptied = `127.0.0.1:${place.master.port} has been emptied since its start`
    expect(await examine()).toContainEqual(expect.stringContaining(emptied))
    await place.master.call('CONFIG', 'RESETSTAT')
    expect(await examine()).not.toContainEqual(expect.stringContaining(emptied))
  })

  test('MAIL_STORE_REPLICAS=1, and a master without a replica: it is an error, and its end is told', async () => {
    const place = await findPlace()
    await using strict = await startServer({ MAIL_STORE_REPLICAS: '1' })
    const addresses = await createAll(strict)
    await place.replica.kill9()
    expect(await sendToAll(addresses, strict)).toContain('451')
    await soon(() =>
      expect(log(0, strict)).toContainEqual(
        expect.objectContaining({
          level: 50,
          msg: expect.stringMatching(/have too few replicas \(.*get 451, as MAIL_STORE_REPLICAS is 1/),
        }),
      ),
    )
    await place.replica.start()
    await soon(() => expect(messages(0, strict)).toContain(TAKEN_AGAIN))
    expect(await sendToAll(addresses, strict)).toEqual(new Set(['250']))
  })
})
