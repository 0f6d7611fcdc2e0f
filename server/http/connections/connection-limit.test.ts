/** One client's connections, on real sockets. */
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { routes } from '#contract/routes.ts'
import { Clients } from '#server/platform/limits/clients.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { connectionBudget, listenHttp } from './http-server.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

async function start(perClientMax: number, trusted: readonly string[] = []) {
  const connections = { clients: new Clients(trusted), budget: connectionBudget(perClientMax) }
  const server = await listenHttp({ host: '127.0.0.1', port: 0, headers: new Map(), connections })
  server.serve(() => new Response('served'))
  closing.push(() => server[Symbol.asyncDispose]())
  return server.port
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  closing.push(() => socket.destroy())
  await new Promise<void>(resolve => {
    socket.once('connect', resolve).on('error', () => resolve())
  })
  return socket
}

/** The start of the response, or nothing if the connection was cut. */
async function ask(socket: Socket): Promise<string> {
  let heard = ''
  socket.on('data', chunk => {
    heard += chunk
  })
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
  if (!socket.closed) await once(socket, 'close')
  return heard.slice(0, 15)
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
