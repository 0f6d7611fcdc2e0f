/** Health of the cluster, and what it contains. Idle processes must cost the masters nothing, so one of them measures for all. */

import type { StoreHealth } from '../store.ts'
import type { Cluster } from './client/cluster.ts'
import { defineScript, type NodeAddress } from './client/node-connection.ts'
import { readInfo } from './client/open-cluster.ts'

/** A process asks this often, and at every check while a master is away. */
const ASK_EVERY_MS = 1900
/** How long all processes use what one of them measured. */
const MEASURED_MS = 1000
/** After this, another process measures: the one whose turn it was has ended or waits for a master. */
const TURN_MS = 5000
const COUNT_EVERY_MS = 5000
/** While the shard of the measurement does not reply, each process measures for itself. */
const PATIENCE_MS = 300
/** Up to this many keys of a master are counted one by one; beyond that, a sample is counted and the rest estimated. */
const KEYS_COUNTED_MAX = 5000
const SCAN_KEYS = 1000
/** The cursor of a scan at its start and at its end. */
const SCAN_START = '0'

/** → the last measurement, '' while another process measures, or nothing: then it is the caller's turn */
const FIND_MEASUREMENT = defineScript(`
local measured = redis.call('GET', KEYS[1])
if not measured then redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) end
return measured`)

type Master = { readonly usedBytes: number; readonly capacityBytes: number }

/** Of the masters that replied. Other versions of this program read it too: new fields are optional. */
type Measurement = Master & { readonly full: number; readonly mailboxes: number; readonly countedAtMs: number }

type HealthOptions = {
  readonly cluster: Cluster
  readonly prefix: string
  /** How old the number of mailboxes may be; with 0 each reading counts them anew, and shares nothing. */
  readonly countEveryMs?: number | undefined
}

export class HealthReader {
  readonly #cluster: Cluster
  /** Of the keys of mailboxes. */
  readonly #pattern: string
  readonly #key: string
  readonly #countEveryMs: number
  #measured: Measurement | undefined
  #health: StoreHealth | undefined
  #readAtMs = Number.NEGATIVE_INFINITY

  constructor({ cluster, prefix, countEveryMs = COUNT_EVERY_MS }: HealthOptions) {
    this.#cluster = cluster
    this.#pattern = `${prefix}{*}`
    this.#key = `${prefix}health`
    this.#countEveryMs = countEveryMs
  }

  /** Healthy while most masters reply: if one fails, the mailboxes of the others still work. */
  async read(): Promise<StoreHealth> {
    const isRecent = performance.now() - this.#readAtMs < Math.min(ASK_EVERY_MS, this.#countEveryMs)
    if (this.#health?.shards?.away !== 0 || !isRecent) this.#health = await this.#readNow()
    return this.#health
  }

  async #readNow(): Promise<StoreHealth> {
    this.#readAtMs = performance.now()
    const { shards } = this.#cluster.topology
    const pings = shards.map(({ master }) => this.#cluster.callMaster(master, 'PING'))
    const replied = (await Promise.allSettled(pings)).filter(({ status }) => status === 'fulfilled').length
    if (replied < shards.length) void this.#cluster.refresh()
    this.#measured = await this.#findOrMeasure()
    const { usedBytes, capacityBytes, full, mailboxes } = this.#measured
    return {
      ok: replied * 2 > shards.length,
      isFull: full > 0,
      mailboxes,
      bytesOnDisk: usedBytes,
      roomBytes: Math.max(0, capacityBytes - usedBytes),
      capacityBytes,
      shards: { total: shards.length, away: shards.length - replied, full },
    }
  }

  async #findOrMeasure(): Promise<Measurement> {
    if (this.#countEveryMs === 0) return await this.#measure()
    const found = await this.#cluster
      .run(FIND_MEASUREMENT, this.#key, [TURN_MS], { isRepeatable: true, patienceMs: PATIENCE_MS })
      .catch(() => undefined)
    const text = found instanceof Buffer ? found.toString() : undefined
    if (text) return JSON.parse(text)
    // Processes that start together must not all count: the number of mailboxes comes a second later.
    if (text === '') return this.#measured ?? { ...(await this.#measureMemory()), mailboxes: 0, countedAtMs: 0 }
    const measured = await this.#measure()
    if (found === null) await this.#cluster.call(this.#key, 'SET', JSON.stringify(measured), 'PX', MEASURED_MS).catch(() => undefined)
    return measured
  }

  async #measure(): Promise<Measurement> {
    const memory = await this.#measureMemory()
    const known = this.#measured
    if (known && Math.abs(Date.now() - known.countedAtMs) < this.#countEveryMs) return { ...known, ...memory }
    return { ...memory, mailboxes: await this.#countMailboxes(), countedAtMs: Date.now() }
  }

  async #measureMemory(): Promise<Master & { full: number }> {
    const { shards } = this.#cluster.topology
    const readings = await Promise.allSettled(shards.map(({ master }) => this.#readMemory(master)))
    const masters = readings.flatMap(reading => (reading.status === 'fulfilled' ? [reading.value] : []))
    return {
      usedBytes: sum(masters.map(({ usedBytes }) => usedBytes)),
      capacityBytes: sum(masters.map(({ capacityBytes }) => capacityBytes)),
      full: masters.filter(({ usedBytes, capacityBytes }) => usedBytes >= capacityBytes).length,
    }
  }

  async #readMemory(master: NodeAddress): Promise<Master> {
    const info = readInfo(String(await this.#cluster.callMaster(master, 'INFO', 'memory')))
    const read = (name: string) => Number(info.get(name) ?? 0)
    return { usedBytes: read('used_memory'), capacityBytes: read('maxmemory') || read('total_system_memory') }
  }

  async #countMailboxes(): Promise<number> {
    const { shards } = this.#cluster.topology
    return Math.round(sum(await Promise.all(shards.map(({ master }) => this.#countAt(master).catch(() => 0)))))
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

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
