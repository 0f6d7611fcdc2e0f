/** Reads the PROXY protocol header of a connection from a proxy. */
import type { Socket } from 'node:net'
import { parseProxyHeader } from './proxy-header.ts'

/** Calls `done` once: with the client's address, or with `undefined` if no header arrives in time. The socket is paused then. */
export function readProxyHeader(socket: Socket, timeoutMs: number, done: (clientAddress: string | undefined) => void): void {
  let received: Buffer = Buffer.alloc(0)
  const settle = (clientAddress: string | undefined, rest: Buffer = Buffer.alloc(0)) => {
    clearTimeout(timer)
    socket.pause()
    socket.off('data', arrived).off('error', ignore).off('close', gone).off('end', gone)
    if (rest.length > 0) socket.unshift(rest)
    done(clientAddress)
  }
  const arrived = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk])
    const header = parseProxyHeader(received)
    if (header === 'incomplete') return
    if (header === 'none') return settle(undefined)
    settle(header.clientAddress ?? socket.remoteAddress, received.subarray(header.length))
  }
  const ignore = () => undefined
  const gone = () => {
    clearTimeout(timer)
    socket.destroy()
  }
  const timer = setTimeout(() => settle(undefined), timeoutMs)
  socket.on('data', arrived).on('error', ignore).once('close', gone).once('end', gone)
  socket.resume()
}
