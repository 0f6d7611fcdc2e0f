/** Reads the PROXY protocol header, versions 1 and 2 (https://www.haproxy.org/download/2.6/doc/proxy-protocol.txt). */
import { isIPv4, isIPv6, type Socket } from 'node:net'

/** `clientAddress` is missing when the proxy connects for itself, as in a health check, or for a client without an internet address. */
type ProxyHeader = { readonly length: number; readonly clientAddress?: string }

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1')
const FIXED_BYTES = 16
/** Addresses take 36 bytes. Extensions after them are skipped, and no proxy sends many. */
const EXTENDED_BYTES_MAX = 4096
const TEXT_BYTES_MAX = 107
const TEXT_START = Buffer.from('PROXY ', 'latin1')

const LOCAL = 0x20
const PROXY = 0x21
const TCP4 = 0x11
const TCP6 = 0x21
/**
 * Without a family, as `UNKNOWN` in version 1, and a Unix socket: a receiver has to take the connection as the proxy's own (section 2.2).
 */
const NO_ADDRESS = [0x00, 0x31]

/** Reads the header and calls `done` once, with the client's address or `undefined` if none comes in time. The socket is then paused. */
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

/** How the connection begins: with a header, `'incomplete'` if it may still become one, `'none'` if it cannot. */
function parseProxyHeader(bytes: Buffer): ProxyHeader | 'incomplete' | 'none' {
  if (beginsLike(bytes, SIGNATURE)) return bytes.length < FIXED_BYTES ? 'incomplete' : parseBinary(bytes)
  if (beginsLike(bytes, TEXT_START)) return parseText(bytes)
  return 'none'
}

/** Detects a header from a client that is not a known proxy, so that an operator who forgot to name the proxy finds out. */
export function isProxyHeader(bytes: Buffer): boolean {
  return (
    (bytes.length >= SIGNATURE.length && beginsLike(bytes, SIGNATURE)) ||
    /^PROXY (?:TCP[46]|UNKNOWN)[ \r]/.test(bytes.toString('latin1', 0, 16))
  )
}

function beginsLike(bytes: Buffer, start: Buffer): boolean {
  const length = Math.min(bytes.length, start.length)
  return bytes.compare(start, 0, length, 0, length) === 0
}

function parseBinary(bytes: Buffer): ProxyHeader | 'incomplete' | 'none' {
  const [command, family, extended] = [bytes.readUInt8(12), bytes.readUInt8(13), bytes.readUInt16BE(14)]
  if ((command !== LOCAL && command !== PROXY) || extended > EXTENDED_BYTES_MAX) return 'none'
  const length = FIXED_BYTES + extended
  if (bytes.length < length) return 'incomplete'
  if (command === LOCAL || NO_ADDRESS.includes(family)) return { length }
  if (family === TCP4 && extended >= 12) return { length, clientAddress: bytes.subarray(FIXED_BYTES, FIXED_BYTES + 4).join('.') }
  if (family === TCP6 && extended >= 36) return { length, clientAddress: ipv6(bytes.subarray(FIXED_BYTES, FIXED_BYTES + 16)) }
  return 'none'
}

const ipv6 = (bytes: Buffer): string => Array.from({ length: 8 }, (_, group) => bytes.readUInt16BE(group * 2).toString(16)).join(':')

function parseText(bytes: Buffer): ProxyHeader | 'incomplete' | 'none' {
  const end = bytes.subarray(0, TEXT_BYTES_MAX).indexOf('\r\n')
  if (end === -1) return bytes.length < TEXT_BYTES_MAX ? 'incomplete' : 'none'
  const length = end + 2
  const [, family, source = '', destination = '', ...ports] = bytes.toString('latin1', 0, end).split(' ')
  if (family === 'UNKNOWN') return { length }
  const isAddress = family === 'TCP4' ? isIPv4 : family === 'TCP6' ? isIPv6 : () => false
  const isWhole = isAddress(source) && isAddress(destination) && ports.length === 2 && ports.every(port => /^\d{1,5}$/.test(port))
  return isWhole ? { length, clientAddress: source } : 'none'
}
