/** Who is asking: the socket's peer, or what a trusted proxy says (case W19). */
import { BlockList, isIP } from 'node:net'

/** A proxy chain longer than this is not a chain of ours. */
const HOPS_MAX = 16

/** Addresses or CIDR ranges as one list; an entry that is neither is an operator's mistake and throws. */
export function addressList(entries: readonly string[]): BlockList {
  const list = new BlockList()
  for (const entry of entries) {
    const [address = '', prefix] = entry.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    if (!isIP(address)) throw new TypeError(`${entry} is neither an address nor a CIDR range`)
    if (prefix === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(prefix), family)
  }
  return list
}

export function isListed(list: BlockList, ip: string): boolean {
  return isIP(ip) !== 0 && list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4')
}

/**
 * `X-Forwarded-For` is read from the right, and only as long as the hop that wrote the entry is trusted:
 * what stands further left is whatever the client wished to claim.
 */
export function clientIp(peer: string | undefined, forwardedFor: string | undefined, trusted: BlockList): string {
  let ip = plainAddress(peer ?? '0.0.0.0')
  const hops = (forwardedFor ?? '').split(',').slice(-HOPS_MAX)
  for (let index = hops.length - 1; index >= 0 && isListed(trusted, ip); index--) {
    const hop = plainAddress((hops[index] ?? '').trim())
    if (isIP(hop) === 0) break
    ip = hop
  }
  return ip
}

/** The key of limits: one IPv4 address, or one IPv6 /64, which is what one customer of a provider holds at least. */
export function networkOf(ip: string): string {
  if (isIP(ip) !== 6) return ip
  const [head = '', tail = ''] = ip.split('::')
  const left = head.split(':').filter(Boolean)
  const right = tail.split(':').filter(Boolean)
  const gap = ip.includes('::') ? Array.from({ length: Math.max(0, 8 - left.length - right.length) }, () => '0') : []
  const groups = [...left, ...gap, ...right].slice(0, 4)
  return `${groups.map(group => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}

/** IPv4 mapped into IPv6 is IPv4; a zone, brackets and a port are not part of the address. */
export function plainAddress(text: string): string {
  const bare = text.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1')
  return bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
}
