/** What a stop does to connections that are open. Closing would wait an hour for any that it forgets. */
import { once } from 'node:events'
import { connect } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { describe, expect, test } from 'vitest'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { listenHttp } from './http-server.ts'

const HOST = '127.0.0.1'
const REQUEST = 'GET / HTTP/1.1\r\nHost: mayfly.test\r\n\r\n'
const DRAIN_MS = 3_600_000
/** More than the system keeps for a reader who does not read. */
const LARGE = 'x'.repeat(16 * 1024 * 1024)

async function startServerProcess(handle: () => Response) {
  const plain = { publicUrl: 'https://mayfly.test', keyAuthorization: () => undefined, canRedirect: () => false }
  const https = { host: HOST, port: 0, certificate: selfSign('mayfly.test', Date.now()), plain }
  const server = await listenHttp({ host: HOST, port: 0, headers: new Map(), drainMs: DRAIN_MS, https })
  server.serve(() => handle())
  return server
}

/** A connection as a browser opens one ahead of its requests. */
async function open({ port, httpsPort = 0 }: Awaited<ReturnType<typeof startServerProcess>>, isEncrypted: boolean) {
  const socket = isEncrypted ? connectTls({ port: httpsPort, host: HOST, rejectUnauthorized: false }) : connect(port, HOST)
  const heard = saidBy(socket)
  await once(socket, isEncrypted ? 'secureConnect' : 'connect')
  return {
    socket,
    closed: once(socket, 'close').then(heard),
    async hear(text: string) {
      while (!heard().includes(text)) await once(socket, 'data')
    },
  }
}

describe.each([
  ['plain', false],
  ['encrypted', true],
] as const)('%s connections', (_, isEncrypted) => {
  test('a new one and one that was kept may each send a request after the stop', async () => {
    const server = await startServerProcess(() => new Response('done'))
    const [early, kept] = [await open(server, isEncrypted), await open(server, isEncrypted)]
    kept.socket.write(REQUEST)
    await kept.hear('done')
    const stopped = server[Symbol.asyncDispose]()
    early.socket.write(REQUEST)
    kept.socket.write(REQUEST)
    await early.hear('done')
    await stopped
    expect((await early.closed).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1)
    expect((await kept.closed).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2)
  })

  test('a response that began before the stop ends, and its connection with it', async () => {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const body = writable.getWriter()
    const server = await startServerProcess(() => new Response(readable))
    const [reader, unused] = [await open(server, isEncrypted), await open(server, isEncrypted)]
    reader.socket.write(REQUEST)
    await body.write(Buffer.from('first'))
    await reader.hear('first')
    const stopped = server[Symbol.asyncDispose]()
    // From then on no further request is expected.
    await unused.closed
    await body.write(Buffer.from('last'))
    await body.close()
    await stopped
    expect(await reader.closed).toContain('last')
  })

  test('a response that its reader has not read yet arrives in full', async () => {
    const server = await startServerProcess(() => new Response(LARGE))
    const [reader, unused] = [await open(server, isEncrypted), await open(server, isEncrypted)]
    reader.socket.write(REQUEST)
    await reader.hear('200 OK')
    reader.socket.pause()
    const stopped = server[Symbol.asyncDispose]()
    await unused.closed
    reader.socket.resume()
    await stopped
    expect((await reader.closed).split('\r\n\r\n')[1]).toHaveLength(LARGE.length)
  })
})
