/** A node that replies and denies what is needed, or a replica that copies nothing: log, `/readyz` and doctor tell it, and when it ends. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { aclRules } from '#server/store/valkey/client/rights.ts'
import { CLUSTER_PAUSED } from '../harness/heard-log.ts'
import { type ClusterServer, examine, startClusterServer } from '../harness/mayfly/cluster-server.ts'
import {
  connectAsAdmin,
  findRedis,
  makeMaster,
  type RedisCluster,
  type RedisNode,
  restart,
  startRedisCluster,
  until,
} from '../harness/servers/redis-cluster.ts'

/** Ten seconds on a machine that does nothing else. */
const SOON_MS = 60_000
const PAUSE_MS = 60_000
/** These help a node that does not run, or that nobody reaches. */
const OTHER_REMEDIES = /cluster-announce|firewall|Start them|cluster failover (force|takeover)/

/** A connection that was there before the change. */
type Call = (name: string, ...args: readonly (string | number)[]) => Promise<unknown>
type Change = (call: Call, node: RedisNode, master: RedisNode) => Promise<unknown>
const set =
  (name: string, value: string | number): Change =>
  call =>
    call('CONFIG', 'SET', name, value)
const user =
  (...rules: readonly string[]): Change =>
  call =>
    call('ACL', 'SETUSER', 'mayfly', ...rules)
const restartWith =
  (...settings: readonly string[]): Change =>
  (_, node) =>
    restart(node, settings)
/** Its master has the other password, or it has another than its master's. */
const cutLink = (master: RedisNode) => master.call('CLIENT', 'KILL', 'TYPE', 'replica')

type Scene = {
  readonly name: string
  readonly of: 'replica' | 'master'
  readonly change: Change
  readonly restore: Change
  /** Log and doctor say this of the node. */
  readonly fact: RegExp
  readonly remedy: RegExp
  /** The log says what it does. */
  readonly effect: RegExp
  readonly state: 'denied' | 'unlinked' | 'unsafe'
  readonly isRefused: boolean
  /** It becomes a master afterwards. */
  readonly isPromoted?: true
  readonly end: string
}

const LATER = /: nothing yet, but once it is a master senders to the mailboxes of its shard get 451/
const NOW = /: senders to the mailboxes of its shard get 451/
const GIVEN = 'Every node of MAIL_STORE_URL gives this server what it needs again'
const COPIED = 'Every replica of MAIL_STORE_URL copies its master again'
const denied = { state: 'denied', end: GIVEN } as const
const ofReplica = { ...denied, of: 'replica', effect: LATER, isRefused: false } as const
const ofMaster = { ...denied, of: 'master', effect: NOW, isRefused: true } as const

const USER_BACK = /if every node says so\. Else give the user back there: deploy\/cluster\/README\.md#a-user-with-few-rights/
const RIGHTS = /Add them there to the user of MAIL_STORE_URL: .*"mayfly mail-store-rights" prints all it needs/
const MAXCLIENTS = /Raise "maxclients" there\. If redis-cli is refused too, type "cluster failover" at its replica/

const SCENES: readonly Scene[] = [
  {
    ...ofReplica,
    name: 'its user is off',
    change: user('off'),
    restore: user('on'),
    fact: /does not let us in: WRONGPASS/,
    remedy: USER_BACK,
    isPromoted: true,
  },
  {
    ...ofReplica,
    name: 'rights are taken away',
    change: user('-hset', '-evalsha'),
    restore: user('+hset', '+evalsha'),
    fact: /does not give this user the rights it needs: \+evalsha \+hset/,
    remedy: RIGHTS,
  },
  {
    ...ofReplica,
    name: 'the right to ask it is taken away',
    change: user('-info'),
    restore: user('+info'),
    fact: /does not give this user the rights it needs: \+info/,
    remedy: RIGHTS,
  },
  {
    ...ofReplica,
    name: 'a command is renamed',
    change: restartWith('--rename-command', 'EVALSHA', ''),
    restore: restartWith(),
    fact: /does not know commands that are needed: EVALSHA/,
    remedy: /Take "rename-command" out of its configuration/,
  },
  {
    name: 'a command that writes is renamed, so that it would leave out acknowledged mail',
    of: 'replica',
    // With a file of its own it would not start.
    change: async (_, node) => {
      await node.kill9()
      rmSync(join(node.folder, 'appendonlydir'), { recursive: true })
      await node.start(['--rename-command', 'HSET', ''])
    },
    restore: restartWith(),
    fact: /does not know commands that are needed: HSET/,
    remedy: /Take "rename-command" out of its configuration/,
    effect: NOW,
    state: 'unsafe',
    isRefused: true,
    end: 'The mail store takes mail again',
  },
  {
    ...ofReplica,
    name: 'it takes no more connections',
    change: set('maxclients', 1),
    restore: set('maxclients', 1000),
    fact: /takes no more connections: ERR max number of clients/,
    remedy: MAXCLIENTS,
  },
  {
    name: 'its password for its master is wrong',
    of: 'replica',
    change: async (call, _, master) => {
      await call('CONFIG', 'SET', 'masterauth', 'wrong')
      await call('CONFIG', 'SET', 'masteruser', 'nobody')
      await cutLink(master)
    },
    restore: async call => {
      await call('CONFIG', 'SET', 'masteruser', '')
      await call('CONFIG', 'SET', 'masterauth', '')
    },
    fact: /copies nothing of its master 127\.0\.0\.1:\d+: its link to it is down \(master_link_status:down\)/,
    remedy: /Its log says why: "masterauth" there/,
    effect: NOW,
    state: 'unlinked',
    isRefused: true,
    end: COPIED,
  },
  {
    ...ofMaster,
    name: 'its user is off, and connections go on',
    change: user('off'),
    restore: user('on'),
    fact: /does not let us in: WRONGPASS/,
    remedy: USER_BACK,
    effect: /: nothing while open connections last, but then senders to the mailboxes of its shard get 451/,
    isRefused: false,
  },
  {
    ...ofMaster,
    name: 'its user is off, and connections are cut',
    change: async call => {
      await call('ACL', 'SETUSER', 'mayfly', 'off')
      await call('CLIENT', 'KILL', 'TYPE', 'normal')
    },
    restore: user('on'),
    fact: /does not let us in: WRONGPASS/,
    remedy: USER_BACK,
  },
  {
    ...ofMaster,
    name: 'it takes no more connections, and ours are cut',
    change: async call => {
      await call('CONFIG', 'SET', 'maxclients', 1)
      await call('CLIENT', 'KILL', 'TYPE', 'normal')
    },
    restore: set('maxclients', 1000),
    fact: /takes no more connections: ERR max number of clients/,
    remedy: MAXCLIENTS,
  },
  {
    ...ofMaster,
    name: 'a snapshot fails, so that it takes no writes',
    change: async (call, { folder }) => {
      mkdirSync(join(folder, 'dump.rdb', 'full'), { recursive: true })
      await call('CONFIG', 'SET', 'save', '3600 1')
      await call('BGSAVE')
      await until(async () => String(await call('INFO', 'persistence')).includes('rdb_last_bgsave_status:err'))
    },
    restore: async (call, { folder }) => {
      rmSync(join(folder, 'dump.rdb'), { recursive: true })
      await call('CONFIG', 'SET', 'save', '')
    },
    fact: /takes no writes, since it could not save a snapshot: MISCONF /,
    remedy: /Its log says why the snapshot failed: .* then type "bgsave"/,
  },
  {
    ...ofMaster,
    name: 'writes are paused',
    change: call => call('CLIENT', 'PAUSE', PAUSE_MS, 'WRITE'),
    restore: call => call('CLIENT', 'UNPAUSE'),
    fact: /replies, but not to writes/,
    remedy: /If somebody typed "client pause" there, type "client unpause"/,
  },
]

describe.skipIf(!findRedis())('a node that replies and cannot be used (needs redis-server)', () => {
  const stack = new AsyncDisposableStack()
  let [cluster, server] = [] as unknown as [RedisCluster, ClusterServer]
  let url = ''
  beforeAll(async () => {
    cluster = stack.use(
      await startRedisCluster({ settings: ['--maxmemory', '100mb', '--user', 'mayfly', 'on', '>right', ...aclRules(false)] }),
    )
    url = cluster.url.replaceAll('redis://', 'redis://mayfly:right@')
    server = stack.use(await startServer())
  })
  afterAll(() => stack.disposeAsync())
  const startServer = () =>
    startClusterServer(url, { LOG_LEVEL: 'info' }, [
      CLUSTER_PAUSED,
      /127\.0\.0\.1:\d+ (?:does not (?:let us in|give this user|know commands)|takes no more connections|takes no writes, since|copies nothing|replies, but not)/,
      /"msg":"\d of 3 shards of MAIL_STORE_URL (?:have too few replicas|do not reply) /,
      /"message":"unavailable/,
      /"msg":"The mail store does not take mail/,
    ])
  const readiness = async () => JSON.stringify(await server.readiness())
  const soon = (isSo: () => unknown) => vi.waitFor(isSo, { timeout: SOON_MS, interval: 100 })

  test.each(SCENES)('$of: $name', async scene => {
    const [, first, , , second] = cluster.nodes
    if (!first || !second) return expect.fail('a cluster has nodes')
    await makeMaster(cluster, first)
    await soon(async () => expect(await readiness()).not.toContain('"shards"'))
    const node = scene.of === 'master' ? first : second
    const name = `127.0.0.1:${node.port}`
    const addresses = await server.createMany()
    const before = server.output().length
    const connection = connectAsAdmin(node)
    const call: Call = (command, ...args) => connection.call(command, ...args)
    const told = (texts: readonly string[]) => texts.filter(text => text.includes(name) && scene.fact.test(text))
    const sinceTold = () =>
      server.messages(before).slice(
        Math.max(
          0,
          server.messages(before).findIndex(text => told([text]).length > 0),
        ),
      )
    const expectTold = async () => {
      await soon(() => expect(told(server.messages(before))).toContainEqual(expect.stringMatching(scene.effect)))
      expect(told(server.messages(before)).find(text => scene.effect.test(text))).toMatch(scene.remedy)
      // On a busy machine a node may be silent for so long that this is found beside it.
      await soon(async () => expect(await readiness()).toMatch(new RegExp(`"degraded".*"away":0.*"${scene.state}":1`)))
      let found: string[] = []
      await soon(async () => {
        found = (await examine(url)).filter(text => text.includes(name))
        expect(told(found)).toContainEqual(expect.stringMatching(scene.remedy))
      })
      expect([...found, ...server.messages(before)].filter(text => text.includes(name) && OTHER_REMEDIES.test(text))).toEqual([])
      if (scene.isRefused) await soon(async () => expect(await server.sendToAll(addresses)).toContain('451'))
      else expect(await server.sendToAll(addresses)).toEqual(new Set(['250']))
      // A process starts all the same, and says so too.
      await using other = await startServer()
      await soon(() => expect(told(other.messages())).not.toEqual([]))
      expect(sinceTold()).not.toContain(scene.end)
      if (!scene.isPromoted) return
      await call('CLUSTER', 'FAILOVER')
      await soon(() => expect(told(server.messages(before))).toContainEqual(expect.stringMatching(NOW)))
    }
    try {
      await scene.change(call, node, first)
      await expectTold()
    } finally {
      await scene.restore(call, node, first)
      connection.close()
    }
    await soon(() => expect(sinceTold()).toContain(scene.end))
    await soon(async () => expect(await server.sendToAll(addresses)).toEqual(new Set(['250'])))
    expect(server.output().slice(before)).not.toMatch(/mayfly:\{/)
  })

  test('a master and its replica killed at once: a failover is named at one that runs, and at no other', async () => {
    const [, master, , , replica] = cluster.nodes
    if (!master || !replica) return expect.fail('a cluster has nodes')
    await makeMaster(cluster, master)
    await soon(async () => expect(await readiness()).not.toContain('"shards"'))
    const before = server.output().length
    const said = () => server.messages(before).join('\n')
    await Promise.all([master.kill9(), replica.kill9()])
    await soon(() => expect(said()).toContain(`1 of 3 shards of MAIL_STORE_URL do not reply (127.0.0.1:${master.port} `))
    expect(said()).not.toContain('"cluster failover')
    await replica.start()
    await soon(() => expect(said()).toContain(`type "cluster failover force" at 127.0.0.1:${replica.port}: deploy/`))
    await master.start()
    await soon(async () => expect(await readiness()).not.toContain('"shards"'))
  })
})
