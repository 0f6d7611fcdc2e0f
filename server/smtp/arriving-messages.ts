import { equalShares, type Holder, longestOfMost, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { MessageBuffer } from './message-buffer.ts'

/** A network with less of the whole gives way to nobody. */
const KEPT_SHARE = 16

type Sizes = { readonly bytesMax: number; readonly messageBytesMax: number; readonly smallMessageBytesMax: number }
type Unfinished = { readonly networks: Holder; readonly message: MessageBuffer }

/**
 * Memory for all messages in flight. A message may arrive as slowly as a modem sends, and some networks that do so would keep all of it;
 * so the longest unfinished message of the network that holds most gives way to a network that holds nothing or far less.
 */
export class ArrivingMessages {
  readonly #sizes: Sizes
  readonly #budget: ShareBudget
  /** The longest unfinished first. */
  readonly #unfinished = new Set<Unfinished>()

  constructor(sizes: Sizes) {
    this.#sizes = sizes
    this.#budget = new ShareBudget(equalShares(sizes.bytesMax, sizes.smallMessageBytesMax, sizes.messageBytesMax))
  }

  /** Whether there is room for a message of this size, or somebody would give way to it. */
  mayHaveRoom(networks: Holder, bytes: number): boolean {
    return this.#budget.hasRoom(networks, bytes) || this.#whoGivesWay(networks, bytes) !== undefined
  }

  fullShare(networks: Holder, bytes: number): string | undefined {
    return this.#budget.fullShare(networks, bytes)
  }

  /** The buffer of a message that arrives now. */
  open(networks: Holder): MessageBuffer {
    const lease = this.#budget.openLease(networks)
    const grow = (bytes: number) => {
      while (!lease.grow(bytes)) {
        const ended = this.#whoGivesWay(networks, bytes)
        if (!ended) return false
        ended.message.giveWay()
      }
      return true
    }
    const onEnd = () => this.#unfinished.delete(own)
    const message = new MessageBuffer({ bytesMax: this.#sizes.messageBytesMax, lease, grow, onEnd })
    const own: Unfinished = { networks, message }
    this.#unfinished.add(own)
    return message
  }

  #whoGivesWay(networks: Holder, bytes: number): Unfinished | undefined {
    if (this.#budget.fullShare(networks, bytes) !== undefined) return undefined
    // Twice what it has, since it asks for one chunk after the other: networks that hold about as much must not end each other's in turn.
    const amount = bytes + this.#budget.heldBy(networks.at(-1) ?? '')
    const begun = [...this.#unfinished].filter(({ message }) => message.size > 0)
    return longestOfMost(begun, this.#budget, { networks, amount, keptMax: this.#sizes.bytesMax / KEPT_SHARE })
  }
}
