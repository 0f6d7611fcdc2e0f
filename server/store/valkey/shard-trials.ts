/** Writes to shards that refused something. An outage is over when that succeeds; else its reply is the cause where readings show none. */
import type { Cluster } from './client/cluster.ts'
import { describeFailure, toAddress } from './client/failures.ts'
import {
  addressKey,
  defineScript,
  type Lack,
  lackOf,
  type NodeAddress,
  type NodeConnection,
  NotConnected,
} from './client/node-connection.ts'
import { readInfoOf } from './client/node-reading.ts'
import { NotReplicated } from './client/replicated-writes.ts'
import { findKey, PREFIX } from './client/rights.ts'
import { keySlot } from './client/topology.ts'
import { findUnacknowledged, type NodeFault } from './measurement.ts'
import { describeWay } from './revivals.ts'

/** Writes nothing that anybody reads. */
const TRY = defineScript({ isRepeatable: true, isReplicated: true, mustBeKept: true })("return redis.call('SET', KEYS[1], '', 'PX', 1000)")

/**
 * Why a write to a shard failed. `full`, `unwritable`: the memory, or the disk, of a master has no room for it, which its measurement tells
 * soon as well.
 */
export type TrialFault = Omit<NodeFault, 'effect'> & { readonly effect: NodeFault['effect'] | Lack }
type Trial = { readonly master: string; readonly faults: readonly TrialFault[] }

export class ShardTrials {
  readonly #cluster: Cluster
  readonly #areAllTried: boolean
  readonly #isReached: () => Promise<boolean>
  /** The masters of shards that took no mail when they were last read, for a cause that is known. */
  #known: ReadonlySet<string> = new Set()

  constructor(cluster: Cluster, areAllTried: boolean, isReached: () => Promise<boolean>) {
    this.#cluster = cluster
    this.#isReached = isReached
    this.#areAllTried = areAllTried
  }

  /** Tries the shards that have refused something, but those of which the cause was known. */
  async run(): Promise<Trial[]> {
    const { shards } = this.#cluster.topology
    if (this.#areAllTried) this.#suspect(shards.map(({ master }) => addressKey(master)))
    return await this.#tryAll(this.#known)
  }

  /**
   * Tries those whose cause has ended since. `known`: the masters that have one. Returns the faults of the others, and of those that fail
   * now and then.
   */
  async finish(known: ReadonlySet<string>, trials: readonly Trial[]): Promise<TrialFault[]> {
    this.#suspect(known)
    this.#known = known
    const later = await this.#tryAll(new Set([...known, ...trials.map(({ master }) => master)]))
    const found = [...trials, ...later].flatMap(({ master, faults }) => (known.has(master) ? [] : faults))
    const named = new Set([...known, ...found.map(({ master }) => master)])
    const masters = new Set(this.#cluster.topology.shards.map(({ master }) => addressKey(master)))
    const hitching = [...this.#cluster.hitches.lasting].filter(([name]) => masters.has(name) && !named.has(name))
    return [...found, ...(await Promise.all(hitching.map(([name, reason]) => this.#describeRefusing(name, reason))))]
  }

  #suspect(masters: Iterable<string>): void {
    const { refused, topology } = this.#cluster
    for (const name of masters) {
      const key = refused.has(name) ? undefined : findKey(({ master }) => addressKey(master) === name, topology)
      if (key !== undefined) refused.set(name, { key })
    }
  }

  async #tryAll(omitted: ReadonlySet<string>): Promise<Trial[]> {
    const { refused, topology } = this.#cluster
    const tried = [...refused].map(async ([name, { key }]): Promise<Trial[]> => {
      const { master } = topology.shardOf(keySlot(key)) ?? {}
      return master && !omitted.has(addressKey(master)) ? [await this.#try(name, key, master)] : []
    })
    return (await Promise.all(tried)).flat()
  }

  /** `name`: the master that refused `key`. */
  async #try(name: string, key: string, master: NodeAddress): Promise<Trial> {
    const { refused } = this.#cluster
    const isAlone = () => this.#cluster.mastersAlone().some(alone => addressKey(alone) === addressKey(master))
    const wasAlone = isAlone()
    // How far it has written, which its replicas should have when the trial has failed.
    const offset = Number((await this.#readInfo(master))?.get('master_repl_offset') ?? 0)
    try {
      // A mailbox has its slot by what is in braces.
      await this.#cluster.run(TRY, key.includes('{') ? `${PREFIX}rights:${key.slice(key.indexOf('{'))}` : key, [])
      // A write that waited for no replica says nothing about one that did not have a write in time.
      if (!(refused.get(name)?.reason instanceof NotReplicated) || !(wasAlone || isAlone())) refused.delete(name)
      return { master: addressKey(master), faults: [] }
    } catch {
      const shard = this.#cluster.topology.shardOf(keySlot(key))
      const at = addressKey(shard?.master ?? master)
      // It has another master now.
      if (at !== name) refused.delete(name)
      const { reason } = refused.get(at) ?? {}
      // Neither a refusal nor a connection that was cut is a silence of its replicas.
      const isSilent = reason instanceof NotReplicated && reason.cause === undefined
      const info = isSilent && shard && (await this.#readInfo(shard.master))
      const silent = info ? findUnacknowledged(shard, info, offset) : []
      return { master: at, faults: silent.length > 0 || !(reason instanceof Error) ? silent : [await this.#describeRefusing(at, reason)] }
    }
  }

  async #readInfo(master: NodeAddress): Promise<ReadonlyMap<string, string> | undefined> {
    const call = (...words: Parameters<NodeConnection['call']>) => this.#cluster.ask(master, ...words)
    return (await readInfoOf(addressKey(master), false, call).catch(() => undefined))?.told.info
  }

  async #describeRefusing(name: string, reason: Error): Promise<TrialFault> {
    const isUnreached = reason instanceof NotConnected
    const { replicas = [] } = this.#cluster.topology.shards.find(({ master }) => addressKey(master) === name) ?? {}
    const isSynced = reason instanceof NotReplicated && reason.isSynced
    const settings = isSynced ? 'If a node has "appendfsync no", set "appendfsync always" on every node. ' : ''
    const node = isUnreached ? toAddress(name) : undefined
    const otherwise = node
      ? 'Start it if it does not run, or open a firewall'
      : `${settings}Its log, and those of its replicas, may say why`
    const way = node && describeWay(node, reason, replicas.map(addressKey))
    const { fact, remedy = way ?? otherwise } = describeFailure(name, reason)
    const fault = { name, master: name, fact, remedy }
    if (isUnreached && (await this.#isReached())) return { ...fault, effect: 'denial', isShut: true }
    return { ...fault, effect: lackOf(reason) ?? 'paused' }
  }
}
