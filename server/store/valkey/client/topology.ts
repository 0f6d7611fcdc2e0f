/** Which master has which slot, as one node of the cluster reports it. */
import { addressKey, type NodeAddress } from './node-connection.ts'
import type { EngineReply } from './reply-reader.ts'

export const SLOTS = 16_384

export type Shard = { readonly master: NodeAddress; readonly replicas: readonly NodeAddress[] }

export const nodesOf = ({ master, replicas }: Shard): readonly NodeAddress[] => [master, ...replicas]

export class Topology {
  readonly shards: readonly Shard[]
  readonly #shardOfSlot: Int16Array

  private constructor(shards: readonly Shard[], shardOfSlot: Int16Array) {
    this.shards = shards
    this.#shardOfSlot = shardOfSlot
  }

  /** Parses the reply to `CLUSTER SLOTS`: `[first, last, [host, port, …], …replicas]` per range. `from`: the node that replied. */
  static read(reply: EngineReply, from: NodeAddress): Topology {
    const shards = new Map<string, Shard>()
    const indexes: string[] = []
    const shardOfSlot = new Int16Array(SLOTS).fill(-1)
    for (const range of reply as [number, number, ...EngineReply[][]][]) {
      const [first, last, master, ...replicas] = range
      // A replica that left the cluster is listed without a port until it is forgotten.
      const shard = {
        master: toAddress(master, from),
        replicas: replicas.map(replica => toAddress(replica, from)).filter(({ port }) => port > 0),
      }
      const key = addressKey(shard.master)
      if (!shards.has(key)) {
        shards.set(key, shard)
        indexes.push(key)
      }
      shardOfSlot.fill(indexes.indexOf(key), first, last + 1)
    }
    return new Topology([...shards.values()], shardOfSlot)
  }

  /**
   * The same without the slots of which their own masters know no master. `views`: the cluster as each of them sees it. `before`: as it was
   * known, which counts for a master that does not reply now.
   */
  seenBy(views: ReadonlyMap<string, Topology>, before: Topology): Topology {
    // One that has left the cluster knows nothing of it.
    const known = this.shards.map(({ master }) => [views.get(addressKey(master))].find(view => view && view.missingSlots < SLOTS) ?? before)
    const isServed = (index: number, slot: number) => known[index]?.shardOf(slot) !== undefined
    return new Topology(
      this.shards,
      this.#shardOfSlot.map((index, slot) => (isServed(index, slot) ? index : -1)),
    )
  }

  /** `undefined` if no master has it now. */
  shardOf(slot: number): Shard | undefined {
    return this.shards[this.#shardOfSlot[slot] ?? -1]
  }

  /** Masters, each followed by its replicas. */
  get nodes(): NodeAddress[] {
    return this.shards.flatMap(nodesOf)
  }

  /** The slots of a master, e.g. `0-5460, 16383`. */
  slotsOf(master: NodeAddress): string {
    const index = this.shards.findIndex(shard => addressKey(shard.master) === addressKey(master))
    return index === -1 ? '' : this.#rangesOf(index)
  }

  /** The slots that no master has, in the same form. */
  get unservedSlots(): string {
    return this.#rangesOf(-1)
  }

  #rangesOf(index: number): string {
    const ranges: string[] = []
    for (let first = this.#shardOfSlot.indexOf(index); first !== -1; first = this.#shardOfSlot.indexOf(index, first)) {
      const start = first
      while (this.#shardOfSlot[first] === index) first++
      ranges.push(first - start === 1 ? `${start}` : `${start}-${first - 1}`)
    }
    return ranges.join(', ')
  }

  /** Whether a master has no port, or none with TLS. */
  get isClosed(): boolean {
    return this.shards.some(({ master }) => master.port === 0)
  }

  /** Slots without a master. */
  get missingSlots(): number {
    return this.#shardOfSlot.filter(shard => shard === -1).length
  }

  /** `undefined` if it has no slots yet, so that nothing is known about its replicas. */
  replicasOf(master: NodeAddress): number | undefined {
    const key = addressKey(master)
    return this.shards.find(shard => addressKey(shard.master) === key)?.replicas.length
  }
}

/**
 * A node that does not know its own address leaves the host out: then it is the one we connected to. One that nobody finds any more
 * (`noaddr`) has no port either. With `cluster-preferred-endpoint-type hostname` a node without a name is `?`, with `unknown-endpoint` each
 * is nothing, and the address stands behind the id.
 */
function toAddress(node: EngineReply[] | undefined, from: NodeAddress): NodeAddress {
  const [preferred, port, , more] = node ?? []
  const words = Array.isArray(more) ? more.map(String) : []
  const named = String(preferred ?? '')
  const ip = words.find((_, i) => words[i - 1] === 'ip') ?? named
  const host = named === '' || named === '?' ? ip : named
  return { host: ip === '' && Number(port) === 0 ? '' : host || from.host, port: Number(port) }
}

const CRC_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1
  return crc
})

/** The slot of a key or sharded channel, as the cluster specification says: CRC16 (XMODEM) of the hash tag, modulo 16384. */
export function keySlot(key: string): number {
  const open = key.indexOf('{')
  const close = open === -1 ? -1 : key.indexOf('}', open + 1)
  const tag = close > open + 1 ? key.slice(open + 1, close) : key
  let crc = 0
  for (const byte of Buffer.from(tag)) crc = ((crc << 8) & 0xffff) ^ (CRC_TABLE[((crc >> 8) ^ byte) & 0xff] ?? 0)
  return crc % SLOTS
}
