/** STARTTLS: what it offers, resets and refuses. */
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { dotted, SmtpClient, type Step } from '#test/harness/clients/smtp-client.ts'
import { startTestSmtp, type TestSmtp } from '#test/harness/mayfly/start-smtp.ts'

const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', 250]
const STARTTLS: Step = ['STARTTLS', '220 2.0.0']

let smtp: TestSmtp
beforeAll(async () => {
  smtp = await startTestSmtp({ limits: { tlsHandshakeMs: 200, deadlineCheckMs: 20 } })
})
afterAll(() => smtp[Symbol.asyncDispose]())

function peerCertificate(client: SmtpClient) {
  if (!(client.socket instanceof TLSSocket)) throw new Error('the session is not encrypted')
  return client.socket.getPeerX509Certificate()
}

test.each(['TLSv1.2', 'TLSv1.3'] as const)('%s works, the session starts over, and a second STARTTLS is refused', async version => {
  const address = await smtp.newAddress()
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO, MAIL, STARTTLS])
  await client.startTls({ minVersion: version, maxVersion: version })
  await client.play([['MAIL FROM:<a@b.test>', '503 5.5.1']])
  const [hello] = await client.play([HELLO])
  expect(hello).not.toContain('STARTTLS')
  await client.play([['STARTTLS', '503 5.5.1'], MAIL, [`RCPT TO:<${address.email}>`, 250], ['DATA', 354]])
  const message = `Subject: sealed on the way\r\n\r\n${'x'.repeat(200_000)}\r\n`
  await client.play([
    [dotted(message), '250 2.0.0'],
    ['QUIT', 221],
  ])
  expect((await address.raws()).map(String)).toEqual([message])
})

test.each(['TLSv1', 'TLSv1.1'] as const)('%s is refused', async version => {
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO, STARTTLS])
  await expect(client.startTls({ minVersion: version, maxVersion: version, ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow()
})

test('plain text sent together with STARTTLS is discarded', async () => {
  const address = await smtp.newAddress()
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO])
  client.send('STARTTLS\r\nNOOP\r\nEHLO injected\r\nMAIL FROM:<i@x.test>\r\n')
  expect(await client.reply()).toMatch(/^220/)
  await client.startTls()
  expect(client.pending).toBe('')
  // Replies come in order: a reply to the injected command would come before these, or after them.
  await client.play([
    [`RCPT TO:<${address.email}>`, '503 5.5.1'],
    ['MAIL FROM:<a@b.test>', '503 5.5.1'],
  ])
  expect(client.pending).toBe('')
})

test('garbage instead of a handshake, and no handshake at all, end the session', async () => {
  await using garbage = await SmtpClient.connect(smtp.port)
  await garbage.play([HELLO, STARTTLS])
  garbage.send('EHLO plain\r\n')
  await garbage.closed()
  expect(garbage.pending).not.toContain('250')
  await using silent = await SmtpClient.connect(smtp.port)
  await silent.play([HELLO, STARTTLS])
  await silent.closed()
})

test('the key is generated at the first start and kept in the data folder', async () => {
  await using client = await SmtpClient.connect(smtp.port)
  await client.play([HELLO, STARTTLS])
  await client.startTls()
  const kept = await readFile(join(smtp.config.dataDir, 'smtp-certificate.pem'), 'utf8')
  expect(kept).toContain(peerCertificate(client)?.toString().trim())
})

test('a new certificate of the operator is used without ending sessions, and a bad one is logged and ignored', async () => {
  await using files = await startTestSmtp()
  const certFile = join(files.config.dataDir, 'operator.pem')
  const keyFile = join(files.config.dataDir, 'operator.key')
  const write = async (certificate: { cert: string; key: string }) => {
    await writeFile(certFile, certificate.cert)
    await writeFile(keyFile, certificate.key)
  }
  await write(selfSign('first.test', Date.now()))
  const env = { TLS_CERT: certFile, TLS_KEY: keyFile }
  await using operated = await startTestSmtp({ env, allowLog: [/Certificate cannot be used, the old one stays/] })
  const subject = async () => {
    await using client = await SmtpClient.connect(operated.port)
    await client.play([HELLO, STARTTLS])
    await client.startTls()
    return peerCertificate(client)?.subject
  }
  expect(await subject()).toBe('CN=first.test')
  await using before = await SmtpClient.connect(operated.port)
  await before.play([HELLO, STARTTLS])
  await before.startTls()
  await write(selfSign('second.test', Date.now()))
  await operated.smtp.reloadCertificate()
  expect(await subject()).toBe('CN=second.test')
  await before.play([HELLO, MAIL])

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  await writeFile(keyFile, privateKey.export({ type: 'pkcs8', format: 'pem' }))
  await operated.smtp.reloadCertificate()
  expect(await subject()).toBe('CN=second.test')
  expect(operated.heardLog.warnings).toHaveLength(1)
  await expect(startTestSmtp({ env })).rejects.toThrow(/TLS_CERT and TLS_KEY/)
})
