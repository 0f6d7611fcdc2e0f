import type { Config } from '#server/config.ts'
import type { ServerIdentity } from '#server/control/protocol.ts'
import type { NameServer } from './names.ts'

/** What the doctor looks at. The command asks the running server for it by the control port; the operator's page is the server. */
export type DoctorContext = {
  readonly config: Config
  readonly names: NameServer
  /** The server on this data folder; `undefined` when none runs. Asked again after a request came through PUBLIC_URL. */
  readonly identify: () => Promise<ServerIdentity | undefined>
  /** Makes an address on the running server. */
  readonly createProbe: () => Promise<{ email: string; token: string } | undefined>
  /** Where mail servers listen; another only in tests. */
  readonly mailPort: number
  /** Asked for the time by SNTP, `host` or `host:port`. */
  readonly timeServer: string
  readonly clock: () => number
  /** Certificates besides the system's that PUBLIC_URL may show; for tests. */
  readonly ca?: string | undefined
}

/** A name that is only good for trying out: nothing of the internet knows it. */
export function isLocalName(name: string): boolean {
  return name === 'localhost' || /\.(?:test|localhost|invalid|local)$/.test(name) || /^127\.|^\[?::1/.test(name)
}
