/** A real server with a client for it. */

import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { createApiToken } from '#server/accounts/api-credentials.ts'
import { Mayfly } from '../../client/index.ts'
import { startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'

export type TestClient = AsyncDisposable & { readonly server: TestServer; readonly mayfly: Mayfly; readonly apiKey: string }

export async function startClient(env: Readonly<Record<string, string>> = {}): Promise<TestClient> {
  const { token, sha256 } = createApiToken()
  const server = await startTestServer({ isClockRunning: true, env: { API_TOKENS: `tests:${sha256}`, ...env } })
  return {
    server,
    mayfly: new Mayfly({ url: server.url(''), apiKey: token }),
    apiKey: token,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

type TestMail = { readonly from?: string; readonly subject?: string; readonly text?: string; readonly html?: string }

export function composeMail(
  to: string,
  { from = 'Shop <hello@shop.test>', subject = 'Hello', text = 'Hello.', html }: TestMail = {},
): Buffer {
  const head = [`From: ${from}`, `To: ${to}`, `Subject: ${subject}`, 'MIME-Version: 1.0']
  const body =
    html === undefined ? ['Content-Type: text/plain; charset=utf-8', '', text] : ['Content-Type: text/html; charset=utf-8', '', html]
  return Buffer.from([...head, ...body, ''].join('\r\n'))
}

/** A proxy in front of the server whose connections a test can cut. */
export async function startCuttableProxy(port: number) {
  const open = new Set<Socket>()
  let connections = 0
  const proxy = createServer(client => {
    connections++
    const upstream = connect(port, '127.0.0.1')
    for (const [from, to] of [[client, upstream] as const, [upstream, client] as const]) {
      open.add(from)
      from.pipe(to)
      from.on('error', () => to.destroy())
      from.on('close', () => {
        open.delete(from)
        to.destroy()
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const cut = () => {
    for (const socket of open) socket.destroy()
  }
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    connections: () => connections,
    cut,
    async [Symbol.asyncDispose]() {
      cut()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

export type Fault = 'cut' | 'half' | 'stall' | 'delay' | 'bad gateway' | 'too many' | 'too many today' | 'moved' | 'not json' | undefined

/** A proxy in front of the server that spoils the responses for which `nextFault` names a fault. */
export async function startChaosProxy(target: string, nextFault: (request: IncomingMessage) => Fault) {
  const paths: string[] = []
  const proxy = createHttpServer(async (request, response) => {
    paths.push(`${request.method} ${request.url}`)
    const fault = nextFault(request)
    if (fault === 'cut') return void request.socket.destroy()
    if (fault === 'bad gateway') return void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad Gateway</h1>')
    if (fault === 'too many') return void response.writeHead(429, { 'retry-after': '1' }).end('Slow down')
    if (fault === 'too many today') {
      const tomorrow = new Date(Date.now() + 86_400_000).toUTCString()
      return void response.writeHead(429, { 'retry-after': tomorrow }).end('Slow down')
    }
    if (fault === 'moved') return void response.writeHead(301, { location: `${target}${request.url}` }).end()
    const body = await buffer(request)
    const headers = new Headers(Object.entries(request.headers).flatMap(([name, value]) => (isHop(name) ? [] : [[name, String(value)]])))
    const gone = new AbortController()
    response.once('close', () => gone.abort())
    const init = { method: request.method ?? 'GET', headers, signal: gone.signal, ...(body.length > 0 && { body }) }
    const answer = await fetch(`${target}${request.url}`, init).catch(() => undefined)
    if (!answer) return void request.socket.destroy()
    const bytes = Buffer.from(await answer.arrayBuffer())
    if (fault === 'delay') await sleep(300)
    const contentType = answer.headers.get('content-type') ?? 'application/json'
    if (fault === 'not json') return void response.writeHead(answer.status, { 'content-type': contentType }).end(bytes.subarray(0, 20))
    response.writeHead(answer.status, { 'content-type': contentType, 'content-length': bytes.length })
    if ((fault !== 'half' && fault !== 'stall') || bytes.length === 0) return void response.end(bytes)
    response.write(bytes.subarray(0, bytes.length / 2), () => fault === 'half' && request.socket.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    paths: paths as readonly string[],
    async [Symbol.asyncDispose]() {
      proxy.closeAllConnections()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

/** Headers of one connection, which a proxy does not pass on. */
const isHop = (name: string) => ['host', 'connection', 'content-length', 'transfer-encoding', 'expect'].includes(name)
