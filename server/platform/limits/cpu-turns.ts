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

  /** Resolves when the turn begins. It ends when the caller waits for something else than what is there already. */
  next(networks: Holder): Promise<void> {
    return new Promise(begin => {
      this.#waiting.add({ networks, begin })
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
    for (let size = Math.max(one.length, other.length) - 1; size >= 0; size--) {
      if (one[size] === other[size]) continue
      const difference = this.usedBy(one[size] ?? '') - this.usedBy(other[size] ?? '')
      if (difference !== 0) return difference < 0
    }
    return false
  }
}
