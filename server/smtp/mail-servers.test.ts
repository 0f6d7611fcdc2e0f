/** Debian's mail servers deliver to the real server: a list mail whose recipients have mostly expired, and many letters. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { type Address, askMailbox, createAddress, listSubjects } from '#test/harness/clients/mailbox-client.ts'
import { dotted, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { type RunningServer, startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { canRunSender, type MailSender, SENDER_NAMES, startMailSender } from '#test/harness/servers/mail-senders.ts'

const EXPIRED = 24
const LETTERS = 60
const NEEDS = 'needs root, and npm test -- --all --install'

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

/** Hands the sender one mail to all of them. */
async function hand(sender: MailSender, subject: string, recipients: readonly string[]): Promise<void> {
  await using client = await SmtpClient.connect(sender.port)
  const named = recipients.map((email): Step => [`RCPT TO:<${email}>`, 250])
  await client.play([
    ['EHLO list.test', 250],
    ['MAIL FROM:<>', 250],
    ...named,
    ['DATA', 354],
    [dotted(`From: list@list.test\r\nSubject: ${subject}\r\n\r\nHello\r\n`), 250],
  ])
}

/** Waits until the mailbox has these mails, and nothing else. The log of the sender says why it never has them. */
async function arrived(sender: MailSender, address: Address, subjects: readonly string[]): Promise<void> {
  const list = async () => (await listSubjects(mayfly.httpPort, address)).toSorted()
  await expect
    .poll(list, { timeout: 120_000 })
    .toEqual(subjects.toSorted())
    .catch(error => {
      throw new Error(`${error.message}\n${sender.log()}`)
    })
}

describe.each(SENDER_NAMES)('%s', { timeout: 240_000 }, name => {
  const isHere = canRunSender(name)

  test.skipIf(!isHere)(`brings a list mail to the live recipient among expired ones, and then the next mail (${NEEDS})`, async () => {
    await using sender = await startMailSender(name, mayfly.smtpPort, false)
    for (const place of [0, EXPIRED / 2, EXPIRED]) {
      const [live, next] = [await createAddress(mayfly.httpPort), await createAddress(mayfly.httpPort)]
      const startedMs = performance.now()
      await hand(sender, 'to all', expired.toSpliced(place, 0, live.email))
      await arrived(sender, live, ['to all'])
      await hand(sender, 'to you', [next.email])
      await arrived(sender, next, ['to you'])
      console.info(`${name}, live recipient at ${place}: both mails within ${Math.round(performance.now() - startedMs)} ms`)
    }
    expect(sender.deferrals()).toEqual([])
  })

  test.skipIf(!isHere)(`writes to expired and live mailboxes in turn over connections that it keeps (${NEEDS})`, async () => {
    await using sender = await startMailSender(name, mayfly.smtpPort, true)
    const live = await createAddress(mayfly.httpPort)
    const subjects = Array.from({ length: LETTERS }, (_, letter) => `letter ${letter}`)
    for (const [n, subject] of subjects.entries()) {
      await hand(sender, subject, [expired[n % EXPIRED] ?? ''])
      await hand(sender, subject, [live.email])
    }
    await arrived(sender, live, subjects)
    expect([sender.deferrals(), sender.hasReusedConnection()], sender.log().slice(-3000)).toEqual([[], true])
  })

  test.skipIf(!isHere)(`writes to many expired mailboxes and then to a live one (${NEEDS})`, async () => {
    await using sender = await startMailSender(name, mayfly.smtpPort, true)
    const live = await createAddress(mayfly.httpPort)
    for (let round = 0; round < 2; round++) {
      for (const email of expired) await hand(sender, 'gone', [email])
      await hand(sender, `round ${round}`, [live.email])
    }
    await arrived(sender, live, ['round 0', 'round 1'])
    expect([sender.deferrals(), sender.hasReusedConnection()], sender.log().slice(-3000)).toEqual([[], true])
  })
})
