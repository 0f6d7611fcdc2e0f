/** The encrypted bytes of a connection, on their way to TLS in turn with those of others. */
import type { Server as SecureServer } from 'node:https'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import { KIB } from '#contract/limits.ts'

/** Decrypted before others have their turn. They may be 75 messages of TLS that change its keys, each of 10 microseconds. */
const PIECE_BYTES = 2 * KIB
/** The same, of a connection whose last window was mostly content. It is one record of TLS. */
const CONTENT_PIECE_BYTES = 16 * KIB
const WINDOW_BYTES = 64 * KIB
/** A client that sends each byte in a record of its own has 770 of them in a window, under the largest cipher. */
const CONTENT_BYTES_MIN = 512

/** A failure of TLS, as OpenSSL names its own. */
const NO_CONTENT = 'ERR_SSL_NO_CONTENT'

/** Calls `begin` when it is the turn of whoever sends on this connection. */
export type TakeTurn = (begin: () => void) => void

/**
 * Stands between a connection and its TLS. Node would read and decrypt up to 2 MiB of one connection before it looks at the next one. Of
 * messages that change the keys or open sessions (RFC 8446 section 4.6) that takes most of a second, and no JavaScript hears of them. So
 * the bytes pass here in small pieces, and a connection that sends hardly any content among them is ended.
 */
export class EncryptedStream extends Duplex {
  readonly #socket: Socket
  readonly #takeTurn: TakeTurn
  /** What was read from the connection. Little of it: nothing more is read meanwhile. */
  #input: Buffer = Buffer.alloc(0)
  #isWaitingForTurn = false
  /** The connection brings no more. TLS is told when it has all that came before, as the end of a paused connection does not wait. */
  #hasEnded = false
  /** TLS takes no more for now. */
  #isHeld = false
  #pieceBytes = PIECE_BYTES
  #windowBytes = 0
  #contentBefore = 0
  /** TLS over this stream. It counts the content. */
  secured: TLSSocket | undefined

  constructor(socket: Socket, takeTurn: TakeTurn) {
    super({ allowHalfOpen: socket.allowHalfOpen })
    this.#socket = socket
    this.#takeTurn = takeTurn
    socket.allowHalfOpen = true
    socket.on('data', chunk => {
      this.#input = chunk
      this.#work()
      if (this.#input.length > 0 || this.#isHeld) socket.pause()
    })
    socket.on('end', () => {
      this.#hasEnded = true
      this.#work()
    })
    socket.on('error', error => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  #work(): void {
    if (this.#isWaitingForTurn || this.#isHeld || this.destroyed) return
    if (this.#input.length === 0) {
      if (this.#hasEnded) this.push(null)
      else if (this.#socket.isPaused()) this.#socket.resume()
      return
    }
    this.#isWaitingForTurn = true
    this.#takeTurn(() => {
      const piece = this.#input.subarray(0, this.#pieceBytes)
      this.#input = this.#input.subarray(piece.length)
      if (!this.destroyed) this.#isHeld = !this.push(piece)
      this.#isWaitingForTurn = false
      this.#judge(piece.length)
      this.#work()
    })
  }

  #judge(bytes: number): void {
    this.#windowBytes += bytes
    // What TLS has not taken yet, since its reader has paused, cannot have become content.
    if (this.#windowBytes < WINDOW_BYTES || this.readableLength > 0) return
    const content = this.secured?.bytesRead ?? 0
    const added = content - this.#contentBefore
    // While the reader paused, the window may have become longer.
    if (added * WINDOW_BYTES < CONTENT_BYTES_MIN * this.#windowBytes)
      this.destroy(Object.assign(new Error('hardly any content over TLS'), { code: NO_CONTENT }))
    this.#pieceBytes = added > this.#windowBytes / 2 ? CONTENT_PIECE_BYTES : PIECE_BYTES
    this.#contentBefore = content
    this.#windowBytes = 0
  }

  /** TLS, which was made meanwhile, ends itself as the connection would have. It may still write then. */
  override _construct(constructed: () => void): void {
    this.allowHalfOpen = true
    constructed()
  }

  override _read(): void {
    this.#isHeld = false
    this.#work()
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, written: (error?: Error | null) => void): void {
    this.#socket.write(chunk, written)
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], written: (error?: Error | null) => void): void {
    this.#socket.cork()
    for (const [index, { chunk }] of chunks.entries()) this.#socket.write(chunk, index === chunks.length - 1 ? written : undefined)
    this.#socket.uncork()
  }

  override _final(ended: () => void): void {
    this.#socket.end(ended)
  }

  override _destroy(error: Error | null, destroyed: (error: Error | null) => void): void {
    this.#socket.destroy()
    destroyed(error)
  }
}

/** Node calls an encoding so where there is none. */
const BYTES = 'buffer' as BufferEncoding
type Chunk = { readonly chunk: Buffer | string; readonly encoding: BufferEncoding }

/**
 * Node encrypts all that it is given before it sends any of it, so each client that does not read would hold a copy of a whole file. Here
 * it gets the next piece when the system has taken the one before.
 */
function encryptInPieces(secured: TLSSocket): void {
  const write = secured._write.bind(secured)
  const writeSeveral = secured._writev?.bind(secured)
  const writePieces = async (chunks: readonly Chunk[]) => {
    for (const { chunk, encoding } of chunks) {
      const bytes = typeof chunk === 'string' ? Buffer.from(chunk, encoding) : chunk
      for (let at = 0; at < bytes.length; at += WINDOW_BYTES) {
        const piece = bytes.subarray(at, at + WINDOW_BYTES)
        await new Promise<void>((resolve, reject) => write(piece, BYTES, error => (error ? reject(error) : resolve())))
      }
    }
  }
  secured._write = (chunk, encoding, written) => {
    if (chunk.length <= WINDOW_BYTES) write(chunk, encoding, written)
    else writePieces([{ chunk, encoding }]).then(() => written(), written)
  }
  secured._writev = (chunks, written) => {
    const length = chunks.reduce((sum, { chunk }) => sum + chunk.length, 0)
    if (writeSeveral && length <= WINDOW_BYTES) writeSeveral(chunks, written)
    else writePieces(chunks).then(() => written(), written)
  }
}

/** Lets the connections of an HTTPS server pass through an `EncryptedStream`. */
export function decryptInTurn(server: SecureServer, takeTurnOf: (socket: Socket) => TakeTurn): void {
  const [accept] = server.listeners('connection')
  if (!accept) throw new TypeError('Node accepts the connections of an HTTPS server')
  server.off('connection', accept as (socket: Socket) => void)
  server.on('connection', (socket: Socket) => {
    // Refused by a listener before this one.
    if (socket.destroyed) return
    const { remoteAddress, remotePort } = socket
    const encrypted = new EncryptedStream(socket, takeTurnOf(socket))
    const emit = (event: string, ...values: unknown[]) => {
      const secured = values.find(value => value instanceof TLSSocket)
      if (secured) {
        encrypted.secured = secured
        encryptInPieces(secured)
        Object.defineProperties(secured, { remoteAddress: { value: remoteAddress }, remotePort: { value: remotePort } })
      }
      return server.emit(event, ...values)
    }
    // Node does not tell which connection a TLS socket belongs to, so each has a server of its own to tell.
    accept.call(Object.create(server, { emit: { value: emit } }), encrypted)
  })
}

/** The remedy for the error of a TLS connection; `undefined` if the certificate is not its reason. */
export function certificateRemedy(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return 'Renew the certificate of that server, and restart it.'
    case 'CERT_NOT_YET_VALID':
      return 'Correct the clock of this machine, or the certificate of that server.'
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return 'Name the server as its certificate does, or give it one for this name (subjectAltName).'
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
    case 'SELF_SIGNED_CERT_IN_CHAIN':
    case 'UNABLE_TO_GET_ISSUER_CERT':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
      return (
        'If others of its kind are trusted, give it a certificate of their authority. ' +
        'Else name the file with its certificate, or that of its authority, in NODE_EXTRA_CA_CERTS.'
      )
    default:
      return undefined
  }
}
