/** Every response has the server's headers, also those that no handler sees. On real sockets. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { CIPHER, secureByHand } from '#test/harness/clients/tls-records.ts'
import { listenHttp } from './http-server.ts'

const headers = new Map([
  ['x-frame-options', 'DENY'],
  ['strict-transport-security', 'max-age=31536000'],
])
const limits = { host: '127.0.0.1', port: 0, headers, requestTimeoutMs: 200, drainMs: 100 }
const opened = new AsyncDisposableStack()
afterAll(() => opened.disposeAsync())

/** Until then `/interim` has no response. */
let interim = Promise.withResolvers<void>()
let ports: { starting: number; alone: number; plain: number; encrypted: number }

beforeAll(async () => {
  const starting = opened.use(await listenHttp(limits))
  const alone = opened.use(await listenHttp(limits))
  const both = opened.use(
    await listenHttp({
      ...limits,
      https: {
        host: limits.host,
        port: 0,
        certificate: selfSign('mayfly.test', Date.now()),
        plain: {
          publicUrl: 'https://mayfly.test',
          keyAuthorization: token => (token === 'known' ? 'known.key' : undefined),
          canRedirect: () => true,
        },
      },
    }),
  )
  for (const server of [alone, both]) {
    server.serve(async request => {
      if (request.url.endsWith('/broken')) throw new Error('broken')
      if (request.url.endsWith('/endless')) return new Response(new ReadableStream())
      if (request.url.endsWith('/begun')) return new Response(new ReadableStream({ start: body => body.enqueue(Buffer.from('begun')) }))
      if (request.url.endsWith('/interim')) await interim.promise
      if (request.url.endsWith('/late')) await sleep(150)
      if (/\/(?:refused|late)$/.test(request.url)) return new Response(null, { status: 413 })
      return new Response(await request.text())
    })
  }
  ports = { starting: starting.port, alone: alone.port, plain: both.port, encrypted: both.httpsPort ?? 0 }
})

/** Sends `then` when the first part of a response has come. */
function exchange(on: keyof typeof ports, text: string, then = ''): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const begin = () => void socket.write(text)
  const socket: Socket =
    on === 'encrypted'
      ? connectTls({ port: ports[on], host: '127.0.0.1', rejectUnauthorized: false }, begin)
      : connect(ports[on], '127.0.0.1', begin)
  let heard = ''
  socket.on('data', chunk => {
    if (heard === '' && then !== '') socket.write(then)
    heard += chunk
  })
  socket.on('close', () => resolve(heard)).on('error', reject)
  return promise
}

const request = (line: string, more = '') => `${line} HTTP/1.1\r\nHost: mayfly.test\r\nConnection: close\r\n${more}\r\n`

test.each([
  ['while it starts', 'starting', request('GET /'), 503],
  ['a handler', 'alone', request('GET /'), 200],
  ['a handler that throws', 'alone', request('GET /broken'), 500],
  ['a host that is none', 'alone', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n', 400],
  ['an expectation that nobody meets', 'alone', request('GET /', 'Expect: tea\r\n'), 417],
  ['a malformed request', 'alone', 'NONSENSE\r\n\r\n', 400],
  [
    'a length beside chunks',
    'alone',
    'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    400,
  ],
  ['two lengths', 'alone', 'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
  ['a NUL in the name of a header', 'alone', 'GET / HTTP/1.1\r\nHost: x\r\nA\0b: c\r\n\r\n', 400],
  ['endless headers', 'alone', request('GET /', `A: ${'a'.repeat(20_000)}\r\n`), 431],
  ['a hundred headers', 'alone', request('GET /', 'A: b\r\n'.repeat(98)), 200],
  ['more headers than a hundred', 'alone', request('GET /', 'A: b\r\n'.repeat(99)), 431],
  ['a thousand headers', 'alone', request('GET /', 'A: b\r\n'.repeat(1000)), 431],
  ['a body that does not arrive', 'alone', request('POST /', 'Content-Length: 9\r\n'), 408],
  ['a redirect', 'plain', request('GET /'), 301],
  ['a redirect that keeps the method', 'plain', request('POST /'), 308],
  ['a challenge of the certificate authority', 'plain', request('GET /.well-known/acme-challenge/known'), 200],
  ['a challenge that is none', 'plain', request('GET /.well-known/acme-challenge/other'), 404],
  ['a malformed request on the plain port', 'plain', 'NONSENSE\r\n\r\n', 400],
  ['a handler over TLS', 'encrypted', request('GET /'), 200],
  ['a malformed request over TLS', 'encrypted', 'NONSENSE\r\n\r\n', 400],
] as const)('%s', async (_, on, text, status) => {
  const replies = (await exchange(on, text)).split(/(?=HTTP\/1\.1 )/)
  expect(replies.at(-1)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
  for (const reply of replies) {
    expect(reply.match(/^x-frame-options: DENY\r$/gm)).toHaveLength(1)
    // Beside our own HTTPS port the plain one is not encrypted, and may not say so (RFC 6797 section 7.2).
    expect(reply.includes('strict-transport-security')).toBe(on !== 'plain')
  }
})

const pipelined = (line: string) => `${line} HTTP/1.1\r\nHost: mayfly.test\r\n\r\n`

const endlessBody = 'POST /refused HTTP/1.1\r\nHost: mayfly.test\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'

test.each([
  ['a body that goes on after its refusal', 'alone', endlessBody, '', 413],
  ['a body that goes on after its refusal, over TLS', 'encrypted', endlessBody, '', 413],
  ['a body that is malformed after its refusal', 'alone', endlessBody, 'NONSENSE\r\n', 413],
  ['a malformed request behind a response that has begun', 'alone', pipelined('GET /begun'), 'NONSENSE\r\n\r\n', 200],
] as const)('%s gets no second response, which a proxy would take for that of its next request', async (_, on, text, then, status) => {
  const replies = (await exchange(on, text, then)).split(/(?=HTTP\/1\.1 )/)
  expect(replies.map(reply => reply.slice(0, 12))).toEqual([`HTTP/1.1 ${status}`])
})

test.each(['alone', 'encrypted'] as const)('a body that is left unread for a moment costs no response: %s', async on => {
  for (const bytes of [250_000, 400_000, 1_000_000]) {
    const socket = on === 'encrypted' ? connectTls({ port: ports[on], rejectUnauthorized: false }) : connect(ports[on])
    socket.write(`POST /late HTTP/1.1\r\nHost: mayfly.test\r\nContent-Length: ${bytes}\r\n\r\n`)
    socket.write('x'.repeat(bytes))
    // A loaded machine may be too late for the limit of this test.
    expect(String(await once(socket, 'data')), `${bytes} bytes`).toMatch(/^HTTP\/1\.1 4(?:13|08) /)
    socket.destroy()
  }
})

test('sixteen requests may wait behind the one being handled', async () => {
  const replies = await exchange('alone', pipelined('GET /').repeat(16) + request('GET /'))
  expect(replies.match(/^HTTP\/1\.1 200 /gm)).toHaveLength(17)
})

test.each(['alone', 'encrypted'] as const)('more, behind a response that does not end, close the connection: %s', async on => {
  // Otherwise it stays open, and all that is sent on it is kept.
  const replies = await exchange(on, pipelined('GET /endless') + pipelined('GET /').repeat(17))
  expect(replies.split('HTTP/1.1').length).toBeLessThanOrEqual(2)
})

test('no more is read while a request waits', async () => {
  await using server = await listenHttp({ ...limits, requestTimeoutMs: 600_000 })
  server.serve(() => new Response(new ReadableStream({ start: body => body.enqueue(Buffer.from('begun')) })))
  const socket = connect(server.port, '127.0.0.1')
  const begun = new Promise(resolve => socket.once('data', resolve))
  // Four of them fill what is read at once, so that the connection is not closed for those.
  socket.write(pipelined('GET /begun') + `GET / HTTP/1.1\r\nHost: mayfly.test\r\nA: ${'a'.repeat(15_000)}\r\n\r\n`.repeat(200))
  await begun
  for (let other = 0; other < 3; other++) expect(await exchange('alone', request('GET /'))).toContain('200 OK')
  expect(socket.closed).toBe(false)
  socket.destroy()
})

test('expectations are refused in turn, and too many of them close one connection, not the server', async () => {
  const expecting = 'GET / HTTP/1.1\r\nHost: mayfly.test\r\nExpect: tea\r\n\r\n'
  const replies = await exchange('alone', pipelined('GET /') + expecting.repeat(2) + request('GET /'))
  expect(replies.match(/^HTTP\/1\.1 \d+/gm)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 417', 'HTTP/1.1 417', 'HTTP/1.1 200'])
  await using server = await listenHttp(limits)
  const released = Promise.withResolvers<Response>()
  server.serve(() => released.promise)
  const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
  const closed = new Promise(resolve => socket.once('close', resolve))
  socket.resume().write(pipelined('GET /') + expecting.repeat(2000))
  // Meanwhile all of them are read.
  for (let other = 0; other < 3; other++) expect(await exchange('alone', request('GET /'))).toContain('200 OK')
  released.resolve(new Response('late'))
  await closed
})

test('a request behind a response that closes the connection is not handled', async () => {
  await using server = await listenHttp(limits)
  const handled: string[] = []
  server.serve(({ method }) => {
    handled.push(method)
    return new Response(null, { status: 204 })
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.resume().write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello${pipelined('DELETE /')}`)
  await new Promise(resolve => socket.once('close', resolve))
  expect(handled).toEqual(['POST'])
})

test.each([false, true])('requests of clients that hang up at once are all handled, encrypted: %s', async isEncrypted => {
  const plain = { publicUrl: 'https://x', keyAuthorization: () => undefined, canRedirect: () => false }
  const https = { host: '127.0.0.1', port: 0, certificate: selfSign('x', Date.now()), plain }
  await using server = await listenHttp({ ...limits, requestTimeoutMs: 600_000, https })
  let handled = 0
  server.serve(() => {
    handled += 1
    return new Response('handled')
  })
  const to = { port: isEncrypted ? (server.httpsPort ?? 0) : server.port, host: '127.0.0.1' }
  const sockets = await Promise.all(
    Array.from({ length: 100 }, async () => {
      const socket = isEncrypted ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to)
      socket.on('error', () => undefined)
      await new Promise(resolve => socket.once(isEncrypted ? 'secureConnect' : 'connect', resolve))
      return socket
    }),
  )
  const closed = Promise.all(sockets.map(socket => new Promise(resolve => socket.once('close', resolve).resume())))
  for (const socket of sockets) socket.end(`GET / HTTP/1.1\r\nHost: x\r\nA: ${'a'.repeat(9000)}\r\n\r\n`)
  await closed
  expect(handled).toBe(100)
})

test.each([
  ['a body', ['POST /', `Content-Length: 100000\r\n\r\n${'a'.repeat(100_000)}`], ['200']],
  ['chunks', ['POST /', 'Transfer-Encoding: chunked\r\n\r\n1\r\na\r\n0\r\nX: y\r\n\r\n'], ['200']],
  ['two requests', ['POST /', 'Content-Length: 2\r\n\r\n{}GET / HTTP/1.1\r\nHost: x\r\n\r\n'], ['200', '200']],
  ['half of one', ['POST /', 'Content-Length: 2\r\n\r\n{'], ['400']],
  ['a request that takes long', ['POST /interim', 'Content-Length: 2\r\n\r\n{}'], ['100', '200']],
] as const)('a client that sends no more after %s gets all responses', async (_, [line, rest], statuses) => {
  for (const on of ['alone', 'encrypted'] as const) {
    interim = Promise.withResolvers()
    const to = { port: ports[on], host: '127.0.0.1', rejectUnauthorized: false }
    const socket = on === 'encrypted' ? connectTls(to) : connect(to)
    let heard = ''
    socket.on('data', chunk => {
      heard += chunk
      if (heard.includes('100 Continue')) interim.resolve()
    })
    socket.end(`${line} HTTP/1.1\r\nHost: x\r\n${rest}`)
    await once(socket, 'close')
    expect(heard.match(/(?<=HTTP\/1\.1 )\d+/g)).toEqual(statuses)
  }
})

test.each([
  [1000, 'HTTP/1.1 200 OK'],
  [4000, 'ended'],
])('a client that changes its keys %i times before a request', async (times, outcome) => {
  const plain = connect(ports.encrypted, '127.0.0.1')
  const secured = connectTls({ socket: plain, rejectUnauthorized: false, ciphers: CIPHER }).on('error', () => undefined)
  const writer = await secureByHand(plain, secured, 'CLIENT', 0)
  const heard = Promise.race([once(secured, 'data').then(String), once(secured, 'close').then(() => 'ended')])
  writer.send(times, request('GET /'))
  expect((await heard).split('\r\n')[0]).toBe(outcome)
  secured.destroy()
})

test('a request behind one whose body was read is handled with its own body', async () => {
  const post = (more: string) => `POST / HTTP/1.1\r\nHost: mayfly.test\r\n${more}Content-Length: 70000\r\n\r\n`
  const text = post('') + 'a'.repeat(70_000) + post('') + 'b'.repeat(70_000) + post('Connection: close\r\n') + 'c'.repeat(70_000)
  const replies = await exchange('alone', text)
  expect(['a', 'b', 'c'].map(letter => replies.split(letter.repeat(70_000)).length)).toEqual([2, 2, 2])
})

test('bodies of many connections are read in turn with the requests of others', async () => {
  await using server = await listenHttp({ ...limits, requestTimeoutMs: 600_000 })
  let bytes = 0
  const handled = Promise.withResolvers<number>()
  server.serve(async request => {
    if (request.method === 'GET') handled.resolve(bytes)
    for await (const chunk of request.body ?? []) bytes += chunk.length
    return new Response('read')
  })
  const sockets = await Promise.all(
    Array.from({ length: 21 }, async () => {
      const socket = connect(server.port, '127.0.0.1').on('error', () => undefined)
      await new Promise(resolve => socket.once('connect', resolve))
      return socket
    }),
  )
  const last = sockets.pop()
  for (const socket of sockets) socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(999_999)}`)
  last?.write(request('GET /'))
  expect(await handled.promise).toBeLessThan(1_000_000)
  for (const socket of [...sockets, last]) socket?.destroy()
})

test.each(['alone', 'encrypted'] as const)('a body of flushed lines is read: %s', async on => {
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`
  const lines = chunk('1').repeat(250) + chunk('x'.repeat(90)).repeat(500)
  const replies = await exchange(on, `${request('POST /', 'Transfer-Encoding: chunked\r\n')}${lines}0\r\nA: trailer\r\n\r\n`)
  expect(replies.split('\r\n\r\n')[1]).toHaveLength(45_250)
})

test.each(['HTTP', 'HTTPS'])('clients that read nothing of a large response hold no copy of it: %s', async protocol => {
  const plain = { publicUrl: 'https://x', keyAuthorization: () => undefined, canRedirect: () => false }
  const https = { host: '127.0.0.1', port: 0, certificate: selfSign('x', Date.now()), plain }
  await using server = await listenHttp({ ...limits, requestTimeoutMs: 600_000, https })
  const file = Buffer.alloc(8_000_000, 'file')
  server.serve(() => new Response(file))
  const before = process.memoryUsage().rss
  const sockets = Array.from({ length: 20 }, () => {
    if (protocol === 'HTTP') return connect(server.port, '127.0.0.1')
    return connectTls({ port: server.httpsPort ?? 0, host: '127.0.0.1', rejectUnauthorized: false })
  })
  for (const socket of sockets) socket.on('error', () => undefined).write(pipelined('GET /'))
  // A stream with such a listener reads no more than its start.
  await Promise.all(sockets.map(socket => once(socket, 'readable')))
  expect(process.memoryUsage().rss - before).toBeLessThan(60_000_000)
  const [first, ...others] = sockets
  for (const socket of others) socket.destroy()
  let bytes = 0
  const whole = Promise.withResolvers<void>()
  first?.on('data', chunk => {
    bytes += chunk.length
    if (bytes > file.length) whole.resolve()
  })
  first?.resume()
  await whole.promise
  first?.destroy()
})
