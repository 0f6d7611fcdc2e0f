/** Whatever `mayfly doctor` tells an operator to type is typed as it stands, in the folder with the keys: then all is well again. */
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { identifyServer } from '#server/operator/control.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import type { NodeConnection } from '#server/store/valkey/client/node-connection.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { type Address, createAddress, listSubjects } from '../harness/clients/mailbox-client.ts'
import { tryDelivery } from '../harness/clients/smtp-client.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import {
  connectAsAdmin,
  makeMaster,
  type RedisCluster,
  type RedisNode,
  restart,
  speaksTls,
  startRedisCluster,
} from '../harness/servers/redis-cluster.ts'

/** Nodes ignore one that they were told to forget for a minute. */
const SOON_MS = 120_000
/** With so many, some are in the shard of any one node. */
const ADDRESSES = 40
const PAUSE_MS = 60_000
const PASSWORD = 'typed'
/** Some of these rounds see the cluster as another node does. */
const [STEADY_ROUNDS, STEADY_MS] = [6, 2000] as const
/** Messages between nodes, as DEBUG DROP-CLUSTER-PACKET-FILTER names them. */
const [PING, PONG] = [0, 1] as const
const CAS = getCACertificates('default')
const run = promisify(execFile)

/** `other` is a master too. `admin`: a connection to the master that was there before the change. */
type Place = {
  readonly nodes: readonly RedisNode[]
  readonly master: RedisNode
  readonly replica: RedisNode
  readonly other: RedisNode
  readonly admin: NodeConnection
  /** Where a file of keys is. */
  readonly file: (name: string) => string
}
type Change = (place: Place) => unknown
const set =
  (...words: readonly (string | number)[]): Change =>
  ({ master }) =>
    master.call('CONFIG', 'SET', ...words)
const soon = <T>(isSo: () => T | Promise<T>) => vi.waitFor(isSo, { timeout: SOON_MS, interval: 200 })
const idOf = async (node: RedisNode) => String(await node.call('CLUSTER', 'MYID'))
/** `told`: by the doctor, with the nodes by their names here. `isHarmless`: mail is taken meanwhile. */
type Scene = {
  readonly name: string
  readonly change: Change
  readonly told: RegExp
  readonly isHarmless?: true
  /** The remedy names the log of a node, which says it. */
  readonly asLogSays?: Change
  /** MAIL_STORE_URL does not name the replica. */
  readonly isUnnamed?: true
  /** The log goes on to say this, and nothing else, while mail is refused. */
  readonly isSteady?: true
  /** A wrong remedy would throw away the mail that was there before. */
  readonly keepsMail?: true
}

const SCENES: readonly Scene[] = [
  { name: 'maxmemory-policy', change: set('maxmemory-policy', 'allkeys-lru'), told: /^failure: MASTER throws acknowledged mail away / },
  { name: 'no append-only file', change: set('appendonly', 'no'), told: /^warning: MASTER keeps no append-only file/, isHarmless: true },
  { name: 'no maxmemory', change: set('maxmemory', '0'), told: /^warning: MASTER has no maxmemory/, isHarmless: true },
  { name: 'appendfsync no', change: set('appendfsync', 'no'), told: /^failure: MASTER has "appendfsync no"/, isHarmless: true },
  {
    name: 'a small output buffer',
    change: set('client-output-buffer-limit', 'normal 0 1mb 10'),
    told: /^warning: MASTER closes connections on which much is read/,
    isHarmless: true,
  },
  {
    name: 'min-replicas-to-write',
    change: set('min-replicas-to-write', 5),
    told: /^failure: The mail store at MASTER takes no writes: NOREPLICAS/,
  },
  { name: 'flushall', change: ({ replica: _, other }) => other.call('FLUSHALL'), told: /^warning: OTHER has been emptied/ },
  {
    name: 'client pause write',
    change: ({ master }) => master.call('CLIENT', 'PAUSE', PAUSE_MS, 'WRITE'),
    told: /^failure: MASTER replies, but not to writes\..* type "client unpause"/,
  },
  {
    name: 'client pause all at a replica, which takes no "client unpause"',
    change: ({ replica }) => replica.call('CLIENT', 'PAUSE', PAUSE_MS, 'ALL'),
    told: /^failure: REPLICA does not acknowledge what its master MASTER sends\..* restart it/,
  },
  {
    name: 'client pause all at a master',
    change: ({ master }) => master.call('CLIENT', 'PAUSE', PAUSE_MS, 'ALL'),
    told: /^failure: 1 of 3 shards .* do not reply \(MASTER .* type "cluster failover force" at REPLICA, then restart it/,
  },
  {
    name: 'a script that does not end',
    change: ({ admin }) => void admin.call('EVAL', 'while true do end', 0).catch(() => undefined),
    told: /^failure: .*MASTER is kept busy/,
  },
  {
    name: 'no more files at a master, whose connections go on',
    // Fewer than are open, so that there is no place for another.
    change: ({ master }) => execFileSync('prlimit', ['--pid', String(master.pid), '--nofile=16']),
    told: /^warning: .*\bMASTER .*\. Nothing while (?:the|open) connections last.* but then senders .* "cluster failover force" at REPLICA, then restart /,
  },
  {
    name: 'certificates of clients are asked for',
    change: set('tls-auth-clients', 'yes'),
    told: /^failure: MASTER cannot be asked .* type "redis-cli --tls --cacert ca\.pem --cert cert\.pem --key key\.pem -h 127/,
    isHarmless: true,
  },
  {
    name: 'tls-port 0',
    change: set('tls-port', 0),
    told: /: 1 of 3 shards .* \(127\.0\.0\.1:0 .* Somebody set "port" there to 0, or "tls-port" with TLS.*: restart them/,
  },
  {
    name: 'tls-cluster no',
    change: set('tls-cluster', 'no'),
    told: /\b1 of 3 shards .* \(127\.0\.0\.1:0 .* Somebody set "port" there to 0, .* or "tls-cluster no": restart them/,
    isSteady: true,
  },
  {
    name: 'a certificate of another authority',
    change: ({ admin, file }) => admin.call('CONFIG', 'SET', 'tls-cert-file', file('other.pem'), 'tls-key-file', file('other-key.pem')),
    told: /^failure: MASTER cannot be asked \(.*certificate.*\)\. If others of its kind are trusted, give it a certificate of their authority\./,
    isHarmless: true,
    asLogSays: ({ admin, file }) => admin.call('CONFIG', 'SET', 'tls-cert-file', file('cert.pem'), 'tls-key-file', file('key.pem')),
  },
  {
    name: 'slots that their own master does not serve',
    change: ({ master }) => master.call('CLUSTER', 'DELSLOTSRANGE', 6000, 6400),
    told: /^failure: The cluster at MASTER serves .* or type "redis-cli --tls --cacert ca\.pem --cluster fix MASTER", and answer "yes"/,
  },
  {
    name: 'slots without a master',
    change: ({ nodes }) => Promise.all(nodes.map(node => node.call('CLUSTER', 'DELSLOTSRANGE', 6000, 6400))),
    told: /^failure: .* serves 15983 of its 16384 slots, .* or type "redis-cli [^"]* --cluster fix 127\.0\.0\.1:\d+", and answer "yes"/,
  },
  {
    name: 'a master forgets another, whose mail "cluster fix" would throw away',
    change: async ({ master, other }) => master.call('CLUSTER', 'FORGET', await idOf(other)),
    told: /^failure: The cluster at MASTER serves .* Type "redis-cli --tls --cacert ca\.pem -h \S+ -p \d+ cluster meet 127\.0\.0\.1 \d+", as it has forgotten /,
    isHarmless: true,
    keepsMail: true,
  },
  {
    name: 'all others forget a master and its replica, whose mail "cluster fix" would throw away',
    change: async ({ nodes, master, replica }) => {
      const ids = await Promise.all([master, replica].map(idOf))
      const others = nodes.filter(node => node !== master && node !== replica)
      await Promise.all(others.flatMap(node => ids.map(id => node.call('CLUSTER', 'FORGET', id))))
    },
    told: /^failure: The cluster at OTHER serves .* Type "redis-cli --tls --cacert ca\.pem -h \S+ -p \d+ cluster meet 127\.0\.0\.1 \d+", as it has forgotten /,
    keepsMail: true,
  },
  {
    name: 'a replica leaves the cluster for good',
    change: ({ replica }) => replica.call('CLUSTER', 'RESET', 'HARD'),
    told: /^warning: 1 of 3 shards .* too few replicas \(MASTER\).* REPLICA runs and could be a replica of MASTER: type .*cluster meet .*replicate/,
    isHarmless: true,
  },
  {
    name: 'the other nodes forget a replica, which goes on copying',
    change: async ({ nodes, replica }) => {
      const id = await idOf(replica)
      await Promise.all(nodes.filter(node => node !== replica).map(node => node.call('CLUSTER', 'FORGET', id)))
    },
    told: /^warning: 1 of 3 shards .* too few replicas \(MASTER\).* REPLICA runs and could be a replica of MASTER: type .*cluster meet .*replicate/,
    isHarmless: true,
    isUnnamed: true,
  },
  {
    name: 'a replica starts without cluster mode',
    change: ({ replica }) => restart(replica, ['--cluster-enabled', 'no']),
    told: /^warning: 1 of 3 shards .* too few replicas \(MASTER\).* Start REPLICA again, with "cluster-enabled yes"/,
    isHarmless: true,
  },
  {
    name: 'a replica does not encrypt what it sends to its master',
    change: async ({ master, replica }) => {
      await replica.call('CONFIG', 'SET', 'tls-replication', 'no')
      await master.call('CLIENT', 'KILL', 'TYPE', 'replica')
    },
    told: /^failure: REPLICA copies nothing of its master MASTER: .*"masterauth" there.* "tls-replication" and "tls-cluster" the same on every node/,
    asLogSays: ({ replica }) => replica.call('CONFIG', 'SET', 'tls-replication', 'yes'),
  },
  {
    name: 'a replica keeps an address that its master had',
    change: async ({ nodes, master, replica }) => {
      const announce = (ip: string) => master.call('CONFIG', 'SET', 'cluster-announce-ip', ip)
      const drop = (type: number) => replica.call('DEBUG', 'DROP-CLUSTER-PACKET-FILTER', type)
      const areToldOf = (ip: string, told = nodes) =>
        soon(async () => {
          for (const node of told) expect(String(await node.call('CLUSTER', 'NODES'))).toContain(`${ip}:${master.port}@`)
        })
      await announce('127.0.0.9')
      await areToldOf('127.0.0.9')
      // It loses its master, of which it hears by the others before it does by the master itself.
      await drop(PONG)
      await soon(async () => expect(String(await replica.call('CLUSTER', 'NODES'))).toMatch(/127\.0\.0\.9:.* disconnected/))
      await drop(PING)
      await soon(async () => expect(String(await replica.call('CLUSTER', 'NODES'))).toMatch(/127\.0\.0\.9:\S+ master,fail\?/))
      await announce('127.0.0.1')
      await areToldOf('127.0.0.1')
      await master.call('CLIENT', 'KILL', 'TYPE', 'replica')
      await drop(-1)
    },
    told: /^failure: REPLICA copies nothing of its master MASTER: .* it looks for it at 127\.0\.0\.9:\d+\. .*[Tt]ype "redis-cli .* cluster replicate \$\(redis-cli .* cluster myid\)"/,
  },
  {
    name: 'ciphers that nobody else has',
    change: set('tls-protocols', 'TLSv1.2', 'tls-ciphers', 'CAMELLIA128-SHA'),
    told: /^failure: MASTER cannot be asked \(.*alert.*\)\. .*Restart it with the "tls-protocols", "tls-ciphers"/,
    isHarmless: true,
  },
  {
    name: 'a replica is given to another master',
    change: async ({ replica, other }) => replica.call('CLUSTER', 'REPLICATE', await idOf(other)),
    told: /^warning: 1 of 3 shards .* too few replicas \(MASTER\).* \S+ runs and could be a replica of MASTER: type .*cluster replicate/,
    isHarmless: true,
  },
  {
    name: 'a replica does not run',
    change: ({ replica }) => replica.kill9(),
    told: /^warning: 1 of 3 shards .* too few replicas \(MASTER\).* Start REPLICA/,
    isHarmless: true,
  },
  {
    name: 'a move of a slot was interrupted',
    change: async ({ master, other }) => master.call('CLUSTER', 'SETSLOT', await slotOf(master), 'MIGRATING', await idOf(other)),
    told: /^warning: Slots of MASTER have begun to move/,
    isHarmless: true,
  },
  {
    name: 'a name that nobody can resolve',
    change: async ({ nodes, master }) => {
      await master.call('CONFIG', 'SET', 'cluster-announce-hostname', 'nowhere.invalid')
      await Promise.all(nodes.map(node => node.call('CONFIG', 'SET', 'cluster-preferred-endpoint-type', 'hostname')))
    },
    told: /: 1 of 3 shards .*nowhere\.invalid.*set "cluster-preferred-endpoint-type ip" on every node/,
  },
]

async function slotOf(master: RedisNode): Promise<number> {
  const slots = (await master.call('CLUSTER', 'SLOTS')) as [number, number, [Buffer, number]][]
  return slots.find(([, , [, port]]) => port === master.port)?.[0] ?? expect.fail('it has slots')
}

describe.skipIf(!speaksTls())('what the doctor tells to type (needs redis-server with TLS, and redis-cli)', { timeout: 240_000 }, () => {
  const stack = new AsyncDisposableStack()
  let [cluster, server, folder] = [] as unknown as [RedisCluster, RunningServer, string]
  const file = (name: string) => join(folder, name)
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mayfly-typed-'))
    stack.defer(() => rmSync(folder, { recursive: true, force: true }))
    const { cert, key } = selfSign('mayfly.test', Date.now(), ['127.0.0.1'])
    for (const name of ['cert.pem', 'ca.pem']) writeFileSync(file(name), cert)
    writeFileSync(file('key.pem'), key)
    const other = selfSign('mayfly.test', Date.now(), ['127.0.0.1'])
    writeFileSync(file('other.pem'), other.cert)
    writeFileSync(file('other-key.pem'), other.key)
    setDefaultCACertificates([...CAS, cert])
    stack.defer(() => setDefaultCACertificates(CAS))
    const tls = { cert: file('cert.pem'), key: file('key.pem'), ca: file('ca.pem') }
    cluster = stack.use(
      await startRedisCluster({ tls, password: PASSWORD, settings: ['--maxmemory', '100mb', '--enable-debug-command', 'yes'] }),
    )
    server = stack.use(
      await startServerProcess({
        env: {
          ...{ MAIL_STORE_URL: cluster.url, SECRET: 'x'.repeat(32), BOT_CHECK: 'off', DNS_SERVERS: 'off' },
          ...{ NETWORK_LIMIT_FACTOR: '100000', NODE_EXTRA_CA_CERTS: file('ca.pem') },
        },
        // Other tests look at the log and at `/readyz`.
        allowLog: [/MAIL_STORE_URL|[Mm]ail store|127\.0\.0\.1:\d+|unavailable|SMTP_RELAY_URL|DATABASE_URL/],
      }),
    )
  })
  afterAll(() => stack.disposeAsync())

  const complaints = async (unnamed?: RedisNode) =>
    (
      await examineCluster(
        { urls: cluster.url.split(',').filter(url => !url.endsWith(`:${unnamed?.port}`)), replicas: 'auto', isSynced: false },
        async () => (await identifyServer(server.dataDir))?.takesMail === true,
      )
    ).flatMap(({ status, sentence, remedy }) => (status === 'ok' ? [] : [`${status}: ${sentence} ${remedy}`]))
  const sendToAll = async (addresses: readonly { email: string }[], subject = 'one') =>
    new Set(await Promise.all(addresses.map(({ email }) => tryDelivery(server.smtpPort, email, `Subject: ${subject}\r\n\r\nHello.\r\n`))))
  const expectKept = async (addresses: readonly Address[]) => {
    for (const address of addresses) expect(await listSubjects(server.httpPort, address)).toContain('kept')
  }

  const shell = async (line: string) => {
    // Each question of a command gets a "yes".
    const { stdout } = await run('sh', ['-c', `yes yes | timeout 20 ${line}`], {
      cwd: folder,
      env: { ...process.env, REDISCLI_AUTH: PASSWORD },
    })
    if (/^(?:\(error\) )?(?:ERR|NOAUTH|I\/O error|Could not connect|\*\*\* Fixing slots coverage with)/m.test(stdout))
      throw new Error(`${line}: ${stdout}`)
  }
  const typeAt = (name: string, command: string) =>
    shell(
      `redis-cli --tls --cacert ca.pem -h ${name.slice(0, name.lastIndexOf(':'))} -p ${name.slice(name.lastIndexOf(':') + 1)} ${command}`,
    )
  const nodeAt = (name: string) => cluster.nodes.find(({ port }) => name === `127.0.0.1:${port}`)

  /** Does each step of what the doctor said. `closed`: the node that has no port, which an operator knows from the machine. */
  async function doAsTold(text: string, closed: RedisNode): Promise<void> {
    const [, fact = '', remedy = ''] =
      /^(.*?\.) ((?:Set|Type|Start|Restart|Give|If|Some|Senders|Nothing|Mail|They|Bring|Renew).*)$/s.exec(text) ?? []
    const named = fact.match(/127\.0\.0\.1:\d+/)?.[0] ?? ''
    // What follows is for those of whom it has not helped.
    const [steps = ''] = remedy.split(/ If (?:they never come back|it goes on)| Only if/)
    const step =
      /"(redis-cli [^"]+)"|\b[Tt]ype "([a-z ]+)"(?: at (?:each of )?([\d.:, ]+\d))?|\b[Ss]et "([^"\s]+ [^"]+)"( on every node)?|\b([Rr]estart)\b|\bStart (it\b|(?:127\.0\.0\.1:\d+(?:, )?)+)/g
    for (const [, line, command, at, setting, isEverywhere, restarts, started] of steps.matchAll(step)) {
      // It takes some seconds until a node knows others.
      if (line) await soon(() => shell(line))
      if (command) for (const name of (at ?? named).split(', ')) await typeAt(name, command)
      const [name, ...values] = setting?.split(' ') ?? []
      const everywhere = isEverywhere ? cluster.nodes.map(({ port }) => `127.0.0.1:${port}`) : [named]
      if (name) for (const node of everywhere) await typeAt(node, `config set ${name} "${values.join(' ')}"`)
      for (const node of restarts ? [nodeAt(named) ?? closed] : (started?.replace('it', named).split(', ') ?? []).map(nodeAt))
        if (node) await restart(node)
    }
  }

  async function expectSteady(before: number, { told }: Scene, addresses: readonly { email: string }[]): Promise<void> {
    const said = () =>
      server
        .output()
        .slice(before)
        .replaceAll('\\"', '"')
        .split('\n')
        .filter(line => /"msg":"[^"]*(?:MAIL_STORE_URL|mail store|127\.0)/i.test(line))
    const find = () => said().findIndex(line => told.test(line))
    await soon(() => expect(find()).toBeGreaterThanOrEqual(0))
    for (let round = 0; round < STEADY_ROUNDS; round++) {
      expect(await sendToAll(addresses)).toContain('451')
      await sleep(STEADY_MS)
    }
    expect(said().slice(find() + 1)).toEqual([])
  }

  test.each(SCENES)('$name', async scene => {
    const [, master, other] = cluster.nodes
    if (!master || !other) return expect.fail('a cluster has nodes')
    await makeMaster(cluster, master)
    await makeMaster(cluster, other)
    await soon(async () => expect(await complaints()).toEqual([]))
    const replica = await soon(async () => {
      const replicas = String(await master.call('CLUSTER', 'REPLICAS', await idOf(master)))
      return cluster.nodes.find(({ port }) => replicas.includes(`:${port}@`)) ?? expect.fail('it has a replica')
    })
    await soon(async () =>
      expect(await (await fetch(`http://127.0.0.1:${server.httpPort}${routes.readyz}`)).text()).not.toContain('"shards"'),
    )
    const addresses = await Array.fromAsync({ length: ADDRESSES }, () => createAddress(server.httpPort))
    const admin = connectAsAdmin(master, PASSWORD, true)
    await admin.call('PING')
    const named = (text: string) =>
      Object.entries({ master, replica, other }).reduce(
        (all, [name, { port }]) => all.replaceAll(`127.0.0.1:${port}`, name.toUpperCase()),
        text,
      )
    const place = { nodes: cluster.nodes, master, replica, other, admin, file }
    if (scene.keepsMail) expect(await sendToAll(addresses, 'kept')).toEqual(new Set(['250']))
    const before = server.output().length
    await scene.change(place)
    let told: string[] = []
    await soon(async () => {
      told = await complaints(scene.isUnnamed && replica)
      expect(told.map(named)).toContainEqual(expect.stringMatching(scene.told))
    })
    if (scene.isSteady) await expectSteady(before, scene, addresses)
    if (scene.isHarmless) expect(await sendToAll(addresses)).toEqual(new Set(['250']))
    await scene.asLogSays?.(place)
    admin.close()
    // As an operator does: the first that it says, then another look.
    const isWell = async () => {
      const [first] = told.toSorted((one, two) => Number(scene.told.test(named(two))) - Number(scene.told.test(named(one))))
      if (first) await doAsTold(first, master)
      told = await complaints()
      expect(told).toEqual([])
    }
    await soon(isWell)
    if (scene.name !== 'flushall') await soon(async () => expect(await sendToAll(addresses)).toEqual(new Set(['250'])))
    if (scene.keepsMail) await expectKept(addresses)
  })
})
