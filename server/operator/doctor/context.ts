import type { Config } from '#server/platform/config/config.ts'
import { isReservedName } from '#server/platform/net/domain-names.ts'
import type { NameServer } from '#server/platform/net/name-server.ts'
import type { ServerIdentity } from '../control.ts'

/** The servers outside of this machine that the doctor uses. Only tests change them. */
export type OutsideServers = {
  /** The port that senders deliver to. */
  readonly mailPort?: number
  /** The port where senders fetch policies of MTA-STS, if it is not that of HTTPS. */
  readonly policyPort?: number
  /** SNTP server for the time, as `host` or `host:port`. */
  readonly timeServer?: string
  /** Certificates trusted in addition to the system's. */
  readonly ca?: string | undefined
}

/** What the doctor needs to know. The command gets it from the running server over the control port; the operator's page is that server. */
export type DoctorContext = OutsideServers & {
  readonly config: Config
  readonly names: NameServer
  /** The server on this data folder; `undefined` if none runs. Asked again after a request through PUBLIC_URL. */
  readonly identify: () => Promise<ServerIdentity | undefined>
  /** Creates an address on the running server. */
  readonly createProbe: () => Promise<{ email: string; token: string } | undefined>
  readonly mailPort: number
  readonly timeServer: string
  readonly clock: () => number
}

/** Whether a name or address does not exist on the internet. */
export const isLocalName = (name: string): boolean => isReservedName(name) || /^127\.|^\[?::1/.test(name)

/** The result of one check. `warning`: it works, but not as it should. Only a `failure` leads to exit code 1. */
export type Finding = {
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failure'
  readonly sentence: string
  /** What to do. Missing if all is well. */
  readonly remedy?: string
}

export const ok = (check: string, sentence: string): Finding => ({ check, status: 'ok', sentence })
export const warning = (check: string, sentence: string, remedy: string): Finding => ({ check, status: 'warning', sentence, remedy })
export const failure = (check: string, sentence: string, remedy: string): Finding => ({ check, status: 'failure', sentence, remedy })

export function errorReason(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return 'code' in error && typeof error.code === 'string' && !error.message.includes(error.code)
    ? `${error.code}: ${error.message}`
    : error.message
}

/** The exit code of the command, for which warnings do not count. */
export const exitCodeFor = (findings: readonly Finding[]): 0 | 1 => (findings.some(({ status }) => status === 'failure') ? 1 : 0)
