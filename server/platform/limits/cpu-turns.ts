/** Divides the CPU time of a thread between the networks that it works for. */
import { setImmediate } from 'node:timers/promises'
import { BoundedMap } from '../bounded-map.ts'
import type { Holder } from './share-budget.ts'

/** CPU time counts half after this long. */
const HALVED_MS = 10_000
const NETWORKS_MAX = 10_000

type Waiting = { readonly networks: Holder; readonly begin: () => void }

/**
 * One piece of work at a time. The next one is that of the largest network which has lately used least, and within it of the smaller ones:
 * whoever has little to do is not delayed by those whose work is dear, however many they are.
 */
export class CpuTurns {
  readonly #waiting = new Set<Waiting>()
  readonly #used = new BoundedMap<string, { readonly cpuMs: number; readonly atMs: number }>(NETWORKS_MAX)
  #isRunning = false

  /** Resolves to `true` when the turn begins, to `false` once aborted. The turn ends when the caller waits for what is not there yet. */
  next(networks: Holder, signal?: AbortSignal): Promise<boolean> {
    if (signal?.aborted) return Promise.resolve(false)
    return new Promise(resolve => {
      const leave = () => {
        this.#waiting.delete(waiting)
        resolve(false)
      }
      const begin = () => {
        signal?.removeEventListener('abort', leave)
        resolve(true)
      }
      const waiting = { networks, begin }
      signal?.addEventListener('abort', leave)
      this.#waiting.add(waiting)
      if (!this.#isRunning) void this.#run()
    })
  }

  /** Milliseconds that count now. */
  usedBy(network: string): number {
    const used = this.#used.get(network)
    return used ? used.cpuMs * 0.5 ** ((performance.now() - used.atMs) / HALVED_MS) : 0
  }

  async #run(): Promise<void> {
    this.#isRunning = true
    for (let next = this.#first(); next; next = this.#first()) {
      this.#waiting.delete(next)
      const start = process.threadCpuUsage()
      next.begin()
      await setImmediate()
      const { user, system } = process.threadCpuUsage(start)
      for (const network of next.networks)
        this.#used.set(network, { cpuMs: this.usedBy(network) + (user + system) / 1000, atMs: performance.now() })
    }
    this.#isRunning = false
  }

  #first(): Waiting | undefined {
    let first: Waiting | undefined
    for (const one of this.#waiting) if (!first || this.#goesBefore(one, first)) first = one
    return first
  }

  #goesBefore({ networks: one }: Waiting, { networks: other }: Waiting): boolean {
    // From the largest on: around an IPv4 address are fewer networks than around one of IPv6.
    for (let last = 1; last <= Math.max(one.length, other.length); last++) {
      const [network, others] = [one.at(-last), other.at(-last)]
      if (network === others) continue
      const difference = this.usedBy(network ?? '') - this.usedBy(others ?? '')
      if (difference !== 0) return difference < 0
    }
    return false
  }
}
