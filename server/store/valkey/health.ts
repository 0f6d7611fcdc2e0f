/** Health of the cluster, and what it contains. */

import type { StoreHealth } from '../store.ts'
import type { Cluster } from './client/cluster.ts'
import type { NodeAddress } from './client/node-connection.ts'
import { readInfo } from './client/open-cluster.ts'

const COUNT_EVERY_MS = 5000
/** Up to this many keys of a master are counted one by one; beyond that, a sample is counted and the rest estimated. */
const KEYS_COUNTED_MAX = 20_000
const SCAN_KEYS = 1000
/** The cursor of a scan at its start and at its end. */
const SCAN_START = '0'

type Master = { readonly usedBytes: number; readonly capacityBytes: number }

export class HealthReader {
  readonly #cluster: Cluster
  readonly #pattern: string
  readonly #countEveryMs: number
  #mailboxes = 0
  #countedAtMs = Number.NEGATIVE_INFINITY

  /** `pattern`: of the keys of mailboxes. */
  constructor(cluster: Cluster, pattern: string, countEveryMs: number = COUNT_EVERY_MS) {
    this.#cluster = cluster
    this.#pattern = pattern
    this.#countEveryMs = countEveryMs
  }

  /** Healthy while most masters reply: if one fails, the mailboxes of the others still work. */
  async read(): Promise<StoreHealth> {
    const { shards } = this.#cluster.topology
    const checks = await Promise.allSettled(shards.map(({ master }) => this.#check(master)))
    const masters = checks.flatMap(check => (check.status === 'fulfilled' ? [check.value] : []))
    if (masters.length < shards.length) void this.#cluster.refresh()
    await this.#count()
    const usedBytes = sum(masters.map(master => master.usedBytes))
    const capacityBytes = sum(masters.map(master => master.capacityBytes))
    return {
      ok: masters.length * 2 > shards.length,
      isFull: masters.some(isFull),
      mailboxes: this.#mailboxes,
      bytesOnDisk: usedBytes,
      roomBytes: Math.max(0, capacityBytes - usedBytes),
      capacityBytes,
      shards: { total: shards.length, away: shards.length - masters.length, full: masters.filter(isFull).length },
    }
  }

  async #check(master: NodeAddress): Promise<Master> {
    const info = readInfo(String(await this.#cluster.callMaster(master, 'INFO', 'memory')))
    const read = (name: string) => Number(info.get(name) ?? 0)
    return { usedBytes: read('used_memory'), capacityBytes: read('maxmemory') || read('total_system_memory') }
  }

  async #count(): Promise<void> {
    if (performance.now() - this.#countedAtMs < this.#countEveryMs) return
    this.#countedAtMs = performance.now()
    const counts = await Promise.all(this.#cluster.topology.shards.map(({ master }) => this.#countAt(master).catch(() => 0)))
    this.#mailboxes = Math.round(sum(counts))
  }

  async #countAt(master: NodeAddress): Promise<number> {
    const keys = Number(await this.#cluster.callMaster(master, 'DBSIZE'))
    if (keys <= KEYS_COUNTED_MAX) return this.#countAll(master)
    // Buckets are visited in an order independent of the keys, so any part of them is a fair sample.
    const sample = await this.#scan(master, SCAN_START)
    return (sample.found / SCAN_KEYS) * keys
  }

  async #countAll(master: NodeAddress): Promise<number> {
    let total = 0
    let cursor = SCAN_START
    do {
      const { found, next } = await this.#scan(master, cursor)
      total += found
      cursor = next
    } while (cursor !== SCAN_START)
    return total
  }

  async #scan(master: NodeAddress, cursor: string): Promise<{ found: number; next: string }> {
    const args = [cursor, 'MATCH', this.#pattern, 'COUNT', SCAN_KEYS, 'TYPE', 'hash']
    const [next, keys] = (await this.#cluster.callMaster(master, 'SCAN', ...args)) as [Buffer, Buffer[]]
    return { found: keys.length, next: String(next) }
  }
}

function isFull({ usedBytes, capacityBytes }: Master): boolean {
  return usedBytes >= capacityBytes
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
