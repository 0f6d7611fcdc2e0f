/** An administrator changes a node while mail flows: no mail with a 250 is lost, and log, `/readyz` and doctor name what is refused. */
import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { openCluster } from '#server/store/valkey/client/open-cluster.ts'
import { aclRules } from '#server/store/valkey/client/rights.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { beside } from '../harness/beside.ts'
import { type Address, askMailbox, createAddress, listSubjects } from '../harness/clients/mailbox-client.ts'
import { tryDelivery } from '../harness/clients/smtp-client.ts'
import { CLUSTER_PAUSED, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import {
  connectAsAdmin,
  findRedis,
  makeMaster,
  type RedisCluster,
  type RedisNode,
  restart,
  startRedisCluster,
} from '../harness/servers/redis-cluster.ts'

/** With so many, some are in the shard of any one node. */
const ADDRESSES = 40
const SENDERS = 3
const PAUSE_MS = 50
/** Ten seconds on a machine that does nothing else. */
const SOON_MS = 60_000
/** An address of another machine, as far as an engine can tell. */
const ELSEWHERE = `10.253.${process.pid % 250}.1`
/** An address that the system refuses to reach. */
const NOWHERE = `10.253.${process.pid % 250}.2`
/** Its parts do not fit into the buffer that each connection has, so that they count. */
const LARGE_MAIL = `Subject: large\r\n\r\n${randomBytes(1 << 20)
  .toString('base64')
  .replaceAll(/.{76}/g, '$&\r\n')}\r\n`
const LARGE_MAILS = 12
const READERS = 6
const isRoot = process.getuid?.() === 0

/** A connection of the administrator, which was there before the change. */
type Admin = (name: string, ...args: readonly string[]) => Promise<unknown>
type Change = (admin: Admin, node: RedisNode, cluster: RedisCluster) => Promise<unknown>

const set =
  (name: string, value: string): Change =>
  admin =>
    admin('CONFIG', 'SET', name, value)
const user =
  (...rules: readonly string[]): Change =>
  admin =>
    admin('ACL', 'SETUSER', 'mayfly', ...rules)
/** Connections that are open stay as they are. */
const disconnect = async (admin: Admin) => {
  for (const type of ['normal', 'pubsub']) await admin('CLIENT', 'KILL', 'TYPE', type)
}
const andDisconnect =
  (change: Change): Change =>
  async (...at) => {
    await change(...at)
    await disconnect(at[0])
  }
/** It comes back as the master that it was. */
const restartWith =
  (...settings: readonly string[]): Change =>
  async (_, node, cluster) => {
    await restart(node, settings)
    await makeMaster(cluster, node)
  }

type Refusal = {
  readonly name: string
  readonly change: Change
  readonly restore: Change
  /** The log says this of the node, and `/readyz` that of the cluster. */
  readonly log: RegExp
  readonly readyz?: RegExp
  /** The doctor says it; `CONFIG` shows some settings, to an administrator alone. */
  readonly doctor: RegExp
  readonly isSeenByAdmin?: true
  /** The host and the port that it announces, where they are not its own. */
  readonly announced?: { readonly host?: string; readonly port?: string }
  /** It begins once the end of the last scene is told: before, new addresses are on other shards, and the same fault is not told again. */
  readonly isFromCalm?: true
  /** Refused is only who is on another machine. */
  readonly isBetweenMachines?: true
  /** A start says it that knows no other node. Without it, the start goes on where others can be used. */
  readonly start?: RegExp
}

const REFUSED: readonly Refusal[] = [
  {
    name: 'rights taken away',
    change: user('-wait'),
    restore: user('+wait'),
    log: /rights it needs: NOPERM .*mail-store-rights/,
    doctor: /wait/,
  },
  {
    name: 'another password',
    change: andDisconnect(user('resetpass', '>other')),
    restore: user('resetpass', '>right'),
    log: /does not let us in: WRONGPASS .*Else give the user back there: deploy/,
    doctor: /does not let us in: WRONGPASS/,
    start: /does not let us in: WRONGPASS .*Else give the user back there: deploy/,
  },
  {
    name: 'min-replicas-to-write 5',
    change: set('min-replicas-to-write', '5'),
    restore: set('min-replicas-to-write', '0'),
    log: /takes no writes: NOREPLICAS .*Start its replicas, or set "min-replicas-to-write 0" there/,
    doctor: /takes no writes: NOREPLICAS .*set "min-replicas-to-write 0" there/,
  },
  {
    name: 'client-output-buffer-limit of one byte, which only some replies exceed',
    isFromCalm: true,
    change: set('client-output-buffer-limit', 'normal 1 0 0'),
    restore: set('client-output-buffer-limit', 'normal 0 0 0'),
    log: /"msg":"[^"]*the connection is closed.*raise "client-output-buffer-limit" there/,
    readyz: /"(away|denied)":1/,
    doctor: /If it runs, raise "client-output-buffer-limit" there/,
  },
  {
    name: 'maxclients reached',
    isFromCalm: true,
    change: andDisconnect(set('maxclients', '1')),
    restore: set('maxclients', '1000'),
    log: /takes no more connections: ERR max number of clients .*Raise "maxclients" there/,
    doctor: /takes no more connections: ERR max number of clients .*Raise "maxclients" there/,
    start: /takes no more connections: ERR max number of clients .*Raise "maxclients" there/,
  },
  {
    name: 'protected-mode between machines',
    change: andDisconnect(set('protected-mode', 'yes')),
    restore: set('protected-mode', 'no'),
    isBetweenMachines: true,
    log: /lets in its own machine only: DENIED .*Give it a password, or set "protected-mode no" there/,
    doctor: /lets in its own machine only: DENIED .*set "protected-mode no" there/,
    start: /lets in its own machine only: DENIED .*set "protected-mode no" there/,
  },
  {
    name: 'another announced port',
    change: set('cluster-announce-port', '1'),
    restore: set('cluster-announce-port', '0'),
    announced: { port: '1' },
    log: /1 of 3 shards of MAIL_STORE_URL do not reply .*Other nodes hear them: correct "cluster-announce-ip" and "cluster-announce-port"/,
    readyz: /"away":1/,
    doctor: /do not reply .*Other nodes hear them: correct "cluster-announce-ip" and "cluster-announce-port" there/,
  },
  {
    name: 'another announced address',
    change: set('cluster-announce-ip', NOWHERE),
    restore: (admin, { host }) => admin('CONFIG', 'SET', 'cluster-announce-ip', host),
    announced: { host: NOWHERE },
    log: /1 of 3 shards of MAIL_STORE_URL do not reply .*EHOSTUNREACH.*correct "cluster-announce-ip" and "cluster-announce-port".*"cluster-announce-client-ipv4"/,
    readyz: /"away":1/,
    doctor: /do not reply .*correct "cluster-announce-ip" and "cluster-announce-port" there/,
  },
  {
    name: 'a renamed command',
    change: restartWith('--rename-command', 'WAIT', ''),
    restore: restartWith(),
    log: /does not know a command that is needed: ERR unknown command 'WAIT'\. Take "rename-command" out/,
    doctor: /does not know commands that are needed: WAIT\. Take "rename-command" out/,
  },
]

const ENDANGERED: readonly Refusal[] = [
  {
    name: 'maxmemory-policy',
    change: set('maxmemory-policy', 'allkeys-lru'),
    restore: set('maxmemory-policy', 'noeviction'),
    log: /throws acknowledged mail away when its memory is full \(maxmemory-policy allkeys-lru\): .*Set "maxmemory-policy noeviction"/,
    readyz: /"unsafe":1.*"mail":"refused"/,
    doctor: /maxmemory-policy allkeys-lru\)\. Set "maxmemory-policy noeviction" on every node/,
  },
  {
    name: 'a node killed',
    change: (_, node) => node.kill9(),
    restore: restartWith(),
    log: /shards of MAIL_STORE_URL (do not reply|have too few replicas)|ECONNREFUSED|the connection is closed/,
    readyz: /"(away|alone)":1/,
    doctor: /does not reply|do not reply/,
  },
]

const HARMLESS: [name: string, value: string, before: string][] = [
  ['timeout', '1', '0'],
  ['tcp-keepalive', '0', '300'],
  ['appendfsync', 'always', 'everysec'],
  ['protected-mode', 'yes', 'no'],
  ['cluster-preferred-endpoint-type', 'unknown-endpoint', 'ip'],
]

describe.skipIf(!findRedis() || !isRoot)('changed while mail flows (needs redis-server, and root on Linux)', () => {
  const stack = new AsyncDisposableStack()
  let [cluster, server] = [] as unknown as [RedisCluster, RunningServer]
  let url = ''
  beforeAll(async () => {
    for (const place of PLACES) {
      ip('add', place)
      stack.defer(() => ip('del', place))
    }
    const place = (host: string) => ({ host, reachedAt: host, run: (program: string) => program })
    const places = Array.from({ length: 6 }, (_, i) => place(i === 1 ? ELSEWHERE : '127.0.0.1'))
    const settings = ['--maxmemory', '100mb', '--user', 'mayfly', 'on', '>right', ...aclRules(false)]
    cluster = stack.use(await startRedisCluster({ settings, places }))
    url = cluster.url.replaceAll('redis://', 'redis://mayfly:right@')
    server = stack.use(await startServer())
  })
  afterAll(() => stack.disposeAsync())
  beforeEach(() => makeMaster(cluster, changed()))
  const env = () => ({
    ...{ MAIL_STORE_URL: url, SECRET: 'x'.repeat(32), BOT_CHECK: 'off', DNS_SERVERS: 'off' },
    ...{ NETWORK_LIMIT_FACTOR: '100000', LOG_LEVEL: 'info' },
  })
  const startServer = (urls = url) =>
    startServerProcess({
      env: { ...env(), MAIL_STORE_URL: urls },
      allowLog: [
        OWN_ACCOUNTS,
        CLUSTER_PAUSED,
        /"message":"unavailable: The mail store at (?:127|10)\./,
        /\d of 3 shards of MAIL_STORE_URL /,
        /throws (?:keys|acknowledged mail) away /,
        // A replica whose master has just announced another address.
        /copies nothing of its master /,
        /"message":"unavailable/,
        /"msg":"The mail store /,
        // The reading of a node says the same of it.
        /"msg":"(?:127|10)\.[\d.]+:\d+ (?:does not (?:know commands|give this user)|replies, but not|cannot be asked)/,
      ],
    })

  const readiness = async (at = server) => await (await fetch(`http://127.0.0.1:${at.httpPort}${routes.readyz}`)).text()
  const changed = () => cluster.nodes[1] ?? expect.fail('a cluster has nodes')
  const nameOf = ({ host, port }: RedisNode) => `${host}:${port}`
  const log = (from: number) => server.output().slice(from).replaceAll('\\"', '"').split('\n')
  const examine = async (urls: string) =>
    (await examineCluster({ urls: urls.split(','), replicas: 'auto', isSynced: false })).map(
      ({ sentence, remedy }) => `${sentence} ${remedy}`,
    )
  const soon = (isSo: () => unknown) => vi.waitFor(isSo, { timeout: SOON_MS, interval: 100 })
  let sent = 0

  /** Makes a change, and takes it back when disposed. */
  async function make({ change, restore }: Pick<Refusal, 'change' | 'restore'>, node: RedisNode): Promise<AsyncDisposable> {
    const connection = connectTo(node)
    const admin: Admin = (name, ...args) => connection.call(name, ...args)
    await change(admin, node, cluster)
    return {
      async [Symbol.asyncDispose]() {
        await restore(admin, node, cluster)
        await connection[Symbol.asyncDispose]()
      },
    }
  }

  /** Sends mail until `during` is done. Afterwards every one with a 250 can be read. Returns how often each reply came. */
  async function whileMailFlows(
    during: (addresses: readonly Address[], countRefused: () => number) => Promise<unknown>,
  ): Promise<Record<string, number>> {
    const addresses = await Array.fromAsync({ length: ADDRESSES }, () => createAddress(server.httpPort))
    const replies: { address: Address; subject: string; code: string }[] = []
    const sender = async (signal: AbortSignal) => {
      while (!signal.aborted) {
        const subject = `number ${++sent}.`
        const address = addresses[sent % addresses.length] ?? expect.fail('there are addresses')
        replies.push({ address, subject, code: await tryDelivery(server.smtpPort, address.email, `Subject: ${subject}\r\n\r\nHello.`) })
        await sleep(PAUSE_MS)
      }
    }
    await beside(Array(SENDERS).fill(sender), () => during(addresses, () => replies.filter(({ code }) => code === '451').length))
    const kept = new Map<Address, string[]>()
    // A shard that did not answer is not asked again for a second.
    for (const address of addresses) kept.set(address, await vi.waitFor(() => listSubjects(server.httpPort, address), SOON_MS))
    const lost = replies.filter(({ address, subject, code }) => code === '250' && !kept.get(address)?.includes(subject))
    expect(lost).toEqual([])
    return Object.fromEntries([...Map.groupBy(replies, ({ code }) => code)].map(([code, all]) => [code, all.length]))
  }

  /** Makes the change at a master while mail flows, until it is refused, and log, `/readyz` and doctor have told it. */
  async function expectToldOf(refusal: Refusal, node: RedisNode, countRefused: () => number): Promise<void> {
    const [before, refusedBefore] = [server.output().length, countRefused()]
    const { host, port } = { ...node, ...refusal.announced }
    const name = `${host}:${port}`
    await using _changed = await make(refusal, node)
    const said = () => log(before).filter(line => line.includes(name))
    await soon(() => expect(said()).toContainEqual(expect.stringMatching(refusal.log)))
    await soon(async () => expect(await readiness()).toMatch(refusal.readyz ?? /"mail":"refused"/))
    await soon(() => expect(countRefused()).toBeGreaterThan(refusedBefore))
    // A command that a node does not know is told without its arguments, which are keys of mailboxes.
    expect(log(before).join()).not.toMatch(/mayfly:\{/)
    await soon(async () => {
      const told = (await examine(url)).filter(text => text.includes(name))
      expect(told).toContainEqual(expect.stringMatching(refusal.doctor))
    })
    const opened = openCluster({
      urls: refusal.start ? [`redis://mayfly:right@${nameOf(node)}`] : url.split(','),
      ...{ replicas: 'auto', isSynced: false },
    })
    if (refusal.start) return void (await expect(opened).rejects.toThrow(refusal.start))
    await using _started = await opened
  }

  const SOME_REFUSED = { 250: expect.any(Number), 451: expect.any(Number) }

  test.each(REFUSED)('$name: refused until it is as before, and told', async refusal => {
    const refusing = /"(?:denied|away)":[1-9]|"refused"/
    if (refusal.isFromCalm) await soon(async () => expect(await readiness()).not.toMatch(refusing))
    expect(await whileMailFlows((_, countRefused) => expectToldOf(refusal, changed(), countRefused))).toMatchObject(SOME_REFUSED)
  })

  test('a cause that ends while a node cuts its replies is told no more, but that it does', async () => {
    const few = REFUSED.find(({ name }) => name === 'min-replicas-to-write 5') ?? expect.fail('it is one of them')
    const cutting = REFUSED.find(({ name }) => name.startsWith('client-output-buffer-limit')) ?? expect.fail('it is one of them')
    const said = (from: number) => log(from).filter(line => line.includes('"msg":"The mail store at'))
    await whileMailFlows(async () => {
      const before = server.output().length
      await using first = new AsyncDisposableStack()
      first.use(await make(few, changed()))
      await soon(() => expect(said(before)).toContainEqual(expect.stringMatching(few.log)))
      const later = server.output().length
      await using _second = await make(cutting, changed())
      await first.disposeAsync()
      await soon(() => expect(said(later)).toContainEqual(expect.stringMatching(cutting.log)))
    })
  })

  test('another announced address of a node that MAIL_STORE_URL does not name: the remedy is right whether it runs or not', async () => {
    const others = url
      .split(',')
      .filter(each => !each.endsWith(`@${nameOf(changed())}`))
      .join(',')
    await using other = await startServer(others)
    const refusal = REFUSED.find(({ announced }) => announced?.host === NOWHERE) ?? expect.fail('it is one of them')
    await using _changed = await make(refusal, changed())
    const told = /1 of 3 .*EHOSTUNREACH.*Start them if they do not run, or correct "cluster-announce-ip" and "cluster-announce-port" there/
    await soon(() => expect(other.output().replaceAll('\\"', '"')).toMatch(told))
    await soon(async () => expect((await examine(others)).join('\n')).toMatch(told))
  })

  test('another "bind" is told before the connections end that a server has', async () => {
    const before = server.output().length
    const name = nameOf(changed())
    const told =
      /cannot be asked \(connect ECONNREFUSED\): nothing while open connections last, but then .* Somebody changed "bind" or its port/
    const replies = await whileMailFlows(async () => {
      await using _changed = await make({ change: set('bind', '127.0.0.1'), restore: set('bind', '*') }, changed())
      await soon(() => expect(log(before).filter(line => line.includes(name))).toContainEqual(expect.stringMatching(told)))
      await soon(async () => expect(await readiness()).toContain('"denied":1'))
      await soon(async () => expect((await examine(url)).join('\n')).toMatch(/do not reply .* set "bind" back/))
    })
    expect(replies).toEqual({ 250: expect.any(Number) })
    await soon(() => expect(log(before).join()).toContain('gives this server what it needs again'))
  })

  test('all of them in any order, at any master: none that was acknowledged is lost', { timeout: 300_000 }, async () => {
    const seed = Number(process.env.ADMINISTRATOR_SEED ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`ADMINISTRATOR_SEED=${seed} makes the same changes again.`)
    // Another has logged each cause, and logs it once in an outage.
    server = stack.use(await startServer())
    const random = seeded(seed)
    const order = [...REFUSED, ...ENDANGERED].map(refusal => ({ refusal, at: random() })).toSorted((one, two) => one.at - two.at)
    const replies = await whileMailFlows(async (_, countRefused) => {
      for (const { refusal } of order) {
        const node = refusal.isBetweenMachines ? changed() : (cluster.nodes[Math.floor(random() * 3)] ?? changed())
        await expectToldOf(refusal, node, countRefused)
        await soon(async () => expect(await readiness()).not.toContain('"shards"'))
      }
    })
    expect(replies).toMatchObject(SOME_REFUSED)
  })

  test.each([
    {
      name: 'channels taken away',
      change: user('resetchannels'),
      restore: user('&mayfly:*'),
      readyz: /"denied":1/,
      log: /does not give this user the rights it needs: &mayfly:\*: live events and waits of its shard come late\..*mail-store-rights/,
      doctor: /rights it needs: &mayfly:\*.*mail-store-rights/,
    },
    {
      name: 'client-output-buffer-limit of one byte for channels',
      change: set('client-output-buffer-limit', 'pubsub 1 0 0'),
      restore: set('client-output-buffer-limit', 'pubsub 32mb 8mb 60'),
      log: /does not tell this user of new mail \(it closes the connection again and again.*Raise its "client-output-buffer-limit pubsub"/,
      doctor: /closes connections on which much is read .*pubsub 32mb 8mb 60/,
      isSeenByAdmin: true,
    },
  ] satisfies Refusal[])('$name: live events come late, which log and doctor tell', async (refusal: Refusal) => {
    const node = changed()
    const name = nameOf(node)
    const before = server.output().length
    const read = new AbortController()
    const listen = ({ token }: Address) =>
      fetch(`http://127.0.0.1:${server.httpPort}${routes.events}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: read.signal,
      })
    await whileMailFlows(async addresses => {
      await Promise.all(addresses.map(listen))
      await using _changed = await make(refusal, node)
      const told = new RegExp(`"msg":"[^"]*${name} ${refusal.log.source}`)
      await soon(async () => {
        await ringOften(node)
        expect(log(before)).toContainEqual(expect.stringMatching(told))
      })
      await soon(async () => expect(await readiness()).toMatch(refusal.readyz ?? ''))
      await soon(async () => {
        const doctor = await examine(refusal.isSeenByAdmin ? cluster.url : url)
        expect(doctor.filter(text => text.includes(name))).toContainEqual(expect.stringMatching(refusal.doctor))
      })
    })
    read.abort()
  })

  test('timeouts, protected mode and how often is synced: nothing is refused, nor a start', async () => {
    const [node = changed()] = cluster.nodes
    const replies = await whileMailFlows(async ([address = expect.fail('there are addresses')]) => {
      for (const [name, value] of HARMLESS) await node.call('CONFIG', 'SET', name, value)
      await sleep(5000)
      // It is too seldom, which `INFO` does not tell.
      await node.call('CONFIG', 'SET', 'appendfsync', 'no')
      await using other = await startServerProcess({ env: env(), allowLog: [OWN_ACCOUNTS] })
      expect(await readiness(other)).toBe('{"status":"ready"}')
      // Its idle connections are closed meanwhile.
      await sleep(3000)
      expect(await tryDelivery(other.smtpPort, address.email, 'Subject: after a start\r\n\r\nHello.\r\n')).toBe('250')
      const told = (await examine(cluster.url)).filter(text => text.includes(nameOf(node)))
      expect(told).toEqual([
        expect.stringContaining('has "appendfsync no": a power cut loses half a minute of mail. Set "appendfsync every'),
      ])
      for (const [name, , before] of HARMLESS) await node.call('CONFIG', 'SET', name, before)
    })
    expect(replies).toEqual({ 250: expect.any(Number) })
  })

  test('client-output-buffer-limit normal 0 1 1: a read that was cut is asked again, and the doctor tells', async () => {
    const node = changed()
    const limited: Pick<Refusal, 'change' | 'restore'> = {
      change: set('client-output-buffer-limit', 'normal 0 1 1'),
      restore: set('client-output-buffer-limit', 'normal 0 0 0'),
    }
    const replies = await whileMailFlows(async addresses => {
      const large = addresses.slice(0, LARGE_MAILS)
      for (const { email } of large) expect(await tryDelivery(server.smtpPort, email, LARGE_MAIL)).toBe('250')
      const paths = await Promise.all(large.map(async address => ({ address, path: await findLargest(server, address) })))
      const countCuts = () => readFileSync(join(node.folder, 'log'), 'utf8').split('overcoming of output buffer limits').length
      const before = countCuts()
      await using _changed = await make(limited, node)
      const areWhole = new Set<boolean>()
      const readUntilCut = async ({ address, path }: (typeof paths)[number]) => {
        while (countCuts() === before) {
          const response = await askMailbox(server.httpPort, address, path)
          areWhole.add(response.ok && (await response.text()) === LARGE_MAIL)
        }
      }
      await Promise.all(Array.from({ length: READERS }, () => paths.map(readUntilCut)).flat())
      expect([...areWhole]).toEqual([true])
      const doctor = (await examine(cluster.url)).filter(text => text.includes(nameOf(node)))
      expect(doctor).toContainEqual(expect.stringMatching(/much is read \(client-output-buffer-limit normal 0 1 1\)\. Set .* normal 0 0 0/))
    })
    // On a busy machine replies gather while mail flows, so that connections are cut every two seconds, now and then below a delivery.
    // Whether its mail was stored is not known then, so the sender has to try again.
    const { 250: accepted = 0, 451: cut = 0, ...others } = replies
    expect(others).toEqual({})
    expect(accepted).toBeGreaterThan(10 * cut)
  })
})

/** The path of a mailbox's largest mail. */
async function findLargest({ httpPort }: RunningServer, address: Address): Promise<string> {
  const response = await askMailbox(httpPort, address, routes.messages)
  const { messages } = (await response.json()) as { messages: { id: string; subject: string }[] }
  const found = messages.find(({ subject }) => subject === 'large') ?? expect.fail('it has been delivered')
  return routes.raw.replace(':id', found.id)
}

/** Tells a reader so much at once that it waits in a buffer. */
async function ringOften(node: RedisNode): Promise<void> {
  await using connection = connectTo(node)
  const [channel] = (await connection.call('PUBSUB', 'SHARDCHANNELS')) as Buffer[]
  if (channel) await Promise.all(Array.from({ length: 500 }, () => connection.call('SPUBLISH', channel, '')))
}

function connectTo(node: RedisNode) {
  const connection = connectAsAdmin(node)
  return Object.assign(connection, { [Symbol.asyncDispose]: async () => connection.close() })
}

/** The same numbers from 0 to 1 for the same seed (a linear congruential generator). */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

/** What `ip` adds, and takes away. */
const PLACES: [object: string, words: readonly string[]][] = [
  ['addr', [`${ELSEWHERE}/32`, 'dev', 'lo']],
  ['route', ['unreachable', `${NOWHERE}/32`]],
]
const ip = (verb: 'add' | 'del', [object, words]: (typeof PLACES)[number]) => void execFileSync('ip', [object, verb, ...words])
