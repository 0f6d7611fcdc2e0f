/** Connections that come through a proxy: from named addresses only, raw bytes first, then HAProxy itself. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { deliver, play, SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { freePort } from '#test/harness/free-port.ts'
import { startServerProcess } from '#test/harness/mayfly/start-server-process.ts'
import { startTestSmtp } from '#test/harness/mayfly/start-smtp.ts'
import { findHaproxy, startHaproxy } from '#test/harness/servers/haproxy.ts'
import { newFolder } from '#test/harness/until-end.ts'

const PROXIED = {
  env: { PROXY_PROTOCOL_FROM: '127.0.0.1', SMTP_TRUSTED: '192.0.2.99' },
  config: { smtpConnectionsPerClientMax: 1 },
}
const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')

function binaryHeader(command: number, family: number, payload: readonly number[]): Buffer {
  return Buffer.from([...SIGNATURE, command, family, payload.length >> 8, payload.length & 255, ...payload])
}
const tcp4 = (address: readonly number[], extension: readonly number[] = []) =>
  binaryHeader(0x21, 0x11, [...address, 192, 0, 2, 1, 0x9c, 0x40, 0, 25, ...extension])

async function connectProxied(port: number, header: string | Buffer): Promise<SmtpClient> {
  const client = SmtpClient.open(port)
  client.send(header)
  return client
}

test('the header gives the client’s address, in either version and however it is split', async () => {
  await using smtp = await startTestSmtp(PROXIED)
  const headers = [
    'PROXY TCP4 192.0.2.10 192.0.2.1 40000 25\r\n',
    tcp4([192, 0, 2, 11], [0x04, 0, 1, 7]),
    'PROXY TCP6 2001:db8::1 2001:db8::2 40000 25\r\n',
    binaryHeader(0x21, 0x21, [0x20, 1, 0xd, 0xb8, 0, 1, ...Array(10).fill(0), ...Array(16).fill(0), 0, 1, 0, 25]),
  ]
  for (const header of headers) {
    await using first = await connectProxied(smtp.port, header)
    expect(await first.reply()).toMatch(/^220/)
    // One connection is allowed to each client: the second of the same one shows that it was recognised.
    await using second = SmtpClient.open(smtp.port)
    for (const byte of Buffer.from(header as string, 'latin1')) second.send(Buffer.from([byte]))
    expect(await second.reply()).toMatch(/^421 4\.7\.0 Too many connections/)
  }
})

test('a proxy may connect for itself, or for a client without an internet address, and data right after the header is read', async () => {
  await using smtp = await startTestSmtp(PROXIED)
  for (const header of [
    'PROXY UNKNOWN\r\n',
    binaryHeader(0x20, 0, []),
    binaryHeader(0x21, 0x00, []),
    binaryHeader(0x21, 0x31, Array(216).fill(0)),
  ]) {
    await using client = await connectProxied(smtp.port, Buffer.concat([Buffer.from(header as string, 'latin1'), Buffer.from('NOOP\r\n')]))
    expect(await client.reply()).toMatch(/^220/)
    expect(await client.reply()).toMatch(/^250/)
    await client.play([['QUIT', 221]])
    await client.closed()
  }
})

test('a named proxy must send the header, and silence ends in time', async () => {
  await using smtp = await startTestSmtp({
    ...PROXIED,
    limits: { proxyHeaderMs: 300 },
    allowLog: [/names a proxy that sent no PROXY header/],
  })
  const wrong = [
    'EHLO client.test\r\n',
    'PROXY TCP4 192.0.2.1\r\n',
    'PROXY TCP4 x y 1 2\r\n',
    `PROXY ${'x'.repeat(200)}`,
    binaryHeader(0x22, 0x11, []),
    '',
  ]
  for (const header of wrong) {
    await using client = await connectProxied(smtp.port, header)
    expect(await client.reply()).toMatch(/^421 4\.3\.5/)
    await client.closed()
  }
  expect(smtp.heardLog.warnings, 'not one for each connection').toHaveLength(1)
})

test('a header from anybody else is refused and not trusted', async () => {
  const allowLog = [/came from an address that PROXY_PROTOCOL_FROM does not name/]
  await using smtp = await startTestSmtp({ env: { PROXY_PROTOCOL_FROM: '192.0.2.1' }, allowLog })
  for (const header of ['PROXY TCP4 192.0.2.10 192.0.2.1 40000 25\r\n', 'PROXY UNKNOWN\r\n', tcp4([192, 0, 2, 11])]) {
    await using client = await SmtpClient.connect(smtp.port)
    client.send(header)
    expect(await client.reply()).toMatch(/^421 4\.7\.0 PROXY protocol not accepted/)
    await client.closed()
  }
  expect(smtp.heardLog.warnings, 'the first is logged').toHaveLength(1)
  await play(smtp.port, [
    ['PROXY', 500],
    ['NOOP', 250],
  ])
})

test('connections reset before their greeting do no harm', async () => {
  await using smtp = await startTestSmtp({ env: { PROXY_PROTOCOL_FROM: '127.0.0.1' } })
  const sockets = Array.from({ length: 300 }, () => connect({ port: smtp.port, host: '127.0.0.1' }).on('error', () => undefined))
  await Promise.all(sockets.map(socket => once(socket, 'connect')))
  await sleep(300)
  // All are accepted by now. Sixteen are greeted in one turn of the event loop: when the first is, the others wait.
  for (const socket of sockets) socket.once('data', () => sockets.map(other => other.resetAndDestroy()))
  for (const [n, socket] of sockets.entries()) socket.write(`PROXY TCP4 10.${n >> 8}.${n & 255}.1 192.0.2.1 40000 25\r\n`)
  await Promise.all(sockets.map(socket => socket.closed || once(socket, 'close')))
  await using client = await connectProxied(smtp.port, 'PROXY TCP4 192.0.2.10 192.0.2.1 40000 25\r\n')
  expect(await client.reply()).toMatch(/^220/)
})

test('what cannot become a header is refused at once, however much would follow', async () => {
  await using smtp = await startTestSmtp({
    ...PROXIED,
    limits: { proxyHeaderMs: 3_600_000 },
    allowLog: [/names a proxy that sent no PROXY header/],
  })
  for (const header of [binaryHeader(0x21, 0x11, [1, 2, 3]), Buffer.from([...SIGNATURE, 0x21, 0x11, 0xff, 0xff])]) {
    await using client = await connectProxied(smtp.port, header)
    expect(await client.reply()).toMatch(/^421 4\.3\.5/)
  }
})

const haproxy = findHaproxy()

test.skipIf(!haproxy)('through HAProxy clients keep their own addresses, and events are not buffered', async () => {
  await using server = await startServerProcess({
    env: { ...PROXIED.env, TRUST_PROXY: '127.0.0.1', BOT_CHECK: 'off', DNS_SERVERS: 'off' },
  })
  await using proxy = await startHaproxy(haproxy ?? '', [server])
  const url = `http://127.0.0.1:${proxy.httpPort}`
  await expect.poll(async () => (await fetch(url + routes.readyz)).status).toBe(200)

  const create = async (forwardedFor: string) =>
    await fetch(url + routes.mailboxes, {
      method: 'POST',
      body: '{}',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': forwardedFor },
    })
  const { email, token } = await (await create('203.0.113.1')).json()
  const stream = await fetch(url + routes.events, { headers: { authorization: `Bearer ${token}` } })
  const events = stream.body?.pipeThrough(new TextDecoderStream()).getReader()
  expect((await events?.read())?.value).toBe(':\n\n')

  const from = (localAddress: string) => SmtpClient.open(proxy.smtpPort, { localAddress })
  await using held = new AsyncDisposableStack()
  for (let opened = 0; opened < 50; opened++) expect(await held.use(from('127.0.0.9')).reply()).toMatch(/^220/)
  await using second = from('127.0.0.9')
  expect(await second.reply()).toMatch(/^421 4\.7\.0/)
  expect(await deliver(proxy.smtpPort, email, 'Subject: through\r\n\r\n', undefined, { localAddress: '127.0.0.10' })).toMatch(/^250/)
  // What the mail port saw of it comes first.
  let heard = ''
  while (!heard.includes('event: message')) heard += (await events?.read())?.value ?? expect.fail(`the stream ended: ${heard}`)
  await events?.cancel()

  // What a visitor claims does not count: all of these are one visitor.
  const statuses: number[] = []
  for (let n = 2; n < 12; n++) statuses.push((await create(`203.0.113.${n}`)).status)
  expect(statuses).toContain(429)
})

/** Debian's nginx with the module `stream`, which is a file of its own there. */
const STREAM_MODULE = '/usr/lib/nginx/modules/ngx_stream_module.so'

test.skipIf(!existsSync(STREAM_MODULE))('through the stream module of nginx clients keep their own addresses', async () => {
  await using smtp = await startTestSmtp(PROXIED)
  await using cleanup = new AsyncDisposableStack()
  const folder = newFolder()
  const port = await freePort()
  const sample = readFileSync(resolve(import.meta.dirname, '../../deploy/nginx-stream.conf'), 'utf8')
    .replace('listen 25;', `listen 127.0.0.1:${port};`)
    .replace(/listen \[::\]:25;\n/, '')
    .replace('127.0.0.1:2525;', `127.0.0.1:${smtp.port};`)
  const main = `load_module ${STREAM_MODULE};\ndaemon off;\npid ${folder}/pid;\nerror_log ${folder}/error.log;\nevents {}\n${sample}`
  writeFileSync(join(folder, 'nginx.conf'), main)
  const nginx = spawn(process.env.NGINX_PATH ?? 'nginx', ['-p', folder, '-c', join(folder, 'nginx.conf')], { stdio: 'ignore' })
  cleanup.defer(() => void nginx.kill())
  await expect.poll(() => existsSync(join(folder, 'pid'))).toBe(true)
  await using first = SmtpClient.open(port, { localAddress: '127.0.0.9' })
  expect(await first.reply()).toMatch(/^220/)
  await using second = SmtpClient.open(port, { localAddress: '127.0.0.9' })
  expect(await second.reply()).toMatch(/^421 4\.7\.0 Too many connections/)
  await using other = SmtpClient.open(port, { localAddress: '127.0.0.10' })
  expect(await other.reply()).toMatch(/^220/)
})

const STUNNEL = process.env.STUNNEL_PATH ?? '/usr/bin/stunnel4'

test.skipIf(!existsSync(STUNNEL))('through stunnel clients begin with TLS, as on port 465, and keep their own addresses', async () => {
  await using smtp = await startTestSmtp(PROXIED)
  await using cleanup = new AsyncDisposableStack()
  const folder = newFolder()
  const [port, https] = [await freePort(), await freePort()]
  const { cert, key } = selfSign('mx.mayfly.example', Date.now())
  writeFileSync(join(folder, 'fullchain.pem'), cert)
  writeFileSync(join(folder, 'privkey.pem'), key)
  const sample = readFileSync(resolve(import.meta.dirname, '../../deploy/stunnel.conf'), 'utf8')
    .replaceAll('/etc/letsencrypt/live/mayfly', folder)
    .replace(':::465', `127.0.0.1:${port}`)
    .replace(':::443', `127.0.0.1:${https}`)
    .replaceAll('127.0.0.1:2525', `127.0.0.1:${smtp.port}`)
  writeFileSync(join(folder, 'stunnel.conf'), `foreground = yes\npid =\n${sample}`)
  const stunnel = spawn(STUNNEL, [join(folder, 'stunnel.conf')], { stdio: 'ignore' })
  cleanup.defer(() => void stunnel.kill())
  const open = async (localAddress: string) => {
    const plain = connect({ port, host: '127.0.0.1', localAddress })
    const socket = connectTls({ socket: plain, rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    return new SmtpClient(socket)
  }
  await expect.poll(() => open('127.0.0.8').then(client => client[Symbol.asyncDispose]())).toBeUndefined()
  await using first = await open('127.0.0.9')
  expect(await first.reply()).toMatch(/^220/)
  await first.play([
    ['EHLO sender.test', /250/],
    ['MAIL FROM:<sender@sender.test>', 250],
  ])
  await using second = await open('127.0.0.9')
  expect(await second.reply()).toMatch(/^421 4\.7\.0 Too many connections/)
  await using other = await open('127.0.0.10')
  expect(await other.reply()).toMatch(/^220/)
})
