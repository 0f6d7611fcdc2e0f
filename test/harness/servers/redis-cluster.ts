/** A temporary Redis or Valkey Cluster for tests: real servers in a temporary folder, on loopback, removed when disposed. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type NodeAddress, NodeConnection } from '#server/store/valkey/client/node-connection.ts'
import { SLOTS } from '#server/store/valkey/client/topology.ts'
import { freeNodePort } from '../free-port.ts'

const MASTERS = 3
const CLUSTER_SETTINGS = ['--cluster-enabled', 'yes', '--cluster-node-timeout', '1500']

export type RedisNode = {
  readonly host: string
  readonly port: number
  readonly folder: string
  readonly pid: number
  readonly isRunning: boolean
  /** `more`: settings for this time only. */
  start(more?: readonly string[]): Promise<void>
  kill9(): Promise<void>
  call(name: string, ...args: readonly (string | number)[]): Promise<unknown>
}

export type RedisCluster = AsyncDisposable & {
  /** Masters first at the start. After a failover only the nodes know which are masters. */
  readonly nodes: readonly RedisNode[]
  readonly folder: string
  /** The value for `MAIL_STORE_URL`. */
  readonly url: string
}

/** A network namespace (see partition.ts). */
export type Place = {
  /** Starts a program there. */
  readonly run: (program: string) => string
  /** Where other nodes and clients reach it, and where this process does. */
  readonly host: string
  readonly reachedAt: string
}

/** Paths of PEM files. */
type TlsFiles = { readonly cert: string; readonly key: string; readonly ca: string }

type RedisClusterOptions = {
  readonly bin?: string | undefined
  readonly replicas?: number
  readonly password?: string | undefined
  /** Slots nobody gets. */
  readonly missingSlots?: number
  readonly settings?: readonly string[]
  /** It outlives this process, and somebody else ends it. */
  readonly isDetached?: boolean
  /** All connections are encrypted, including those between nodes. This process must trust `ca`. */
  readonly tls?: TlsFiles | undefined
  /** One for each node, masters first; loopback by default. */
  readonly places?: readonly Place[]
}

/** `REDIS_SERVER` (see scripts/engines.mjs), else the first on the PATH; `undefined` if there is none. */
export function findRedis(): string | undefined {
  const named = process.env.REDIS_SERVER
  if (named) return named
  const folders = (process.env.PATH ?? '').split(delimiter)
  return ['redis-server', 'valkey-server'].flatMap(name => folders.map(folder => join(folder, name))).find(existsSync)
}

/**
 * A connection of an administrator, who waits for as long as a busy machine takes: a change that is not undone fails the tests that come
 * after.
 */
export function connectAsAdmin({ host, port }: NodeAddress, password?: string, isEncrypted = false): NodeConnection {
  const patience = { connectMsMax: 10_000, silenceMsMax: 30_000 }
  return new NodeConnection({ host, port }, { username: undefined, password, isEncrypted }, patience)
}

/** Kills a node and starts it again. `more`: settings of this start alone. */
export async function restart(node: RedisNode, more: readonly string[] = []): Promise<void> {
  await node.kill9()
  await node.start(more)
}

/** Without TLS support the server ends and says so. With TLS support it complains about the missing certificate. */
export function speaksTls(): boolean {
  const program = findRedis()
  if (program === undefined) return false
  const { stdout, stderr } = spawnSync(program, ['--port', '0', '--tls-port', '1'], { encoding: 'utf8', timeout: 5000 })
  return !/FATAL CONFIG|Failed finding TLS support/.test(`${stdout}${stderr}`)
}

/** Three masters, each with a replica. */
export async function startRedisCluster(options: RedisClusterOptions = {}): Promise<RedisCluster> {
  const { replicas = 1, password, missingSlots = 0 } = options
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-redis-'))
  const nodes: RedisNode[] = []
  const auth = password === undefined ? [] : ['--requirepass', password, '--masterauth', password]
  const settings = [...CLUSTER_SETTINGS, ...auth, ...(options.settings ?? [])]
  for (let i = 0; i < MASTERS * (1 + replicas); i++) {
    const port = await freeNodePort()
    nodes.push(redisNode(join(folder, String(port)), { ...options, port, settings, place: options.places?.[i] }))
  }
  try {
    await Promise.all(nodes.map(node => node.start()))
    await joinCluster(nodes, missingSlots)
  } catch (error) {
    await stop(nodes, folder)
    throw error
  }
  const userinfo = password === undefined ? '' : `:${password}@`
  return {
    nodes,
    folder,
    url: nodes.map(({ host, port }) => `${options.tls ? 'rediss' : 'redis'}://${userinfo}${host}:${port}`).join(','),
    [Symbol.asyncDispose]: () => stop(nodes, folder),
  }
}

type RedisOptions = {
  readonly bin?: string | undefined
  readonly password?: string
  /** It can join a cluster, with these settings. */
  readonly clusterSettings?: readonly string[]
}

/** One server, which belongs to no cluster. */
export async function startRedis({ bin, password, clusterSettings }: RedisOptions = {}): Promise<RedisNode & AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-redis-'))
  const port = await freeNodePort()
  const node = redisNode(join(folder, String(port)), {
    bin,
    port,
    password,
    settings: [
      ...(password === undefined ? [] : ['--requirepass', password]),
      ...(clusterSettings ? [...CLUSTER_SETTINGS, ...clusterSettings] : []),
    ],
  })
  await node.start()
  return Object.defineProperties({} as RedisNode & AsyncDisposable, {
    ...Object.getOwnPropertyDescriptors(node),
    [Symbol.asyncDispose]: { value: () => stop([node], folder) },
  })
}

function redisNode(
  folder: string,
  {
    port,
    settings,
    bin,
    password,
    isDetached = false,
    tls,
    place,
  }: Pick<RedisClusterOptions, 'bin' | 'password' | 'isDetached' | 'tls'> & {
    port: number
    settings: readonly string[]
    place?: Place | undefined
  },
): RedisNode {
  let child: ChildProcess | undefined
  mkdirSync(folder, { recursive: true })
  const args = [
    ...(tls ? encrypted(port, tls) : ['--port', String(port)]),
    '--dir',
    folder,
    '--logfile',
    'log',
    '--save',
    '',
    '--appendonly',
    'yes',
  ]
  const fast = ['--repl-diskless-sync-delay', '0', '--repl-ping-replica-period', '1', '--cluster-require-full-coverage', 'no']
  const host = place?.host ?? '127.0.0.1'
  const bound = place ? ['--bind', '*', '--protected-mode', 'no', '--cluster-announce-ip', host] : ['--bind', '127.0.0.1']
  const program = bin ?? findRedis() ?? 'redis-server'
  const node: RedisNode = {
    host,
    port,
    folder,
    get pid() {
      return child?.pid ?? 0
    },
    get isRunning() {
      return child !== undefined && child.exitCode === null && child.signalCode === null
    },
    async start(more = []) {
      child = spawn(place ? place.run(program) : program, [...args, ...bound, ...fast, ...settings, ...more], {
        cwd: folder,
        stdio: 'ignore',
        detached: isDetached,
      })
      if (isDetached) child.unref()
      for (let attempt = 0; ; attempt++) {
        if (
          await node.call('PING').then(
            () => true,
            () => false,
          )
        )
          return
        if (!node.isRunning || attempt > 1000) throw new Error(`the Redis on port ${port} did not start: see ${folder}/log`)
        await sleep(20)
      }
    },
    async kill9() {
      if (!child || !node.isRunning) return
      const exited = once(child, 'exit')
      child.kill('SIGKILL')
      await exited
    },
    async call(name, ...rest) {
      const connection = connectAsAdmin({ host: place?.reachedAt ?? host, port }, password, tls !== undefined)
      try {
        return await connection.call(name, ...rest)
      } finally {
        connection.close()
      }
    },
  }
  return node
}

function encrypted(port: number, { cert, key, ca }: TlsFiles): string[] {
  const files = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', ca]
  return [
    '--port',
    '0',
    '--tls-port',
    String(port),
    ...files,
    '--tls-auth-clients',
    'no',
    '--tls-replication',
    'yes',
    '--tls-cluster',
    'yes',
  ]
}

async function joinCluster(nodes: readonly RedisNode[], missingSlots: number): Promise<void> {
  const masters = nodes.slice(0, MASTERS)
  await Promise.all(
    masters.map((master, i) => {
      const last = Math.floor((SLOTS * (i + 1)) / MASTERS) - 1 - (i === MASTERS - 1 ? missingSlots : 0)
      return master.call('CLUSTER', 'ADDSLOTSRANGE', Math.floor((SLOTS * i) / MASTERS), last)
    }),
  )
  await Promise.all(nodes.map((node, i) => node.call('CLUSTER', 'SET-CONFIG-EPOCH', i + 1)))
  for (const node of nodes.slice(1)) await node.call('CLUSTER', 'MEET', nodes[0]?.host ?? '', nodes[0]?.port ?? 0)
  await until(async () => (await Promise.all(nodes.map(knownNodes))).every(known => known === nodes.length))
  const ids = await Promise.all(masters.map(master => master.call('CLUSTER', 'MYID')))
  await Promise.all(nodes.slice(MASTERS).map((replica, i) => replica.call('CLUSTER', 'REPLICATE', String(ids[i % MASTERS]))))
  await until(async () => (await Promise.all(nodes.map(node => isSettled(node, nodes.length - MASTERS, missingSlots)))).every(Boolean))
}

async function knownNodes(node: RedisNode): Promise<number> {
  const lines = String(await node.call('CLUSTER', 'NODES'))
    .trim()
    .split('\n')
  return lines.filter(line => !line.includes('handshake')).length
}

async function isSettled(node: RedisNode, replicas: number, missingSlots: number): Promise<boolean> {
  const [info, slots, replication] = await Promise.all([
    node.call('CLUSTER', 'INFO'),
    node.call('CLUSTER', 'SLOTS'),
    node.call('INFO', 'replication'),
  ])
  const seen = (slots as unknown[][]).reduce((count, range) => count + range.length - 3, 0)
  const isLinked = !String(replication).includes('master_link_status:down')
  const isKnown = String(info).includes(`cluster_slots_assigned:${SLOTS - missingSlots}\r`)
  return isKnown && (missingSlots > 0 || String(info).includes('cluster_state:ok')) && seen === replicas && isLinked
}

/** Polls, because the nodes need time to agree. */
export async function until(isDone: () => Promise<boolean>, timeoutMs = 60_000): Promise<void> {
  const endMs = performance.now() + timeoutMs
  for (;;) {
    let cause: unknown
    try {
      if (await isDone()) return
    } catch (error) {
      cause = error
    }
    if (performance.now() > endMs) throw new Error(`not so after ${timeoutMs} ms: ${isDone}`, { cause })
    await sleep(30)
  }
}

/** Makes a node the master of its shard again. A failover may be given up, and one that was restarted hears late that it was replaced. */
export async function makeMaster({ nodes }: RedisCluster, node: RedisNode): Promise<void> {
  const line = new RegExp(`:${node.port}@\\S* (?:myself,)?master - .* connected \\d`)
  const isKnownAsMaster = async () =>
    (await Promise.all(nodes.map(({ call }) => call('CLUSTER', 'NODES')))).every(view => line.test(String(view)))
  await until(async () => {
    if (await isKnownAsMaster()) return true
    await node.call('CLUSTER', 'FAILOVER')
    await until(isKnownAsMaster, 5000)
    return true
  }, 60_000)
}

/** Moves one slot to the next master, key by key, as `redis-cli --cluster reshard` does. */
export async function moveSlot({ nodes }: RedisCluster, slot: number): Promise<void> {
  const ids = await Promise.all(nodes.map(async node => String(await node.call('CLUSTER', 'MYID'))))
  const slots = (await nodes[0]?.call('CLUSTER', 'SLOTS')) as [number, number, [Buffer, number]][]
  const owner = slots.find(([first, last]) => first <= slot && slot <= last)?.[2][1]
  const masters = [...new Set(slots.map(([, , [, port]]) => port))]
  const from = nodes.findIndex(node => node.port === owner)
  const to = nodes.findIndex(node => node.port === masters[(masters.indexOf(owner ?? 0) + 1) % masters.length])
  const [source, target] = [nodes[from], nodes[to]]
  if (!source || !target) throw new Error(`slot ${slot} has no master`)
  await target.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[from] ?? '')
  await source.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[to] ?? '')
  for (;;) {
    const keys = ((await source.call('CLUSTER', 'GETKEYSINSLOT', slot, 10)) as Buffer[]).map(String)
    if (keys.length === 0) break
    await source.call('MIGRATE', target.host, target.port, '', 0, 5000, 'REPLACE', 'KEYS', ...keys)
  }
  for (const node of [target, source]) await node.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[to] ?? '')
}

async function stop(nodes: readonly RedisNode[], folder: string): Promise<void> {
  await Promise.all(nodes.map(node => node.kill9()))
  rmSync(folder, { recursive: true, force: true })
}
