/** How a sender sees the refusals of the core and the store. */
import { expect, test } from 'vitest'
import { deliver, dotted, play, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'

const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', 250]

test('mail to postmaster and abuse goes to the operator with its envelope', async () => {
  await using smtp = await startTestSmtp()
  await play(smtp.port, [
    HELLO,
    ['MAIL FROM:<>', 250],
    ['RCPT TO:<Postmaster>', 250],
    ['RCPT TO:<abuse@mayfly.test>', 250],
    ['DATA', 354],
    [dotted('Subject: report\r\n\r\n'), 250],
  ])
  expect(smtp.operatorMail).toHaveLength(1)
  expect(smtp.operatorMail[0]).toMatchObject({ envelopeFrom: '', recipient: 'postmaster@mayfly.test' })
})

test('too much mail to the operator gets a temporary refusal, and the session goes on', async () => {
  await using smtp = await startTestSmtp({ env: { SMTP_TRUSTED: '192.0.2.1' } })
  const mailbox = await smtp.newAddress()
  for (let sent = 0; sent < 20; sent++) expect(await deliver(smtp.port, 'abuse@mayfly.test', `Subject: ${sent}\r\n\r\n`)).toMatch(/^250/)
  await play(smtp.port, [
    HELLO,
    MAIL,
    ['RCPT TO:<postmaster@mayfly.test>', '452 4.7.1'],
    [`RCPT TO:<${mailbox.email}>`, 250],
    ['DATA', 354],
    [dotted('Subject: for the mailbox\r\n\r\n'), 250],
  ])
  expect([smtp.operatorMail.length, (await mailbox.raws()).length]).toEqual([20, 1])
})

test('U-label, A-label and any case reach the same mailbox, once', async () => {
  await using smtp = await startTestSmtp({ env: { MAIL_DOMAINS: 'mayfly.test,xn--bcher-kva.test' } })
  const address = await smtp.newAddress('xn--bcher-kva.test')
  const forms = [
    address.email,
    address.email.replace('xn--bcher-kva', 'bücher'),
    address.email.replace('xn--bcher-kva', 'BÜCHER'),
    address.email.toUpperCase(),
  ]
  const recipients = forms.map((form): Step => [Buffer.from(`RCPT TO:<${form}>\r\n`), '250 2.1.5'])
  await play(smtp.port, [HELLO, MAIL, ...recipients, ['DATA', 354], [dotted('Subject: IDN\r\n\r\n'), 250]])
  expect(await address.raws()).toHaveLength(1)
})

test('a full mailbox is reported in the session, and other recipients get the mail', async () => {
  await using smtp = await startTestSmtp({ env: { MAILBOX_MESSAGES_MAX: '2' } })
  const [flooded, other] = [await smtp.newAddress(), await smtp.newAddress()]
  for (const n of [1, 2]) expect(await deliver(smtp.port, flooded.email, `Subject: ${n}\r\n\r\n`)).toMatch(/^250/)
  expect(await deliver(smtp.port, flooded.email, 'Subject: 3\r\n\r\n')).toMatch(/^452 4\.2\.2/)
  expect(await deliver(smtp.port, other.email, 'Subject: 3\r\n\r\n')).toMatch(/^250/)
  expect(await flooded.raws()).toHaveLength(2)
})

test('an expired address is refused at RCPT, and after a message that began before its expiry', async () => {
  await using smtp = await startTestSmtp({ env: { LIFETIME_SECONDS: '600' } })
  const address = await smtp.newAddress()
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  smtp.advance(600_000)
  const [late, , refused] = await client.play([
    [dotted('Subject: late\r\n\r\n'), '550 5.1.1'],
    MAIL,
    [`RCPT TO:<${address.email}>`, '550 5.1.1'],
  ])
  expect(late).toBe(refused)
})

test('while the store is unavailable the server replies with temporary errors, never 5xx or 250', async () => {
  await using smtp = await startTestSmtp({
    allowLog: [/Mail could not be taken|A message could not be received|Expired mailboxes could not be removed/],
  })
  const address = await smtp.newAddress()
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO, MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  await smtp.store[Symbol.asyncDispose]()
  await client.play([[dotted('Subject: lost?\r\n\r\n'), '451 4.3.0'], MAIL, [`RCPT TO:<${address.email}>`, '451 4.3.0']])
})
