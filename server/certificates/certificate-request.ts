/**
 * Creates a certificate request (PKCS #10, RFC 2986) for one host with a new P-256 key. Our own, because the one of acme-client needs
 * packages that are already installed in another version.
 */
import { generateKeyPairSync } from 'node:crypto'
import { ATTRIBUTES, der, EXTENSION_REQUEST, hostNames, INTEGER, pem, SEQUENCE, SET, signed } from './der.ts'

/** Both as PEM. The subject is empty: authorities take the name from the extension (RFC 8555 section 7.4). */
export function requestCertificate(hostname: string): { readonly request: string; readonly key: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const extensions = der(SEQUENCE, EXTENSION_REQUEST, der(SET, der(SEQUENCE, hostNames(hostname))))
  const body = der(
    SEQUENCE,
    der(INTEGER, Buffer.of(0)),
    der(SEQUENCE),
    publicKey.export({ type: 'spki', format: 'der' }),
    der(ATTRIBUTES, extensions),
  )
  return {
    request: pem('CERTIFICATE REQUEST', signed(body, privateKey)),
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}
