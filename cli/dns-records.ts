/** `mayfly dns`: the DNS records of this server as a zone file (RFC 1035 section 5), to paste at the DNS provider. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import * as z from 'zod/mini'
import { mailHostFor } from '#server/mail/addresses/address.ts'
import { createMtaSts, mtaStsHost } from '#server/mail/mta-sts.ts'
import { identifyServer } from '#server/operator/control.ts'
import type { Config } from '#server/platform/config/config.ts'
import { domain } from '#server/platform/config/value-types.ts'
import { bareDomain } from '#server/platform/net/domain-names.ts'
import { isIpRange, isPublicIp } from '#server/platform/net/ip-address.ts'
import { createNameServer } from '#server/platform/net/name-server.ts'
import { CommandError, EXIT } from '../client/cli/exit-codes.ts'
import { plainLine } from '../client/cli/terminal.ts'
import type { Given, Write } from './command.ts'

type Addresses = {
  readonly addresses: readonly string[]
  readonly spf?: string | undefined
  /** By domain that has mail of its own, where it goes. */
  readonly elsewhere?: ReadonlyMap<string, string>
}

type DnsFlags = { readonly ip?: string[] | undefined; readonly spf?: string | undefined }

export function dns({ args, values }: Given<DnsFlags>): (config: Config, write: Write) => Promise<void> {
  const known = values.ip === undefined ? ownAddresses() : parseIpOptions(values.ip)
  const named = args.map(name => name.replace(/^(\*\.)?(.*)$/s, (_, wildcard = '', rest) => wildcard + checkDomain(rest, '"dns"')))
  checkSpf(values.spf)
  return async (config, write) => {
    const found = known.length > 0 ? known : await publishedAddresses(config)
    // Senders that try IPv6 first would wait for a server that listens on IPv4 alone.
    const addresses = values.ip || config.host.includes(':') ? found : found.filter(address => isIP(address) === 4)
    const served = named.length > 0 ? new Set(named) : (await identifyServer(config.dataDir))?.domains?.receiving
    const asked = { ...config, domains: [...(served ?? config.domains)] }
    const records = zoneFile(asked, { addresses, spf: values.spf, elsewhere: await findMailElsewhere(asked, addresses) })
    write(records, { zone: records })
  }
}

const SPF_HOST = String.raw`(?:[\w.+-]|%\{[a-z]\d*r?[.+,/_=-]*\}|%[%_-])+\.(?:[a-z](?:[a-z\d-]*[a-z\d])?|%\{[a-z]\d*r?[.+,/_=-]*\})\.?`
const SPF_TERM = new RegExp(
  String.raw`^(?:[+?~-]?(?:(?:include|exists):${SPF_HOST}|(?:a|mx)(?::${SPF_HOST})?(?:/\d{1,2})?(?://\d{1,3})?)|redirect=${SPF_HOST})$`,
  'i',
)

/** RFC 7208 section 12. What ends the record is ours; `ptr` is not to be used any more (section 5.5). */
function isSpfTerm(term: string): boolean {
  const [, version, range = ''] = /^[+?~-]?ip([46]):(.+)$/i.exec(term) ?? []
  return version === undefined ? SPF_TERM.test(term) : isIpRange(range) && isIP(range.replace(/\/.*/, '')) === Number(version)
}

function checkSpf(spf: string | undefined): void {
  const terms = spf?.split(' ') ?? []
  const wrong = terms.find(term => !isSpfTerm(term))
  if (wrong === undefined && (terms.length < 2 || !terms.some(isRedirect))) return
  const remedy = /^[+?~-]?all$/i.test(wrong ?? '') ? '"-all" follows by itself' : 'ask your relay for them'
  const form = wrong === undefined ? '--spf takes redirect= alone' : '--spf needs mechanisms such as include:_spf.relay.example'
  throw new CommandError(EXIT.usage, `${form}, not "${plainLine(wrong ?? terms.join(' '))}": ${remedy}.`)
}

const isRedirect = (term: string) => /^redirect=/i.test(term)

/** The name in small letters. */
export function checkDomain(name: string, where: string): string {
  const { data } = z.safeParse(domain, name)
  if (data !== undefined) return data
  throw new CommandError(EXIT.usage, `${where} needs a domain name, e.g. mayfly.example, not "${plainLine(name)}".`)
}

/** Addresses of no machine, of this one only, of its network cables, of groups. A private address may be that of a trial. */
const UNREACHABLE = /%|^(?:0\.|127\.|169\.254\.|22[4-9]\.|2[345]\d\.|::1?$|fe[89ab]|ff)/i

/** The given addresses, or those of this machine. */
export function parseIpOptions(given: readonly string[] | undefined): readonly string[] {
  const named = (given ?? []).flatMap(list => list.split(','))
  const wrong = named.find(address => isIP(address) === 0 || UNREACHABLE.test(address))
  if (wrong !== undefined)
    throw new CommandError(
      EXIT.usage,
      `--ip needs the addresses at which others reach this machine, like 203.0.113.5 or 2001:db8::5, not "${plainLine(wrong)}".`,
    )
  const addresses = named.length > 0 ? named : ownAddresses()
  if (addresses.length > 0) return addresses
  throw new CommandError(EXIT.failed, 'This machine has no public address of its own. Name the one that reaches it: --ip 203.0.113.5')
}

/** Behind NAT: those that were published as `setup --ip` said, which no setting repeats. */
async function publishedAddresses({ authenticateMail, dnsServers, mailHosts }: Config): Promise<readonly string[]> {
  const [host = ''] = mailHosts
  const published = authenticateMail
    ? await createNameServer(dnsServers)
        .addresses(host)
        .catch(() => [])
    : []
  const found = published.filter(address => !UNREACHABLE.test(address))
  return found.length > 0 ? found : parseIpOptions(undefined)
}

/** The public ones of its network cards. A machine behind NAT does not know its own. */
export function ownAddresses(): readonly string[] {
  const cards = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return cards.map(({ address }) => address).filter(isPublicIp)
}

/** Domains whose MX record leads to another machine than this one now. Without an answer from DNS none is known. */
export async function findMailElsewhere(config: Config, addresses: readonly string[]): Promise<Map<string, string>> {
  const names = createNameServer(config.dnsServers)
  const asked = config.domains.map(async served => {
    // `0 .` is no server (RFC 7505).
    const exchanges = (await names.exchanges(bareDomain(served)).catch(() => [])).filter(name => name !== '' && name !== '.')
    if (exchanges.length === 0 || exchanges.some(name => config.mailHosts.includes(name.toLowerCase()))) return []
    const found = (await Promise.all(exchanges.map(name => names.addresses(name).catch(() => [])))).flat()
    return found.some(address => addresses.includes(address)) ? [] : [[served, exchanges.join(', ')] as const]
  })
  return new Map((await Promise.all(asked)).flat())
}

type Names = Pick<Config, 'domains' | 'mailHosts' | 'publicUrl' | 'formerHosts' | 'mailFrom' | 'smtpRelayUrl' | 'acme'>

/** Every line that is no comment can be pasted as it is. What depends on others (the relay, a proxy) is a comment. */
export function zoneFile(config: Names, { addresses, spf, elsewhere }: Addresses): string {
  const { domains, mailHosts, formerHosts } = config
  const [mailHost] = mailHosts
  const siteHost = new URL(config.publicUrl).hostname
  const named = [...new Set([siteHost, ...mailHosts, ...formerHosts])]
  // An address, or the name of every machine for itself, has no records.
  const hosts = named.filter(host => host !== 'localhost' && isIP(host.replace(/^\[|\]$/g, '')) === 0)
  const at = (host: string) => addresses.map(address => record(host, isIP(address) === 6 ? 'AAAA' : 'A', address))
  const lines = [
    '; The site and the mail server',
    ...hosts.flatMap(at),
    ...authorities(config, hosts),
    ...domains.flatMap(domain => {
      const records = [...mailRecords(domain, config, spf), ...mtaStsRecords(bareDomain(domain), config, at)]
      const other = elsewhere?.get(domain)
      return ['', `; Mail for ${domain}`, ...(other === undefined ? records : [...caution(domain, other), ...records.map(commented)])]
    }),
    '',
    `; Reverse name (PTR): ask the provider of the machine to set it, for each address, to ${mailHost}`,
    ...addresses.map(address => `; ${address} -> ${mailHost}`),
  ]
  return `${lines.join('\n')}\n`
}

const commented = (line: string) => (line.startsWith(';') ? line : `; ${line}`)

const caution = (domain: string, exchange: string) => [
  `; CAUTION: mail for ${domain} goes to ${plainLine(exchange)} now. These records would take it away from whoever has a mailbox there.`,
  `; Rather use a domain without mail of its own, such as box.${bareDomain(domain)}: mayfly dns box.${bareDomain(domain)}`,
]

const record = (name: string, type: string, value: string) => `${`${name}.`.padEnd(32)} ${type.padEnd(5)} ${value}`
const text = (name: string, value: string) => record(name, 'TXT', `"${value}"`)

/** CAA (RFC 8659): only this authority may issue certificates. Which one a proxy in front uses is not known here. */
function authorities({ acme }: Names, hosts: readonly string[]): string[] {
  if (acme && new URL(acme.directoryUrl).hostname.endsWith('.letsencrypt.org')) {
    return hosts.map(host => record(host, 'CAA', '0 issue "letsencrypt.org"'))
  }
  return ['; CAA: name the authority of your certificates, e.g. 0 issue "letsencrypt.org", at:', ...hosts.map(host => `; ${host}.`)]
}

/** `served`: `*.box.example` gets the records of its subdomains as well (RFC 4592). */
function mailRecords(served: string, config: Names, spf: string | undefined): string[] {
  const domain = bareDomain(served)
  const mailHost = mailHostFor(domain, config.mailHosts)
  const below = served === domain ? [] : [record(served, 'MX', `10 ${mailHost}.`), text(served, 'v=spf1 -all')]
  return [
    record(domain, 'MX', `10 ${mailHost}.`),
    ...below,
    ...senders(domain, config, spf),
    text(`_dmarc.${domain}`, `v=DMARC1; p=reject; rua=mailto:postmaster@${domain}`),
    // Reports of TLS (RFC 8460) go where the operator reads mail already.
    text(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=mailto:postmaster@${domain}`),
  ]
}

/** MTA-STS (RFC 8461). With a certificate of its own for each name the server serves the policy; a proxy must be told to. */
function mtaStsRecords(domain: string, { acme, mailHosts }: Names, at: (host: string) => readonly string[]): string[] {
  const records = [...at(mtaStsHost(domain)), text(`_mta-sts.${domain}`, createMtaSts(mailHosts).record)]
  if (acme) return records
  return [
    `; MTA-STS, once your proxy passes https://${mtaStsHost(domain)} to HTTP_PORT with its Host, and STARTTLS shows a certificate that senders can`,
    `; verify (TLS_CERT). https://${mtaStsHost(domain)}/.well-known/mta-sts.txt then answers 200:`,
    ...records.map(line => `; ${line}`),
  ]
}

/** SPF (RFC 7208) and DKIM (RFC 6376). Only the relay, which may be set later, sends for us, and only for the domain of MAIL_FROM. */
function senders(domain: string, { mailFrom, smtpRelayUrl }: Names, spf: string | undefined): string[] {
  const isSender = mailFrom.endsWith(`@${domain}`)
  if (!isSender || (spf === undefined && smtpRelayUrl === undefined)) return [text(domain, 'v=spf1 -all')]
  const relay = smtpRelayUrl === undefined ? 'your relay' : new URL(smtpRelayUrl).hostname
  const mechanism = [
    `; Ask ${relay} for its SPF mechanism, and name it with --spf: without it your own mail would be refused.`,
    `; ${text(domain, 'v=spf1 include:YOUR-RELAY -all')}`,
  ]
  return [
    ...(spf === undefined ? mechanism : [text(domain, `v=spf1 ${spf}${isRedirect(spf) ? '' : ' -all'}`)]),
    `; DMARC refuses your own mail unless ${relay} signs it with DKIM as d=${domain}. Ask for its record, a TXT or CNAME such as:`,
    `; ${text(`SELECTOR._domainkey.${domain}`, 'v=DKIM1; k=rsa; p=KEY-OF-YOUR-RELAY')}`,
  ]
}
