/**
 * Creates a certificate request (PKCS #10, RFC 2986) for one host with a new P-256 key. Our own, because the one of acme-client needs
 * packages that are already installed in another version.
 */
import { generateKeyPairSync } from 'node:crypto'
import { ATTRIBUTES, EXTENSION_REQUEST, encodeDer, encodeHostNames, encodePem, INTEGER, SEQUENCE, SET, signDer } from './der.ts'

/** Both as PEM. The subject is empty: authorities take the name from the extension (RFC 8555 section 7.4). */
export function requestCertificate(hostname: string): { readonly request: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = encodeDer(SEQUENCE, EXTENSION_REQUEST, encodeDer(SET, encodeDer(SEQUENCE, encodeHostNames(hostname))))
  const body = encodeDer(
    SEQUENCE,
    encodeDer(INTEGER, Buffer.of(0)),
    encodeDer(SEQUENCE),
    publicKey.export({ type: 'spki', format: 'der' }),
    encodeDer(ATTRIBUTES, extensions),
  )
  return {
    request: encodePem('CERTIFICATE REQUEST', signDer(body, privateKey)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
