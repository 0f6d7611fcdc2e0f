/** Checks mail as senders meet it, but from this machine: MX, addresses, reverse name, port 25, STARTTLS, and a mail to this server. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkServerIdentity } from 'node:tls'
import * as z from 'zod/mini'
import { DAY_MS } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { isAtDomain, mailHostFor } from '#server/mail/addresses/address.ts'
import { bareDomain } from '#server/platform/net/domain-names.ts'
import type { StarttlsState } from '#server/smtp/context.ts'
import { adviceForUnserved, unservedNames } from '../domains.ts'
import { type DoctorContext, errorReason, type Finding, failure, isLocalName, ok, warning } from './context.ts'
import { checkMtaSts } from './mta-sts-check.ts'
import { visit } from './site-checks.ts'
import { type Hop, SmtpClient } from './smtp-client.ts'

const CERTIFICATE_DAYS_MIN = 14
/** A certificate that we renew ourselves may be valid for only six days. */
const OBTAINED_DAYS_MIN = 1
const ARRIVAL_MS_MAX = 15_000
const CHECK_MS = 50
const ENCRYPTION_REMEDY = 'Look at TLS_CERT and TLS_KEY, and at what stands before the server.'

const list = z.object({ messages: z.array(z.object({ subject: z.string() })) })

export async function checkMailDomains(context: DoctorContext): Promise<Finding[]> {
  const { config, identify } = context
  const served = (await identify())?.domains?.receiving
  const domains = served ?? config.domains
  const unknown = served
    ? unservedNames(
        config,
        served.map(name => ({ name: bareDomain(name) })),
      )
    : []
  const findings = unknown.map(domain =>
    warning(
      'domains',
      `MAIL_DOMAINS names ${domain}, for which no mail is taken: it counts at the first start only.`,
      adviceForUnserved([domain], config),
    ),
  )
  const hosts = new Set<string>()
  // One after the other, because domains usually share a server, which could mistake many connections for an attack.
  for (const domain of domains) findings.push(...(await mailDomain(context, domain, hosts)))
  const unused = config.mailHosts.filter(host => !isLocalName(host) && !hosts.has(host))
  return [...findings, ...(await Promise.all(unused.map(host => mailHostAddress(context, host)))).flat()]
}

/** Checks a name that no MX record led to. Without an address, no authority gives a certificate to it or to the names beside it. */
async function mailHostAddress({ names, config }: DoctorContext, host: string): Promise<Finding[]> {
  // Named by nobody: the default.
  if (config.fromFirstDomain.MAIL_HOST !== undefined) return []
  // Without an answer of DNS the checks of the domains say so.
  const addresses = await names.addresses(host).catch(() => undefined)
  if (addresses?.length !== 0) return []
  const remedy = `Add ${host}. A (or AAAA) with the address of this machine, or take it out of MAIL_HOST.`
  return [
    warning('MX', `MAIL_HOST names ${host}, which has no address: no certificate can be obtained for the names of MAIL_HOST.`, remedy),
  ]
}

async function mailDomain(context: DoctorContext, domain: string, hosts: Set<string>): Promise<Finding[]> {
  if (isLocalName(domain)) {
    const remedy = 'Offer a domain of yours before others use it.'
    return [warning('MX', `${domain} is a name for trying out: no mail from the internet arrives there.`, remedy)]
  }
  try {
    return await askedDomain(context, domain, hosts)
  } catch (error) {
    return [
      failure('MX', `DNS did not answer for ${domain} (${errorReason(error)}).`, 'Check the network, or name resolvers in DNS_SERVERS.'),
    ]
  }
}

/** `hosts`: those already examined for another domain. */
async function askedDomain(context: DoctorContext, served: string, hosts: Set<string>): Promise<Finding[]> {
  // Any label: the record has a wildcard.
  const domain = served.replace(/^\*/, 'a-subdomain')
  const { names, config } = context
  const startedMs = performance.now()
  const exchanges = await names.exchanges(domain)
  const [exchange] = exchanges
  const host = exchange ?? domain
  const addresses = await names.addresses(host)
  const dns: Hop = { step: 'DNS', ms: Math.round(performance.now() - startedMs) }
  // Its own name, if MAIL_HOST names none: several domains may share one host.
  const ownHost = mailHostFor(bareDomain(served), config.mailHosts)
  const mailHost = bareDomain(served) === ownHost || config.domains.includes(ownHost) ? `mx.${bareDomain(served)}` : ownHost
  const records = `${served}. MX 10 ${mailHost}. and ${mailHost}. A (or AAAA) with the address of this machine`
  if (addresses.length === 0) {
    return [
      failure(
        'MX',
        `Mail for ${domain} has nowhere to go: ${exchange ? `${exchange} has no address` : 'there is no MX record'}.`,
        `Add ${records}.`,
      ),
    ]
  }
  const shown = addresses.join(', ')
  const found = exchange
    ? ok('MX', `Mail for ${domain} goes to ${host} (${shown}).`)
    : warning('MX', `${domain} has no MX record; senders fall back to its own address (${shown}).`, `Add ${records}.`)
  const [address = ''] = addresses
  // A policy holds for its own domain and for none below it (RFC 8461 section 3.4), which may go elsewhere or nowhere.
  const ownExchanges = served === domain ? (exchange ? exchanges : [domain]) : await names.exchanges(bareDomain(served))
  const policy = ownExchanges.length > 0 ? await checkMtaSts(context, bareDomain(served), ownExchanges) : []
  if (hosts.has(host.toLowerCase())) return [found, ...policy]
  hosts.add(host.toLowerCase())
  const delivery = await delivered(context, { domain: bareDomain(served), host, address, dns })
  const isElsewhere = exchanges.length > 0 && !exchanges.some(name => [mailHost, ...config.mailHosts].includes(name.toLowerCase()))
  // A certificate says nothing of it: that of this server may have expired.
  const fails = delivery.some(({ check, status }) => status === 'failure' && check !== 'STARTTLS')
  if (isElsewhere && fails) return [mailElsewhere(domain, { host, shown, mailHost })]
  return [found, ...policy, ...(await reverseName(context, address, host)), ...delivery]
}

type Elsewhere = { readonly host: string; readonly shown: string; readonly mailHost: string }

/** Whoever only reads "correct the MX record" would take the mail of people who have mailboxes there. */
function mailElsewhere(domain: string, { host, shown, mailHost }: Elsewhere): Finding {
  return failure(
    'MX',
    `Mail for ${domain} goes to ${host} (${shown}), which is not this server.`,
    `If people have mailboxes there, leave that record alone, add a subdomain without mail of its own (mayfly domain add) and remove ${domain}. Otherwise let the MX record name ${mailHost}.`,
  )
}

async function reverseName({ names, config }: DoctorContext, address: string, host: string): Promise<Finding[]> {
  const found = await names.names(address).catch(() => [])
  // One name for one address: that of another domain's mail host will do.
  if (found.some(name => [host.toLowerCase(), ...config.mailHosts].includes(name.toLowerCase())))
    return [ok('PTR', `${address} is called ${host} in reverse, too.`)]
  const sentence =
    found.length === 0 ? `${address} has no reverse name (PTR).` : `${address} is called ${found[0]} in reverse, not ${host}.`
  return [warning('PTR', sentence, `Set the reverse name to ${host} where the address is rented: some senders ask for it.`)]
}

type MailRoute = { readonly domain: string; readonly host: string; readonly address: string; readonly dns: Hop }

/** Sends a mail by the MX record to port 25, encrypted, and waits until it can be read. The address belongs to the running server. */
async function delivered(context: DoctorContext, route: MailRoute): Promise<Finding[]> {
  const { host, address, dns } = route
  let client: SmtpClient
  try {
    client = await SmtpClient.open(address, context.mailPort)
  } catch (error) {
    const sentence = `Nobody answers at ${host} (${address}) on port ${context.mailPort}: ${errorReason(error)}.`
    const remedy = `Check that ${address} is this machine, that the firewall lets port 25 in, that SMTP_PORT is 25 or port 25 is redirected to it, and that your provider does not block it.`
    return [failure('port 25', sentence, remedy)]
  }
  using open = client
  const encryption = await checkCertificate(context, open, route)
  const mail = await ownMail(context, open, route)
  return [
    ok(
      'port 25',
      `${host} (${address}) answers on port ${context.mailPort}, asked from this machine: a firewall before it would not show.`,
    ),
    ...encryption,
    ...mail(dns),
  ]
}

async function checkCertificate(context: DoctorContext, client: SmtpClient, { host }: MailRoute): Promise<Finding[]> {
  try {
    const hello = await client.command('EHLO', 'EHLO doctor.invalid', 2)
    if (!offersStarttls(hello)) return notOffered(host, (await context.identify())?.starttls)
    const { certificate, isTrusted, reason } = await client.startTls(host, context.ca)
    const days = Math.floor((Date.parse(certificate.valid_to) - context.clock()) / DAY_MS)
    const names = certificate.subjectaltname ?? String(certificate.subject.CN)
    const renew = 'Renew it; files of TLS_CERT and TLS_KEY are read again when they change.'
    const end = new Date(certificate.valid_to).toISOString().slice(0, 10)
    const isForeign = checkServerIdentity(host, certificate) !== undefined
    const isEnding = days < (context.config.acme ? OBTAINED_DAYS_MIN : CERTIFICATE_DAYS_MIN)
    const ending = [
      ...(days < 0 ? [failure('STARTTLS', `The certificate of ${host} expired on ${end}.`, renew)] : []),
      ...(days >= 0 && isEnding ? [warning('STARTTLS', `The certificate of ${host} expires in ${days} days.`, renew)] : []),
    ]
    // Nobody can verify a certificate that has expired: its name is another fault.
    if (isTrusted || (days < 0 && !isForeign))
      return isEnding ? ending : [ok('STARTTLS', `STARTTLS shows a trusted certificate for ${host}, valid for ${days} more days.`)]
    const sentence = `STARTTLS works with a certificate for ${names} that senders cannot verify (${isForeign ? `it is not for ${host}` : reason}).`
    return [
      ...ending,
      warning(
        'STARTTLS',
        sentence,
        `Senders encrypt all the same. For a trusted one set ACME_EMAIL and name ${host} in MAIL_HOST, or TLS_CERT and TLS_KEY to a certificate for ${host}.`,
      ),
    ]
  } catch (error) {
    return [failure('STARTTLS', `${host} does not encrypt: ${errorReason(error)}.`, ENCRYPTION_REMEDY)]
  }
}

/** Findings of `checkStarttls` about this server are not repeated. */
function notOffered(host: string, own: StarttlsState | undefined): Finding[] {
  if (own?.toOthers === false) return []
  if (own?.toLocal !== false) return [failure('STARTTLS', `${host} does not encrypt: it offers no STARTTLS.`, ENCRYPTION_REMEDY)]
  // A port mapping that hides senders' addresses would make them private as well.
  const sentence = `${host} offered no STARTTLS to the doctor, whose connection came from a private address; senders of the internet are offered it.`
  const remedy = 'If a port mapping hides their addresses, nobody is: set SMTP_STARTTLS=always, ACME_EMAIL, or TLS_CERT and TLS_KEY.'
  return [warning('STARTTLS', sentence, remedy)]
}

/** The result, as a function of the first hop. */
async function ownMail(context: DoctorContext, client: SmtpClient, { domain, host, address }: MailRoute): Promise<(dns: Hop) => Finding[]> {
  const server = await context.identify()
  if (!server)
    return () => [
      warning('own mail', 'No mail was sent: no server runs on this data folder.', 'Start the server and run the doctor again.'),
    ]
  // On a full disk no address can be created either.
  const probe = await context.createProbe().catch(errorReason)
  if (probe === undefined || typeof probe === 'string') {
    const sentence = `No mail was sent: the server could not make an address for it (${probe ?? 'it did not say why'}).`
    return () => [failure('own mail', sentence, 'See the other findings, disk and data folder first, and the log of the server.')]
  }
  const recipient = probe.email
  if (!isAtDomain(recipient, [domain])) return () => []
  const subject = `Doctor ${randomUUID()}`
  try {
    await client.command('EHLO', 'EHLO doctor.invalid', 2)
    await client.command('MAIL', `MAIL FROM:<${context.config.mailFrom}>`, 2)
    await client.command('RCPT', `RCPT TO:<${recipient}>`, 2)
    await client.command('DATA', 'DATA', 3)
    await client.command(
      'accepted',
      `From: <${context.config.mailFrom}>\r\nTo: <${recipient}>\r\nSubject: ${subject}\r\n\r\nSent by the doctor.\r\n.`,
      2,
    )
    client.hops.push({ step: 'readable', ms: await arrival(context, server.httpPort, { token: probe.token, subject }) })
  } catch (error) {
    const sentence = `A mail to ourselves by ${host} (${address}) did not arrive: ${errorReason(error)}.`
    return () => [failure('own mail', sentence, mailRemedy(errorReason(error), domain))]
  }
  return dns => [
    ok('own mail', `A mail to ourselves arrived: ${[dns, ...client.hops].map(({ step, ms }) => `${step} ${ms} ms`).join(', ')}.`),
  ]
}

function mailRemedy(reason: string, domain: string): string {
  if (reason.startsWith('it cannot be read'))
    return 'See what is said of PUBLIC_URL, and let HTTP_PORT and HOST be what the server listens at.'
  if (/5\.1\.1|5\.7\.1|not arrive within/.test(reason))
    return `Another server than this one takes mail for ${domain}: correct the MX or A record, or the address it names.`
  if (/4\.3\.1/.test(reason)) return 'The server has no room for mail: see the findings about disk and memory.'
  return 'Look at the log of the server at this time.'
}

async function arrival(context: DoctorContext, httpPort: number, probe: { token: string; subject: string }): Promise<number> {
  const startedMs = performance.now()
  while (performance.now() - startedMs < ARRIVAL_MS_MAX) {
    if (await isReadable(context, httpPort, probe)) return Math.round(performance.now() - startedMs)
    await sleep(CHECK_MS)
  }
  throw new Error(`it did not arrive within ${ARRIVAL_MS_MAX / 1000} s`)
}

/** Asked on this machine, so that a fault on the way to PUBLIC_URL is not taken for one of mail; there if the site listens elsewhere. */
async function isReadable(context: DoctorContext, httpPort: number, { token, subject }: { token: string; subject: string }) {
  const { httpHost, publicUrl } = context.config
  const own = ['0.0.0.0', '::'].includes(httpHost) ? '127.0.0.1' : httpHost.includes(':') ? `[${httpHost}]` : httpHost
  const reasons: string[] = []
  for (const site of new Set([`http://${own}:${httpPort}`, publicUrl])) {
    try {
      const headers = { authorization: `Bearer ${token}` }
      const { status, body } = await visit(context, new URL(routes.messages, site), headers)
      if (status === 200) return list.parse(JSON.parse(body)).messages.some(message => message.subject === subject)
      reasons.push(`${site} answers ${status}`)
    } catch (error) {
      reasons.push(`${site}: ${errorReason(error)}`)
    }
  }
  throw new Error(`it cannot be read (${reasons.join('; ')})`)
}

/** SPF, DKIM and DMARC of the sender domain: without them confirmation mails end up in the spam folder. */
export async function checkSendingDomain({ config, names }: DoctorContext): Promise<Finding[]> {
  if (config.smtpRelayUrl === undefined) return []
  const domain = config.mailFrom.slice(config.mailFrom.lastIndexOf('@') + 1)
  if (isLocalName(domain)) return []
  try {
    const keys = `_domainkey.${domain}`
    const [spf, dmarc, hasKey] = await Promise.all([names.texts(domain), names.texts(`_dmarc.${domain}`), names.exists(keys)])
    const hasSpf = spf.some(text => text.startsWith('v=spf1'))
    const hasDmarc = dmarc.some(text => text.startsWith('v=DMARC1'))
    return [
      hasSpf
        ? ok('SPF', `${domain} has an SPF record.`)
        : warning(
            'SPF',
            `${domain}, which outgoing mail comes from, has no SPF record.`,
            `Add ${domain}. TXT "v=spf1 include:YOUR-RELAY -all".`,
          ),
      hasKey
        ? ok('DKIM', `There are DKIM keys below ${keys}.`)
        : warning(
            'DKIM',
            `${domain} has no DKIM key, so that DMARC refuses mail which the relay sends with an envelope of its own.`,
            `Let the relay sign as d=${domain}, and add the record it gives you: SELECTOR.${keys}.`,
          ),
      hasDmarc
        ? ok('DMARC', `${domain} has a DMARC record.`)
        : warning(
            'DMARC',
            `${domain} has no DMARC record.`,
            `Add _dmarc.${domain}. TXT "v=DMARC1; p=reject; rua=mailto:postmaster@${domain}".`,
          ),
    ]
  } catch (error) {
    return [
      warning('SPF', `DNS did not answer for ${domain} (${errorReason(error)}).`, 'Check the network, or name resolvers in DNS_SERVERS.'),
    ]
  }
}

const CHECK = 'mail libraries'
/** The host that the documentation tells libraries to connect to. */
const LOCAL_HOST = 'localhost'

/** Whether the reply to EHLO lists STARTTLS. */
const offersStarttls = (hello: string) => /^250[ -]STARTTLS\r?$/m.test(hello)

/** STARTTLS as mail libraries of this machine meet it: whether it is offered to them, and with which certificate. */
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
