/** Two processes of the real server on one cluster: any request may reach either. */
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { messageSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { Mayfly } from '../../client/index.ts'
import { askMailbox, followStream } from '../harness/clients/mailbox-client.ts'
import { SmtpClient } from '../harness/clients/smtp-client.ts'
import { CLUSTER_AWAY } from '../harness/heard-log.ts'
import { type ClusterServer, startClusterServer } from '../harness/mayfly/cluster-server.ts'
import { findRedis, type RedisCluster, startRedisCluster } from '../harness/servers/redis-cluster.ts'

const TOKEN = `mft_${'w'.repeat(43)}`

describe.skipIf(!findRedis())('two processes on a cluster (needs redis-server on this machine)', () => {
  let cluster: RedisCluster
  let [a, b] = [] as unknown as [ClusterServer, ClusterServer]
  beforeAll(async () => {
    cluster = await startRedisCluster()
    const env = { API_TOKENS: `ci:${createHash('sha256').update(TOKEN).digest('hex')}` }
    ;[a, b] = await Promise.all([startClusterServer(cluster.url, env), startClusterServer(cluster.url, env)])
  })
  afterAll(async () => {
    await Promise.all([a?.stop(), b?.stop()])
    await cluster?.[Symbol.asyncDispose]()
  })

  test('mail delivered to process A appears in a stream of process B', async () => {
    const [address, other] = [await a.create(), await b.create()]
    const leaving = new AbortController()
    const followed = followStream(b.httpPort, address, leaving.signal, [other])
    await followed.opened
    await expect.poll(() => followed.changes, { message: 'told at the start' }).toBe(1)
    await send(a, other.email, 'for the other')
    await expect.poll(() => followed.changes).toBeGreaterThan(1)
    for (let i = 0; i < 20; i++) await send(a, address.email, `mail ${i}`)
    await expect.poll(() => followed.subjects.length).toBe(20)
    await send(a, address.email, 'the last')
    // Nothing but the word of the other process brings it: a stream looks for nothing by itself.
    await expect.poll(() => followed.subjects).toContain('the last')
    expect(followed.subjects.toSorted()).toEqual([...Array.from({ length: 20 }, (_, i) => `mail ${i}`), 'the last'].toSorted())
    leaving.abort()
  })

  test('waits on both processes find each of 80 mails of the same instants once, after a time as after a cursor', async () => {
    const address = await a.create()
    const subjects = Array.from({ length: 80 }, (_, i) => `burst ${i}`)
    await Promise.all(subjects.map((subject, i) => send(i % 2 ? a : b, address.email, subject)))
    for (const position of ['cursor', 'receivedAt'] as const) {
      const seen: string[] = []
      let after = '0'
      for (;;) {
        const server = seen.length % 2 ? a : b
        const response = await askMailbox(server.httpPort, address, `${routes.wait}?timeoutSeconds=0&after=${after}`)
        if (response.status !== 200) break
        const message = messageSchema.parse(await response.json())
        seen.push(message.subject)
        after = message[position]
      }
      expect(seen.toSorted(), position).toEqual(subjects.toSorted())
    }
  })

  test('an address that fails on purpose fails as often as was asked for, whichever process is tried', async () => {
    const mayfly = new Mayfly({ url: `http://127.0.0.1:${a.httpPort}`, apiKey: TOKEN })
    const { address } = await mayfly.createMailbox({ failure: { stage: 'rcpt', reply: '450 4.2.1', attempts: 3 } })
    for (const server of [a, b, b]) await expect(send(server, address, 'refused')).rejects.toThrow('450 4.2.1 Refused on purpose')
    for (const server of [a, b]) await send(server, address, 'taken')
  })

  test('a process on a cluster with its own accounts database logs a warning with the remedy', async () => {
    await using alone = await startClusterServer(cluster.url)
    expect(alone.output()).toMatch(/for this process alone\. Before you start a second process, set DATABASE_URL/)
  })

  test('mail to an unwatched mailbox is not published; with a stream elsewhere, its steps are published too', async () => {
    const address = await a.create()
    const publishing = async (mails: number, subject: string) => {
      const before = await published(cluster)
      for (let n = 0; n < mails; n++) await send(a, address.email, `${subject} ${n}`)
      return ((await published(cluster)) - before) / mails
    }
    expect(await publishing(5, 'unwatched')).toBe(0)
    const leaving = new AbortController()
    const followed = followStream(b.httpPort, address, leaving.signal)
    await followed.opened
    expect(await publishing(5, 'watched')).toBeGreaterThan(1)
    leaving.abort()
  })

  test('when every node hangs, senders get 451 and readers 503 with Retry-After, and both recover', async () => {
    for (const { heardLog } of [a, b]) heardLog.allow(...CLUSTER_AWAY, /"code":"unavailable"/)
    const address = await a.create()
    const leaving = new AbortController()
    const followed = followStream(b.httpPort, address, leaving.signal)
    await followed.opened
    for (const { pid } of cluster.nodes) process.kill(pid, 'SIGSTOP')
    try {
      await expect(send(a, address.email, 'while it is away')).rejects.toThrow(/451 4\.3\.0/)
      const refused = await askMailbox(a.httpPort, address, routes.messages)
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '2'])
      expect(await refused.json()).toMatchObject({ code: 'unavailable', retryAfterSeconds: 2 })
      await expect.poll(() => readiness(a)).toBe(503)
    } finally {
      for (const { pid } of cluster.nodes) process.kill(pid, 'SIGCONT')
    }
    await expect.poll(() => readiness(a)).toBe(200)
    await expect.poll(() => send(a, address.email, 'when it is back').then(() => 'sent', String)).toBe('sent')
    await expect.poll(() => followed.subjects).toContain('when it is back')
    leaving.abort()
  })
})

/** Notifications of all masters so far. */
async function published({ nodes }: RedisCluster): Promise<number> {
  const infos = await Promise.all(nodes.slice(0, 3).map(async node => String(await node.call('INFO', 'commandstats'))))
  return infos.reduce((sum, info) => sum + Number(/^cmdstat_spublish:calls=(\d+)/m.exec(info)?.[1] ?? 0), 0)
}

const readiness = async (server: ClusterServer) => (await server.ask(routes.readyz)).status

/** Rejects with the reply if it is refused. */
async function send(server: ClusterServer, to: string, subject: string): Promise<void> {
  await using client = await SmtpClient.connect(server.smtpPort)
  await client.beginMail(to)
  await client.play([[`Subject: ${subject}\r\n\r\nHello.\r\n.`, 250]])
}
