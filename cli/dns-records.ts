/** `mayfly dns`: the DNS records of this server as a zone file (RFC 1035 section 5), to paste at the DNS provider. */
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { parseArgs } from 'node:util'
import type { Config } from '#server/platform/config/config.ts'
import { isPublicIp } from '#server/platform/net/ip-address.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { plain } from '../client/cli/terminal.ts'
import { CommandError, type Write } from './command.ts'

type Addresses = { readonly addresses: readonly string[]; readonly spf?: string | undefined }

export function dns(args: readonly string[]): (config: Config, write: Write) => Promise<void> {
  const { values, positionals } = parseDnsArguments(args)
  const found = parseAddresses(values.ip)
  return async (config, write) => {
    // Senders that try IPv6 first would wait for a server that listens on IPv4 alone.
    const addresses = values.ip || config.host.includes(':') ? found : found.filter(address => isIP(address) === 4)
    const records = zoneFile({ ...config, domains: positionals.length > 0 ? positionals : config.domains }, { addresses, spf: values.spf })
    write(records, { zone: records })
  }
}

function parseDnsArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: { ip: { type: 'string', multiple: true }, spf: { type: 'string' } },
      allowPositionals: true,
    })
  } catch (cause) {
    throw new CommandError(EXIT.usage, '"dns" takes domains, --ip ADDRESS and --spf MECHANISM, such as include:_spf.relay.example.', {
      cause,
    })
  }
}

/** The given addresses, or those of this machine. */
export function parseAddresses(given: readonly string[] | undefined): readonly string[] {
  const named = (given ?? []).flatMap(list => list.split(','))
  const wrong = named.find(address => isIP(address) === 0)
  if (wrong !== undefined) throw new CommandError(EXIT.usage, `--ip needs addresses like 203.0.113.5, not "${plain(wrong)}".`)
  const addresses = named.length > 0 ? named : ownAddresses()
  if (addresses.length > 0) return addresses
  throw new CommandError(EXIT.usage, 'This machine has no public address of its own. Name the one that reaches it: --ip 203.0.113.5')
}

/** The public ones of its network cards. A machine behind NAT does not know its own. */
export function ownAddresses(): readonly string[] {
  const cards = Object.values(networkInterfaces()).flatMap(addresses => addresses ?? [])
  return cards.map(({ address }) => address).filter(isPublicIp)
}

type Names = Pick<Config, 'domains' | 'mailHost' | 'publicUrl' | 'mailFrom' | 'smtpRelayUrl' | 'acme'>

/** Every line that is no comment can be pasted as it is. What depends on others (the relay, the policy of MTA-STS) is a comment. */
export function zoneFile(config: Names, { addresses, spf }: Addresses): string {
  const { domains, mailHost } = config
  const siteHost = new URL(config.publicUrl).hostname
  const hosts = [...new Set([siteHost, mailHost])]
  const lines = [
    '; The site and the mail server',
    ...hosts.flatMap(host => addresses.map(address => record(host, isIP(address) === 6 ? 'AAAA' : 'A', address))),
    ...authorities(config, hosts),
    ...domains.flatMap(domain => ['', `; Mail for ${domain}`, ...mailRecords(domain, config, spf)]),
    '',
    `; Reverse name (PTR): ask the provider of the machine to set it, for each address, to ${mailHost}`,
    ...addresses.map(address => `; ${address} -> ${mailHost}`),
  ]
  return `${lines.join('\n')}\n`
}

const record = (name: string, type: string, value: string) => `${`${name}.`.padEnd(32)} ${type.padEnd(5)} ${value}`
const text = (name: string, value: string) => record(name, 'TXT', `"${value}"`)

/** CAA (RFC 8659): only this authority may issue certificates. Which one a proxy in front uses is not known here. */
function authorities({ acme }: Names, hosts: readonly string[]): string[] {
  if (acme && new URL(acme.directoryUrl).hostname.endsWith('.letsencrypt.org')) {
    return hosts.map(host => record(host, 'CAA', '0 issue "letsencrypt.org"'))
  }
  return ['; CAA: name the authority of your certificates, e.g. 0 issue "letsencrypt.org", at:', ...hosts.map(host => `; ${host}.`)]
}

function mailRecords(domain: string, config: Names, spf: string | undefined): string[] {
  const { mailHost } = config
  return [
    record(domain, 'MX', `10 ${mailHost}.`),
    ...senders(domain, config, spf),
    text(`_dmarc.${domain}`, `v=DMARC1; p=reject; rua=mailto:postmaster@${domain}`),
    // Reports of TLS (RFC 8460) go where the operator reads mail already.
    text(`_smtp._tls.${domain}`, `v=TLSRPTv1; rua=mailto:postmaster@${domain}`),
    `; MTA-STS (RFC 8461), once https://mta-sts.${domain}/.well-known/mta-sts.txt says, in four lines:`,
    `;   version: STSv1 | mode: enforce | mx: ${mailHost} | max_age: 604800`,
    `; ${text(`_mta-sts.${domain}`, 'v=STSv1; id=1')}`,
  ]
}

/** SPF (RFC 7208). Only the relay sends for us, and only for the domain of MAIL_FROM. */
function senders(domain: string, { mailFrom, smtpRelayUrl }: Names, spf: string | undefined): string[] {
  const isSending = smtpRelayUrl !== undefined && mailFrom.endsWith(`@${domain}`)
  if (!isSending) return [text(domain, 'v=spf1 -all')]
  if (spf !== undefined) return [text(domain, `v=spf1 ${spf} -all`)]
  const relay = new URL(smtpRelayUrl).hostname
  return [
    `; Ask ${relay} for its SPF mechanism, and name it with --spf: without it your own mail would be refused.`,
    `; ${text(domain, 'v=spf1 include:YOUR-RELAY -all')}`,
  ]
}
