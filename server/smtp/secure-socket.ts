import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import type { Certificate } from '#server/smtp/certificate.ts'

/** TLS 1.2 at least, no renegotiation. Throws when certificate and key do not belong together or cannot be read. */
export function createTlsContext({ cert, key }: Certificate): SecureContext {
  return createSecureContext({ cert, key, minVersion: 'TLSv1.2', secureOptions: constants.SSL_OP_NO_RENEGOTIATION })
}

/** Takes over a plain socket after STARTTLS; `secure` follows once the handshake is done. */
export function secureSocket(socket: Socket, secureContext: SecureContext): TLSSocket {
  const secured = new TLSSocket(socket, { isServer: true, secureContext })
  // Without this a broken record outside of a tls.Server would leave the socket open and silent.
  secured.on('_tlsError', () => secured.destroy())
  return secured
}
