// Tells the time as pool.ntp.org would (RFC 4330), because nothing leaves the rehearsal's network.
import { createSocket } from 'node:dgram'

const SECONDS_1900_TO_1970 = 2_208_988_800
const socket = createSocket('udp4')
socket.on('message', (_, { port, address }) => {
  const reply = Buffer.alloc(48)
  const now = Date.now()
  reply.writeUInt32BE(Math.floor(now / 1000) + SECONDS_1900_TO_1970, 40)
  reply.writeUInt32BE(Math.floor(((now % 1000) / 1000) * 2 ** 32), 44)
  socket.send(reply, port, address)
})
socket.bind(123, '203.0.113.5')
