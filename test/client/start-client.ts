/** A real server with a client for it. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
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
