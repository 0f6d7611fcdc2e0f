/** What one client, or one network, may take: connections at once and guesses at recipients (cases A06, A07, A09). */
import { BlockList, isIP } from 'node:net'
import type { Clock } from '#server/clock.ts'

/** Networks remembered; the one that guessed longest ago is forgotten first. */
const NETWORKS_MAX = 10_000
/** Unknown recipients a network may name at once. Generous, for most mail of a big sender goes to addresses that have expired. */
const PROBES_MAX = 1000
const PROBES_BACK_PER_SECOND = 2
/** A network that delivers mail earns guesses: harvesters deliver nothing. */
const PROBES_BACK_PER_MESSAGE = 20

type Probes = { left: number; at: number }

type ClientsOptions = {
  readonly trusted: readonly string[]
  readonly connectionsPerClientMax: number
  /** Monotonic milliseconds. */
  readonly nowMs: Clock
}

export class Clients {
  readonly #trusted = new BlockList()
  readonly #connectionsMax: number
  readonly #nowMs: Clock
  readonly #connections = new Map<string, number>()
  readonly #probes = new Map<string, Probes>()

  constructor(options: ClientsOptions) {
    for (const range of options.trusted) addRange(this.#trusted, range)
    this.#connectionsMax = options.connectionsPerClientMax
    this.#nowMs = options.nowMs
  }

  isTrusted(address: string): boolean {
    return this.#trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  }

  /** Counts a connection; `false` when this client has as many as it may. Each `true` needs its `leave`. */
  enter(address: string): boolean {
    const client = clientOf(address)
    const open = this.#connections.get(client) ?? 0
    if (open >= this.#connectionsMax && !this.isTrusted(address)) return false
    this.#connections.set(client, open + 1)
    return true
  }

  leave(address: string): void {
    const client = clientOf(address)
    const open = this.#connections.get(client) ?? 0
    if (open > 1) this.#connections.set(client, open - 1)
    else this.#connections.delete(client)
  }

  mayProbe(address: string): boolean {
    return this.isTrusted(address) || this.#probesOf(networkOf(address)).left >= 1
  }

  countProbe(address: string): void {
    this.#add(networkOf(address), -1)
  }

  countMessage(address: string): void {
    if (this.#probes.has(networkOf(address))) this.#add(networkOf(address), PROBES_BACK_PER_MESSAGE)
  }

  #add(network: string, probes: number): void {
    const { left } = this.#probesOf(network)
    this.#probes.delete(network)
    this.#probes.set(network, { left: Math.min(PROBES_MAX, left + probes), at: this.#nowMs() })
    const [oldest] = this.#probes.keys()
    if (oldest !== undefined && this.#probes.size > NETWORKS_MAX) this.#probes.delete(oldest)
  }

  #probesOf(network: string): Probes {
    const now = this.#nowMs()
    const known = this.#probes.get(network) ?? { left: PROBES_MAX, at: now }
    return { left: Math.min(PROBES_MAX, known.left + ((now - known.at) / 1000) * PROBES_BACK_PER_SECOND), at: now }
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', bits] = range.split('/')
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) list.addAddress(address, family)
  else list.addSubnet(address, Number(bits), family)
}

/** One customer: an IPv4 address, or the /64 an IPv6 customer has at least. */
export function clientOf(address: string): string {
  return isIP(address) === 6 ? prefix64(address) : address
}

/** One network: /24 of IPv4, /64 of IPv6. */
export function networkOf(address: string): string {
  return isIP(address) === 6 ? prefix64(address) : address.split('.').slice(0, 3).join('.')
}

function prefix64(address: string): string {
  const [head = '', tail] = address.replace(/%.*$/, '').split('::')
  const groups = head.split(':').filter(Boolean)
  const zeros = tail === undefined ? 0 : 8 - groups.length - tail.split(':').filter(Boolean).length
  const all = [...groups, ...Array.from({ length: Math.max(0, zeros) }, () => '0'), ...(tail ?? '').split(':').filter(Boolean)]
  return all
    .slice(0, 4)
    .map(group => Number.parseInt(group, 16).toString(16))
    .join(':')
}
