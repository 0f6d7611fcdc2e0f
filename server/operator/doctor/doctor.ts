/** Checks everything that a deployment can get wrong, and says in plain sentences what to do. */
import { checkBlocklists } from './blocklist-checks.ts'
import type { DoctorContext } from './context.ts'
import type { Finding } from './finding.ts'
import { errorReason, failure } from './finding.ts'
import { checkClock, checkDatabase, checkDataFolder, checkDisk, checkMemory, checkPorts } from './host-checks.ts'
import { checkMailDomains, checkSendingDomain } from './mail-checks.ts'
import { checkAcme, checkPublicUrl, checkReadiness, checkRelay } from './site-checks.ts'

const CHECKS = [
  checkPorts,
  checkDataFolder,
  checkDisk,
  checkMemory,
  checkDatabase,
  checkClock,
  checkRelay,
  checkPublicUrl,
  checkAcme,
  checkMailDomains,
  checkSendingDomain,
  checkBlocklists,
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
