/** Attacks on the SMTP port, over a real socket. */
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { deliver, dotted, play, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', '250 2.1.0']
/** Loopback too, but not on the list of trusted addresses, so the limits apply to it. */
const STRANGER = '127.0.0.2'
const FOR_STRANGERS = { env: { SMTP_TRUSTED: '127.0.0.1', MESSAGE_BYTES_MAX: '100000' }, config: { smtpConnectionsPerClientMax: 3 } }

const smtp = await untilEnd(startTestSmtp(FOR_STRANGERS))

describe('smuggling', () => {
  const endings = [
    '\n.\n',
    '\r.\r',
    '\r.\n',
    '\n.\r',
    '\n.\r\n',
    '\r\n.\n',
    '\r.\r\n',
    '\r\n.\r',
    '\r\n\0.\r\n',
    '\r\n.\0\r\n',
    '\r\n.\r\r\n',
    '\r\r\n.\r\r\n',
  ]

  test.each(endings.map(ending => [JSON.stringify(ending), ending]))('%s does not end a message', async (_, ending) => {
    const [address, hidden] = [await smtp.newAddress(), await smtp.newAddress()]
    await using client = await SmtpClient.connect(smtp.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    const inner = `MAIL FROM:<evil@x.test>\r\nRCPT TO:<${hidden.email}>\r\nDATA\r\nSubject: 2\r\n\r\nsmuggled`
    client.send(`Subject: 1\r\n\r\nbody${ending}${inner}\r\n.\r\n`)
    expect(await client.reply()).toBe('250 2.0.0 Delivered')
    await client.play([['NOOP', '250 2.0.0 OK']])
    expect(client.pending).toBe('')
    const [raw, ...more] = (await address.raws()).map(String)
    expect([raw?.includes('smuggled'), more, await hidden.raws()]).toEqual([true, [], []])
  })

  test.each([65_531, 65_532, 65_533, 65_534, 65_535, 65_536, 65_537, 65_538, 65_539])(
    'the final dot is found when it starts at byte %i',
    async offset => {
      const address = await smtp.newAddress()
      const message = `Subject: long\r\n\r\n${'x'.repeat(offset - 17)}\r\n`
      expect(await deliver(smtp.port, address.email, message)).toBe('250 2.0.0 Delivered')
      expect((await address.raws()).map(String)).toEqual([message])
    },
  )
})

describe('not mail', () => {
  test.each(['GET / HTTP/1.1', 'POST /mail HTTP/1.1', 'PRI * HTTP/2.0'])('%s ends the session before its lines are read', async line => {
    await using client = await SmtpClient.connect(smtp.port)
    client.send(`${line}\r\nHost: localhost\r\n\r\nEHLO x\r\nMAIL FROM:<a@b.test>\r\n`)
    expect(await client.reply()).toMatch(/^554 5\.5\.1/)
    await client.closed()
    expect(client.pending).toBe('')
  })

  test('a TLS handshake on the plain port ends the session, and the log says why once', async () => {
    smtp.heardLog.allow(/"reason":"tls_at_once".*Turn off its TLS from the start/)
    await using client = await SmtpClient.connect(smtp.port)
    client.send(Buffer.concat([Buffer.from('160301', 'hex'), Buffer.alloc(600, 0x0a)]))
    expect(await client.reply()).toMatch(/^554 5\.5\.1/)
    await client.closed()
  })

  test('a client cannot claim the address of another', async () => {
    await play(smtp.port, [
      ['XCLIENT ADDR=192.0.2.1', '500 5.5.2'],
      ['XFORWARD ADDR=192.0.2.1', '500 5.5.2'],
      ['PROXY TCP4 192.0.2.1 192.0.2.2 1 2', '500 5.5.2'],
      [Buffer.from('\r\n\r\n\0\r\nQUIT\n'), '500 5.5.2'],
    ])
  })

  test('AUTH is not offered and not accepted', async () => {
    await play(smtp.port, [HELLO, ['AUTH PLAIN AGEAYg==', '502 5.5.1'], ['AUTH LOGIN', '502 5.5.1']])
  })
})

describe('relaying', () => {
  test.each(['victim@elsewhere.test', '@mayfly.test:victim@elsewhere.test', 'victim@[127.0.0.1]', 'victim@mayfly.test.elsewhere.test'])(
    '<%s> is refused',
    async recipient => {
      const replies = await play(smtp.port, [HELLO, ['MAIL FROM:<>', 250], [`RCPT TO:<${recipient}>`, '550 5.7.1']])
      expect(replies.at(-1)).toBe('550 5.7.1 Relaying denied')
    },
  )

  test.each(['user%elsewhere.test@mayfly.test', 'elsewhere.test!user@mayfly.test', '"user@elsewhere.test"@mayfly.test'])(
    '<%s> is an unknown mailbox at our domain',
    async recipient => {
      const replies = await play(smtp.port, [HELLO, MAIL, [`RCPT TO:<${recipient}>`, '550 5.1.1']])
      expect(replies.at(-1)).toBe('550 5.1.1 No such mailbox')
    },
  )
})

describe('unknown recipients', () => {
  test('twenty of them end neither the transaction nor the session, which has less time between transactions', async () => {
    await using impatient = await startTestSmtp({ limits: { commandStressedMs: 500, deadlineCheckMs: 10 } })
    await using client = await SmtpClient.connect(impatient.port)
    await client.play([HELLO, MAIL])
    for (let guess = 1; guess <= 25; guess++) await client.play([[`RCPT TO:<guess${guess}@mayfly.test>`, '550 5.1.1']])
    await sleep(1000)
    await client.play([['DATA', '554 5.5.1'], ['RSET', '250 2.0.0'], MAIL, ['RSET', '250 2.0.0']])
    expect(await client.reply()).toMatch(/^421 4\.4\.2/)
    await client.closed()
  })

  test('a delivery restores the time', async () => {
    await using impatient = await startTestSmtp({ limits: { commandStressedMs: 200, deadlineCheckMs: 10 } })
    const { email } = await impatient.newAddress()
    await using client = await SmtpClient.connect(impatient.port)
    await client.play([HELLO, MAIL])
    for (let guess = 1; guess <= 25; guess++) await client.play([[`RCPT TO:<guess${guess}@mayfly.test>`, '550 5.1.1']])
    await client.play([
      [`RCPT TO:<${email}>`, 250],
      ['DATA', 354],
      [dotted('Subject: to the last\r\n\r\n'), 250],
    ])
    await sleep(600)
    await client.play([['NOOP', 250]])
  })

  test('a network runs out of attempts over many sessions, and others are not affected', async () => {
    await using guessed = await startTestSmtp({ ...FOR_STRANGERS })
    const address = await guessed.newAddress()
    const startedMs = performance.now()
    await using client = await SmtpClient.connect(guessed.port, { localAddress: STRANGER })
    await client.play([HELLO, MAIL])
    client.send(Array.from({ length: 980 }, (_, guess) => `RCPT TO:<guess${guess}@mayfly.test>\r\n`).join(''))
    for (let guess = 0; guess < 980; guess++) expect(await client.reply()).toMatch(/^550 5\.1\.1/)
    await using second = await SmtpClient.connect(guessed.port, { localAddress: STRANGER })
    await second.play([HELLO, MAIL])
    let more = 0
    const isRefused = async () => {
      const [reply = ''] = await second.play([[`RCPT TO:<more${more}@mayfly.test>`, /^[45]50/]])
      return reply.startsWith('450 4.7.1')
    }
    // Two come back each second, so that a slow machine answers more of them.
    while (!(await isRefused())) more++
    expect(more).toBeLessThanOrEqual(20 + Math.ceil((2 * (performance.now() - startedMs)) / 1000) + 1)
    // After too many guesses an existing mailbox gets the same reply as an unknown one. More guesses go before it in the same write, to use
    // up what may have come back meanwhile.
    const guesses = Array.from({ length: 30 }, (_, at) => `RCPT TO:<last${at}@mayfly.test>\r\n`)
    second.send(`${guesses.join('')}RCPT TO:<${address.email}>\r\n`)
    for (const _ of guesses) expect(await second.reply()).toMatch(/^[45]50/)
    expect(await second.reply()).toMatch(/^450 4\.7\.1/)
    expect(await deliver(guessed.port, address.email, 'Subject: unaffected\r\n\r\n')).toBe('250 2.0.0 Delivered')
  })
})

test('mail to many tags of one mailbox earns the attempts of one mailbox', async () => {
  await using harvested = await startTestSmtp({ ...FOR_STRANGERS, limits: { recipientsWaitMs: 0 } })
  const { email } = await harvested.newAddress()
  await using client = await SmtpClient.connect(harvested.port, { localAddress: STRANGER })
  await client.play([HELLO, MAIL])
  const startedMs = performance.now()
  const guess = async (count: number) => {
    client.send(Array.from({ length: count }, (_, at) => `RCPT TO:<guess${at}@mayfly.test>\r\n`).join(''))
    let answered = 0
    for (let at = 0; at < count; at++) if ((await client.reply()).startsWith('550')) answered++
    return answered
  }
  const before = await guess(990)
  await client.play([['RSET', 250]])
  for (const tag of [1, 2, 3, 4])
    await client.play([MAIL, [`RCPT TO:<${email.replace('@', `+${tag}@`)}>`, 250], ['DATA', 354], [dotted(`Subject: ${tag}\r\n\r\n`), 250]])
  await client.play([MAIL])
  const after = await guess(45)
  const earnedWithTime = Math.ceil((2 * (performance.now() - startedMs)) / 1000)
  expect(before + after).toBeLessThanOrEqual(1000 + 20 + earnedWithTime + 1)
})

describe('limits of connections', () => {
  test('a client may have three connections here, the fourth is refused, and trusted clients are not limited', async () => {
    await using stack = new AsyncDisposableStack()
    for (let open = 0; open < 3; open++) stack.use(await SmtpClient.connect(smtp.port, { localAddress: STRANGER }))
    await using fourth = SmtpClient.open(smtp.port, { localAddress: STRANGER })
    expect(await fourth.reply()).toMatch(/^421 4\.7\.0/)
    await fourth.closed()
    for (let open = 0; open < 5; open++) stack.use(await SmtpClient.connect(smtp.port))
    await stack.disposeAsync()
    const again = async () => {
      await using client = SmtpClient.open(smtp.port, { localAddress: STRANGER })
      return await client.reply()
    }
    await expect.poll(again, { timeout: 30_000 }).toMatch(/^220/)
  })

  test('when all connections are used the next gets a temporary refusal', async () => {
    await using full = await startTestSmtp({ config: { smtpConnectionsMax: 2 } })
    await using first = await SmtpClient.connect(full.port)
    await using second = await SmtpClient.connect(full.port)
    await using third = SmtpClient.open(full.port)
    expect(await third.reply()).toMatch(/^421 4\.3\.2/)
    await first.play([HELLO])
    await second.play([HELLO])
  })

  test('slowly arriving bytes do not extend the time for a command', async () => {
    await using slow = await startTestSmtp({ limits: { commandMs: 150, deadlineCheckMs: 10 } })
    await using client = await SmtpClient.connect(slow.port)
    const trickle = setInterval(() => client.socket.write('N'), 20)
    expect(await client.reply()).toMatch(/^421 4\.4\.2/)
    clearInterval(trickle)
    await client.closed()
  })

  test('when connections are scarce the time for a command is shorter', async () => {
    await using stressed = await startTestSmtp({
      config: { smtpConnectionsMax: 3 },
      limits: { commandStressedMs: 50, deadlineCheckMs: 10 },
    })
    await using first = await SmtpClient.connect(stressed.port)
    await using second = await SmtpClient.connect(stressed.port)
    expect(await first.reply()).toMatch(/^421 4\.4\.2/)
    await second.play([['NOOP', /^250|^421/]])
  })

  test('a session that never delivers ends', async () => {
    await using idle = await startTestSmtp({ limits: { withoutDeliveryMs: 100, deadlineCheckMs: 10 } })
    await using client = await SmtpClient.connect(idle.port)
    const noops = setInterval(() => client.socket.write('NOOP\r\n'), 20)
    let reply = ''
    while (!reply.startsWith('421')) reply = await client.reply()
    clearInterval(noops)
    expect(reply).toMatch(/^421 4\.4\.2/)
  })

  test.each([
    ['stops', { dataWindowMs: 100 }, 0, 0],
    ['crawls', { dataWindowMs: 100, dataBytesPerSecondMin: 10_000 }, 10, 0],
    ['starts fast and then crawls', { dataWindowMs: 500 }, 50, 4 * MIB],
    ['takes too long', { dataMs: 150 }, 10, 0],
  ])('a message that %s is ended, and nothing of it is kept', async (_, limits, everyMs, atOnce) => {
    await using slow = await startTestSmtp({ limits: { ...limits, deadlineCheckMs: 10 } })
    const address = await slow.newAddress()
    await using client = await SmtpClient.connect(slow.port)
    await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
    client.send(`Subject: slow\r\n\r\n${'x'.repeat(atOnce)}`)
    const crawl = everyMs ? setInterval(() => client.socket.write('x'), everyMs) : undefined
    expect(await client.reply()).toMatch(/^421 4\.4\.2/)
    clearInterval(crawl)
    await client.closed()
    expect(await address.raws()).toEqual([])
  })

  test('replies that are not read do not accumulate', async () => {
    await using unread = await startTestSmtp({ limits: { commandsMax: 10_000_000, unreadRepliesMs: 200, deadlineCheckMs: 20 } })
    await using client = await SmtpClient.connect(unread.port)
    client.socket.pause()
    const before = process.memoryUsage().rss
    const flood = Buffer.from('HELP\r\n'.repeat(20_000))
    let isTaken = true
    for (let sent = 0; sent < 200 && !client.isClosed; sent++) {
      if (client.socket.write(flood)) continue
      isTaken = false
      // The server reads on, or ends the session.
      await Promise.race([once(client.socket, 'drain').catch(() => undefined), client.closed()])
    }
    await client.closed()
    expect(isTaken).toBe(false)
    expect(process.memoryUsage().rss - before).toBeLessThan(100_000_000)
    expect(await deliver(unread.port, (await unread.newAddress()).email, 'Subject: others\r\n\r\n')).toMatch(/^250/)
  })

  test('a thousand commands without a message end the session', async () => {
    await using client = await SmtpClient.connect(smtp.port)
    client.send(`EHLO me\r\n${'MAIL FROM:<a@b.test>\r\nRSET\r\n'.repeat(600)}`)
    let replies = 0
    let reply = ''
    while (!reply.startsWith('421')) {
      reply = await client.reply()
      replies++
    }
    expect([reply.slice(0, 9), replies]).toEqual(['421 4.7.0', 1001])
    await client.closed()
  })

  test('a sender of many messages is not affected', async () => {
    await using busy = await startTestSmtp({ limits: { commandsMax: 10 } })
    const address = await busy.newAddress()
    await using client = await SmtpClient.connect(busy.port)
    await client.play([HELLO])
    for (let message = 0; message < 10; message++) {
      await client.play([MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354], [dotted(`Subject: ${message}\r\n\r\n`), 250]])
    }
    expect(await address.raws()).toHaveLength(10)
  })
})
