/** STARTTLS: to whom it is offered, what it resets and refuses, and what the log says of handshakes that fail. */
import { generateKeyPairSync } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TLSSocket } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { dotted, SmtpClient, type Step, type TlsClientOptions } from '#test/harness/clients/smtp-client.ts'
import { CIPHER, type RecordWriter, secureByHand } from '#test/harness/clients/tls-records.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { untilEnd } from '#test/harness/until-end.ts'

const HELLO: Step = ['EHLO client.test', 250]
const MAIL: Step = ['MAIL FROM:<sender@elsewhere.test>', 250]
const STARTTLS: Step = ['STARTTLS', '220 2.0.0']

const ALWAYS = { SMTP_STARTTLS: 'always' }

const smtp = await untilEnd(startTestSmtp({ env: ALWAYS, limits: { tlsHandshakeMs: 200, deadlineCheckMs: 20 } }))

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
  smtp.heardLog.allow(/"reason":"no_common_version".*Let the client use TLS 1.2 or 1.3/)
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

test.each([
  [1000, /^250/],
  [4000, /the connection ended/],
])('a client that changes its keys %i times before a command', async (times, outcome) => {
  await using patient = await startTestSmtp({ env: ALWAYS, allowLog: [/"detail":"no_content"/] })
  await using client = await SmtpClient.connect(patient.port)
  await client.play([HELLO, STARTTLS])
  const plain = client.socket
  const writer = Promise.withResolvers<RecordWriter>()
  await client.startTls({ ciphers: CIPHER }, secured => writer.resolve(secureByHand(plain, secured, 'CLIENT', 0)))
  ;(await writer.promise).send(times, 'NOOP\r\n')
  expect(await client.reply().catch(String)).toMatch(outcome)
})

test('garbage instead of a handshake, and no handshake at all, end the session', async () => {
  smtp.heardLog.allow(/"reason":"plain_text"/, /"reason":"timed_out"/)
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
  await client.play([['QUIT', 221]])
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
    await client.play([['QUIT', 221]])
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

/** A PROXY header names the client, so that any address can ask. */
async function helloFrom(port: number, address: string): Promise<{ isOffered: boolean; reply: string }> {
  await using client = SmtpClient.open(port)
  client.send(`PROXY ${address.includes(':') ? `TCP6 ${address} ::1` : `TCP4 ${address} 127.0.0.1`} 1 2\r\n`)
  await client.reply()
  const [hello = ''] = await client.play([HELLO])
  client.send('STARTTLS\r\n')
  return { isOffered: /^250[ -]STARTTLS\r?$/m.test(hello), reply: await client.reply() }
}

const LOCAL = [
  '127.0.0.1',
  '127.9.9.9',
  '::1',
  '10.1.2.3',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.7.7',
  '169.254.3.3',
  'fe80::1',
  'fd12::1',
]
const SHARED = ['100.64.0.1', '100.127.255.254', '::ffff:10.1.2.3', '::ffff:127.0.0.1']
const PUBLIC = ['198.51.100.7', '172.32.0.1', '100.128.0.1', '2001:db8::7', '::ffff:198.51.100.7', '11.0.0.1']

describe('who is offered STARTTLS', () => {
  const all = [...LOCAL, ...SHARED, ...PUBLIC]
  const offeredTo = async (env: Record<string, string>, allowLog: RegExp[]) => {
    await using offering = await startTestSmtp({ env: { PROXY_PROTOCOL_FROM: '127.0.0.1', ...env }, allowLog })
    const hellos = await Promise.all(all.map(async address => ({ address, ...(await helloFrom(offering.port, address)) })))
    for (const { address, isOffered, reply } of hellos) expect(reply, address).toMatch(isOffered ? /^220 2\.0\.0/ : /^502 5\.5\.1/)
    return hellos.filter(({ isOffered }) => isOffered).map(({ address }) => address)
  }

  test('with the generated certificate: the internet, and nobody nearby', async () => {
    expect(await offeredTo({}, [/"reason":"not_offered".*SMTP_STARTTLS=always/])).toEqual(PUBLIC)
  })

  test('with a certificate of the operator, or always: all. Never: nobody', async () => {
    const closed = [/"reason":"closed_before_handshake"/]
    const { cert, key } = selfSign('mx.first.test', Date.now())
    const [TLS_CERT, TLS_KEY] = [join(smtp.config.dataDir, 'given.pem'), join(smtp.config.dataDir, 'given.key')]
    await Promise.all([writeFile(TLS_CERT, cert), writeFile(TLS_KEY, key)])
    expect(await offeredTo({ TLS_CERT, TLS_KEY }, closed)).toEqual(all)
    expect(await offeredTo(ALWAYS, closed)).toEqual(all)
    expect(await offeredTo({ SMTP_STARTTLS: 'never' }, [/"reason":"not_offered"/])).toEqual([])
  })
})

describe('a handshake that fails', () => {
  const verifying = { rejectUnauthorized: true }
  const handshake = async (port: number, options: TlsClientOptions) => {
    await using client = await SmtpClient.connect(port)
    await client.play([HELLO, STARTTLS])
    await client.startTls(options)
  }

  test('is logged once for each client and reason, without the address', async () => {
    await using failing = await startTestSmtp({ env: ALWAYS, allowLog: [/STARTTLS failed/] })
    for (const _ of [1, 2, 3]) await expect(handshake(failing.port, verifying)).rejects.toThrow(/self-signed/)
    await expect(handshake(failing.port, { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow()
    await expect.poll(() => failing.heardLog.warnings.length).toBe(2)
    const lines = failing.heardLog.warnings.map(line => JSON.parse(line))
    expect(lines).toMatchObject([
      { network: '127.0.0.0/24', reason: 'closed_after_certificate', msg: expect.stringContaining('Set SMTP_STARTTLS to auto') },
      { network: '127.0.0.0/24', reason: 'no_common_version', detail: 'unsupported_protocol' },
    ])
    expect(JSON.stringify(lines)).not.toContain('127.0.0.1')
  })

  test('a client that says something after it, or that the server ends, has not failed', async () => {
    await using calm = await startTestSmtp({ env: ALWAYS })
    await using polite = await SmtpClient.connect(calm.port)
    await polite.play([HELLO, STARTTLS])
    await polite.startTls()
    await polite.play([['QUIT', 221]])
    await using shutDown = await SmtpClient.connect(calm.port)
    await shutDown.play([HELLO, STARTTLS])
    await calm.smtp[Symbol.asyncDispose]()
    expect(calm.heardLog.warnings).toEqual([])
  })
})
