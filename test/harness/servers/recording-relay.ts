/** Passes connections on to an SMTP server of this machine, from a network of its own, and keeps what the server replied. */
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

type RecordingRelay = AsyncDisposable & {
  readonly port: number
  /** Replies that say that a mail must wait for another try. */
  deferrals(): string[]
  /** How many mails each connection began. */
  mailsOfConnections(): number[]
}

let networks = 0

export async function startRecordingRelay(to: number): Promise<RecordingRelay> {
  const replies: string[][] = []
  const sockets = new Set<Socket>()
  // Unknown recipients are counted for each network: ten programs after each other would use up the attempts of one.
  const localAddress = `127.7.${++networks}.1`
  const relay = createServer(client => {
    const server = connect({ host: '127.0.0.1', port: to, localAddress })
    const chunks: string[] = []
    replies.push(chunks)
    server.on('data', chunk => chunks.push(chunk.toString('latin1')))
    for (const [socket, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(socket)
      socket.pipe(other)
      // The close follows.
      socket.on('error', () => undefined)
      socket.on('close', () => {
        sockets.delete(socket)
        other.destroy()
      })
    }
  })
  await once(relay.listen(0, '127.0.0.1'), 'listening')
  const texts = () => replies.map(chunks => chunks.join(''))
  return {
    port: (relay.address() as AddressInfo).port,
    deferrals: () => texts().flatMap(text => text.match(/^4\d\d .*$/gm) ?? []),
    // RFC 3463: 2.1.0 is the status of a sender that is taken.
    mailsOfConnections: () => texts().map(text => text.match(/^250 2\.1\.0 /gm)?.length ?? 0),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      relay.close()
      await once(relay, 'close')
    },
  }
}
