/** Mail programs deliver to the real server: list mail, large mail, refused and full mailboxes, and a restart in the middle. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { type Address, askMailbox, createAddress, listSubjects } from '#test/harness/clients/mailbox-client.ts'
import { dotted, SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { freePort } from '#test/harness/free-port.ts'
import { type RunningServer, startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { SENDER_NAMES, UTF8_SENDER_NAMES } from '#test/harness/servers/mail-programs.ts'
import { canRunSender, type MailSender, startMailSender } from '#test/harness/servers/mail-senders.ts'
import { startRecordingRelay } from '#test/harness/servers/recording-relay.ts'
import { newFolder } from '#test/harness/until-end.ts'

const EXPIRED = 24
const LETTERS = 60
const LARGE_LINES = 100_000
const LINE = 'Grüße\r\n'
const MAILBOX_MESSAGES_MAX = 100
const DEFERRED = '451 4.3.0 Not delivered to every recipient'
const NEEDS = 'needs root, and npm test -- --all --install, or its registry'

let mayfly: RunningServer
let expired: string[]
beforeAll(async () => {
  // Nobody is trusted, so that what slows guessing down applies to the senders too.
  const env = { BOT_CHECK: 'off', DNS_SERVERS: 'off', NETWORK_LIMIT_FACTOR: '100', SMTP_TRUSTED: '192.0.2.1' }
  mayfly = await startServerProcess({ env })
  expired = await Promise.all(
    Array.from({ length: EXPIRED }, async () => {
      const address = await createAddress(mayfly.httpPort)
      await askMailbox(mayfly.httpPort, address, routes.mailbox, 'DELETE')
      return address.email
    }),
  )
})
afterAll(() => mayfly[Symbol.asyncDispose]())

const DATE = 'Sun, 29 Nov 2026 12:00:00 +0000'
/** In Latin-1, as programs without encodings write it. */
const mail = (subject: string, lines = 1) =>
  Buffer.from(`From: list@list.test\r\nDate: ${DATE}\r\nSubject: ${subject}\r\n\r\n${LINE.repeat(lines)}`, 'latin1')

/** Hands the sender one mail to all of them. A command without a queue fails where one of them is refused. */
async function hand(sender: MailSender, subject: string, recipients: readonly string[]): Promise<void> {
  const submitted = sender.submit('list@list.test', recipients, mail(subject))
  if (sender.hasQueue || !recipients.some(email => expired.includes(email))) await submitted
  else await expect(submitted).rejects.toThrow('550 5.1.1')
}

const toEmail = ({ email }: Address) => email

/** Waits until the mailbox has these mails, and nothing else. The log of the sender says why it never has them. */
async function arrived(sender: MailSender, address: Address, subjects: readonly string[], server = mayfly): Promise<void> {
  const list = async () => {
    const listed = (await listSubjects(server.httpPort, address)).toSorted()
    if (listed.length < subjects.length) await sender.flush()
    return listed
  }
  await expect
    .poll(list, { timeout: 120_000, interval: 200 })
    .toEqual(subjects.toSorted())
    .catch(error => {
      throw new Error(`${error.message}\n${sender.log()}`)
    })
}

async function fill({ email }: Address): Promise<void> {
  await using client = await SmtpClient.connect(mayfly.smtpPort)
  await client.play([['EHLO list.test', 250]])
  for (let n = 0; n < MAILBOX_MESSAGES_MAX; n++)
    await client.play([
      ['MAIL FROM:<>', 250],
      [`RCPT TO:<${email}>`, 250],
      ['DATA', 354],
      [dotted(`Subject: full ${n}\r\n\r\nHello\r\n`), 250],
    ])
}

async function messageIds(address: Address): Promise<string[]> {
  const response = await askMailbox(mayfly.httpPort, address, routes.messages)
  return ((await response.json()) as { messages: { id: string }[] }).messages.map(({ id }) => id)
}

async function newestRaw(address: Address): Promise<Buffer> {
  const [id = ''] = await messageIds(address)
  return Buffer.from(await (await askMailbox(mayfly.httpPort, address, pathTo(routes.raw, { id }))).arrayBuffer())
}

describe.each(SENDER_NAMES)('%s', { timeout: 600_000 }, name => {
  const isHere = canRunSender(name)

  test.skipIf(!isHere)(`brings a list mail to the live recipient among expired ones, and then the next mail (${NEEDS})`, async () => {
    await using relay = await startRecordingRelay(mayfly.smtpPort)
    await using sender = await startMailSender(name, relay.port, false)
    for (const place of [0, EXPIRED / 2, EXPIRED]) {
      const [live, next] = [await createAddress(mayfly.httpPort), await createAddress(mayfly.httpPort)]
      const startedMs = performance.now()
      await hand(sender, 'to all', expired.toSpliced(place, 0, live.email))
      await arrived(sender, live, sender.isAllOrNone ? [] : ['to all'])
      await hand(sender, 'to you', [next.email])
      await arrived(sender, next, ['to you'])
      console.info(`${name}, live recipient at ${place}: both mails within ${Math.round(performance.now() - startedMs)} ms`)
    }
    expect(relay.deferrals()).toEqual([])
  })

  test.skipIf(!isHere)(`writes to expired and live mailboxes in turn, and then to many expired ones (${NEEDS})`, async () => {
    await using relay = await startRecordingRelay(mayfly.smtpPort)
    await using sender = await startMailSender(name, relay.port, true)
    const live = await createAddress(mayfly.httpPort)
    const subjects = Array.from({ length: LETTERS }, (_, letter) => `letter ${letter}`)
    for (const [n, subject] of subjects.entries()) {
      await hand(sender, subject, [expired[n % EXPIRED] ?? ''])
      await hand(sender, subject, [live.email])
    }
    await arrived(sender, live, subjects)
    const next = await createAddress(mayfly.httpPort)
    for (let round = 0; round < 2; round++) {
      for (const email of expired) await hand(sender, 'gone', [email])
      await hand(sender, `round ${round}`, [next.email])
    }
    await arrived(sender, next, ['round 0', 'round 1'])
    expect(relay.deferrals(), sender.log().slice(-3000)).toEqual([])
    const mails = relay.mailsOfConnections()
    console.info(
      `${name}: ${mails.reduce((all, n) => all + n, 0)} mails over ${mails.length} connections, up to ${Math.max(...mails)} over one`,
    )
    expect(Math.max(...mails) > 1, 'keeps connections').toBe(sender.keepsConnections)
  })
})

describe.each(SENDER_NAMES)('%s', { timeout: 600_000 }, name => {
  const isHere = canRunSender(name)

  test.skipIf(!isHere)(
    `brings a large list mail to all, in its own bytes, and tells its author of the one refused (${NEEDS})`,
    async () => {
      await using sender = await startMailSender(name, mayfly.smtpPort, false)
      const [author, first, ...others] = await Promise.all(Array.from({ length: 30 }, () => createAddress(mayfly.httpPort)))
      if (!author || !first) throw new Error('30 are created')
      const submitted = sender.submit(author.email, [first, ...others].map(toEmail).concat(expired[0] ?? ''), mail('to all', LARGE_LINES))
      if (sender.hasQueue) await submitted
      else await expect(submitted).rejects.toThrow('550 5.1.1')
      const bounces = async () => (await listSubjects(mayfly.httpPort, author)).length
      await expect.poll(bounces, { timeout: 120_000 }).toBe(sender.hasQueue ? 1 : 0)
      const all = sender.isAllOrNone ? [] : ['to all']
      for (const address of [first, ...others]) await arrived(sender, address, all)
      await sender.submit(author.email, [first.email], mail('to you', LARGE_LINES))
      await arrived(sender, first, [...all, 'to you'])
      const body = Buffer.from(LINE.repeat(LARGE_LINES), 'latin1')
      expect((await newestRaw(first)).subarray(-body.length).equals(body)).toBe(true)
    },
  )
})

describe.each(SENDER_NAMES)('%s', { timeout: 600_000 }, name => {
  const isHere = canRunSender(name)

  test.skipIf(!isHere)(`keeps what a full mailbox defers until there is room (${NEEDS})`, async () => {
    await using sender = await startMailSender(name, mayfly.smtpPort, false)
    const [full, live] = [await createAddress(mayfly.httpPort), await createAddress(mayfly.httpPort)]
    await fill(full)
    const submit = () => sender.submit('list@list.test', [live.email, full.email], mail('to both'))
    if (!sender.hasQueue) await expect(submit()).rejects.toThrow(DEFERRED)
    else await submit()
    if (!sender.isAllOrNone) await arrived(sender, live, ['to both'])
    else if (sender.hasQueue) await expect.poll(() => sender.log(), { timeout: 60_000 }).toContain(DEFERRED)
    for (const id of await messageIds(full)) await askMailbox(mayfly.httpPort, full, pathTo(routes.message, { id }), 'DELETE')
    if (!sender.hasQueue) await submit()
    await arrived(sender, full, ['to both'])
    // A mail that its caller hands over again has a new Message-ID.
    if (sender.hasQueue) await arrived(sender, live, ['to both'])
  })

  test.skipIf(!isHere)(`loses nothing when the server is killed and started again in the middle (${NEEDS})`, async () => {
    const dataDir = newFolder()
    const env = { BOT_CHECK: 'off', DNS_SERVERS: 'off', MAIL_DOMAINS: 'bücher.example', SMTP_PORT: String(await freePort()) }
    const before = await startServerProcess({ env, dataDir })
    const to = await createAddress(before.httpPort)
    expect(to.email).toContain('@xn--bcher-kva.example')
    await using sender = await startMailSender(name, before.smtpPort, false)
    const sent = Array.from({ length: 12 }, (_, n) => `mail ${n}`)
    const untaken = new Set<string>()
    for (const [n, subject] of sent.entries()) {
      if (n === 4 && sender.losesGreetings) await arrived(sender, to, sent.slice(0, n), before)
      if (n === 4) await before.kill9()
      await sender.submit('list@list.test', [to.email], mail(subject)).catch(error => {
        if (sender.hasQueue) throw error
        untaken.add(subject)
      })
    }
    await using after = await startServerProcess({ env, dataDir })
    for (const subject of untaken) await sender.submit('list@list.test', [to.email], mail(subject))
    await arrived(sender, to, sent, after)
  })
})

describe.each(UTF8_SENDER_NAMES)('%s', name => {
  test.skipIf(!canRunSender(name))(`sends from an address in UTF-8 (${NEEDS})`, async () => {
    await using sender = await startMailSender(name, mayfly.smtpPort, false)
    const to = await createAddress(mayfly.httpPort)
    await sender.submit('señora@bücher.test', [to.email], mail('in UTF-8'))
    await arrived(sender, to, ['in UTF-8'])
    const [id = ''] = await messageIds(to)
    const message = await askMailbox(mayfly.httpPort, to, pathTo(routes.message, { id }))
    expect(await message.json()).toMatchObject({ envelopeFrom: 'señora@bücher.test' })
  })
})
