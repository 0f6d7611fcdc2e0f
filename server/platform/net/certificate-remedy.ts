/** What the error of a TLS connection asks of the operator; `undefined` if the certificate is not its reason. */
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
