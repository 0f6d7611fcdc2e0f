/**
 * The domains of this server: where people get addresses, and for which mail is still taken. Pure; operator/domains.ts keeps them in the
 * database, and operator/live-rules.ts brings changes to every process.
 */
import { randomBytes } from 'node:crypto'
import type { DOMAIN_STATES } from '#contract/operator.ts'
import { AppError } from '#server/errors.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { bareDomain, normaliseDomain } from '#server/platform/net/domain-names.ts'
import { ADDRESS_WORDS, domainOf, normaliseAddress } from './address.ts'
import { OPERATOR_NAMES } from './chosen-addresses.ts'

/**
 * `name`: in lower case and ASCII. `hasSubdomains`: each address gets a label of its own below it, by a wildcard MX record. `endsAt`:
 * milliseconds since the epoch; `null` unless retired.
 */
export type MailDomain = {
  readonly name: string
  readonly state: (typeof DOMAIN_STATES)[number]
  readonly hasSubdomains: boolean
  readonly endsAt: number | null
}

export type MailDomains = ReturnType<typeof createMailDomains>

/** The values of config.ts: addresses of the operator, and the domains of the first start. */
export type OwnNames = Pick<Config, 'domains' | 'supportEmail' | 'mailFrom' | 'contactTo'>

/** `MAIL_DOMAINS` as it is at the first start: all are offered. `*.box.example` has subdomains. */
export function initialDomains(names: readonly string[]): MailDomain[] {
  return names.map(given => ({ name: bareDomain(given), state: 'offered', hasSubdomains: given.startsWith('*.'), endsAt: null }))
}

/** `all`: in the order in which they are offered. */
export function createMailDomains(all: readonly MailDomain[], own: Omit<OwnNames, 'domains'>, clock: Clock) {
  const byName = new Map(all.map(domain => [domain.name, domain]))
  const offered = all.filter(({ state }) => state === 'offered')
  const isReceiving = ({ endsAt }: MailDomain) => endsAt === null || endsAt > clock()

  /** The one that takes mail for this domain now: itself, or the one above it. `domain`: in lower case and ASCII. */
  function receiving(domain: string): MailDomain | undefined {
    const found = servingDomain(byName, domain)
    return found && isReceiving(found) ? found : undefined
  }

  /**
   * The domain for a new address: the one asked for, in any spelling, one with subdomains also as `*.box.example`; without a wish the
   * default, or the next one after that of `insteadOf`, the domain of an address.
   * AppError `domain_not_served` for one that is not offered.
   */
  function choose(requested?: string, insteadOf?: string): MailDomain {
    const refused = insteadOf === undefined ? undefined : receiving(normaliseDomain(insteadOf))
    const after = offered.findIndex(({ name }) => name === refused?.name)
    const name = requested === undefined ? offered[(after + 1) % offered.length]?.name : normaliseDomain(bareDomain(requested))
    // Operators and MAIL_DOMAINS write it so.
    const isWildcard = requested?.startsWith('*.') ?? false
    const found = offered.find(domain => domain.name === name && (domain.hasSubdomains || !isWildcard))
    if (!found) throw new AppError('domain_not_served')
    return found
  }

  const main = (offered[0] ?? all.find(isReceiving) ?? all[0])?.name ?? 'localhost'
  return {
    all,
    /** The domains that people can choose, the default first. */
    offered: offered.map(({ name }) => name),
    /** For recipients without a domain (RFC 5321 section 4.5.1), and in addresses of the operator. */
    main,
    /** SUPPORT_EMAIL, or an address at `main`. */
    supportEmail: own.supportEmail ?? `support@${main}`,
    /** Local parts that belong to the service: the well-known ones, and those of its configured addresses at its own domains. */
    operatorNames: operatorLocalParts(byName, own),
    receiving,
    choose,
  }
}

/** The domain to which mail for this one belongs, whether or not it takes mail now: itself, or the one above it. */
function servingDomain(byName: ReadonlyMap<string, MailDomain>, domain: string): MailDomain | undefined {
  const above = byName.get(domain.slice(domain.indexOf('.') + 1))
  return byName.get(domain) ?? (above?.hasSubdomains ? above : undefined)
}

/** The one of these domains at which an address is. */
export function domainOfAddress(all: readonly MailDomain[], address: string): MailDomain | undefined {
  return servingDomain(new Map(all.map(domain => [domain.name, domain])), domainOf(address, ''))
}

function operatorLocalParts(
  domains: ReadonlyMap<string, MailDomain>,
  { supportEmail, mailFrom, contactTo }: Omit<OwnNames, 'domains'>,
): ReadonlySet<string> {
  const configured = [supportEmail, mailFrom, contactTo].flatMap(email => {
    const address = email === undefined ? undefined : normaliseAddress(email, '')
    return address && domains.has(address.domain) ? [address.localPart] : []
  })
  return new Set([...OPERATOR_NAMES, ...configured])
}

/** Where a new address stands: the domain, or a label of two words below it, of which there are 262,144. */
export function addressDomain({ name, hasSubdomains }: MailDomain, random: (bytes: number) => Uint8Array = randomBytes): string {
  if (!hasSubdomains) return name
  const bytes = Buffer.from(random(4))
  const word = (at: number) => ADDRESS_WORDS[bytes.readUInt16BE(at) % ADDRESS_WORDS.length]
  return `${word(0)}-${word(2)}.${name}`
}
