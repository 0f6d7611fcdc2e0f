/** Mail programs of others against the real SMTP server. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTransport } from 'nodemailer'
import { beforeAll, describe, expect, test } from 'vitest'
import { addressesOf } from '#server/start/banner.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const run = promisify(execFile)

/** With default settings, and with a certificate that no client can verify. */
const smtp = await untilEnd(startTestSmtp({ env: { MESSAGE_BYTES_MAX: '1000000' } }))
const encrypting = await untilEnd(startTestSmtp({ env: { SMTP_STARTTLS: 'always' } }))

const runs = (program: string, ...args: string[]) =>
  run(program, args).then(
    () => true,
    () => false,
  )
// Without one Perl module swaks cannot encrypt.
const hasSwaks = (await runs('perl', '-MNet::SSLeay', '-e', '1')) && (await runs('swaks', '--version'))
const hasPython = await runs('python3', '--version')
const hasCurl = await runs('curl', '--mail-rcpt-allowfails', '--version')

test('nodemailer delivers by STARTTLS, with UTF-8 addresses and an attachment', async () => {
  const address = await encrypting.newAddress()
  const transport = createTransport({ host: '127.0.0.1', port: encrypting.port, requireTLS: true, tls: { rejectUnauthorized: false } })
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
  })
  const mails = Array.from({ length: 40 }, (_, n) => ({ from: 'a@b.test', to: address.email, subject: `mail ${n}`, text: `text ${n}` }))
  await Promise.all(mails.map(mail => transport.sendMail(mail)))
  transport.close()
  expect(await address.raws()).toHaveLength(40)
})

describe('24 expired recipients and a live one', () => {
  let expired: string[]
  beforeAll(async () => {
    expired = await Promise.all(
      Array.from({ length: 24 }, async () => {
        const address = await smtp.newAddress()
        await address.destroy()
        return address.email
      }),
    )
  })

  /** Sends to all of them, with the live one first, in the middle and last. */
  async function expectMail(send: (recipients: string[]) => Promise<unknown>): Promise<void> {
    for (const place of [0, 12, 24]) {
      const { email, raws } = await smtp.newAddress()
      await send(expired.toSpliced(place, 0, email))
      expect(await raws()).toHaveLength(1)
    }
  }

  test('nodemailer, and then letters in turn over one connection', async () => {
    const server = { host: '127.0.0.1', port: smtp.port, tls: { rejectUnauthorized: false } }
    await expectMail(to => createTransport(server).sendMail({ from: 'a@b.test', to, subject: 'to all', text: 'x' }))
    const kept = createTransport({ ...server, pool: true, maxConnections: 1, maxMessages: Number.POSITIVE_INFINITY })
    const { email, raws } = await smtp.newAddress()
    for (let letter = 0; letter < 60; letter++) {
      const gone = kept.sendMail({ from: 'a@b.test', to: expired[letter % 24] ?? '', subject: `gone ${letter}`, text: 'x' })
      await expect(gone).rejects.toMatchObject({ responseCode: 550 })
      await kept.sendMail({ from: 'a@b.test', to: email, subject: `letter ${letter}`, text: 'x' })
    }
    kept.close()
    expect(await raws()).toHaveLength(60)
  })

  test.skipIf(!hasPython)('smtplib (needs python3), and then letters in turn over one connection', { timeout: 180_000 }, async () => {
    const python = (source: string, ...args: string[]) => run('python3', ['-c', source, String(smtp.port), ...args])
    const connect = 'import smtplib, sys\ns = smtplib.SMTP("127.0.0.1", int(sys.argv[1]))\n'
    const toAll = 'assert len(s.sendmail("a@b.test", sys.argv[2:], "Subject: to all\\r\\n\\r\\nx")) == 24'
    await expectMail(to => python(connect + toAll, ...to))
    const inTurn = `
for n in range(60):
  try: s.sendmail("a@b.test", sys.argv[3 + n % 24], "Subject: gone")
  except smtplib.SMTPRecipientsRefused as refused: assert list(refused.recipients.values())[0][0] == 550
  else: raise AssertionError("accepted")
  s.sendmail("a@b.test", sys.argv[2], "Subject: letter %d" % n)`
    const { email, raws } = await smtp.newAddress()
    await python(connect + inTurn, email, ...expired)
    expect(await raws()).toHaveLength(60)
  })

  test.skipIf(!hasSwaks)('swaks (with Net::SSLeay), pipelined', async () => {
    // It ends with a code of its own when a recipient was refused.
    await expectMail(to =>
      run('swaks', ['--server', `127.0.0.1:${smtp.port}`, '--pipeline', '--from', 'a@b.test', '--to', to.join(',')]).catch(() => undefined),
    )
  })

  test.skipIf(!hasCurl)('curl', async () => {
    const options = ['--silent', '--mail-rcpt-allowfails', '--mail-from', 'a@b.test', '--upload-file', import.meta.filename]
    await expectMail(to => run('curl', [`smtp://127.0.0.1:${smtp.port}`, ...options, ...to.flatMap(email => ['--mail-rcpt', email])]))
  })
})

test.skipIf(!hasCurl)('curl, by the line that the server prints when it starts', async () => {
  const starttls = { toLocal: false, toOthers: true, isGenerated: true, names: 'mayfly.test' }
  const { curl } = addressesOf({
    host: '127.0.0.1',
    httpHost: '127.0.0.1',
    httpPort: 1,
    smtpPort: smtp.port,
    publicUrl: undefined,
    starttls,
  })
  const { email, raws } = await smtp.newAddress()
  await run('sh', ['-c', curl.replace('ADDRESS', email)])
  expect((await raws()).map(raw => raw.toString().trim())).toEqual(['Subject: Hello'])
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
  const address = await encrypting.newAddress()
  const base = ['--server', `127.0.0.1:${encrypting.port}`, '--to', address.email, '--from', 'swaks@elsewhere.test']
  for (const how of [[], ['--pipeline'], ['--tls']]) await run('swaks', [...base, ...how, '--header', `Subject: swaks ${how.join('')}`])
  expect(await address.raws()).toHaveLength(3)
})

const PYTHON = `
import os, smtplib, ssl
with smtplib.SMTP('localhost', int(os.environ['PORT'])) as server:
    server.ehlo()
    if server.has_extn('starttls'):
        server.starttls(context=ssl.create_default_context())
    server.sendmail('app@shop.test', [os.environ['TO']], 'Subject: smtplib\\r\\n\\r\\nHi')
`
/** Each sends to localhost with its own defaults, by the first example of its documentation. */
const FIRST_TRIES: readonly [string, (port: number, to: string) => Promise<unknown>][] = [
  ['nodemailer', (port, to) => createTransport({ host: 'localhost', port }).sendMail({ from: 'app@shop.test', to, text: 'Hi' })],
  [
    'smtplib with STARTTLS if offered',
    (port, to) => run('python3', ['-c', PYTHON], { env: { ...process.env, PORT: String(port), TO: to } }),
  ],
  [
    'curl --ssl',
    (port, to) =>
      run('sh', [
        '-c',
        `printf 'Subject: curl\\r\\n\\r\\nHi\\r\\n' | curl -sS --ssl smtp://localhost:${port} --mail-from app@shop.test --mail-rcpt ${to} -T -`,
      ]),
  ],
]

test.each(FIRST_TRIES)('%s delivers at the first try with default settings', async (_, send) => {
  const address = await smtp.newAddress()
  await send(smtp.port, address.email)
  expect(await address.raws()).toHaveLength(1)
})

test.skipIf(!hasSwaks)(
  'swaks -tlso (with Net::SSLeay) delivers at the first try, without TLS and with a certificate that it cannot verify',
  async () => {
    for (const server of [smtp, encrypting]) {
      const address = await server.newAddress()
      await run('swaks', ['-tlso', '--server', `localhost:${server.port}`, '--to', address.email, '--from', 'app@shop.test'])
      expect(await address.raws()).toHaveLength(1)
    }
  },
)

test('of a certificate that they cannot verify, each library shows its dislike in its own way, and the log has the remedy', async () => {
  encrypting.heardLog.allow(/STARTTLS failed/)
  const { email } = await encrypting.newAddress()
  for (const [, send] of FIRST_TRIES) await expect(send(encrypting.port, email)).rejects.toThrow()
  await expect
    .poll(() => encrypting.heardLog.warnings.map(line => JSON.parse(line).reason))
    .toEqual(['closed_after_certificate', 'certificate_refused'])
  for (const line of encrypting.heardLog.warnings) expect(line).toContain('Set SMTP_STARTTLS to auto')
})

test('openssl verifies the generated certificate for localhost and for 127.0.0.1, if told to trust it', async () => {
  const trusting = ['-CAfile', join(encrypting.config.dataDir, 'smtp-certificate.pem'), '-verify_return_error']
  for (const name of [
    ['-verify_hostname', 'localhost'],
    ['-verify_ip', '127.0.0.1'],
  ]) {
    const command = ['s_client', '-connect', `localhost:${encrypting.port}`, '-starttls', 'smtp', ...trusting, ...name]
    const { stdout } = await run('sh', ['-c', `printf 'QUIT\\r\\n' | openssl ${command.join(' ')} -quiet`])
    expect(stdout).toContain('221 2.0.0 Bye')
  }
})
