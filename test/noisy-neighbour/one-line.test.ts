/**
 * Each test has one shared resource and an attacker who has one IPv6 line, a /56 of 256 networks of /64. Its victims have an IPv4 and an
 * IPv6 address elsewhere. The addresses come from a proxy's header.
 */
import { expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { createPasswordHasher } from '#server/accounts/password-hasher.ts'
import type { AppError } from '#server/errors.ts'
import { connectionBudget, connectionsMax } from '#server/http/connections/connection-limit.ts'
import { ResponseBudget } from '#server/http/connections/response-budget.ts'
import { StreamLimit } from '#server/http/connections/stream-limit.ts'
import { ReadQueue } from '#server/mail/reading/read-queue.ts'
import { divideMemory } from '#server/platform/memory/memory-budget.ts'
import { type Networks, networksAround } from '#server/platform/net/ip-address.ts'
import type { MailboxId } from '#server/store/store.ts'
import { deliver, SmtpClient, type Step } from '../harness/clients/smtp-client.ts'
import { startTestSmtp, type TestSmtp } from '../harness/mayfly/start-smtp.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'
import { report } from './neighbours.ts'

/** The address of the attacker in one of its 256 networks. */
const attacker = (network: number) => `2001:db8:66:aa${(network % 256).toString(16).padStart(2, '0')}::${network + 1}`
const VICTIMS = ['198.51.100.9', '2001:db8:9:9900::9'] as const
const BEHIND_PROXY = { PROXY_PROTOCOL_FROM: '127.0.0.1', SMTP_TRUSTED: '192.0.2.1' }

async function mailOfVictims(smtp: TestSmtp, to: string, bytes = 100): Promise<string[]> {
  const replies: string[] = []
  for (const clientAddress of VICTIMS) {
    const mail = `Subject: from ${clientAddress}\r\n\r\n${`${'x'.repeat(70)}\r\n`.repeat(bytes / 72)}`
    replies.push(await deliver(smtp.port, to, mail, 'shop@elsewhere.test', { clientAddress }).catch(String))
  }
  return replies.map(reply => reply.slice(0, 90))
}

const DELIVERED = ['250 2.0.0 Delivered', '250 2.0.0 Delivered']

test('SMTP connections: idle ones from every network of the line leave room for others, and are told whose share is used up', async () => {
  await using smtp = await startTestSmtp({ env: BEHIND_PROXY, config: { smtpConnectionsMax: 400 } })
  await using held = new AsyncDisposableStack()
  const own = await smtp.newAddress()
  let greeted = 0
  const refusals = new Set<string>()
  for (let network = 0; network < 60; network++) {
    const clients = Array.from({ length: 8 }, () => held.use(SmtpClient.open(smtp.port, { clientAddress: attacker(network) })))
    for (const client of clients) {
      const reply = await client.reply().catch(() => 'dropped')
      if (reply.startsWith('220')) greeted++
      else refusals.add(reply)
    }
  }
  const replies = await mailOfVictims(smtp, own.email)
  report(
    'SMTP connections of one line',
    `${greeted} of 480 held, of 400 in all; refused with ${[...refusals].join(' | ')}; victims: ${replies.join(' | ')}`,
  )
  expect(replies).toEqual(DELIVERED)
  expect(greeted).toBe(75)
  expect([...refusals]).toEqual(['421 4.7.0 Too many connections from your network 2001:db8:66:aa00::/56; try again later'])
})

test('mail to the operator: a flood from every network of the line leaves room for a report', async () => {
  await using smtp = await startTestSmtp({ env: BEHIND_PROXY })
  let taken = 0
  let refusal = ''
  for (let mail = 0; mail < 170; mail++) {
    const reply = await deliver(smtp.port, 'abuse@mayfly.test', `Subject: ${mail}\r\n\r\n`, 'a@b.test', {
      clientAddress: attacker(mail),
    }).catch(String)
    if (reply.startsWith('250')) taken++
    else refusal = /452[^\n]*/.exec(reply)?.[0] ?? reply
  }
  const replies = await mailOfVictims(smtp, 'abuse@mayfly.test')
  report('mail to the operator from one line', `${taken} of 170 taken, then ${refusal}; victims: ${replies.join(' | ')}`)
  expect(replies).toEqual(DELIVERED)
  expect(taken).toBe(30)
  expect(refusal).toContain('from your network 2001:db8:66:aa00::/56')
})

const MAIL: readonly Step[] = [
  ['EHLO client.test', 250],
  ['MAIL FROM:<sender@elsewhere.test>', 250],
]

test('memory for mail: messages that never end, each from a network of the line, leave room for large mail', async () => {
  const memory = divideMemory(2048 * MIB, 25 * MIB, 192 * MIB)
  await using smtp = await startTestSmtp({ env: BEHIND_PROXY, config: { memory } })
  await using held = new AsyncDisposableStack()
  const own = await smtp.newAddress()
  let begun = 0
  for (let network = 0; network < 37; network++) {
    const client = held.use(SmtpClient.open(smtp.port, { clientAddress: attacker(network) }))
    await client.reply()
    await client.play([...MAIL, [`RCPT TO:<${own.email}>`, 250]])
    client.send('DATA\r\n')
    if (!(await client.reply()).startsWith('354')) continue
    begun++
    client.send(Buffer.alloc(4.8 * MIB, 'x'))
    await new Promise<void>(resolve => client.socket.write('', () => resolve()))
  }
  const replies = await mailOfVictims(smtp, own.email, 2 * MIB)
  report('memory for mail of one line', `${begun} of 37 begun; victims with 2 MiB: ${replies.join(' | ')}`)
  expect(replies).toEqual(DELIVERED)
})

test('sign-in: attempts from every network of the line are few, and the hashes of others do not wait behind them', async () => {
  const env = { TRUST_PROXY: '127.0.0.1', NETWORK_LIMIT_FACTOR: '1' }
  await using server = await startTestServer({ env, passwordHasher: createPasswordHasher(), isClockRunning: true })
  const signIn = async (from: string, email: string) => {
    const startedMs = performance.now()
    const headers = { 'content-type': 'application/json', 'x-forwarded-for': from }
    const body = JSON.stringify({ email, password: 'a guess of eight' })
    const response = await fetch(server.url(routes.authSignIn), { method: 'POST', headers, body })
    const { code, detail = '' } = (await response.json()) as { code: string; detail?: string }
    return { code, detail, ms: performance.now() - startedMs }
  }
  const flood = Array.from({ length: 130 }, (_, attempt) => signIn(attacker(Math.floor(attempt / 5)), `guess${attempt}@elsewhere.test`))
  const victims = await Promise.all(VICTIMS.map(address => signIn(address, 'nobody@elsewhere.test')))
  const attempts = await Promise.all(flood)
  const counts = Object.groupBy(attempts, ({ code }) => code)
  const figures = Object.entries(counts).map(([code, answers]) => `${answers?.length} ${code}`)
  report(
    'sign-in from one line',
    `${figures.join(', ')} of 130; victims: ${victims.map(({ code, ms }) => `${code} after ${ms.toFixed(0)} ms`).join(', ')}`,
  )
  expect(victims.map(({ code }) => code)).toEqual(['credentials_wrong', 'credentials_wrong'])
  expect(counts.credentials_wrong?.length).toBeLessThanOrEqual(40)
  expect(counts.rate_limited?.[0]?.detail).toContain('your network 2001:db8:66:aa00::/56')
})

/** How many of `wanted` the attacker gets from its networks together, and whether a victim of each family gets one then. */
function share(wanted: number, acquire: (networks: Networks, at: number) => unknown) {
  const isGranted = (address: string, at: number) => {
    try {
      return acquire(networksAround(address), at) !== undefined
    } catch {
      return false
    }
  }
  const granted = Array.from({ length: wanted }, (_, at) => isGranted(attacker(at), at)).filter(Boolean).length
  return [granted, VICTIMS.every((address, at) => isGranted(address, wanted + at))]
}

test('HTTP connections, streams and unread responses of the line are its share, and others get theirs', () => {
  const connections = connectionBudget(400)
  // Where memory allows 256, and so less than 1,024 file descriptors do.
  const site = { smtpConnectionsMax: 200, httpConnectionsPerClientMax: 400, memory: divideMemory(64 * MIB, 25 * MIB) }
  const fewConnections = connectionBudget(...connectionsMax(site))
  const streams = new StreamLimit(200)
  const responses = new ResponseBudget(256 * MIB)
  const shares = {
    connections: share(9000, networks => connections.acquire(networks, 1)),
    fewConnections: share(250, networks => fewConnections.acquire(networks, 1)),
    streams: share(7500, (networks, at) => streams.acquire(`mailbox ${at}`, networks, () => undefined)),
    responses: share(40, networks => responses.take(networks, 8 * MIB, () => undefined)),
  }
  report('connections, streams and responses of one line', JSON.stringify(shares))
  expect(shares).toEqual({ connections: [1450, true], fewConnections: [80, true], streams: [1100, true], responses: [10, true] })
})

test('streams of API keys: the accounts of one line have one share together, and another account and an API token get theirs', () => {
  const streams = new StreamLimit(200)
  const refusals = new Set<string>()
  let mailboxes = 0
  const acquire = (owner: string, address: string, wanted: number) => {
    let granted = 0
    for (let at = 0; at < wanted; at++) {
      try {
        streams.acquireForApi(`mailbox ${mailboxes++}`, owner, networksAround(address), () => undefined)
        granted++
      } catch (error) {
        refusals.add((error as AppError).detail ?? '')
      }
    }
    return granted
  }
  const held = Array.from({ length: 10 }, (_, account) => acquire(`account:${account}`, attacker(account), 1100))
  const victims = VICTIMS.map((address, at) => acquire(at === 0 ? 'account:victim' : 'token:ci', address, 720))
  report('streams of the accounts of one line', `${held.join(', ')}; victims ${victims.join(', ')} of 720`)
  expect(held).toEqual([1000, 250, 0, 0, 0, 0, 0, 0, 0, 0])
  expect(victims).toEqual([720, 720])
  expect([...refusals]).toEqual([
    'All streams of your account are in use.',
    'All streams of your network 2001:db8:66:aa00::/56 are in use.',
  ])
})

test('reads of the line take one turn of a round, however many networks of it wait', async () => {
  const queue = new ReadQueue({ readsMax: 1, perNetworkMax: 1, waitingPerMailboxMax: 64 })
  const { signal } = new AbortController()
  const order: string[] = []
  const read = (address: string) =>
    queue.run(address as MailboxId, { networks: networksAround(address), signal }, async () => void order.push(address))
  await Promise.all([...Array.from({ length: 50 }, (_, network) => read(attacker(network))), ...VICTIMS.map(read)])
  expect(VICTIMS.map(address => order.indexOf(address))).toEqual([2, 3])
})
