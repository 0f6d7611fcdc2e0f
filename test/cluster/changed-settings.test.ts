/** An administrator changes a node while mail flows: no mail with a 250 is lost, and log, `/readyz` and doctor name what is refused. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { aclRules } from '#server/store/valkey/client/rights.ts'
import { examineCluster } from '#server/store/valkey/examine-cluster.ts'
import { type Address, createAddress, listSubjects } from '../harness/clients/mailbox-client.ts'
import { SmtpClient } from '../harness/clients/smtp-client.ts'
import { OWN_ACCOUNTS } from '../harness/heard-log.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { findRedis, type RedisCluster, type RedisNode, startRedisCluster } from '../harness/servers/redis-cluster.ts'

/** With so many, some are in the shard of any one node. */
const ADDRESSES = 40
const SENDERS = 3
const PAUSE_MS = 50
/** Ten seconds on a machine that does nothing else. */
const SOON_MS = 60_000

type Change = (node: RedisNode) => Promise<unknown>

const set =
  (name: string, value: string): Change =>
  node =>
    node.call('CONFIG', 'SET', name, value)
const user =
  (...rules: readonly string[]): Change =>
  node =>
    node.call('ACL', 'SETUSER', 'mayfly', ...rules)
/** What was opened with the old password stays open. */
const changePassword: Change = async node => {
  await user('resetpass', '>other')(node)
  await node.call('CLIENT', 'KILL', 'USER', 'mayfly')
}

/**
 * What the log and the doctor say of the node; the doctor only where the setting can be seen at one look. `isLookup`: it refuses what is
 * asked before a mail is stored, which `/readyz` does not count.
 */
const REFUSED: { name: string; change: Change; restore: Change; log: RegExp; doctor?: RegExp; isLookup?: true }[] = [
  {
    name: 'rights taken away',
    change: user('-wait'),
    restore: user('+wait'),
    log: /rights it needs: NOPERM .*mail-store-rights/,
    doctor: /wait/,
  },
  {
    name: 'another password',
    change: changePassword,
    restore: user('resetpass', '>right'),
    log: /does not let us in: WRONGPASS .*Correct the user and the password/,
    doctor: /does not let us in: WRONGPASS/,
  },
  {
    name: 'min-replicas-to-write 5',
    change: set('min-replicas-to-write', '5'),
    restore: set('min-replicas-to-write', '0'),
    log: /NOREPLICAS/,
  },
  {
    name: 'client-output-buffer-limit of 200 bytes',
    change: set('client-output-buffer-limit', 'normal 200 0 0'),
    restore: set('client-output-buffer-limit', 'normal 0 0 0'),
    log: /the connection is closed/,
    isLookup: true,
  },
]

const HARMLESS: [name: string, value: string, before: string][] = [
  ['timeout', '1', '0'],
  ['tcp-keepalive', '0', '300'],
  ['protected-mode', 'yes', 'no'],
]

describe.skipIf(!findRedis())('changed while mail flows (needs redis-server)', { timeout: 120_000 }, () => {
  const stack = new AsyncDisposableStack()
  let [cluster, server] = [] as unknown as [RedisCluster, RunningServer]
  let url = ''
  beforeAll(async () => {
    cluster = stack.use(await startRedisCluster({ settings: ['--maxmemory', '100mb'] }))
    await Promise.all(cluster.nodes.map(user('reset', 'on', '>right', ...aclRules(false))))
    url = cluster.url.replaceAll('redis://', 'redis://mayfly:right@')
    server = stack.use(
      await startServerProcess({
        env: {
          ...{ MAIL_STORE_URL: url, SECRET: 'x'.repeat(32), BOT_CHECK: 'off', DNS_SERVERS: 'off' },
          ...{ NETWORK_LIMIT_FACTOR: '100000', LOG_LEVEL: 'info' },
        },
        allowLog: [
          OWN_ACCOUNTS,
          /"message":"unavailable: The mail store at 127/,
          /1 of 3 shards of MAIL_STORE_URL /,
          /"msg":"The mail store /,
        ],
      }),
    )
  }, 60_000)
  afterAll(() => stack.disposeAsync())

  const readiness = async () => await (await fetch(`http://127.0.0.1:${server.httpPort}${routes.readyz}`)).text()
  const masterOf = () => cluster.nodes[1] ?? expect.fail('a cluster has nodes')
  let sent = 0

  /** Sends mail until `during` is done. Afterwards every one with a 250 can be read. Returns how often each reply came. */
  async function whileMailFlows(during: (addresses: readonly Address[]) => Promise<unknown>): Promise<Record<string, number>> {
    const addresses = await Array.fromAsync({ length: ADDRESSES }, () => createAddress(server.httpPort))
    const replies: { address: Address; subject: string; code: string }[] = []
    const ended = new AbortController()
    const sender = async () => {
      while (!ended.signal.aborted) {
        const subject = `number ${++sent}.`
        const address = addresses[sent % addresses.length] ?? expect.fail('there are addresses')
        replies.push({ address, subject, code: await send(server, address, subject) })
        await sleep(PAUSE_MS)
      }
    }
    const senders = Array.from({ length: SENDERS }, sender)
    try {
      await during(addresses)
    } finally {
      ended.abort()
    }
    await Promise.all(senders)
    const kept = new Map<Address, string[]>()
    for (const address of addresses) kept.set(address, await listSubjects(server.httpPort, address))
    const lost = replies.filter(({ address, subject, code }) => code === '250' && !kept.get(address)?.includes(subject))
    expect(lost).toEqual([])
    return Object.fromEntries([...Map.groupBy(replies, ({ code }) => code)].map(([code, all]) => [code, all.length]))
  }

  test.each(REFUSED)('$name: refused until it is as before, and told', async ({ change, restore, log, doctor, isLookup }) => {
    const node = masterOf()
    const name = `127.0.0.1:${node.port}`
    const before = server.output().length
    const replies = await whileMailFlows(async () => {
      await change(node)
      await using _restored = { [Symbol.asyncDispose]: async () => void (await restore(node)) }
      await vi.waitFor(
        async () => {
          const lines = server.output().slice(before).replaceAll('\\"', '"').split('\n')
          expect(lines.filter(line => line.includes(name) && log.test(line))).not.toEqual([])
          if (!isLookup) expect(await readiness()).toContain('"mail":"refused"')
        },
        { timeout: SOON_MS, interval: 100 },
      )
      if (doctor) {
        const findings = await examineCluster({ urls: url.split(','), replicas: 'auto', isSynced: false })
        const told = findings.map(({ sentence, remedy }) => `${sentence} ${remedy}`)
        expect(told.filter(text => text.includes(name) && doctor.test(text))).not.toEqual([])
      }
    })
    expect(replies).toMatchObject({ 250: expect.any(Number), 451: expect.any(Number) })
  })

  test('channels taken away: live events come late, which log and doctor tell', async () => {
    const node = masterOf()
    const name = `127.0.0.1:${node.port}`
    const before = server.output().length
    const read = new AbortController()
    const listen = ({ token }: Address) =>
      fetch(`http://127.0.0.1:${server.httpPort}${routes.events}`, {
        headers: { authorization: `Bearer ${token}` },
        signal: read.signal,
      })
    await whileMailFlows(async addresses => {
      await Promise.all(addresses.map(listen))
      await user('resetchannels')(node)
      await using _restored = { [Symbol.asyncDispose]: async () => void (await user('&mayfly:*')(node)) }
      const told = new RegExp(`"msg":"The mail store at ${name} does not tell this user of new mail .*NOPERM.*mail-store-rights`)
      await vi.waitFor(() => expect(server.output().slice(before).replaceAll('\\"', '"')).toMatch(told), {
        timeout: SOON_MS,
        interval: 100,
      })
      const findings = await examineCluster({ urls: url.split(','), replicas: 'auto', isSynced: false })
      const doctor = findings.map(({ sentence, remedy }) => `${sentence} ${remedy}`).filter(text => text.includes(name))
      expect(doctor).toEqual([expect.stringMatching(/rights it needs: &mayfly:\*.*mail-store-rights/)])
    })
    read.abort()
  })

  test('timeouts and protected mode: nothing is refused', async () => {
    const node = masterOf()
    const replies = await whileMailFlows(async () => {
      for (const [name, value] of HARMLESS) await set(name, value)(node)
      await sleep(5000)
      for (const [name, , before] of HARMLESS) await set(name, before)(node)
    })
    expect(replies).toEqual({ 250: expect.any(Number) })
  })
})

/** The code of the last reply. */
async function send({ smtpPort }: RunningServer, { email }: Address, subject: string): Promise<string> {
  await using client = await SmtpClient.connect(smtpPort)
  for (const line of ['EHLO sender.test', 'MAIL FROM:<sender@sender.test>', `RCPT TO:<${email}>`, 'DATA']) {
    client.send(`${line}\r\n`)
    const reply = await client.reply()
    if (!/^[23]/.test(reply)) return reply.slice(0, 3)
  }
  client.send(`Subject: ${subject}\r\n\r\nHello.\r\n.\r\n`)
  return (await client.reply()).slice(0, 3)
}
