/** What commands and the running server say to each other: one line of JSON each way. */

import type { CertificateStatus } from '#server/certificates/certificates.ts'

/** In the data folder, for its owner alone; there while the server runs, and after a kill until the next start. */
export const CONTROL_FILE = 'control.json'

export type Endpoint = { readonly port: number; readonly key: string }
export type ControlRequest = {
  readonly key: string
  /** An absolute path of a file that does not exist. */
  readonly copyMailTo?: string
  readonly destroyAddress?: string
  /** The e-mail address of an account. */
  readonly destroyAccount?: string
  /** Makes an address that lives for two minutes, for a mail that the doctor sends to itself. */
  readonly createProbe?: boolean
}
/** Who the running server is, so that nobody takes another program on the port for it. */
export type ServerIdentity = {
  readonly pid: number
  readonly version: string
  readonly httpPort: number
  readonly smtpPort: number
  readonly startedAt: number
  /** A proxy near by that forwards visitors and that TRUST_PROXY does not name. */
  readonly untrustedProxy?: string | undefined
  /** By ACME; a name whose last attempt failed says why. */
  readonly certificates?: readonly CertificateStatus[]
}
export type ControlReply = {
  readonly failure?: string
  /** `false`: there was nothing to destroy. */
  readonly isDone?: boolean
  readonly identity?: ServerIdentity
  readonly probe?: { readonly email: string; readonly token: string }
}
