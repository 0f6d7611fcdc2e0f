/** One client's connections, on real sockets. */

import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { afterEach, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { Clients } from '#server/platform/limits/clients.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { ConnectionLimit, connectionBudget } from './connection-limit.ts'
import { listenHttp } from './http-server.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(perClientMax: number, trusted: readonly string[] = []) {
  const connections = new ConnectionLimit(new Clients(trusted), connectionBudget(perClientMax), connectionBudget(perClientMax))
  const server = await listenHttp({ host: '127.0.0.1', port: 0, headers: new Map(), connections })
  server.serve(() => new Response('served'))
  closing.push(() => server[Symbol.asyncDispose]())
  return server.port
}

async function open(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  closing.push(() => socket.destroy())
  await new Promise<void>(resolve => {
    socket.once('connect', resolve).on('error', () => resolve())
  })
  return socket
}

/** The start of the response, or nothing if the connection was cut. */
async function ask(socket: Socket): Promise<string> {
  const heard = saidBy(socket)
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  if (!socket.closed) await once(socket, 'close')
  return heard().slice(0, 15)
}

test('a client at its limit gets no more, others are served, and a place is free when one closes', async () => {
  const port = await start(3)
  const held = [await open(port), await open(port), await open(port)]
  expect(await ask(await open(port))).toBe('')
  held[0]?.destroy()
  await expect.poll(async () => ask(await open(port)), { timeout: 30_000 }).toBe('HTTP/1.1 200 OK')
  expect(await ask(held[1] as Socket)).toBe('HTTP/1.1 200 OK')
})

test('a trusted proxy counts as many clients', async () => {
  const port = await start(1, ['127.0.0.0/8'])
  const held = await Promise.all(Array.from({ length: 20 }, () => open(port)))
  expect(await Promise.all(held.map(ask))).toEqual(Array(20).fill('HTTP/1.1 200 OK'))
})

test('the server applies the setting', async () => {
  await using site = await startTestServer({ config: { httpConnectionsPerClientMax: 2 } })
  const held = [await open(site.app.httpPort), await open(site.app.httpPort)]
  expect(await ask(await open(site.app.httpPort))).toBe('')
  for (const socket of held) socket.destroy()
  const healthz = async () => {
    const answer = await site
      .visitor()
      .ask('GET', routes.healthz)
      .catch(() => undefined)
    return answer?.status
  }
  await expect.poll(healthz, { timeout: 30_000 }).toBe(200)
})

const PLAIN = { publicUrl: 'https://x', keyAuthorization: () => undefined, canRedirect: () => false }
const HEADERS = 'POST /slow HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n'
const HOLDS = {
  'that sends nothing': '',
  'that is kept after a response': 'GET / HTTP/1.1\r\nHost: x\r\n\r\n',
  'whose headers do not end': HEADERS,
  'whose body does not end': `${HEADERS}\r\n{`,
  'whose response does not end': 'GET /endless HTTP/1.1\r\nHost: x\r\n\r\n',
}

test.each(
  Object.entries(HOLDS).flatMap(([name, sent]) => [
    { name, sent, isEncrypted: false },
    { name, sent, isEncrypted: true },
  ]),
)('a connection $name gives way when its network holds most of all (encrypted: $isEncrypted)', async ({ sent, isEncrypted }) => {
  const connections = new ConnectionLimit(new Clients([]), connectionBudget(40, 40), connectionBudget(40, 40))
  const https = { host: '127.0.0.1', port: 0, certificate: selfSign('x', Date.now()), plain: PLAIN }
  const server = await listenHttp({ host: '127.0.0.1', port: 0, headers: new Map(), connections, https, drainMs: 100 })
  closing.push(() => server[Symbol.asyncDispose]())
  server.serve(async request => {
    if (request.url.endsWith('/slow')) await request.text()
    return new Response(request.url.endsWith('/endless') ? new ReadableStream({ start: body => body.enqueue(Buffer.from('x')) }) : 'served')
  })
  const to = (localAddress: string) => ({ port: isEncrypted ? (server.httpsPort ?? 0) : server.port, host: '127.0.0.1', localAddress })
  const enter = async (localAddress: string) => {
    const socket = isEncrypted ? connectTls({ ...to(localAddress), rejectUnauthorized: false }) : connect(to(localAddress))
    closing.push(() => socket.destroy())
    socket.on('error', () => undefined)
    await new Promise(resolve => socket.once(isEncrypted ? 'secureConnect' : 'connect', resolve).once('close', resolve))
    return socket
  }
  const held = new Set<Socket>()
  for (let network = 1; network <= 5; network++)
    for (let at = 0; at < 12; at++) {
      const socket = await enter(`127.0.${network}.1`)
      if (socket.closed) continue
      held.add(socket.once('close', () => held.delete(socket)))
      socket.write(sent)
      if (sent.endsWith('\r\n\r\n')) await Promise.race([once(socket, 'data'), once(socket, 'close')])
    }
  const answers: string[] = []
  for (let victim = 1; victim <= 12; victim++) answers.push(await ask(await enter(`127.1.${victim}.1`)))
  expect(answers).toEqual(Array(12).fill('HTTP/1.1 200 OK'))
  await expect.poll(() => held.size).toBeLessThan(40)
  expect(held.size).toBeGreaterThan(20)
})

test('a request under way goes after connections that wait, and a network with a browser’s connections keeps them', async () => {
  const connections = new ConnectionLimit(new Clients([]), connectionBudget(40, 40), connectionBudget(40, 40))
  const server = await listenHttp({ host: '127.0.0.1', port: 0, headers: new Map(), connections })
  closing.push(() => server[Symbol.asyncDispose]())
  server.serve(async request => new Response(await request.text()))
  const busy = await open(server.port, '127.0.1.1')
  const heard = saidBy(busy)
  busy.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{')
  const openFive = (network: number) => Promise.all(Array.from({ length: 5 }, () => open(server.port, `127.0.${network}.1`)))
  const few = (await Promise.all([2, 3, 4, 5, 6, 7].map(openFive))).flat()
  const idle = [...(await openFive(1)), ...(await openFive(1))]
  for (let victim = 1; victim <= 12; victim++) await ask(await open(server.port, `127.1.${victim}.1`))
  busy.write('}')
  await expect.poll(() => busy.closed).toBe(true)
  expect(heard()).toContain('200 OK')
  expect(few.filter(socket => socket.closed)).toHaveLength(0)
  expect(idle.filter(socket => socket.closed).length).toBeGreaterThan(0)
})

test('a neighbour keeps its older connection when another address of its network holds most of all', async () => {
  const connections = new ConnectionLimit(new Clients([]), connectionBudget(20, 40), connectionBudget(20, 40))
  const server = await listenHttp({ host: '127.0.0.1', port: 0, headers: new Map(), connections })
  closing.push(() => server[Symbol.asyncDispose]())
  server.serve(() => new Response('served'))
  const openMany = (count: number, from: string) => Promise.all(Array.from({ length: count }, () => open(server.port, from)))
  const neighbour = await open(server.port, '127.0.1.7')
  const flood = await openMany(20, '127.0.1.66')
  for (let network = 2; network <= 4; network++) await openMany(5, `127.0.${network}.1`)
  const newcomers: Socket[] = []
  for (let network = 1; network <= 9; network++) newcomers.push(await open(server.port, `127.1.${network}.1`))
  await expect.poll(() => flood.filter(socket => socket.closed).length).toBeGreaterThan(0)
  expect(newcomers.filter(socket => socket.closed)).toHaveLength(0)
  expect(await ask(neighbour)).toBe('HTTP/1.1 200 OK')
})

test('a client that resets and comes back from the same port has its request counted', async () => {
  const connections = new ConnectionLimit(new Clients([]), connectionBudget(20, 40), connectionBudget(20, 40))
  const https = { host: '127.0.0.1', port: 0, certificate: selfSign('x', Date.now()), plain: PLAIN }
  const server = await listenHttp({ host: '127.0.0.1', port: 0, headers: new Map(), connections, https })
  closing.push(() => server[Symbol.asyncDispose]())
  server.serve(async request => new Response(await request.text()))
  const to = { port: server.httpsPort ?? 0, host: '127.0.0.1', localAddress: '127.0.1.1' }
  const former = connect(to)
  await once(former, 'connect')
  const { localPort } = former
  if (localPort === undefined) expect.fail()
  former.resetAndDestroy()
  const again = { ...to, localPort }
  const busy = connectTls({ ...again, rejectUnauthorized: false })
  closing.push(() => busy.destroy())
  const heard = saidBy(busy.on('error', () => undefined))
  await once(busy, 'secureConnect')
  busy.write('POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n')
  await expect.poll(heard).toContain('100 Continue')
  const openMany = (count: number, from: string) => Promise.all(Array.from({ length: count }, () => open(server.port, from)))
  const idle = await openMany(19, '127.0.1.1')
  for (let network = 2; network <= 4; network++) await openMany(5, `127.0.${network}.1`)
  for (let network = 1; network <= 9; network++) await open(server.port, `127.1.${network}.1`)
  await expect.poll(() => idle.filter(socket => socket.closed).length).toBeGreaterThan(0)
  busy.write('{}')
  await expect.poll(() => busy.closed).toBe(true)
  expect(heard()).toContain('200 OK')
})

test('requests through a trusted proxy are counted by visitor, so that one with bodies that never come keeps nobody out', async () => {
  const connections = new ConnectionLimit(new Clients(['127.0.0.0/8']), connectionBudget(40), connectionBudget(3))
  const server = await listenHttp({ host: '127.0.0.1', port: 0, headers: new Map(), connections })
  closing.push(() => server[Symbol.asyncDispose]())
  server.serve(async request => new Response(await request.text()))
  const forward = async (visitor: string, body: string) => {
    const socket = await open(server.port)
    const heard = saidBy(socket)
    socket.write(`POST / HTTP/1.1\r\nHost: x\r\nX-Forwarded-For: ${visitor}\r\nContent-Length: 2\r\n\r\n${body}`)
    return { socket, status: () => heard().slice(9, 12), heard }
  }
  const answered = async (visitor: string) => {
    const next = await forward(visitor, '{}')
    await expect.poll(next.status).not.toBe('')
    return next.status()
  }
  const attacker = [0, 1, 2].map(() => forward('203.0.113.66', '{'))
  const held = await Promise.all(attacker)
  await expect.poll(async () => answered('203.0.113.66')).toBe('429')
  const refused = await forward('203.0.113.66', '{')
  await expect.poll(() => refused.socket.closed).toBe(true)
  // A proxy would send another visitor's request on it.
  expect(refused.heard()).toMatch(/^connection: close\r$/im)
  for (const visitor of ['203.0.113.67', '198.51.100.9', '127.0.0.1']) {
    expect(await answered(visitor)).toBe('200')
  }
  held[0]?.socket.destroy()
  await expect.poll(() => answered('203.0.113.66')).toBe('200')
})
