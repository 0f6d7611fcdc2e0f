/**
 * Damages a cluster while two server processes receive mail, and compares what senders and readers saw with what is stored.
 * `npm run lab -- cluster-torture` does it for longer.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keySlot } from '#server/store/valkey/client/topology.ts'
import { beside } from '../harness/beside.ts'
import { type Address, createAddress, type Followed, followStream, listSubjects } from '../harness/clients/mailbox-client.ts'
import { dotted, SmtpClient } from '../harness/clients/smtp-client.ts'
import { CLUSTER_AWAY, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { moveSlot, type RedisCluster, type RedisNode, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

const SENDERS = 10
const ADDRESSES = 30
const RETRY_MS = 100
/** Within `npm test -- --all` a steady load is enough, which leaves the processors to the cluster and to other tests. */
const SEND_EVERY_MS = 20
const WARM_MS = 500
/** Waits until every shard has replied 250 again. */
const COOL_MS = 500
/** A node that returns copies everything first, which takes tens of seconds on a busy machine. */
const RECOVERY_MS_MAX = 180_000
/** How long a node stays away whose absence nobody repairs: longer than it takes until its shard works again, where it does. */
const LOST_MS = 15_000
const NODE_TIMEOUT_MS = 1500
const SECRET = 'one secret for all processes of the torture'

type Round = {
  readonly addresses: readonly Address[]
  /** Subjects of mails with a 250, by address. */
  readonly acknowledged: Map<string, Set<string>>
  readonly streams: Map<string, Followed>
  /** Other replies, by code. */
  readonly refusals: Map<string, number>
  lastRefusalMs: number
  repeatedMsMax: number
}

type TortureResult = {
  acknowledged: number
  /** Acknowledged but not in the mailbox. */
  lost: number
  /** More than once in the mailbox. */
  doubled: number
  /** In the mailbox but never in its stream. */
  missedByStream: number
  /** More than once in its stream. */
  twiceInStream: number
  /** Refused with a reply other than 451. */
  otherRefusals: number
  refusals: number
  /** From the fault to the last 451: the longest and the median of all rounds. */
  refusedMsMax: number
  refusedMsMedian: number
  /** From the first try of a mail to its 250. */
  repeatedMsMax: number
}

type Pace = { readonly sendEveryMs?: number; readonly nodeTimeoutMs?: number; readonly onRound?: (summary: string) => void }

/** `fault` damages the cluster in the middle of each round. */
export async function torture(
  rounds: number,
  fault: keyof typeof FAULTS,
  { sendEveryMs = SEND_EVERY_MS, nodeTimeoutMs = NODE_TIMEOUT_MS, onRound = () => {} }: Pace = {},
): Promise<TortureResult> {
  await using cluster = await startRedisCluster({
    settings: ['--cluster-node-timeout', String(nodeTimeoutMs), '--enable-protected-configs', 'yes'],
  })
  const env = {
    ...{ MAIL_STORE_URL: cluster.url, SECRET, BOT_CHECK: 'off', DNS_SERVERS: 'off' },
    ...{ NETWORK_LIMIT_FACTOR: '100000', MAILBOX_MESSAGES_MAX: '10000', LIFETIME_SECONDS: '600' },
  }
  await using a = await startServerProcess({ env, allowLog: [...CLUSTER_AWAY, OWN_ACCOUNTS] })
  await using b = await startServerProcess({ env, allowLog: [...CLUSTER_AWAY, OWN_ACCOUNTS] })
  const total: TortureResult = {
    ...{ acknowledged: 0, lost: 0, doubled: 0, missedByStream: 0, twiceInStream: 0, otherRefusals: 0 },
    ...{ refusals: 0, refusedMsMax: 0, refusedMsMedian: 0, repeatedMsMax: 0 },
  }
  const refusedMs: number[] = []
  let elder: Round | undefined
  for (let i = 0; i < rounds; i++) {
    const leaving = new AbortController()
    const round = await prepareRound(a, b, leaving.signal)
    const senders = Array.from({ length: SENDERS }, (_, n) => keepSending.bind(undefined, n % 2 ? a : b, round, sendEveryMs))
    const faultMs = await beside(senders, async () => {
      await sleep(WARM_MS + Math.random() * WARM_MS)
      const atMs = performance.now()
      await FAULTS[fault](cluster)
      await until(() => everyShardTakesMail(a, round), RECOVERY_MS_MAX)
      await sleep(COOL_MS)
      return atMs
    })
    const lastedMs = Math.max(0, round.lastRefusalMs - faultMs)
    refusedMs.push(lastedMs)
    total.repeatedMsMax = Math.max(total.repeatedMsMax, round.repeatedMsMax)
    await compare(a, round, total)
    leaving.abort()
    // A later failure must not lose what an earlier one has kept.
    if (elder) await compare(b, { ...elder, streams: new Map() }, total, false)
    elder = round
    onRound(`round ${i + 1}: 451 for ${lastedMs.toFixed(0)} ms ${JSON.stringify(total)}`)
  }
  total.refusedMsMax = Math.round(Math.max(...refusedMs))
  total.refusedMsMedian = Math.round(refusedMs.toSorted((x, y) => x - y)[Math.floor(refusedMs.length / 2)] ?? 0)
  return total
}

/** Each process has half of the streams, and both receive mail. */
async function prepareRound(a: RunningServer, b: RunningServer, signal: AbortSignal): Promise<Round> {
  const addresses = await Promise.all(Array.from({ length: ADDRESSES }, () => createAddress(a.httpPort)))
  const streams = new Map(addresses.map((address, i) => [address.email, followStream((i % 2 ? a : b).httpPort, address, signal)]))
  await Promise.all([...streams.values()].map(({ opened }) => opened))
  return { addresses, streams, acknowledged: new Map(), refusals: new Map(), lastRefusalMs: 0, repeatedMsMax: 0 }
}

/** Like a mail server, repeats what is refused temporarily, byte for byte, until it is accepted. */
async function keepSending(server: RunningServer, round: Round, sendEveryMs: number, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const { email } = pick(round.addresses)
    const subject = randomBytes(8).toString('hex')
    const bytes = Math.random() < 0.02 ? 300_000 : 3000
    const raw = Buffer.from(`Subject: ${subject}\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(bytes / 72)}`)
    const startedMs = performance.now()
    while (performance.now() < startedMs + RECOVERY_MS_MAX) {
      const reply = await trySend(server, email, raw).catch(error => String(error))
      if (reply.startsWith('250')) {
        round.acknowledged.set(email, (round.acknowledged.get(email) ?? new Set()).add(subject))
        round.repeatedMsMax = Math.max(round.repeatedMsMax, Math.round(performance.now() - startedMs))
        await sleep(sendEveryMs)
        break
      }
      const code = reply.slice(0, 3)
      round.refusals.set(code, (round.refusals.get(code) ?? 0) + 1)
      round.lastRefusalMs = performance.now()
      await sleep(RETRY_MS)
    }
  }
}

async function trySend(server: RunningServer, email: string, raw: Buffer): Promise<string> {
  await using client = await SmtpClient.connect(server.smtpPort)
  for (const line of ['EHLO torture.test', 'MAIL FROM:<torture@sender.test>', `RCPT TO:<${email}>`, 'DATA']) {
    client.send(`${line}\r\n`)
    const reply = await client.reply()
    if (!/^[23]/.test(reply)) return reply
  }
  client.send(dotted(raw))
  return await client.reply()
}

async function everyShardTakesMail(server: RunningServer, { addresses }: Round): Promise<boolean> {
  const replies = await Promise.all(addresses.map(({ email }) => trySend(server, email, Buffer.from('Subject: probe\r\n\r\n'))))
  return replies.every(reply => reply.startsWith('250'))
}

async function compare(server: RunningServer, round: Round, total: TortureResult, isFirst = true): Promise<void> {
  for (const address of round.addresses) {
    const subjects = await listSubjects(server.httpPort, address)
    const there = new Set(subjects)
    const acknowledged = round.acknowledged.get(address.email) ?? new Set()
    total.lost += [...acknowledged].filter(subject => !there.has(subject)).length
    total.doubled += subjects.length - there.size
    const stream = round.streams.get(address.email)
    if (stream) {
      const seen = () => new Set(stream.subjects)
      await until(async () => there.isSubsetOf(seen()), 10_000).catch(() => undefined)
      total.missedByStream += there.difference(seen()).size
      total.twiceInStream += stream.subjects.length - seen().size
    }
    if (isFirst) total.acknowledged += acknowledged.size
  }
  if (!isFirst) return
  for (const [code, count] of round.refusals) {
    if (code === '451') total.refusals += count
    else total.otherRefusals += count
  }
}

/** Kills a master, waits for its replica to take over, and restarts it as a replica. */
async function killMaster(cluster: RedisCluster): Promise<void> {
  const victim = pick(await findMasters(cluster))
  await victim.kill9()
  const rest = cluster.nodes.filter(node => node !== victim)
  await until(async () => (await findMasters({ ...cluster, nodes: rest })).length === 3, RECOVERY_MS_MAX)
  await sleep(1000)
  await victim.start()
  await untilComplete(cluster)
}

async function findMasters({ nodes }: Pick<RedisCluster, 'nodes'>): Promise<RedisNode[]> {
  const roles = await Promise.all(nodes.map(async node => String(await node.call('INFO', 'replication'))))
  return nodes.filter((_, i) => roles[i]?.includes('role:master'))
}

async function sixNodesAreWell(node: RedisNode): Promise<boolean> {
  const slots = (await node.call('CLUSTER', 'SLOTS')) as unknown[][]
  return slots.length > 0 && slots.every(range => range.length >= 4)
}

/** Moves the slots of all addresses with their mail to another master, as `redis-cli --cluster reshard` does. */
async function moveSlots(cluster: RedisCluster): Promise<void> {
  const slots = new Set<number>()
  for (const master of await findMasters(cluster)) {
    let cursor = '0'
    do {
      const [next, keys] = (await master.call('SCAN', cursor, 'COUNT', 1000)) as [Buffer, Buffer[]]
      for (const key of keys) slots.add(keySlot(String(key)))
      cursor = String(next)
    } while (cursor !== '0')
  }
  for (const slot of slots) await moveSlot(cluster, slot)
}

/** Kills or stops a replica, and starts it again when its master has acknowledged alone for a while. */
async function loseReplica({ nodes }: RedisCluster, isHanging: boolean): Promise<void> {
  const masters = await findMasters({ nodes })
  const replica = pick(nodes.filter(node => !masters.includes(node)))
  if (isHanging) process.kill(replica.pid, 'SIGSTOP')
  else await replica.kill9()
  await sleep(LOST_MS)
  if (isHanging) process.kill(replica.pid, 'SIGCONT')
  else await replica.start()
  await untilComplete({ nodes })
}

async function forceFailover({ nodes }: RedisCluster): Promise<void> {
  const masters = await findMasters({ nodes })
  const replica = pick(nodes.filter(node => !masters.includes(node)))
  await replica.call('CLUSTER', 'FAILOVER', 'FORCE')
  await until(async () => (await findMasters({ nodes: [replica] })).length === 1, RECOVERY_MS_MAX)
  await untilComplete({ nodes })
}

async function loseShard({ nodes }: RedisCluster): Promise<void> {
  const lost = await pickShard(nodes)
  await Promise.all(lost.map(node => node.kill9()))
  await sleep(LOST_MS)
  await Promise.all(lost.map(node => node.start()))
  await untilComplete({ nodes })
}

/** The append-only files of both nodes of a shard lie on file systems that are full for a while. Only as root. */
async function fillDisks({ nodes }: RedisCluster): Promise<void> {
  const [full, masters] = [await pickShard(nodes), await findMasters({ nodes })]
  for (const node of full) {
    const disk = join(node.folder, 'disk')
    mkdirSync(disk, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', disk])
    for (const [name, value] of [['appendonly', 'no'] as const, ['dir', disk] as const, ['appendonly', 'yes'] as const])
      await node.call('CONFIG', 'SET', name, value)
    await until(async () => /aof_rewrite_in_progress:0\b.*aof_rewrite_scheduled:0\b/s.test(String(await node.call('INFO', 'persistence'))))
  }
  try {
    for (const { folder } of full) spawnSync('dd', ['if=/dev/zero', `of=${join(folder, 'disk', 'filler')}`, 'bs=4k'], { stdio: 'ignore' })
    await sleep(LOST_MS)
    for (const { folder } of full) rmSync(join(folder, 'disk', 'filler'))
    // A replica that could not write ends itself, after a long report; a master, when it could not note who has failed.
    for (const node of full) {
      if (!masters.includes(node)) await node.kill9()
      if (node.isRunning) continue
      cpSync(join(node.folder, 'disk'), node.folder, { recursive: true })
      await node.start()
    }
    await untilComplete({ nodes })
  } finally {
    for (const { folder } of full) execFileSync('umount', ['--lazy', join(folder, 'disk')])
  }
}

/** A master and its replica. */
async function pickShard(nodes: readonly RedisNode[]): Promise<RedisNode[]> {
  const slots = (await nodes[0]?.call('CLUSTER', 'SLOTS')) as [number, number, ...[Buffer, number][]][]
  const ports = pick(slots)
    .slice(2)
    .map(place => (place as [Buffer, number])[1])
  return nodes.filter(({ port }) => ports.includes(port))
}

async function untilComplete({ nodes }: Pick<RedisCluster, 'nodes'>): Promise<void> {
  await until(async () => (await findMasters({ nodes })).length * 2 === nodes.length, RECOVERY_MS_MAX)
  const masters = await findMasters({ nodes })
  for (const node of nodes.filter(node => !masters.includes(node)))
    await until(async () => String(await node.call('INFO', 'replication')).includes('master_link_status:up'), RECOVERY_MS_MAX)
  await until(async () => (await Promise.all(nodes.map(sixNodesAreWell))).every(Boolean), RECOVERY_MS_MAX)
  // Until the processes have noticed the replica, its master acknowledges alone.
  await sleep(2000)
}

/** Each resolves when the cluster is complete again. */
export const FAULTS = {
  master: killMaster,
  replica: (cluster: RedisCluster) => loseReplica(cluster, false),
  'hanging-replica': (cluster: RedisCluster) => loseReplica(cluster, true),
  failover: forceFailover,
  shard: loseShard,
  disks: fillDisks,
  slots: moveSlots,
}

function pick<T>(items: readonly T[]): T {
  const item = items[Math.floor(Math.random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to choose from')
  return item
}
