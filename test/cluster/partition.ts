/**
 * Cuts a cluster in two while both sides receive mail. One side has only a master and a server process, which must not acknowledge what
 * they cannot replicate. `npm run lab -- cluster-partition --rounds 3` (root on Linux)
 */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Address, createAddress, listSubjects } from '../harness/clients/mailbox-client.ts'
import { SmtpClient } from '../harness/clients/smtp-client.ts'
import { CLUSTER_AWAY, OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { makeSides } from '../harness/network-namespaces.ts'
import { makeMaster, startRedisCluster, until } from '../harness/servers/redis-cluster.ts'

const ADDRESSES = 24
const SENDERS_PER_SIDE = 6
/** Within `npm test -- --all` a steady load is enough, which leaves the processors to the cluster and to other tests. */
const SEND_EVERY_MS = 30
/** Longer than a failover. */
const CUT_MS = 6000
const SECRET = 'one secret for both sides of the partition'

type Side = { readonly host: string; readonly smtpPort: number; readonly sendEveryMs: number; readonly replies: Map<string, number> }

type PartitionResult = {
  acknowledged: number
  /** 250 and 451 during the partition, and other replies. */
  minority: Record<string, number>
  majority: Record<string, number>
  /** Acknowledged by either side but missing after the partition. */
  lost: number
  doubled: number
}

export async function partition(rounds: number, sendEveryMs = SEND_EVERY_MS): Promise<PartitionResult> {
  using sides = makeSides()
  const { minority, majority } = sides
  await using cluster = await startRedisCluster({ places: [minority, majority, majority, majority, majority, majority] })
  const env = {
    ...{ MAIL_STORE_URL: cluster.url, SECRET, HOST: '0.0.0.0', BOT_CHECK: 'off', DNS_SERVERS: 'off' },
    ...{ NETWORK_LIMIT_FACTOR: '100000', LIFETIME_SECONDS: '3600', SMTP_TRUSTED: '10.0.0.0/8' },
  }
  const allowLog = [...CLUSTER_AWAY, OWN_ACCOUNTS]
  await using a = await startServerProcess({ env, node: minority.run(process.execPath), allowLog })
  await using b = await startServerProcess({ env, node: majority.run(process.execPath), allowLog })
  const total: PartitionResult = { acknowledged: 0, minority: {}, majority: {}, lost: 0, doubled: 0 }
  for (let round = 0; round < rounds; round++) {
    const addresses = await Promise.all(Array.from({ length: ADDRESSES }, () => createAddress(b.httpPort, majority.reachedAt)))
    const acknowledged = new Map<string, Set<string>>()
    const both: Side[] = [
      { host: minority.reachedAt, smtpPort: a.smtpPort, sendEveryMs, replies: new Map() },
      { host: majority.reachedAt, smtpPort: b.smtpPort, sendEveryMs, replies: new Map() },
    ]
    sides.cut()
    const endMs = performance.now() + CUT_MS
    await Promise.all(both.flatMap(side => Array.from({ length: SENDERS_PER_SIDE }, () => sendUntil(endMs, side, addresses, acknowledged))))
    sides.mend()
    await until(
      async () => (await Promise.all(addresses.map(address => isReadable(a.httpPort, address, minority.reachedAt)))).every(Boolean),
      60_000,
    )
    for (const address of addresses) {
      const subjects = await listSubjects(a.httpPort, address, minority.reachedAt)
      const there = new Set(subjects)
      total.lost += (acknowledged.get(address.email) ?? new Set()).difference(there).size
      total.doubled += subjects.length - there.size
      total.acknowledged += acknowledged.get(address.email)?.size ?? 0
    }
    for (const [i, tally] of [total.minority, total.majority].entries())
      for (const [code, count] of both[i]?.replies ?? []) tally[code] = (tally[code] ?? 0) + count
    // The isolated master is a replica now, and becomes master again for the next round.
    if (cluster.nodes[0]) await makeMaster(cluster, cluster.nodes[0])
  }
  return total
}

const isReadable = (httpPort: number, address: Address, host: string) =>
  listSubjects(httpPort, address, host).then(
    () => true,
    () => false,
  )

async function sendUntil(endMs: number, side: Side, addresses: readonly Address[], acknowledged: Map<string, Set<string>>): Promise<void> {
  for (let i = Math.floor(Math.random() * addresses.length); performance.now() < endMs; i++) {
    const { email } = addresses[i % addresses.length] as Address
    const subject = randomBytes(8).toString('hex')
    const reply = await trySend(side, email, subject).catch(() => 'broken')
    side.replies.set(reply.slice(0, 3), (side.replies.get(reply.slice(0, 3)) ?? 0) + 1)
    if (reply.startsWith('250')) acknowledged.set(email, (acknowledged.get(email) ?? new Set()).add(subject))
    await sleep(side.sendEveryMs)
  }
}

async function trySend({ host, smtpPort }: Side, email: string, subject: string): Promise<string> {
  await using client = await SmtpClient.connect(smtpPort, { host })
  for (const line of ['EHLO partition.test', 'MAIL FROM:<partition@sender.test>', `RCPT TO:<${email}>`, 'DATA']) {
    client.send(`${line}\r\n`)
    const reply = await client.reply()
    if (!/^[23]/.test(reply)) return reply
  }
  client.send(`Subject: ${subject}\r\n\r\nHello.\r\n.\r\n`)
  return await client.reply()
}
