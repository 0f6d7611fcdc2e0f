/** Each test has one shared resource, one attacker and one victim on the SMTP port. */

import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { divideMemory } from '#server/platform/memory/memory-budget.ts'
import { deliver, dotted, SmtpClient, type Step } from '../harness/clients/smtp-client.ts'
import { startTestSmtp, type TestSmtp } from '../harness/mayfly/start-smtp.ts'
import { ATTACKER, NOBODY_TRUSTED, percentile, report, VICTIM, victimWaits } from './neighbours.ts'

const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', 250]
/** Without its share the victim would wait for the attacker's time-outs, of minutes; a busy machine alone takes a second or two. */
const WAIT_MS_MAX = 15_000

/** A message that starts with `bytes` and never ends; `undefined` if it was refused. */
async function unfinished(smtp: TestSmtp, to: string, bytes: number): Promise<SmtpClient | undefined> {
  const client = await SmtpClient.connect(smtp.port, ATTACKER)
  await client.play([HELLO, MAIL, [`RCPT TO:<${to}>`, 250]])
  client.send('DATA\r\n')
  if (!(await client.reply()).startsWith('354')) return undefined
  client.send(Buffer.concat([Buffer.from('Subject: held\r\n\r\n'), Buffer.alloc(bytes, 'x')]))
  return client
}

test('memory for mail: one network gets its share, and others can deliver small and large mail', async () => {
  await using smtp = await startTestSmtp({
    env: { ...NOBODY_TRUSTED, MESSAGE_BYTES_MAX: String(2 * MIB) },
    config: { memory: divideMemory(1024 * MIB, 2 * MIB, 16 * MIB) },
  })
  const [own, large] = [await smtp.newAddress(), await smtp.newAddress()]
  await using held = new AsyncDisposableStack()
  for (let attempt = 0; attempt < 11; attempt++) {
    const client = await unfinished(smtp, own.email, 1.5 * MIB)
    if (client) held.use(client)
    await sleep(50)
  }
  const waits = await victimWaits(smtp, 20)
  const reply = await deliver(smtp.port, large.email, 'x'.repeat(1.5 * MIB), 'a@b.test', VICTIM)
  report('mail in flight', `11 messages of 1.5 MiB begun in 16 MiB, the victim waited ${percentile(waits, 0.99).toFixed(0)} ms at p99`)
  expect(reply).toBe('250 2.0.0 Delivered')
  expect(percentile(waits, 0.99)).toBeLessThan(WAIT_MS_MAX)
})

test('SMTP connections: one network gets its share, and the last ones are reserved for networks with few', async () => {
  await using smtp = await startTestSmtp({
    env: NOBODY_TRUSTED,
    config: { smtpConnectionsMax: 80, smtpConnectionsPerClientMax: 80 },
  })
  await using held = new AsyncDisposableStack()
  const open = async (network: number) => {
    const client = held.use(SmtpClient.open(smtp.port, { localAddress: `127.0.${network}.1` }))
    return (await client.reply()).startsWith('220')
  }
  let own = 0
  for (let attempt = 0; attempt < 30; attempt++) if (await open(66)) own++
  let all = own
  for (let network = 70; network < 77; network++) for (let attempt = 0; attempt < 12; attempt++) if (await open(network)) all++
  const waits = await victimWaits(smtp, 5).catch(() => [])
  report('connections', `one network ${own} of 80, eight networks ${all}, the victim's mails taken: ${waits.length} of 5`)
  expect([own, waits.length]).toEqual([10, 5])
})

test('SMTP connections: when many networks hold all of them, the one with most gives a place to a network without any', async () => {
  await using smtp = await startTestSmtp({
    env: { PROXY_PROTOCOL_FROM: '127.0.0.1', SMTP_TRUSTED: '192.0.2.1' },
    config: { smtpConnectionsMax: 40 },
  })
  await using held = new AsyncDisposableStack()
  const own = await smtp.newAddress()
  const open = async (network: number) => {
    const client = held.use(SmtpClient.open(smtp.port, { clientAddress: `198.51.${network}.1` }))
    return (await client.reply()).startsWith('220') ? client : undefined
  }
  // A network without a connection takes one here too, so more than 40 are opened.
  const all: { readonly network: number; readonly client: SmtpClient }[] = []
  for (let network = 0; network < 12; network++) {
    for (let attempt = 0; attempt < 12; attempt++) {
      const client = await open(network)
      if (client) all.push({ network, client })
    }
  }
  const [first, ...others] = all.toReversed()
  await first?.client.play([HELLO, MAIL, [`RCPT TO:<${own.email}>`, 250]])
  const replies: string[] = []
  for (let victim = 100; victim < 120; victim++)
    replies.push(await deliver(smtp.port, own.email, `Subject: ${victim}\r\n\r\n`, 'a@b.test', { clientAddress: `203.0.${victim}.9` }))
  report(
    'connections of many networks',
    `${all.length} opened by 12 networks, of 40 in all; 20 victims: ${[...new Set(replies)].join(' | ')}`,
  )
  expect([...new Set(replies)]).toEqual(['250 2.0.0 Delivered'])
  await first?.client.play([
    ['DATA', 354],
    [dotted('Subject: accepted before\r\n\r\n'), 250],
  ])
  expect(others.length).toBeGreaterThan(30)
  expect(await own.raws()).toHaveLength(21)
})

test('SMTP connections: sessions that wait after DATA give way, and one whose message comes does not', async () => {
  await using smtp = await startTestSmtp({
    env: { PROXY_PROTOCOL_FROM: '127.0.0.1', SMTP_TRUSTED: '192.0.2.1' },
    config: { smtpConnectionsMax: 40 },
    limits: { dataStalledMs: 200 },
  })
  await using held = new AsyncDisposableStack()
  const own = await smtp.newAddress()
  const open = async (network: number) => {
    const client = held.use(SmtpClient.open(smtp.port, { clientAddress: `198.51.${network}.1` }))
    if (!(await client.reply()).startsWith('220')) return undefined
    await client.play([HELLO, MAIL, [`RCPT TO:<${own.email}>`, 250], ['DATA', 354]])
    return client
  }
  const all: SmtpClient[] = []
  for (let network = 0; network < 12; network++)
    for (let attempt = 0; attempt < 5; attempt++) all.push(...[(await open(network)) ?? []].flat())
  const [first] = all.toReversed()
  first?.send('x'.repeat(200_000))
  await sleep(250)
  const victims = Array.from({ length: 30 }, (_, victim) => victim + 100)
  const replies: string[] = []
  for (const victim of victims)
    replies.push(await deliver(smtp.port, own.email, `Subject: ${victim}\r\n\r\n`, 'a@b.test', { clientAddress: `203.0.${victim}.9` }))
  report('connections after DATA', `${all.length} of 12 networks, of 40 in all; 30 victims: ${[...new Set(replies)].join(' | ')}`)
  expect([...new Set(replies)]).toEqual(['250 2.0.0 Delivered'])
  expect(all.length).toBeGreaterThan(30)
  await first?.play([[dotted('Subject: still coming\r\n\r\n'), 250]])
})

test('the main thread: what one network pipelines is read in turn with what others send', async () => {
  await using smtp = await startTestSmtp({ env: NOBODY_TRUSTED })
  await using held = new AsyncDisposableStack()
  const connect = async (from: { localAddress: string }) => held.use(await SmtpClient.connect(smtp.port, from))
  const attackers = await Promise.all(Array.from({ length: 20 }, () => connect(ATTACKER)))
  const victim = await connect(VICTIM)
  const answered: string[] = []
  for (const attacker of attackers) attacker.send('EHLO client.test\r\n'.repeat(900))
  victim.send('NOOP\r\n')
  await Promise.all([
    ...attackers.map(attacker => attacker.reply().then(() => answered.push('attacker'))),
    victim.reply().then(() => answered.push('victim')),
  ])
  report('the main thread', `18,000 commands at once, the victim's is answered as number ${answered.indexOf('victim') + 1} of 21 clients`)
  expect(answered[0]).toBe('victim')
})

test.each([1, 10, 100])('unknown recipients: 10,000 guesses over %d connections, and nobody else waits', async connections => {
  await using smtp = await startTestSmtp({
    env: NOBODY_TRUSTED,
    config: { smtpConnectionsPerClientMax: 100 },
    limits: { commandsMax: 100_000 },
  })
  const startedMs = performance.now()
  let [asked, answered] = [0, 0]
  const harvest = async () => {
    await using client = await SmtpClient.connect(smtp.port, ATTACKER)
    await client.play([HELLO, MAIL])
    const guesses = 10_000 / connections
    client.send(Array.from({ length: guesses }, () => `RCPT TO:<guess${asked++}@mayfly.test>\r\n`).join(''))
    for (let guess = 0; guess < guesses; guess++) if ((await client.reply()).startsWith('550')) answered++
  }
  const [waits] = await Promise.all([victimWaits(smtp, 20), ...Array.from({ length: connections }, harvest)])
  const seconds = (performance.now() - startedMs) / 1000
  report(
    'guesses at recipients',
    `${answered} of ${asked} answered over ${connections} connections in ${seconds.toFixed(1)} s, the victim waited ${percentile(waits, 0.99).toFixed(0)} ms at p99`,
  )
  expect(answered).toBeLessThanOrEqual(1000 + Math.ceil(2 * seconds))
  expect(percentile(waits, 0.99)).toBeLessThan(WAIT_MS_MAX)
})
