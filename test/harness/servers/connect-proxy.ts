/** A proxy on loopback that knows CONNECT alone (RFC 9110 section 9.3.6), and leads every tunnel where the test says. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'

type ConnectProxy = AsyncDisposable & {
  readonly url: string
  /** What it was asked for: `host:port`. */
  readonly asked: string[]
}

/** @param portOf the port of this machine for an authority; `undefined` refuses it. */
export async function startConnectProxy(portOf: (authority: string) => number | undefined): Promise<ConnectProxy> {
  const asked: string[] = []
  const open = new Set<Socket>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  server.on('connection', socket => {
    open.add(socket)
    socket.on('close', () => open.delete(socket)).on('error', () => socket.destroy())
  })
  server.on('connect', ({ url = '' }, client) => {
    asked.push(url)
    const port = portOf(url)
    if (port === undefined) return client.end('HTTP/1.1 403 Forbidden\r\n\r\n')
    const target = connect(port, '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      target.pipe(client).pipe(target)
    })
    target.on('error', () => client.destroy())
    client.on('error', () => target.destroy()).on('close', () => target.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise(closed => server.close(closed))
    },
  }
}
