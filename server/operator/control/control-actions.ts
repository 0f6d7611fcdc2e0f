/** What the operator's commands can ask of a running server. */

import type { MailCore } from '#server/mail/mail-core.ts'
import type { CertificateStatus } from '#server/platform/certificates/certificates.ts'
import { COMMAND_ACTOR } from '../audit-log.ts'
import type { OperatorParts } from '../operator-parts.ts'
import type { ControlActions } from './control-server.ts'
import type { ServerIdentity } from './protocol.ts'

/** Lifetime of the address for the doctor's test mail. */
const PROBE_SECONDS = 120

export type Control = ControlActions & { noteProxy(ip: string): void }

type ControlledParts = {
  copyTo(path: string): Promise<void>
  mail: MailCore
  identity: ServerIdentity
  site: { certificateStatus(): CertificateStatus[] }
  moderation: OperatorParts['moderation']
}

export function controlActions({ copyTo, mail, identity, site, moderation }: ControlledParts): Control {
  let untrustedProxy: string | undefined
  return {
    copyMailTo: copyTo,
    destroyAddress: address => moderation.destroyAddress(COMMAND_ACTOR, address),
    destroyAccount: email => moderation.destroyAccount(COMMAND_ACTOR, email),
    createProbe: () => mail.createAddress({ lifetimeSeconds: PROBE_SECONDS }),
    identify: () => ({ ...identity, untrustedProxy, certificates: site.certificateStatus() }),
    noteProxy(proxy) {
      untrustedProxy = proxy
    },
  }
}
