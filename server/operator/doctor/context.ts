import type { Config } from '#server/platform/config/config.ts'
import type { ServerIdentity } from '../control/protocol.ts'
import type { NameServer } from './names.ts'

/** The servers outside of this machine that the doctor uses. Only tests change them. */
export type OutsideServers = {
  /** The port that senders deliver to. */
  readonly mailPort?: number
  /** SNTP server for the time, as `host` or `host:port`. */
  readonly timeServer?: string
  /** Certificates trusted in addition to the system's. */
  readonly ca?: string
}

/** What the doctor needs to know. The command gets it from the running server over the control port; the operator's page is that server. */
export type DoctorContext = {
  readonly config: Config
  readonly names: NameServer
  /** The server on this data folder; `undefined` if none runs. Asked again after a request through PUBLIC_URL. */
  readonly identify: () => Promise<ServerIdentity | undefined>
  /** Creates an address on the running server. */
  readonly createProbe: () => Promise<{ email: string; token: string } | undefined>
  /** The port of mail servers; another one only in tests. */
  readonly mailPort: number
  /** SNTP server for the time, as `host` or `host:port`. */
  readonly timeServer: string
  readonly clock: () => number
  /** Certificates trusted for PUBLIC_URL in addition to the system's, for tests. */
  readonly ca?: string | undefined
}

/** Whether a name is for tests only and does not exist on the internet. */
export function isLocalName(name: string): boolean {
  return name === 'localhost' || /\.(?:test|localhost|invalid|local)$/.test(name) || /^127\.|^\[?::1/.test(name)
}
