/** What other programs take for the end of a mail: relays in front of the server may pass it on, and no second mail may come of it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Address, createAddress, listSubjects } from '#test/harness/clients/mailbox-client.ts'
import { SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { type RunningServer, startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { findHaproxy, startHaproxy } from '#test/harness/servers/haproxy.ts'
import { canRunSender, startMailSender } from '#test/harness/servers/mail-senders.ts'

/** All but CR LF . CR LF (RFC 5321 section 4.1.1.4). */
const ENDS = [
  '\n.\n',
  '\n.\r\n',
  '\r\n.\n',
  '\r.\r',
  '\r\n.\r',
  '\r.\r\n',
  '\n.\r',
  '\r\n\0.\r\n',
  '\r\n.\0\r\n',
  '\r\n.\r\r\n',
  '\x85.\x85',
]

let mayfly: RunningServer
beforeAll(async () => {
  mayfly = await startServerProcess({ env: { BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '100' } })
})
afterAll(() => mayfly[Symbol.asyncDispose]())

type Taken = 'one' | 'two' | 'none'

/** Sends one mail with another inside it, after an end that is none. Returns as how many mails it was taken. */
async function send(port: number, to: Address, hidden: Address, n: number): Promise<Taken> {
  await using client = await SmtpClient.connect(port)
  await client.beginMail(to.email, 'a@sender.test')
  const inner = `MAIL FROM:<admin@sender.test>\r\nRCPT TO:<${hidden.email}>\r\nDATA\r\nSubject: hidden ${n}\r\n\r\nBoo`
  client.send(Buffer.from(`From: a@sender.test\r\nSubject: outer ${n}\r\n\r\nHello${ENDS[n]}${inner}\r\n.\r\nQUIT\r\n`, 'latin1'))
  await client.closed()
  const replies = client.pending.split('\r\n')
  if (replies.some(reply => reply.startsWith('354'))) return 'two'
  return replies[0]?.startsWith('250') ? 'one' : 'none'
}

/** What was taken as one mail arrives as one. A relay that takes it as two sends two: that is between it and who wrote to it. */
async function expectNoSecondMail(port: number, waitMs = 0, { httpPort }: Pick<RunningServer, 'httpPort'> = mayfly): Promise<Taken[]> {
  const [to, hidden] = [await createAddress(httpPort), await createAddress(httpPort)]
  const taken: Taken[] = []
  for (const n of ENDS.keys()) taken.push(await send(port, to, hidden, n))
  const named = (what: string, ...as: Taken[]) =>
    [...taken.keys()]
      .filter(n => as.includes(taken[n] ?? 'none'))
      .map(n => `${what} ${n}`)
      .toSorted()
  const outer = named('outer', 'one', 'two')
  await expect.poll(async () => (await listSubjects(httpPort, to)).toSorted(), { timeout: 60_000 }).toEqual(outer)
  await sleep(waitMs)
  expect((await listSubjects(httpPort, hidden)).toSorted()).toEqual(named('hidden', 'two'))
  console.info(`ends: ${taken.map((as, n) => `${JSON.stringify(ENDS[n])} ${as}`).join(', ')}`)
  return taken
}

test('directly', async () => {
  expect(new Set(await expectNoSecondMail(mayfly.smtpPort))).toEqual(new Set(['one']))
})

test.skipIf(!findHaproxy())('behind HAProxy (needs haproxy)', async () => {
  await using proxied = await startServerProcess({
    env: { BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '100', PROXY_PROTOCOL_FROM: '127.0.0.1', TRUST_PROXY: '127.0.0.1' },
  })
  await using haproxy = await startHaproxy(findHaproxy() ?? '', [proxied])
  const isUp = () =>
    SmtpClient.connect(haproxy.smtpPort).then(
      client => client[Symbol.asyncDispose]().then(() => true),
      () => false,
    )
  await expect.poll(isUp).toBe(true)
  expect(new Set(await expectNoSecondMail(haproxy.smtpPort, 0, proxied))).toEqual(new Set(['one']))
})

describe.each(['Postfix', 'Exim', 'OpenSMTPD', 'slimta'] as const)('%s', { timeout: 600_000 }, name => {
  test.skipIf(!canRunSender(name))('relays (needs root, and npm test -- --all --install)', async () => {
    await using sender = await startMailSender(name, mayfly.smtpPort, false)
    await expectNoSecondMail(sender.port, 2000)
  })
})
