/** Checks everything that a deployment can get wrong, and says in plain sentences what to do. */
import type { Config } from '#server/platform/config/config.ts'
import { createNameServer } from '#server/platform/net/name-server.ts'
import type { Control } from '../control.ts'
import { type DoctorContext, errorReason, type Finding, failure, type OutsideServers } from './context.ts'
import {
  checkClock,
  checkCluster,
  checkDatabase,
  checkDataFolder,
  checkDisk,
  checkFormats,
  checkMemory,
  checkPorts,
} from './host-checks.ts'
import { checkBlocklists, checkPublicLists } from './list-checks.ts'
import { checkMailDomains, checkSendingDomain, checkStarttls } from './mail-checks.ts'
import { checkAcme, checkPublicUrl, checkReadiness, checkRelay } from './site-checks.ts'

const CHECKS = [
  checkPorts,
  checkDataFolder,
  checkDisk,
  checkMemory,
  checkFormats,
  checkDatabase,
  checkCluster,
  checkClock,
  checkRelay,
  checkPublicUrl,
  checkAcme,
  checkStarttls,
  checkMailDomains,
  checkSendingDomain,
  checkBlocklists,
  checkPublicLists,
  checkReadiness,
]

/** Default SNTP server. */
export const TIME_SERVER = 'pool.ntp.org'
/** The port that senders deliver to (RFC 5321 section 4.5.4.2). */
export const MAIL_PORT = 25

/** A check that throws must not hide the others. */
export async function examine(context: DoctorContext): Promise<Finding[]> {
  const findings = await Promise.all(
    CHECKS.map(check =>
      check(context).catch(error => [
        failure(check.name, `This check broke: ${errorReason(error)}.`, 'Please report it: it is a fault of the doctor.'),
      ]),
    ),
  )
  return findings.flat()
}

/** Runs the same checks as the command, in the running server, for the operator's page. */
export function examineSelf(config: Config, control: Control, clock: () => number, outside: OutsideServers = {}): Promise<Finding[]> {
  return examine({
    config,
    names: createNameServer(config.dnsServers),
    identify: async () => control.identify(),
    createProbe: () => control.createProbe(),
    mailPort: MAIL_PORT,
    timeServer: TIME_SERVER,
    clock,
    ...outside,
  })
}
