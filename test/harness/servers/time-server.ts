/** A time server (SNTP, RFC 4330) on loopback. */
import { createSocket } from 'node:dgram'
import { once } from 'node:events'

/** Seconds from 1900, from where NTP counts, to 1970. */
const EPOCH_SECONDS = 2_208_988_800

export type TimeServer = Disposable & { readonly port: number }

/** `offsetMs`: by how much its clock is ahead of ours. */
export async function startTimeServer(offsetMs: () => number): Promise<TimeServer> {
  const socket = createSocket('udp4')
  socket.on('message', (_, { port, address }) => {
    const reply = Buffer.alloc(48)
    reply.writeUInt32BE(Math.floor((Date.now() + offsetMs()) / 1000) + EPOCH_SECONDS, 40)
    socket.send(reply, port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { port: socket.address().port, [Symbol.dispose]: () => void socket.close() }
}
