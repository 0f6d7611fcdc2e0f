import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { Certificate } from './certificate.ts'

/** TLS 1.2 or later, without renegotiation. Throws if certificate and key cannot be read or do not match. */
export function createTlsContext({ cert, key }: Certificate): SecureContext {
  return createSecureContext({ cert, key, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION })
}

/** Takes over a plain socket after STARTTLS. Emits `secure` after the handshake. */
export function secureSocket(socket: Socket, secureContext: SecureContext): TLSSocket {
  const secured = new TLSSocket(socket, { isServer: true, secureContext })
  // Outside of a tls.Server, a broken record would otherwise leave the socket open and silent.
  secured.on('_tlsError', () => secured.destroy())
  return secured
}
