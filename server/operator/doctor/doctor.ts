/** Checks everything that a deployment can get wrong, and says in plain sentences what to do. */

import type { Config } from '#server/platform/config/config.ts'
import { isListing, isRefusal } from '#server/platform/net/dns-blocklists.ts'
import { isPublicIp, reversedLabels } from '#server/platform/net/ip-address.ts'
import type { ControlActions } from '../control.ts'
import {
  createNameServer,
  type DoctorContext,
  errorReason,
  type Finding,
  failure,
  isLocalName,
  type OutsideServers,
  ok,
  warning,
} from './context.ts'
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

/** Runs the same checks as the command, in the running server, for the operator's page. */
export function examineSelf(
  config: Config,
  actions: ControlActions,
  clock: () => number,
  surroundings: OutsideServers = {},
): Promise<Finding[]> {
  return examine({
    config,
    names: createNameServer(config.dnsServers),
    identify: async () => actions.identify(),
    createProbe: () => actions.createProbe(),
    mailPort: MAIL_PORT,
    timeServer: TIME_SERVER,
    clock,
    ...surroundings,
  })
}

/** Every list must contain the first address and not the second. */
const ALWAYS_LISTED = '127.0.0.2'
const NEVER_LISTED = '127.0.0.1'
const LEAVE_OUT = 'Leave it out of DNS_BLOCKLISTS'

/** Checks the lists of DNS_BLOCKLISTS: whether each works (RFC 5782 section 5), and whether one lists this machine. */
async function checkBlocklists(context: DoctorContext): Promise<Finding[]> {
  const { dnsBlocklists: lists } = context.config
  if (lists.length === 0) return []
  const own = await ownAddresses(context)
  return (await Promise.all(lists.map(list => checkList(context, list, own)))).flat()
}

async function checkList({ names }: DoctorContext, list: string, own: readonly string[]): Promise<Finding[]> {
  const ask = (ip: string) => names.addresses(`${reversedLabels(ip).labels}.${list}`)
  try {
    const [always, never] = await Promise.all([ask(ALWAYS_LISTED), ask(NEVER_LISTED)])
    if (always.some(isRefusal)) {
      const remedy = `Many lists refuse public resolvers: name one of your own in DNS_SERVERS, or get an account. ${LEAVE_OUT} otherwise.`
      return [failure('blocklist', `${list} refuses to answer this resolver, so no sender is looked up there.`, remedy)]
    }
    if (never.some(isListing)) return [failure('blocklist', `${list} lists every address: it was probably shut down.`, `${LEAVE_OUT}.`)]
    if (!always.some(isListing))
      return [
        failure('blocklist', `${list} does not list its own test address ${ALWAYS_LISTED}.`, `Correct its name. ${LEAVE_OUT} otherwise.`),
      ]
    const listed = await Promise.all(own.map(async ip => ((await ask(ip)).some(isListing) ? [ip] : [])))
    return [
      ok('blocklist', `${list} answers.`),
      ...listed
        .flat()
        .map(ip =>
          warning(
            'blocklist',
            `${ip}, the address of this machine, is on ${list}.`,
            'Ask the list why: something on this machine sends mail.',
          ),
        ),
    ]
  } catch (error) {
    return [
      warning(
        'blocklist',
        `${list} did not answer (${errorReason(error)}).`,
        `Check the network and DNS_SERVERS. ${LEAVE_OUT} if it stays so.`,
      ),
    ]
  }
}

/** The address where our mail arrives, as senders see it. */
async function ownAddresses({ config, names }: DoctorContext): Promise<string[]> {
  if (isLocalName(config.mailHost)) return []
  return (await names.addresses(config.mailHost).catch(() => [])).filter(isPublicIp)
}
