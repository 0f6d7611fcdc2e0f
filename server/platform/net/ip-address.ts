/** Parses IP addresses and prefixes. */
import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { isPublicAddress } from '#reader/links/public-address.ts'
import { BoundedMap } from '../bounded-map.ts'

/** An IPv4 address within IPv6, with brackets and port. */
const ADDRESS_CHARS_MAX = 54

type Address = ipaddr.IPv4 | ipaddr.IPv6

/** Parsing one takes 30 µs, a tenth of what a mail costs, and every connection and request asks for it several times. */
const KEPT_MAX = 2000
const parsed = new BoundedMap<string, Address>(KEPT_MAX)

/** IPv4 mapped into IPv6 becomes IPv4. Node decides what an address is: ipaddr.js alone also accepts `127.1` and `0x7f000001`. */
function parse(text: string): Address | undefined {
  const known = parsed.get(text)
  if (known) return known
  const ip = withoutPort(text).replace(/%.*$/, '')
  if (isIP(ip) === 0) return undefined
  const address = ipaddr.process(ip)
  if (text.length <= ADDRESS_CHARS_MAX) parsed.set(text, address)
  return address
}

const withoutPort = (text: string): string => text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')

/** The canonical spelling, without zone, brackets and port; `undefined` for anything that is not an address. */
export const canonicalIp = (text: string): string | undefined => parse(text)?.toString()

const IPV4_BITS = 24
const IPV6_BITS = [64, 56, 48] as const
const kept = new BoundedMap<string, Networks>(KEPT_MAX)

/** The networks around an address, the smallest first: keys of limits and shares. */
export type Networks = readonly [smallest: string, ...larger: string[]]

/**
 * One customer may have an IPv6 /56, and so 256 of the /64 that providers assign at least (RFC 6177); one with an IPv4 address may have
 * its neighbours. So each network counts, and a larger one may have more: an IPv4 address and its /24, or an IPv6 /64, its /56 and its
 * /48. Text that is no address is its own key.
 */
export function networksAround(ip: string): Networks {
  const known = kept.get(ip)
  if (known) return known
  const address = parse(ip)
  if (!address) return [ip]
  const networks = computeNetworks(address)
  if (ip.length <= ADDRESS_CHARS_MAX) kept.set(ip, networks)
  return networks
}

/** The network by which logs and bot checks know a client: an IPv4 /24 or an IPv6 /56. */
export const middleNetwork = ([smallest, middle = smallest]: Networks): string => middle

/** An IPv4 /24 or an IPv6 /48, by which the shares of neighbours are compared. */
export const largestNetwork = (networks: Networks): string => networks.at(-1) ?? networks[0]

function computeNetworks(address: Address): Networks {
  const embedded = embeddedIpv4(address)
  if (embedded) return networksAround(embedded)
  if (address.kind() === 'ipv4') return [`${address}`, `${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${IPV4_BITS}`)}/${IPV4_BITS}`]
  const around = (bits: number) => `${ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)}/${bits}`
  const [small, ...larger] = IPV6_BITS
  return [around(small), ...larger.map(around)]
}

/**
 * Who has an IPv4 address has all of its 6to4 /48 (RFC 3056): 65,536 networks that are one client. Behind a translator, IPv4 addresses
 * arrive in 64:ff9b::/96 (RFC 6052), which would otherwise be one network.
 */
function embeddedIpv4(address: Address): string | undefined {
  const range = address.range()
  if (range === 'rfc6052') return address.toByteArray().slice(12).join('.')
  return range === '6to4' ? address.toByteArray().slice(2, 6).join('.') : undefined
}

/** The labels of an address in DNS, last byte first (RFC 1035 section 3.5, RFC 3596 section 2.5). */
export function reversedLabels(ip: string): { readonly labels: string; readonly isIpv4: boolean } {
  const address = ipaddr.process(ip)
  const isIpv4 = address.kind() === 'ipv4'
  const parts = isIpv4 ? address.toByteArray().map(String) : address.toByteArray().flatMap(byte => [...byte.toString(16).padStart(2, '0')])
  return { labels: parts.toReversed().join('.'), isIpv4 }
}

/** Does what `isPublicAddress` does, for an address in any spelling. */
export function isPublicIp(ip: string): boolean {
  const address = parse(ip)
  return address !== undefined && isPublicAddress(address.kind() === 'ipv6' ? `[${address}]` : `${address}`)
}

/** Loopback, private (RFC 1918), link-local, unique local, and shared (RFC 6598: providers, Tailscale, Kubernetes). */
const LOCAL_RANGES: ReadonlySet<string> = new Set(['loopback', 'private', 'linkLocal', 'uniqueLocal', 'carrierGradeNat'])

/** Whether an address is of this machine or of a network around it: no mail server and no visitor of the internet comes from there. */
export function isLocalIp(ip: string): boolean {
  const address = parse(ip)
  return address !== undefined && LOCAL_RANGES.has(address.range())
}

/** An address such as `10.0.0.1`, or a CIDR range such as `10.0.0.0/8`. */
export const isIpRange = (text: string): boolean => parseRange(text) !== undefined

function parseRange(text: string): [Address, bits: number] | undefined {
  const [, ip = '', bits] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  if (isIP(ip) === 0) return undefined
  const address = ipaddr.parse(ip)
  const bitsMax = address.kind() === 'ipv4' ? 32 : 128
  const length = bits === undefined ? bitsMax : Number(bits)
  return length > bitsMax ? undefined : [address, length]
}

/** A fixed set of addresses and CIDR ranges. */
export class IpRanges {
  readonly #ranges: readonly [Address, bits: number][]

  /** @throws TypeError if an entry is neither an address nor a range. */
  constructor(entries: readonly string[]) {
    this.#ranges = entries.map(entry => {
      const range = parseRange(entry)
      if (!range) throw new TypeError(`${entry} is neither an address nor a CIDR range`)
      return range
    })
  }

  has(ip: string): boolean {
    if (this.#ranges.length === 0) return false
    const address = parse(ip)
    return (
      address !== undefined && this.#ranges.some(([base, bits]) => base.kind() === address.kind() && address.match([base, bits] as never))
    )
  }
}

/** No real chain of proxies is longer. */
const HOPS_MAX = 16

/**
 * The client's address: the socket's peer, or what a trusted proxy reports. `X-Forwarded-For` is read from the right, as long as the hop
 * that wrote an entry is trusted: the client can write anything further left.
 */
export function clientIp(peer: string | undefined, forwardedFor: string | undefined, trusted: IpRanges): string {
  let ip = canonicalIp(peer ?? '') ?? '0.0.0.0'
  if (forwardedFor === undefined) return ip
  const hops = forwardedFor.split(',').slice(-HOPS_MAX)
  for (let index = hops.length - 1; index >= 0 && trusted.has(ip); index--) {
    const hop = canonicalIp((hops[index] ?? '').trim())
    if (hop === undefined) break
    ip = hop
  }
  return ip
}
