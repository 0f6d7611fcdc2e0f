/** Where webhooks may go: by the URL, and by what its name leads to when the connection is made. */
import { spawn, spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createSecureContext, getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { CIPHER, secureByHand } from '#test/harness/clients/tls-records.ts'
import { COMPILED_CODE } from '#test/harness/compiled-code.ts'
import { startConnectProxy } from '#test/harness/servers/connect-proxy.ts'
import { startDnsServer, type Zone } from '#test/harness/servers/dns-server.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { postOnce, RequestTargets, shownReason } from './guarded-request.ts'

const open = new RequestTargets([])
const own = new RequestTargets(['127.0.0.0/8', '10.1.0.0/16'])

test.each([
  ['https://hooks.example/mail', undefined],
  ['https://93.184.216.34/', undefined],
  ['https://[2606:4700::1111]/', undefined],
  ['http://hooks.example/mail', 'not_https'],
  ['ftp://hooks.example/', 'not_https'],
  ['https://user:pass@hooks.example/', 'has_credentials'],
  [`https://hooks.example/${'x'.repeat(2000)}`, 'too_long'],
  ['https://127.0.0.1/', 'private_address'],
  ['https://127.1/', 'private_address'],
  ['https://0x7f000001/', 'private_address'],
  ['https://2130706433/', 'private_address'],
  ['https://0.0.0.0/', 'private_address'],
  ['https://10.0.0.1/', 'private_address'],
  ['https://172.16.0.1/', 'private_address'],
  ['https://192.168.1.1/', 'private_address'],
  ['https://100.64.0.1/', 'private_address'],
  ['https://169.254.169.254/latest/meta-data', 'private_address'],
  ['https://168.63.129.16/', 'private_address'],
  ['https://224.0.0.1/', 'private_address'],
  ['https://255.255.255.255/', 'private_address'],
  ['https://[::127.0.0.1]/', 'private_address'],
  ['https://[::808:808]/', 'private_address'],
  ['https://[4000::1]/', 'private_address'],
  ['https://[::1]/', 'private_address'],
  ['https://[::]/', 'private_address'],
  ['https://[fe80::1]/', 'private_address'],
  ['https://[fd00::1]/', 'private_address'],
  ['https://[ff02::1]/', 'private_address'],
  ['https://[::ffff:127.0.0.1]/', 'private_address'],
  ['https://[::ffff:a9fe:a9fe]/', 'private_address'],
  ['https://[64:ff9b::7f00:1]/', 'private_address'],
  ['https://[2002:7f00:1::]/', 'private_address'],
  ['https://[2001:0:7f00:1::]/', 'private_address'],
] as const)('%s: %s', (url, refusal) => {
  expect(open.refuse(new URL(url))).toBe(refusal)
})

test('networks named by the operator can be reached, also by http, and no others', () => {
  for (const url of ['http://127.0.0.1:3000/', 'https://10.1.2.3/', 'http://ci.lan/']) expect(own.refuse(new URL(url)), url).toBeUndefined()
  for (const url of ['https://10.2.0.1/', 'http://93.184.216.34/']) expect(own.refuse(new URL(url)), url).toBe('private_address')
})

let asked = 0
const receiver = createServer((request, response) => {
  asked += 1
  request.resume()
  if (request.url === '/moved') response.writeHead(307, { location: '/elsewhere' }).end()
  else if (request.url === '/long') response.end(Buffer.alloc(5_000_000))
  else if (request.url !== '/silent') response.writeHead(204).end()
})
let port = 0
beforeAll(async () => {
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  port = (receiver.address() as AddressInfo).port
})
afterAll(() => {
  receiver.closeAllConnections()
  receiver.close()
})
const send = (path: string, targets = own, host = '127.0.0.1', limits: Parameters<typeof postOnce>[2] = {}) =>
  postOnce({ url: `http://${host}:${port}${path}`, headers: {}, body: '{}' }, targets, { timeoutMs: 5000, ...limits })

test('a name that resolves to a private address is refused when connecting', async () => {
  const attempt = { url: `https://localhost:${port}/`, headers: {}, body: '{}' }
  expect(await postOnce(attempt, open)).toEqual({ isDelivered: false, status: undefined, reason: 'private_address' })
  const beside = new RequestTargets(['10.1.0.0/16'])
  expect(await send('/', beside, 'localhost')).toMatchObject({ isDelivered: false, reason: 'private_address' })
  expect(asked).toBe(0)
  expect(await send('/', own, '127.0.0.1')).toEqual({ isDelivered: true, status: 204, reason: 'status_204' })
})

test('redirects are not followed, long responses are cut, and missing ones time out', async () => {
  const before = asked
  expect(await send('/moved')).toEqual({ isDelivered: false, status: 307, reason: 'status_307' })
  expect(asked - before).toBe(1)
  expect(await send('/long')).toMatchObject({ isDelivered: true })
  expect(await send('/silent', own, '127.0.0.1', { timeoutMs: 200 })).toEqual({ isDelivered: false, status: undefined, reason: 'timeout' })
})

test('an attempt can be cut off', async () => {
  const closed = new AbortController()
  const before = asked
  const sent = send('/silent', own, '127.0.0.1', { timeoutMs: 60_000, signal: closed.signal })
  await expect.poll(() => asked).toBe(before + 1)
  closed.abort()
  expect(await sent).toMatchObject({ isDelivered: false, status: undefined })
  expect(await send('/', own, '127.0.0.1', { signal: closed.signal })).toMatchObject({ isDelivered: false })
  expect(asked).toBe(before + 1)
})

const canUnshare = process.platform === 'linux' && spawnSync('unshare', ['-m', 'true'], { stdio: 'ignore' }).status === 0

test.skipIf(!canUnshare)('names whose servers never answer keep nobody else from being reached (needs root)', async () => {
  // It hears every question and answers none.
  const silent = createSocket('udp4').bind(53, '127.9.53.1')
  await once(silent, 'listening')
  const folder = newFolder()
  await writeFile(join(folder, 'resolv.conf'), 'nameserver 127.9.53.1\n')
  await writeFile(join(folder, 'hosts'), '127.0.0.1 receiver.example\n')
  const probe = `
    import dns from 'node:dns'
    import { postOnce, RequestTargets } from '${new URL('guarded-request.ts', import.meta.url)}'
    const targets = new RequestTargets(['127.0.0.0/8'])
    const post = url => postOnce({ url, headers: {}, body: '{}' }, targets)
    const slow = Array.from({ length: 12 }, (_, i) => post(\`https://slow\${i}.example/\`).then(() => 'slow'))
    await new Promise(resolve => setTimeout(resolve, 100))
    const own = post('http://receiver.example:${port}/').then(({ reason }) => reason)
    console.log(await Promise.race([own, ...slow]))
    process.exit()`
  const mounts = `mount --bind ${folder}/resolv.conf /etc/resolv.conf && mount --bind ${folder}/hosts /etc/hosts`
  const child = spawn('unshare', ['-m', 'sh', '-c', `${mounts} && exec "$0" --input-type=module -e "$1"`, process.execPath, probe], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...COMPILED_CODE, PATH: process.env.PATH },
  })
  expect((await text(child.stdout)).trim()).toBe('status_204')
  silent.close()
})

test('a proxy gets the checked address, names only from the operator, and nothing for networks of the operator', async () => {
  // The tunnels lead to a port that speaks no TLS: what matters is where they were to lead.
  await using proxy = await startConnectProxy(authority => (authority === '93.184.216.35:443' ? undefined : port))
  const given = (noProxy: string) => ({ proxy: { url: proxy.url, noProxy } })
  const post = (url: string, targets: RequestTargets) => postOnce({ url, headers: {}, body: '{}' }, targets, { timeoutMs: 5000 })
  const guarded = new RequestTargets([], given('93.184.216.36'))

  expect(await post('https://93.184.216.34/', guarded)).toMatchObject({ isDelivered: false })
  expect(await post('https://[2606:4700::1111]:8443/', guarded)).toMatchObject({ isDelivered: false })
  expect(await post('https://93.184.216.35/', guarded)).toMatchObject({ reason: 'proxy_refused' })
  expect(proxy.asked.splice(0)).toEqual(['93.184.216.34:443', '[2606:4700::1111]:8443', '93.184.216.35:443'])

  expect(await post(`https://localhost:${port}/`, guarded)).toMatchObject({ reason: 'private_address' })
  expect(await post(`https://127.0.0.1:${port}/`, guarded)).toMatchObject({ reason: 'private_address' })
  const near = new RequestTargets(['127.0.0.0/8', '::1'], given(''))
  await post(`https://localhost:${port}/`, near)
  await post(`https://127.0.0.1:${port}/`, near)
  expect(await send('/', new RequestTargets(['127.0.0.0/8'], given('')))).toMatchObject({ isDelivered: true })
  await post(`https://localhost:${port}/`, new RequestTargets(['0.0.0.0/0', '::/0'], { isOperators: true, ...given('localhost') }))
  expect(proxy.asked).toEqual([])

  await post('https://chat.operator.example/', new RequestTargets(['0.0.0.0/0', '::/0'], { isOperators: true, ...given('') }))
  expect(proxy.asked).toEqual(['chat.operator.example:443'])
})

test('a proxy that says nothing holds up an attempt no longer than any other silent server', async () => {
  const silent = createTcpServer().listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const accepted = once(silent, 'connection')
  const targets = new RequestTargets([], { proxy: { url, noProxy: '' } })
  expect(await postOnce({ url: 'https://93.184.216.34/', headers: {}, body: '' }, targets, { timeoutMs: 500 })).toMatchObject({
    reason: 'timeout',
  })
  const [socket] = await accepted
  await once(socket.resume(), 'close')
  silent.close()
})

test.skipIf(!canUnshare)('behind a proxy, the certificate is that of the name (needs root)', async () => {
  const folder = newFolder()
  const tls = selfSign('hooks.example', Date.now())
  const secure = createSecureServer(tls, (request, response) =>
    response.writeHead(request.headers.host === 'hooks.example' ? 204 : 400).end(),
  )
  await once(secure.listen(0, '127.0.0.1'), 'listening')
  await writeFile(join(folder, 'ca.pem'), tls.cert)
  await writeFile(join(folder, 'hosts'), '93.184.216.34 hooks.example other.example\n10.0.0.1 inside.example\n')
  await using proxy = await startConnectProxy(() => (secure.address() as AddressInfo).port)
  const probe = `
    import { postOnce, RequestTargets } from '${new URL('guarded-request.ts', import.meta.url)}'
    const targets = new RequestTargets([], { proxy: { url: '${proxy.url}', noProxy: '' } })
    for (const name of ['hooks', 'other', 'inside'])
      console.log((await postOnce({ url: \`https://\${name}.example/\`, headers: {}, body: '{}' }, targets)).reason)`
  const child = spawn(
    'unshare',
    ['-m', 'sh', '-c', `mount --bind ${folder}/hosts /etc/hosts && exec "$0" --input-type=module -e "$1"`, process.execPath, probe],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...COMPILED_CODE, PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') },
    },
  )
  expect((await text(child.stdout)).trim().split('\n')).toEqual(['status_204', 'err_tls_cert_altname_invalid', 'private_address'])
  expect(proxy.asked).toEqual(['93.184.216.34:443', '93.184.216.34:443'])
  secure.closeAllConnections()
  secure.close()
})

test.skipIf(!canUnshare)('hosts in odd forms, and what names lead to (needs root)', async () => {
  const named: Zone = {
    'hooks.example A': ['93.184.216.34'],
    'xn--bcher-kva.example A': ['93.184.216.35'],
    'six.example AAAA': ['2606:4700::1111'],
    'both.example A': ['93.184.216.34', '192.168.0.1'],
    'other.example A': ['93.184.216.34'],
    'other.example AAAA': ['fd00::1'],
  }
  const forbidden = [
    ...['10.0.0.1', '127.0.0.1', '0.0.0.0', '100.64.0.1', '169.254.169.254', '168.63.129.16', '192.0.0.8', '198.18.0.1', '255.255.255.255'],
    ...[
      '::1',
      '::',
      '::ffff:127.0.0.1',
      '::127.0.0.1',
      '64:ff9b::7f00:1',
      '64:ff9b:1::7f00:1',
      '2002:7f00:1::',
      '2001:0:7f00:1::',
      'fe80::1',
    ],
  ]
  const zone = { ...named, ...Object.fromEntries(forbidden.map((ip, n) => [`no${n}.example ${ip.includes(':') ? 'AAAA' : 'A'}`, [ip]])) }
  const hosts = new Map<string, string>([
    ['hooks.example', '93.184.216.34:443'],
    ['hooks.example.', '93.184.216.34:443'],
    ['HOOKS.Example', '93.184.216.34:443'],
    ['bücher.example', '93.184.216.35:443'],
    ['BÜCHER.example.', '93.184.216.35:443'],
    ['hooks。example', '93.184.216.34:443'],
    ['six.example:8443', '[2606:4700::1111]:8443'],
    ['0x5d.184.216.34', '93.184.216.34:443'],
    ['both.example', 'private_address'],
    ['other.example', 'private_address'],
    ['nowhere.example', 'enotfound'],
    ...[
      'localhost',
      'localhost.',
      'ⓛocalhost',
      '0x7f.1',
      '127.1',
      '2130706433',
      '0177.0.0.1',
      '0x7f000001.',
      '0',
      '127.0.0.1.',
      '%31%32%37.1',
    ].map(host => [host, 'private_address'] as const),
    ...['１２７.０.０.１', '127。0。0。1', '[::ffff:7f00:1]', '[0:0:0:0:0:0:0:1]'].map(host => [host, 'private_address'] as const),
    ...forbidden.map((_, n) => [`no${n}.example`, 'private_address'] as const),
  ])
  await using dns = await startDnsServer(zone)
  // It refuses every tunnel: what it is asked for has passed the guard.
  await using proxy = await startConnectProxy(() => undefined)
  const folder = newFolder()
  await writeFile(join(folder, 'resolv.conf'), `nameserver ${dns.address}\n`)
  await writeFile(join(folder, 'hosts'), '127.0.0.1 localhost\n')
  const probe = `
    import { postOnce, RequestTargets } from '${new URL('guarded-request.ts', import.meta.url)}'
    const targets = new RequestTargets([], { proxy: { url: '${proxy.url}', noProxy: '' } })
    for (const host of ${JSON.stringify([...hosts.keys()])})
      console.log((await postOnce({ url: \`https://\${host}/\`, headers: {}, body: '' }, targets)).reason)`
  const mounts = `mount --bind ${folder}/resolv.conf /etc/resolv.conf && mount --bind ${folder}/hosts /etc/hosts`
  const child = spawn('unshare', ['-m', 'sh', '-c', `${mounts} && exec "$0" --input-type=module -e "$1"`, process.execPath, probe], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...COMPILED_CODE, PATH: process.env.PATH },
  })
  const reasons = (await text(child.stdout)).trim().split('\n')
  const seen = reasons.map(reason => (reason === 'proxy_refused' ? proxy.asked.shift() : reason))
  expect(new Map([...hosts.keys()].map((host, at) => [host, seen[at]]))).toEqual(hosts)
})

test('whoever named a server learns a status, a refused certificate, or that nothing was reached', () => {
  const shown = (reason: string, status?: number) => shownReason({ isDelivered: false, status, reason })
  expect(shown('status_503', 503)).toBe('status_503')
  for (const reason of ['timeout', 'etimedout']) expect(shown(reason)).toBe('timeout')
  for (const reason of ['err_tls_cert_altname_invalid', 'cert_has_expired', 'unable_to_verify_leaf_signature'])
    expect(shown(reason)).toBe('certificate_refused')
  for (const reason of ['private_address', 'proxy_refused', 'enotfound', 'etimeout', 'econnrefused', 'ehostunreach', 'connection_failed'])
    expect(shown(reason)).toBe('unreachable')
})

test('a receiver that switches to another protocol holds up no attempt', async () => {
  const receiver = createTcpServer(socket => {
    socket
      .on('error', () => undefined)
      .once('data', () => socket.end('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'))
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  expect(await postOnce({ url, headers: {}, body: '{}' }, own)).toMatchObject({ isDelivered: false, reason: 'connection_failed' })
  receiver.close()
})

test('receivers that respond all at once and close are all heard', async () => {
  const sockets: Socket[] = []
  const receiver = createTcpServer(socket => {
    socket
      .on('error', () => undefined)
      .once('data', () => {
        if (sockets.push(socket) === 256) for (const each of sockets) each.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nheard')
      })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const attempts = await Promise.all(Array.from({ length: 256 }, () => postOnce({ url, headers: {}, body: '{}' }, own)))
  expect(attempts.filter(({ isDelivered }) => !isDelivered)).toEqual([])
  receiver.close()
})

const OK = 'HTTP/1.1 200 OK\r\n'

test.each([
  [1000, 'status_200'],
  [4000, /^(?:econnreset|connection_failed)$/],
])('a receiver that changes its keys %i times before it responds', async (times, outcome) => {
  const certificate = selfSign('localhost', Date.now(), ['127.0.0.1'])
  const trusted = getCACertificates('default')
  setDefaultCACertificates([certificate.cert])
  onTestFinished(() => setDefaultCACertificates(trusted))
  const receiver = createTcpServer(async plain => {
    const secured = new TLSSocket(plain, { isServer: true, secureContext: createSecureContext({ ...certificate, ciphers: CIPHER }) })
    secured.on('error', () => undefined).resume()
    const asked = once(secured, 'data')
    // OpenSSL has sent two tickets.
    const writer = await secureByHand(plain, secured, 'SERVER', 2)
    await asked
    writer.send(times, `${OK}content-length: 0\r\n\r\n`)
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const url = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  expect((await postOnce({ url, headers: {}, body: '{}' }, own)).reason).toMatch(outcome)
  receiver.close()
})

test.each([
  ['informational responses', '', 'HTTP/1.1 103 E\r\n\r\n', undefined],
  ['informational responses with headers', '', `HTTP/1.1 103 E\r\n${'a: b\r\n'.repeat(900)}\r\n`, undefined],
  ['a request to go on', '', 'HTTP/1.1 100 Continue\r\n\r\n', undefined],
  ['empty lines', '', '\r\n', undefined],
  ['headers', OK, 'a: b\r\n', undefined],
  ['a body', `${OK}\r\n`, 'x', 200],
  ['tiny chunks', `${OK}Transfer-Encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 200],
  ['the extensions of a chunk', `${OK}Transfer-Encoding: chunked\r\n\r\n1`, ';a', 200],
  ['trailers', `${OK}Transfer-Encoding: chunked\r\nTrailer: a\r\n\r\n0\r\n`, 'a: b\r\n', 200],
  ['further responses', '', `${OK}Content-Length: 0\r\n\r\n`, 200],
])('%s without end are cut off long before the time is over', async (_, first, endless, status) => {
  let isEnded = false
  const receiver = createTcpServer(socket => {
    const go = () => {
      while (!isEnded && socket.write(endless.repeat(10_000)));
    }
    socket.once('data', () => {
      socket.write(first)
      go()
    })
    socket
      .on('drain', go)
      .on('error', () => undefined)
      .on('close', () => {
        isEnded = true
      })
  })
  await once(receiver.listen(0, '127.0.0.1'), 'listening')
  const { port } = receiver.address() as AddressInfo
  const attempted = await postOnce({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' }, own, { timeoutMs: 60_000 })
  expect(attempted).toMatchObject({ isDelivered: status === 200, status })
  expect(attempted.reason).not.toBe('timeout')
  await expect.poll(() => isEnded).toBe(true)
  receiver.close()
})
