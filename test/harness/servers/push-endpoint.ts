/** A push service on this machine that keeps its messages. */
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

type Pushed = { readonly path: string; readonly headers: IncomingHttpHeaders; readonly body: Buffer }
export type PushEndpoint = AsyncDisposable & {
  readonly url: string
  readonly pushed: Pushed[]
  /** The status of its responses; 201 by default. */
  status: number
}

export async function startPushEndpoint(): Promise<PushEndpoint> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    endpoint.pushed.push({ path: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks) })
    response.writeHead(endpoint.status, { location: '/elsewhere' }).end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const endpoint: PushEndpoint = {
    url: `http://127.0.0.1:${port}`,
    pushed: [],
    status: 201,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(closed => server.close(closed))
    },
  }
  return endpoint
}
