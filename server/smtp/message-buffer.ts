import { KIB, MIB } from '#contract/limits.ts'
import { MostHeld, type Yielding } from '#server/platform/limits/most-held.ts'
import { type BudgetLease, equalShares, type Holder, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { hintGarbage, SHARED_BYTES_MIN } from '#server/platform/memory/gc-hint.ts'

/** Smaller chunks are collected in a block, so that a client that sends single bytes does not cost one object per byte. */
const PIECE_BYTES_MIN = 4 * KIB
const BLOCK_BYTES = 16 * KIB
/** A message of this size or more is written into one buffer as it arrives: joining chunks at the end would hold it twice. */
const WHOLE_BYTES_MIN = MIB

type MessageBufferOptions = {
  /** Larger messages are refused. */
  readonly bytesMax: number
  /** This message's share of the memory for mail in flight. */
  readonly lease: BudgetLease
  /** Takes so many more bytes for it. By default only what is free. */
  readonly grow?: (bytes: number) => boolean
  /** Called when all of it has arrived, or it was dropped. */
  readonly onEnd?: () => void
}

/**
 * The bytes of one message while it arrives. Bytes beyond the limit are counted and dropped, so memory use does not depend on the sender.
 */
export class MessageBuffer {
  readonly #options: MessageBufferOptions
  #pieces: Buffer[] = []
  #block: Buffer | undefined
  #blockUsed = 0
  #whole: Buffer | undefined
  #held = 0
  #size = 0
  #refusal: 'message_too_large' | 'memory_full' | undefined

  constructor(options: MessageBufferOptions) {
    this.#options = options
  }

  /** Bytes of the message so far, including dropped ones. */
  get size(): number {
    return this.#size
  }

  get refusal(): 'message_too_large' | 'memory_full' | undefined {
    return this.#refusal
  }

  /** The network whose share was too small, if it was refused for that. */
  get fullShare(): string | undefined {
    return this.#options.lease.fullShare
  }

  /** Whether the caller may free the chunk it appended, because it was copied or dropped. */
  get mayReuseChunk(): boolean {
    return this.#whole !== undefined || this.#refusal !== undefined
  }

  /** Takes ownership of the chunk. */
  append(piece: Buffer): void {
    this.#size += piece.length
    if (this.#size > this.#options.bytesMax) this.#refuse('message_too_large')
    else if (!this.#refusal && !this.#grow(piece.length)) this.#refuse('memory_full')
    if (this.#refusal) return
    const at = this.#held
    this.#held += piece.length
    if (this.#held > WHOLE_BYTES_MIN) {
      this.#whole ??= this.#makeWhole()
      piece.copy(this.#whole, at)
    }
    // Most messages arrive in one chunk and are never copied here.
    else if (piece.length >= PIECE_BYTES_MIN || at === 0) this.#keep(piece)
    else this.#gather(piece)
  }

  /** The message. Its bytes count against the budget until `release`. It may be a view of what was read from the socket. */
  take(): Buffer {
    this.#options.onEnd?.()
    if (this.#whole) return this.#whole.subarray(0, this.#held)
    this.#closeBlock()
    const [only, ...more] = this.#pieces
    const isSmall = this.#held < SHARED_BYTES_MIN
    if (only && more.length === 0 && (isSmall || only.buffer instanceof SharedArrayBuffer)) return only
    return isSmall ? Buffer.concat(this.#pieces) : this.#share()
  }

  /** The thread that encrypts the message reads it here, without another copy, and V8 does not collect garbage early because of it. */
  #share(): Buffer {
    const shared = Buffer.from(new SharedArrayBuffer(this.#held))
    let at = 0
    for (const piece of this.#pieces) at += piece.copy(shared, at)
    this.#pieces = [shared]
    return shared
  }

  release(): void {
    this.#options.onEnd?.()
    this.#options.lease[Symbol.dispose]()
    hintGarbage(this.#held)
    this.#held = 0
    this.#pieces = []
    this.#block = undefined
    this.#whole = undefined
  }

  /** Another message needs its memory. */
  giveWay(): void {
    this.#refuse('memory_full')
  }

  #grow(bytes: number): boolean {
    const { lease, grow = (more: number) => lease.grow(more) } = this.#options
    return grow(bytes)
  }

  #refuse(refusal: 'message_too_large' | 'memory_full'): void {
    this.release()
    this.#refusal = refusal
  }

  #keep(piece: Buffer): void {
    this.#closeBlock()
    this.#pieces.push(piece)
  }

  #gather(piece: Buffer): void {
    if (this.#block && this.#blockUsed + piece.length > BLOCK_BYTES) this.#closeBlock()
    this.#block ??= Buffer.allocUnsafeSlow(BLOCK_BYTES)
    this.#blockUsed += piece.copy(this.#block, this.#blockUsed)
  }

  #closeBlock(): void {
    if (this.#block) this.#pieces.push(this.#block.subarray(0, this.#blockUsed))
    this.#block = undefined
    this.#blockUsed = 0
  }

  /**
   * One buffer with room for the largest message: pages that are not written take no memory, and growing would leave smaller buffers
   * behind. It is shared memory, so that the threads that encrypt and store the message read it without a copy.
   */
  #makeWhole(): Buffer {
    this.#closeBlock()
    const whole = Buffer.from(new SharedArrayBuffer(this.#options.bytesMax))
    let at = 0
    for (const piece of this.#pieces) at += piece.copy(whole, at)
    this.#pieces = []
    return whole
  }
}

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
