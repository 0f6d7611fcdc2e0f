/** Mail programs of others against the real SMTP server. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestSmtp, type TestSmtp } from '#test/harness/mayfly/start-smtp.ts'

const run = promisify(execFile)

let smtp: TestSmtp
beforeAll(async () => {
  smtp = await startTestSmtp({ env: { MESSAGE_BYTES_MAX: '1000000' } })
})
afterAll(() => smtp[Symbol.asyncDispose]())

// Without one Perl module swaks cannot encrypt.
const hasSwaks = await run('perl', ['-MNet::SSLeay', '-e', '1'])
  .then(() => run('swaks', ['--version']))
  .then(
    () => true,
    () => false,
  )

test('nodemailer delivers by STARTTLS, with UTF-8 addresses and an attachment', async () => {
  const address = await smtp.newAddress()
  const transport = createTransport({ host: '127.0.0.1', port: smtp.port, requireTLS: true, tls: { rejectUnauthorized: false } })
  const attachment = Buffer.from(Array.from({ length: 5000 }, (_, index) => index % 256))
  const sent = await transport.sendMail({
    from: 'Señor Ünïcode <sender@bücher.test>',
    to: address.email,
    subject: 'Grüße 你好',
    text: '.\n..leading dots\n.\n',
    attachments: [{ filename: 'bytes.bin', content: attachment }],
  })
  expect(sent.response).toBe('250 2.0.0 Delivered')
  const [raw] = (await address.raws()).map(String)
  expect(raw).toContain('Subject: =?UTF-8?')
  expect(raw?.replaceAll('\r\n', '')).toContain(attachment.toString('base64').slice(0, 500))
})

test('nodemailer in a pool sends many messages over few connections', async () => {
  const address = await smtp.newAddress()
  const transport = createTransport({
    host: '127.0.0.1',
    port: smtp.port,
    pool: true,
    maxConnections: 3,
    tls: { rejectUnauthorized: false },
  })
  const mails = Array.from({ length: 40 }, (_, n) => ({ from: 'a@b.test', to: address.email, subject: `mail ${n}`, text: `text ${n}` }))
  await Promise.all(mails.map(mail => transport.sendMail(mail)))
  transport.close()
  expect(await address.raws()).toHaveLength(40)
})

test('nodemailer gets the reason, with the code', async () => {
  const transport = createTransport({ host: '127.0.0.1', port: smtp.port, ignoreTLS: true })
  await expect(transport.sendMail({ from: 'a@b.test', to: 'nobody@mayfly.test', text: 'x' })).rejects.toMatchObject({ responseCode: 550 })
  const { email } = await smtp.newAddress()
  await expect(transport.sendMail({ from: 'a@b.test', to: email, text: 'x'.repeat(1_100_000) })).rejects.toMatchObject({
    responseCode: 552,
  })
})

test.skipIf(!hasSwaks)('swaks (with Net::SSLeay) delivers plain, pipelined and encrypted', async () => {
  const address = await smtp.newAddress()
  const base = ['--server', `127.0.0.1:${smtp.port}`, '--to', address.email, '--from', 'swaks@elsewhere.test']
  for (const how of [[], ['--pipeline'], ['--tls']]) await run('swaks', [...base, ...how, '--header', `Subject: swaks ${how.join('')}`])
  expect(await address.raws()).toHaveLength(3)
})
