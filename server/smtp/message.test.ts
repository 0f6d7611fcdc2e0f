/** The bytes, sizes, recipients and end of a message, over a real socket. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { deliver, dotted, play, SmtpClient, type Step, sendAndSettle } from '#test/harness/clients/smtp-client.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const MESSAGE_BYTES_MAX = 300_000
const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', '250 2.1.0']

const smtp = await untilEnd(startTestSmtp({ env: { MESSAGE_BYTES_MAX: String(MESSAGE_BYTES_MAX) } }))

/** Sends `body` as it goes on the wire to a fresh mailbox; resolves to the reply and the mailbox's mail. */
async function sendRaw(body: Buffer): Promise<{ reply: string; raws: Buffer[] }> {
  const address = await smtp.newAddress()
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  client.send(body)
  return { reply: await client.reply(), raws: await address.raws() }
}

/** Every byte value, none where it could end a line or the message. */
const EVERY_BYTE = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte))

describe('bytes', () => {
  const messages: [title: string, message: Buffer][] = [
    ['nothing at all', Buffer.from('')],
    ['only headers', Buffer.from('Subject: x\r\n')],
    ['no header', Buffer.from('hello\r\n')],
    ['an empty line', Buffer.from('\r\n')],
    ['dots', Buffer.from('.\r\n..\r\n.x\r\na\n.b\n..c\n.\n.\r\r\n')],
    ['every byte', Buffer.concat([Buffer.from('Subject: bytes\r\n\r\n'), EVERY_BYTE, Buffer.from('\r\n')])],
    ['bare CR and bare LF', Buffer.from('a\rb\nc\r\r\nd\n\r\n\n\r\n')],
    ['a line of 998 octets', Buffer.from(`${'x'.repeat(998)}\r\n`)],
    ['a line of 250,000 octets', Buffer.from(`Subject: long\r\n\r\n${'x'.repeat(250_000)}\r\n`)],
    ['UTF-8 in the header', Buffer.from('Subject: grüße 你好\r\n\r\nñ\r\n')],
  ]

  test.each(messages)('%s come back unchanged', async (_, message) => {
    const { reply, raws } = await sendRaw(dotted(message))
    expect(reply).toBe('250 2.0.0 Delivered')
    expect(raws.map(raw => raw.toString('latin1'))).toEqual([message.toString('latin1')])
  })

  test("nothing is added to the message, and the envelope's sender is stored next to it", async () => {
    const address = await smtp.newAddress()
    for (const sender of ['bounce+1@elsewhere.test', '']) {
      await play(smtp.port, [
        HELLO,
        [`MAIL FROM:<${sender}>`, 250],
        [`RCPT TO:<${address.email}>`, 250],
        ['DATA', 354],
        [dotted(`Subject: from <${sender}>\r\n\r\ny\r\n`), 250],
      ])
    }
    expect((await address.raws()).map(String)).toEqual([
      'Subject: from <bounce+1@elsewhere.test>\r\n\r\ny\r\n',
      'Subject: from <>\r\n\r\ny\r\n',
    ])
    expect(await address.envelopeSenders()).toEqual(['bounce+1@elsewhere.test', ''])
  })
})

describe('sizes', () => {
  test('exactly the maximum is accepted, and one byte more is refused', async () => {
    const line = `${'x'.repeat(98)}\r\n`
    const exact = line.repeat(MESSAGE_BYTES_MAX / line.length)
    expect(exact.length).toBe(MESSAGE_BYTES_MAX)
    const taken = await sendRaw(dotted(exact))
    expect([taken.reply, taken.raws[0]?.length]).toEqual(['250 2.0.0 Delivered', MESSAGE_BYTES_MAX])
    const refused = await sendRaw(dotted(`x${exact}`))
    expect([refused.reply, refused.raws.length]).toEqual(['552 5.3.4 Message too large', 0])
  })

  test('removed dots do not count', async () => {
    const { reply, raws } = await sendRaw(dotted('.\r\n'.repeat(MESSAGE_BYTES_MAX / 3)))
    expect([reply, raws[0]?.length]).toEqual(['250 2.0.0 Delivered', MESSAGE_BYTES_MAX])
  })

  test('a sender that declares a small SIZE is still limited by its bytes, and the session continues', async () => {
    const address = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, ['MAIL FROM:<a@b.test> SIZE=10', 250], [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    client.send(Buffer.concat([dotted('x'.repeat(5 * MESSAGE_BYTES_MAX)), Buffer.from('NOOP\r\n')]))
    expect([await client.reply(), await client.reply()]).toEqual(['552 5.3.4 Message too large', '250 2.0.0 OK'])
    await client.play([MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354], [dotted('Subject: small\r\n\r\n'), 250]])
    expect(await address.raws()).toHaveLength(1)
  })

  test('a sender that continues beyond ten times the maximum is disconnected', async () => {
    const address = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    client.send(Buffer.alloc(11 * MESSAGE_BYTES_MAX, 'x'))
    expect(await client.reply()).toBe('552 5.3.4 Message too large')
    await client.closed()
    expect(await address.raws()).toEqual([])
  })

  test('a mail with 101 hops is refused as a loop, one with 100 is not, and 5,000 lines are searched', async () => {
    const hops = (count: number, lines = 0) =>
      dotted(`${'r:\r\n'.repeat(lines)}${'Received: from a by b;\r\n'.repeat(count)}Subject: x\r\n\r\nReceived: not a header\r\n`)
    expect((await sendRaw(hops(100))).reply).toBe('250 2.0.0 Delivered')
    expect((await sendRaw(hops(101, 5000))).reply).toBe('250 2.0.0 Delivered')
    const looping = await sendRaw(hops(101))
    expect([looping.reply, looping.raws.length]).toEqual(['554 5.4.6 Too many hops', 0])
  })
})

describe('recipients', () => {
  test('the 51st recipient gets a temporary refusal, and the others get the mail', async () => {
    const addresses = await Promise.all(Array.from({ length: 52 }, () => smtp.newAddress()))
    const accepted = addresses.slice(0, 50)
    await play(smtp.port, [
      HELLO,
      MAIL,
      ...accepted.map(({ email }): Step => [`RCPT TO:<${email}>`, '250 2.1.5']),
      ...addresses.slice(50).map(({ email }): Step => [`RCPT TO:<${email}>`, '452 4.5.3']),
      ['DATA', 354],
      [dotted('Subject: to many\r\n\r\n'), '250 2.0.0'],
    ])
    const copies = await Promise.all(addresses.map(async address => (await address.raws()).length))
    expect(copies).toEqual([...accepted.map(() => 1), 0, 0])
  })

  test('valid recipients get the mail although others were refused', async () => {
    const [good, expired] = [await smtp.newAddress(), await smtp.newAddress()]
    await expired.destroy()
    const [, , , unknown, gone] = await play(smtp.port, [
      HELLO,
      MAIL,
      [`RCPT TO:<${good.email}>`, '250 2.1.5'],
      ['RCPT TO:<never-was@mayfly.test>', '550 5.1.1'],
      [`RCPT TO:<${expired.email}>`, '550 5.1.1'],
      ['RCPT TO:<victim@elsewhere.test>', '550 5.7.1'],
      ['DATA', 354],
      [dotted('Subject: mixed\r\n\r\n'), '250 2.0.0'],
    ])
    expect(gone, 'it is no different from one that never was').toBe(unknown)
    expect(await good.raws()).toHaveLength(1)
  })

  test('when all recipients were refused there is no DATA', async () => {
    await play(smtp.port, [HELLO, MAIL, ['RCPT TO:<never-was@mayfly.test>', '550 5.1.1'], ['DATA', '554 5.5.1 No valid recipients']])
  })
})

describe('pipelining', () => {
  const envelope = (email: string) => `EHLO me\r\nMAIL FROM:<a@b.test>\r\nRCPT TO:<nobody@mayfly.test>\r\nRCPT TO:<${email}>\r\nDATA\r\n`
  const expected = [/^250-/, /^250 2\.1\.0/, /^550 5\.1\.1/, /^250 2\.1\.5/, /^354/]

  async function expectReplies(client: SmtpClient, patterns: readonly RegExp[]): Promise<void> {
    for (const pattern of patterns) expect(await client.reply()).toMatch(pattern)
  }

  test('the envelope may arrive in one packet', async () => {
    const address = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    client.send(envelope(address.email))
    await expectReplies(client, expected)
    await client.play([[dotted('Subject: one packet\r\n\r\n'), 250]])
    expect(await address.raws()).toHaveLength(1)
  })

  test('every byte may arrive in its own packet', async () => {
    const address = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    const dribble = async (text: string) => {
      for (const character of text) {
        client.send(character)
        await sleep(1)
      }
    }
    await dribble(envelope(address.email))
    await expectReplies(client, expected)
    await dribble('Subject: slow\r\n\r\n..dot\r\n.\r\nQUIT\r\n')
    await expectReplies(client, [/^250 2\.0\.0 Delivered/, /^221/])
    expect((await address.raws()).map(String)).toEqual(['Subject: slow\r\n\r\n.dot\r\n'])
  })

  test('the next transaction may arrive in the packet of the final dot', async () => {
    const address = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    client.send(`Subject: first\r\n.\r\nMAIL FROM:<b@b.test>\r\nRCPT TO:<${address.email}>\r\nDATA\r\n`)
    await expectReplies(client, [/^250 2\.0\.0 Delivered/, /^250 2\.1\.0/, /^250 2\.1\.5/, /^354/])
    client.send('Subject: second\r\n.\r\nQUIT\r\n')
    await expectReplies(client, [/^250 2\.0\.0 Delivered/, /^221/])
    expect((await address.raws()).map(String).sort()).toEqual(['Subject: first\r\n', 'Subject: second\r\n'])
  })

  test('a sender that closes its side after its last command gets all replies', async () => {
    const address = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    client.socket.end('Subject: half closed\r\n.\r\nNOOP\r\n')
    await expectReplies(client, [/^250 2\.0\.0 Delivered/, /^250/])
    await client.closed()
  })

  test('a message whose sender has closed its side while many others are read is delivered', async () => {
    const address = await smtp.newAddress()
    await using others = new AsyncDisposableStack()
    const busy = await Promise.all(Array.from({ length: 100 }, async () => others.use(await SmtpClient.connect(smtp.port))))
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    for (const other of busy) other.send('NOOP\r\n'.repeat(900))
    client.socket.end('Subject: in turn\r\n.\r\n')
    await expectReplies(client, [/^250 2\.0\.0 Delivered/])
    await client.closed()
    expect((await address.raws()).map(String)).toEqual(['Subject: in turn\r\n'])
  })
})

describe('aborted sessions', () => {
  test.each<[string, (client: SmtpClient) => void]>([
    ['QUIT inside the message text', client => client.socket.end('QUIT\r\n')],
    ['half-close', client => client.socket.end()],
    ['reset', client => client.socket.resetAndDestroy()],
  ])('%s in the middle of a message stores nothing', async (_, breakOff) => {
    const address = await smtp.newAddress()
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    await sendAndSettle(client, smtp.port, `Subject: half\r\n\r\n${'x'.repeat(50_000)}`)
    breakOff(client)
    await client.closed()
    expect(await address.raws()).toEqual([])
    expect(await deliver(smtp.port, address.email, 'Subject: whole\r\n\r\n')).toBe('250 2.0.0 Delivered')
    expect(await address.raws()).toHaveLength(1)
  })
})
