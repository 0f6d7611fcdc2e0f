/** The types of values that variables can have, each with the message for an invalid one. */
import { readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import * as z from 'zod/mini'
import { operatorCommand } from '../installation.ts'
import { bareDomain, DOMAIN_NAME, normaliseDomain } from '../net/domain-names.ts'
import { isIpRange } from '../net/ip-address.ts'
import { isDecodable } from '../net/outgoing-proxy.ts'
import { postgresUrlProblem } from '../net/postgres-url.ts'

export const csv = (value: string) =>
  value
    .split(',')
    .map(part => part.trim())
    .filter(Boolean)

const checked = (isValid: (value: string) => boolean, message: string) => z.string().check(z.refine(isValid, message))

/** What `split` finds in the value, by default between commas. `checks` look at the whole list. */
function listOf<Item extends z.ZodMiniType<unknown, string>>(item: Item, checks: z.core.$ZodCheck<z.output<Item>[]>[] = [], split = csv) {
  return z.pipe(z.pipe(z.string(), z.transform(split)), z.array(item).check(...checks))
}

export const text = z.string().check(z.minLength(1, 'must not be empty'))
export const port = integer(0, 65_535)
export const listenAddress = checked(value => isIP(value) > 0 || value === 'localhost', 'must be an IP address, or localhost')
const LISTENER = /^(?:(?:([\d.]+)|\[([^\]]+)\]):)?(\d{1,5})$/
/** A port, or an address and a port: `127.0.0.1:8080`, `[::1]:8080`. */
export const listener = z.pipe(
  checked(isListener, 'must be a whole number from 0 to 65535, or an address and a port, e.g. 127.0.0.1:8080 or [::1]:8080'),
  z.transform(value => {
    const [, ipv4, ipv6, digits] = LISTENER.exec(value) ?? []
    return { address: ipv4 ?? ipv6, port: Number(digits) }
  }),
)

function isListener(value: string): boolean {
  const [, ipv4, ipv6, digits] = LISTENER.exec(value) ?? []
  return (ipv4 === undefined || isIP(ipv4) === 4) && (ipv6 === undefined || isIP(ipv6) === 6) && Number(digits) <= 65_535
}

export const domain = z.pipe(
  z.pipe(z.string(), z.transform(normaliseDomain)),
  z.string().check(z.regex(DOMAIN_NAME, 'must be a domain name, e.g. mx.mayfly.example')),
)
export const mailHosts = domainList(z.regex(DOMAIN_NAME, 'must be a domain name, e.g. mx.mayfly.example, or several separated by commas'))
export const domains = domainList(z.regex(DOMAIN_NAME, 'must be domain names separated by commas, e.g. mayfly.example,box.example'))
export const mailDomains = domainList(
  z.refine(
    value => DOMAIN_NAME.test(bareDomain(value)),
    'must be domain names separated by commas, e.g. mayfly.example,*.box.example (with addresses at subdomains)',
  ),
)

function domainList(check: z.core.$ZodCheck<string>) {
  return listOf(z.string().check(check), [z.minLength(1, 'must name at least one domain')], value => csv(value).map(normaliseDomain))
}

export function integer(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`
  return z.pipe(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/, message)), z.transform(Number)),
    z.number().check(z.minimum(min, message), z.maximum(max, message)),
  )
}

/** Every setting that is a URL. Checks added to it see only what can be parsed. */
export function url(...protocols: string[]) {
  const error = `must be a URL that starts with ${protocols.map(protocol => `${protocol}//`).join(' or ')}`
  return z.string().check(
    z.refine(value => protocols.includes(URL.parse(value)?.protocol ?? '') && value.includes('://'), { error, abort: true }),
    z.refine(hasHost, { error: 'must name a host after ://', abort: true }),
    z.refine(hasDecodableParts, { error: 'must have %25 for each % that stands for itself', abort: true }),
  )
}

/** The parts that are decoded where the URL is used. */
function hasDecodableParts(value: string): boolean {
  const { username, password } = new URL(value)
  return isDecodable(username + password)
}

const hasHost = (value: string) => new URL(value).hostname !== ''

export const postgresUrl = z.string().check(context => {
  const problem = postgresUrlProblem(context.value)
  if (problem !== undefined) context.issues.push({ code: 'custom', message: problem, input: context.value })
})

/** A reserved character in a password ends the host too early: the rest would be a path, or `URL` reads nothing. */
function isMisread(value: string): boolean {
  const parsed = URL.parse(value)
  return value.includes('@') && (parsed === null || `${parsed.pathname}${parsed.search}${parsed.hash}`.includes('@'))
}

export const relayUrl = z.pipe(
  checked(
    value => !isMisread(value),
    'must have # / ? @ and % in its user and password percent-encoded: %23 for #, %2F for /, %3F for ?, %40 for @, %25 for %',
  ),
  url('smtp:', 'smtps:'),
)

/** Pages, cookies and links start at the root of the host. The first is the site's. */
export const publicUrls = listOf(
  url('http:', 'https:').check(
    z.refine(
      value => new URL(value).href === `${new URL(value).origin}/`,
      'must be only a scheme, a host and a port, e.g. https://mayfly.example: the site cannot stand under a path',
    ),
  ),
  [z.minLength(1, 'must name at least one URL')],
)

function isNodeUrl(value: string): boolean {
  if (!URL.canParse(value)) return false
  const { protocol, hostname, pathname, search } = new URL(value)
  return isDecodable(value) && /^(rediss?|valkeys?):$/.test(protocol) && hostname !== '' && /^\/?0?$/.test(pathname) && search === ''
}

function areOfOneCluster(urls: readonly string[]): boolean {
  const parsed = urls.filter(isNodeUrl).map(value => new URL(value))
  const logins = parsed.flatMap(({ username, password }) => (username || password ? [`${username}:${password}`] : []))
  return new Set(logins).size <= 1 && new Set(parsed.map(({ protocol }) => protocol)).size <= 1
}

/** Empty if the file cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}

const NODE_URLS =
  'must be redis:// or rediss:// URLs of the nodes of one cluster, separated by commas, e.g. redis://10.0.0.1:6379,redis://10.0.0.2:6379'
/** One or more nodes of one cluster. Credentials that work at one node work at all of them. */
export const mailStoreUrls = listOf(checked(isNodeUrl, NODE_URLS), [
  z.minLength(1, NODE_URLS),
  z.refine(areOfOneCluster, 'must name one cluster: the same scheme, and the same user and password where they are given'),
])
export const addressRanges = listOf(checked(isIpRange, 'must be addresses or ranges separated by commas, e.g. 10.0.0.0/8,::1'))
/** Hosts, each with its subdomains, and addresses or ranges; none for `off`. */
export const pushServices = listOf(
  checked(value => DOMAIN_NAME.test(value) || isIpRange(value), 'must be off, or hosts and address ranges separated by commas'),
  [],
  value => csv(value.toLowerCase()).filter(service => service !== 'off'),
)
/** Pairs of `name:sha256hex`. The configuration never contains the token itself. */
const API_TOKEN = /^([\w.-]{1,60}):([0-9a-f]{64})$/
export const apiTokens = listOf(
  z.string().check(z.regex(API_TOKEN, `must be name:sha256 pairs separated by commas, as "${operatorCommand} token new NAME" prints them`)),
  [z.refine(pairs => new Set(pairs.map(pair => pair.split(':')[0])).size === pairs.length, 'must not name two tokens alike')],
)
/** The secret itself, or the content of the file that `file:` names. */
export const secret = z.pipe(
  z.pipe(
    z.string(),
    z.transform(value => (value.startsWith('file:') ? readText(value.slice('file:'.length)) : value)),
  ),
  checked(
    value => value.length >= 32,
    'must have at least 32 characters, or name a readable file with them (file:/path), e.g. the output of: openssl rand -hex 32',
  ),
)
const REPLICAS = /^(auto|[0-5])(\+sync)?$/
/** `isSynced`: a message must be on their disks too. */
export const replicas = z.pipe(
  z.string().check(z.regex(REPLICAS, 'must be auto or a number from 0 to 5, either followed by +sync if wanted')),
  z.transform(value => {
    const [, count, sync] = REPLICAS.exec(value) ?? []
    return { replicas: count === 'auto' || count === undefined ? ('auto' as const) : Number(count), isSynced: sync !== undefined }
  }),
)
const RESOLVER = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/

function isResolver(value: string): boolean {
  const [, ipv6, ipv4, digits = 53] = RESOLVER.exec(value) ?? []
  return isIP(value) > 0 || ((isIP(ipv6 ?? '') === 6 || isIP(ipv4 ?? '') === 4) && Number(digits) > 0 && Number(digits) <= 65_535)
}

/** `off`: nothing is looked up. */
export const dnsServers = z.pipe(
  checked(
    value => value.trim() === 'off' || csv(value).every(isResolver),
    'must be off, or IP addresses separated by commas, each with a port if needed: 127.0.0.1,127.0.0.1:5353,[::1]:53',
  ),
  z.transform(value => (value.trim() === 'off' ? ('off' as const) : csv(value))),
)
export const email = z.string().check(z.email('must be an e-mail address'))
export const emails = listOf(z.string().check(z.email('must be e-mail addresses separated by commas')))
export const oneOf = <const Values extends [string, ...string[]]>(...values: Values) =>
  z.enum(values, `must be one of ${values.join(', ')}`)
