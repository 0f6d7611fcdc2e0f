import { MostHeld, type Yielding } from '#server/platform/limits/most-held.ts'
import { equalShares, type Holder, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { MessageBuffer } from './message-buffer.ts'

/** A network with less of the whole gives way to nobody. */
const KEPT_SHARE = 16

type Sizes = { readonly bytesMax: number; readonly messageBytesMax: number; readonly smallMessageBytesMax: number }
type Unfinished = Yielding & { readonly message: MessageBuffer }

/**
 * Memory for all messages in flight. A message may arrive as slowly as a modem sends, and some networks that do so would keep all of it;
 * so the longest unfinished message of the network that holds most gives way to a network that holds nothing or far less.
 */
export class ArrivingMessages {
  readonly #sizes: Sizes
  readonly #budget: ShareBudget
  readonly #unfinished: MostHeld<Unfinished>

  constructor(sizes: Sizes) {
    this.#sizes = sizes
    this.#budget = new ShareBudget(equalShares(sizes.bytesMax, sizes.smallMessageBytesMax, sizes.messageBytesMax))
    const mayGiveWay = ({ message }: Unfinished) => message.size > 0
    this.#unfinished = new MostHeld(this.#budget, { keptMax: sizes.bytesMax / KEPT_SHARE, mayGiveWay })
  }

  /** Whether there is room for a message of this size, or somebody would give way to it. */
  mayHaveRoom(networks: Holder, bytes: number): boolean {
    return this.#budget.hasRoom(networks, bytes) || this.#unfinished.find(networks, bytes) !== undefined
  }

  fullShare(networks: Holder, bytes: number): string | undefined {
    return this.#budget.fullShare(networks, bytes)
  }

  /** The buffer of a message that arrives now. */
  open(networks: Holder): MessageBuffer {
    const lease = this.#budget.openLease(networks)
    const grow = (bytes: number) => {
      while (!lease.grow(bytes)) if (!this.#unfinished.makeRoom(networks, bytes)) return false
      return true
    }
    const onEnd = () => this.#unfinished.delete(own)
    const message = new MessageBuffer({ bytesMax: this.#sizes.messageBytesMax, lease, grow, onEnd })
    const own: Unfinished = { networks, lease, message, giveWay: () => message.giveWay() }
    this.#unfinished.add(own)
    return message
  }
}
