/** An accepted recipient gets its mail, whatever else its transaction and its connection name. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { ALLOW_ALL } from '#server/mail/policy.ts'
import { dotted, play, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', '250 2.1.0']

/** The local part of a mailbox that the operator blocks. */
let BLOCKED = 'nobody'
const smtp = await untilEnd(startTestSmtp({ policy: { ...ALLOW_ALL, blocksRecipient: address => address.startsWith(BLOCKED) } }))
const expired = await Promise.all(
  Array.from({ length: 24 }, async () => {
    const address = await smtp.newAddress()
    await address.destroy()
    return address.email
  }),
)

const rcpt = (email: string) => `RCPT TO:<${email}>`

/** Lines that a transaction may hold beside its live recipient, and the beginning of the reply to each. */
const CROWDS: [title: string, lines: () => (string | Buffer)[], reply: string][] = [
  ['expired recipients', () => expired.map(rcpt), '550 5.1.1'],
  ['recipients elsewhere', () => expired.map((_, n) => rcpt(`guest${n}@elsewhere.test`)), '550 5.7.1'],
  ['recipients that cannot be read', () => expired.map((_, n) => rcpt(`no domain ${n}`)), '501 5.1.3'],
  ['recipients with a parameter', () => expired.map(email => `${rcpt(email)} NOTIFY=NEVER`), '555 5.5.4'],
  ['recipients that are not ASCII', () => expired.map((_, n) => Buffer.from(`${rcpt(`ü${n}@mayfly.test`)}\r\n`)), '553 5.6.7'],
  ['unknown commands', () => expired.map(() => 'XCLIENT NAME=x'), '500 5.5.2'],
  ['requests of a browser', () => expired.map(() => 'GET / HTTP/1.1'), '500 5.5.2'],
  ['a second MAIL', () => expired.map(() => 'MAIL FROM:<other@elsewhere.test>'), '503 5.5.1'],
  ['lines that end in a bare LF', () => expired.map(() => Buffer.from('NOOP\n')), '500 5.5.2'],
  ['lines that are too long', () => expired.map(() => `NOOP ${'x'.repeat(5000)}`), '500 5.5.2'],
]

describe.each(CROWDS)('a live recipient among %s gets its mail', (_, lines, refusal) => {
  test.each([0, 0.5, 1])('at %d of the list', async place => {
    const { email, raws } = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, MAIL])
    const crowd = lines()
    const at = Math.round(crowd.length * place)
    const envelope = [...crowd.slice(0, at), rcpt(email), ...crowd.slice(at), 'DATA']
    client.send(Buffer.concat(envelope.map(line => (typeof line === 'string' ? Buffer.from(`${line}\r\n`) : line))))
    for (let n = 0; n < envelope.length; n++) {
      const expected = n === at ? '250 2.1.5' : n === envelope.length - 1 ? '354' : refusal
      expect((await client.reply()).slice(0, expected.length), `reply ${n}`).toBe(expected)
    }
    await client.play([[dotted('Subject: to all\r\n\r\n'), '250 2.0.0']])
    expect(await raws()).toHaveLength(1)
  })
})

test('a connection that writes to expired and live mailboxes in turn stays open, whatever it pipelines', async () => {
  const { email, raws } = await smtp.newAddress()
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO])
  for (let letter = 0; letter < 60; letter++) {
    client.send(`MAIL FROM:<a@b.test>\r\n${rcpt(expired[letter % expired.length] ?? '')}\r\nDATA\r\n`)
    for (const code of ['250', '550', '554']) expect(await client.reply()).toMatch(new RegExp(`^${code}`))
    await client.play([['RSET', 250], MAIL, [rcpt(email), 250], ['DATA', 354], [dotted(`Subject: ${letter}\r\n\r\n`), 250]])
  }
  expect(await raws()).toHaveLength(60)
})

test('blocked recipients count neither as errors nor as guesses', async () => {
  const [blocked, live] = [await smtp.newAddress(), await smtp.newAddress()]
  BLOCKED = blocked.email
  const letter = [MAIL, [rcpt(blocked.email), '550 5.7.1'], ['DATA', '554 5.5.1'], ['RSET', 250]] satisfies Step[]
  await play(smtp.port, [
    HELLO,
    ...Array.from({ length: 24 }, () => letter).flat(),
    MAIL,
    ...Array.from({ length: 24 }, (): Step => [rcpt(blocked.email), '550 5.7.1']),
    [rcpt(live.email), 250],
    ['DATA', 354],
    [dotted('Subject: to both\r\n\r\n'), 250],
  ])
  expect([(await blocked.raws()).length, (await live.raws()).length]).toEqual([0, 1])
})

test('what is pipelined after a refused MAIL gets its replies, and does not end the session', async () => {
  let isBlocked = true
  await using policed = await startTestSmtp({
    env: { SMTP_TRUSTED: '192.0.2.1' },
    policy: { ...ALLOW_ALL, blocksNetwork: () => isBlocked && performance.now() > blockedFromMs },
  })
  const blockedFromMs = performance.now() + 500
  const { email, raws } = await policed.newAddress()
  await using client = await SmtpClient.connect(policed.port)
  await client.play([HELLO])
  await sleep(600)
  client.send(`MAIL FROM:<a@b.test>\r\n${`${rcpt(email)}\r\n`.repeat(50)}DATA\r\n`)
  expect(await client.reply()).toMatch(/^554 5\.7\.1/)
  for (let reply = 0; reply < 51; reply++) expect(await client.reply()).toMatch(/^503 5\.5\.1/)
  isBlocked = false
  await client.play([MAIL, [rcpt(email), 250], ['DATA', 354], [dotted('Subject: unblocked\r\n\r\n'), 250]])
  expect(await raws()).toHaveLength(1)
})

describe('with limits crossed', () => {
  test('a transaction that names more recipients than a session has commands gets the mail to those accepted', async () => {
    await using short = await startTestSmtp({ limits: { commandsMax: 30 } })
    const [early, late] = [await short.newAddress(), await short.newAddress()]
    const unknown = (from: number, to: number, reply: string) =>
      Array.from({ length: to - from }, (_, n): Step => [rcpt(`unknown${from + n}@mayfly.test`), reply])
    await play(short.port, [
      HELLO,
      MAIL,
      [rcpt(early.email), 250],
      ...unknown(3, 30, '550 5.1.1'),
      ...unknown(30, 40, '452 4.5.3'),
      [rcpt(late.email), '452 4.5.3'],
      ['DATA', 354],
      [dotted('Subject: long\r\n\r\n'), 250],
      MAIL,
      [rcpt(late.email), 250],
      ['DATA', 354],
      [dotted('Subject: the rest\r\n\r\n'), 250],
    ])
    expect([(await early.raws()).length, (await late.raws()).length]).toEqual([1, 1])
  })

  test.each(['NOOP', 'XCLIENT NAME=x', rcpt('unknown@mayfly.test'), 'NOOP\n'])(
    '%j without end is answered slowly and ends in time',
    async line => {
      await using short = await startTestSmtp({ limits: { commandsMax: 20, withoutDeliveryMs: 500, deadlineCheckMs: 10 } })
      const { email } = await short.newAddress()
      await using client = await SmtpClient.connect(short.port)
      await client.play([HELLO, MAIL, [rcpt(email), 250]])
      client.send((line.endsWith('\n') ? line : `${line}\r\n`).repeat(10_000))
      let replies = 0
      while (!(await client.reply()).startsWith('421 4.4.2')) replies++
      // Without the wait all of them are answered at once, and nobody else is meanwhile.
      expect(replies).toBeLessThan(10_000)
      await client.closed()
    },
  )

  test('a line without end is dropped beside an accepted recipient', async () => {
    const { email, raws } = await smtp.newAddress()
    await play(smtp.port, [
      HELLO,
      MAIL,
      [rcpt(email), 250],
      [`NOOP ${'x'.repeat(500_000)}`, '500 5.5.2'],
      ['DATA', 354],
      [dotted('Subject: after it\r\n\r\n'), 250],
    ])
    expect(await raws()).toHaveLength(1)
  })

  test('recipients of a network that named too many unknown ones wait for their turn, and are then accepted', async () => {
    await using slow = await startTestSmtp({ env: { SMTP_TRUSTED: '192.0.2.1' } })
    const { email, raws } = await slow.newAddress()
    await using harvester = await SmtpClient.connect(slow.port)
    await harvester.play([HELLO, MAIL])
    harvester.send(Array.from({ length: 990 }, (_, n) => `${rcpt(`unknown${n}@mayfly.test`)}\r\n`).join(''))
    for (let n = 0; n < 990; n++) expect(await harvester.reply()).toMatch(/^550/)
    const crowd = Array.from({ length: 12 }, (_, n): Step => [rcpt(`other${n}@mayfly.test`), '550 5.1.1'])
    await play(slow.port, [HELLO, MAIL, ...crowd, [rcpt(email), 250], ['DATA', 354], [dotted('Subject: in turn\r\n\r\n'), 250]])
    expect(await raws()).toHaveLength(1)
  })

  test('a transaction with a recipient has its whole time although connections are scarce', async () => {
    await using stressed = await startTestSmtp({
      config: { smtpConnectionsMax: 1 },
      limits: { commandStressedMs: 50, deadlineCheckMs: 10 },
    })
    const { email, raws } = await stressed.newAddress()
    await using client = await SmtpClient.connect(stressed.port)
    await client.play([HELLO, MAIL, [rcpt(email), 250]])
    await sleep(300)
    await client.play([
      ['DATA', 354],
      [dotted('Subject: slow\r\n\r\n'), 250],
    ])
    expect(await raws()).toHaveLength(1)
  })

  test('a transaction that begins late in a session without deliveries is not cut', async () => {
    await using idle = await startTestSmtp({ limits: { withoutDeliveryMs: 1500, deadlineCheckMs: 10 } })
    const { email, raws } = await idle.newAddress()
    await using client = await SmtpClient.connect(idle.port)
    await sleep(1000)
    await client.play([HELLO, MAIL, [rcpt(email), 250]])
    await sleep(800)
    await client.play([
      ['DATA', 354],
      [dotted('Subject: late\r\n\r\n'), 250],
    ])
    expect(await raws()).toHaveLength(1)
  })

  test('a shutdown waits for the message of a transaction with a recipient', async () => {
    await using stopped = await startTestSmtp({ limits: { deadlineCheckMs: 10 } })
    const { email, raws } = await stopped.newAddress()
    await using client = await SmtpClient.connect(stopped.port)
    await client.play([HELLO, MAIL, [rcpt(email), 250]])
    const ended = stopped.smtp[Symbol.asyncDispose]()
    await sleep(1500)
    await client.play([
      ['DATA', 354],
      [dotted('Subject: in time\r\n\r\n'), 250],
    ])
    expect(await client.reply()).toMatch(/^421 4\.3\.2/)
    await ended
    expect(await raws()).toHaveLength(1)
  })
})
