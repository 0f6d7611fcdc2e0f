/** The protocol between commands and the running server: one line of JSON in each direction. */

import type { CertificateStatus } from '#server/platform/certificates/certificates.ts'

/** In the data folder, readable by its owner only. Exists while the server runs, and after a kill until the next start. */
export const CONTROL_FILE = 'control.json'

export type Endpoint = { readonly port: number; readonly key: string }
export type ControlRequest = {
  readonly key: string
  /** An absolute path where no file exists yet. */
  readonly copyMailTo?: string
  readonly destroyAddress?: string
  /** The e-mail address of an account. */
  readonly destroyAccount?: string
  /** Creates an address that lives two minutes, for a mail that the doctor sends to itself. */
  readonly createProbe?: boolean
}
/** Identifies the running server, so that no other program on the port is mistaken for it. */
export type ServerIdentity = {
  readonly pid: number
  readonly version: string
  readonly httpPort: number
  readonly smtpPort: number
  readonly startedAt: number
  /** A nearby proxy that forwards visitors but is missing in TRUST_PROXY. */
  readonly untrustedProxy?: string | undefined
  /** By ACME; a name whose last attempt failed says why. */
  readonly certificates?: readonly CertificateStatus[]
}
export type ControlReply = {
  readonly failure?: string
  /** `false` if there was nothing to destroy. */
  readonly isDone?: boolean
  readonly identity?: ServerIdentity
  readonly probe?: { readonly email: string; readonly token: string }
}
