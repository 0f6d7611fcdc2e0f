/** STARTTLS as mail libraries of this machine meet it: whether it is offered to them, and with which certificate. */
import { checkServerIdentity } from 'node:tls'
import type { StarttlsState } from '#server/smtp/context.ts'
import { type DoctorContext, errorReason, type Finding, failure, isLocalName, ok, warning } from './context.ts'
import { SmtpClient } from './smtp-client.ts'

const CHECK = 'mail libraries'
/** The host that the documentation tells libraries to connect to. */
const LOCAL_HOST = 'localhost'

/** Whether the reply to EHLO lists STARTTLS. */
export const offersStarttls = (hello: string) => /^250[ -]STARTTLS\r?$/m.test(hello)

export async function checkStarttls(context: DoctorContext): Promise<Finding[]> {
  const { config } = context
  const server = await context.identify()
  if (!server?.starttls) return []
  const isForTests = config.domains.every(isLocalName)
  const { toLocal, toOthers } = server.starttls
  if (!toOthers && !isForTests) return [neverOffered()]
  if (!toLocal) return [ok(CHECK, withoutTls(server.starttls))]
  try {
    return [await asLibrary(context, { ...server.starttls, smtpPort: server.smtpPort, isForTests })]
  } catch (error) {
    // A proxy may be the only one that may connect from here.
    if (config.proxyProtocolFrom.length > 0) return []
    const sentence = `STARTTLS does not work on this machine: ${errorReason(error)}.`
    return [failure(CHECK, sentence, 'Look at TLS_CERT and TLS_KEY, and at the log of the server.')]
  }
}

function withoutTls({ toOthers, names }: StarttlsState): string {
  const sentence = 'Programs on this machine and in private networks send without TLS.'
  return toOthers ? `${sentence} All others are offered STARTTLS with a generated certificate for ${names}.` : sentence
}

const neverOffered = () =>
  warning(
    CHECK,
    'STARTTLS is offered to nobody (SMTP_STARTTLS=never): mail from the internet comes unencrypted, and senders that insist on TLS deliver nothing.',
    'Set SMTP_STARTTLS=auto.',
  )

type Offered = Pick<StarttlsState, 'isGenerated' | 'names'> & { readonly smtpPort: number; readonly isForTests: boolean }

async function asLibrary({ config, ca }: DoctorContext, offered: Offered): Promise<Finding> {
  const { isGenerated, names, smtpPort, isForTests } = offered
  using client = await SmtpClient.open(['0.0.0.0', '::'].includes(config.smtpHost) ? '127.0.0.1' : config.smtpHost, smtpPort)
  if (!offersStarttls(await client.command('EHLO', 'EHLO doctor.invalid', 2))) throw new Error('the server does not offer it')
  const { certificate, isTrusted, reason } = await client.startTls(LOCAL_HOST, ca)
  if (isTrusted) return ok(CHECK, `Programs on this machine are offered STARTTLS with a trusted certificate for ${LOCAL_HOST}.`)
  if (isGenerated) {
    const sentence = `Programs on this machine are offered STARTTLS with a generated certificate for ${names}, which most mail libraries refuse.`
    return warning(CHECK, sentence, 'Set SMTP_STARTTLS=auto, or TLS_CERT and TLS_KEY to a certificate that they trust.')
  }
  const isForeign = checkServerIdentity(LOCAL_HOST, certificate) !== undefined
  const sentence = `Programs on this machine are offered STARTTLS with a certificate for ${names}: a mail library that connects to ${LOCAL_HOST} refuses it${isForeign ? '' : ` (${reason})`}.`
  const remedy = isForeign
    ? `Let libraries connect to ${names.split(', ')[0]}, or not verify the certificate.`
    : 'Let libraries trust its authority, or not verify the certificate.'
  // No public authority certifies localhost, and most mail servers of the internet have no library beside them.
  return isForTests ? warning(CHECK, sentence, remedy) : ok(CHECK, `${sentence} ${remedy}`)
}
