/** A short load test: many and large messages at once. `npm run lab -- bench` is the long one, with measurements. */
import { expect, test } from 'vitest'
import { MESSAGE_BYTES_MAX, MIB } from '#contract/limits.ts'
import { deliver, dotted, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { sendLoad } from '#test/harness/clients/smtp-load.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const HELLO: Step = ['EHLO client.test', 250]
const LINE = `${'x'.repeat(1022)}\r\n`

const smtp = await untilEnd(startTestSmtp({ env: { MAILBOX_MESSAGES_MAX: '1000' } }))

test('1,000 connections at once and 2,000 messages: none refused, lost or duplicated', async () => {
  const addresses = await Promise.all(Array.from({ length: 5 }, () => smtp.newAddress()))
  const body = (n: number) => dotted(`Subject: ${n}\r\n\r\n${'load '.repeat(100)}\r\n`)
  const recipients = addresses.map(address => address.email)
  const result = await sendLoad({ port: smtp.port, connections: 1000, messages: 2000, recipients, body })
  expect([[...result.refused], result.accepted]).toEqual([[], 2000])
  const raws = (await Promise.all(addresses.map(address => address.raws()))).flat()
  const numbers = raws.map(raw => Number(/^Subject: (\d+)/.exec(raw.toString())?.[1])).sort((a, b) => a - b)
  expect(numbers).toEqual(Array.from({ length: 2000 }, (_, n) => n))
})

test('a message of exactly the largest size is accepted byte for byte, and one byte more is refused', async () => {
  const address = await smtp.newAddress()
  const exact = LINE.repeat(MESSAGE_BYTES_MAX / LINE.length)
  expect(await deliver(smtp.port, address.email, exact)).toBe('250 2.0.0 Delivered')
  expect(await deliver(smtp.port, address.email, `x${exact}`)).toBe('552 5.3.4 Message too large')
  const raws = await address.raws()
  expect(raws.map(raw => raw.equals(Buffer.from(exact)))).toEqual([true])
})

test('one endless line is refused like any message that is too large', async () => {
  const address = await smtp.newAddress()
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO, ['MAIL FROM:<a@b.test>', 250], [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  const piece = Buffer.alloc(MIB, 'x')
  for (let sent = 0; sent <= MESSAGE_BYTES_MAX; sent += MIB) client.send(piece)
  client.send('\r\n.\r\n')
  expect(await client.reply()).toBe('552 5.3.4 Message too large')
  await client.play([['NOOP', 250]])
})
