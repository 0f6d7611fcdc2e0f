import { KIB } from '#contract/limits.ts'
import type { ByteBudget } from '#server/smtp/byte-budget.ts'

/** Smaller pieces are gathered in a block: a sender of single bytes must not cost an object each. */
const PIECE_BYTES_MIN = 4 * KIB
const BLOCK_BYTES = 16 * KIB

/** The bytes of one message while it arrives. What cannot be taken is counted and dropped, so memory never follows the sender. */
export class MessageBuffer {
  readonly #bytesMax: number
  readonly #budget: ByteBudget
  #pieces: Buffer[] = []
  #block: Buffer | undefined
  #blockUsed = 0
  #held = 0
  #size = 0
  #refusal: 'message_too_large' | 'memory_full' | undefined

  constructor(bytesMax: number, budget: ByteBudget) {
    this.#bytesMax = bytesMax
    this.#budget = budget
  }

  /** Bytes of the message so far, kept or dropped. */
  get size(): number {
    return this.#size
  }

  get refusal(): 'message_too_large' | 'memory_full' | undefined {
    return this.#refusal
  }

  /** Takes ownership of `piece`. */
  append(piece: Buffer): void {
    this.#size += piece.length
    if (this.#size > this.#bytesMax) this.#refuse('message_too_large')
    else if (!this.#refusal && !this.#budget.take(piece.length)) this.#refuse('memory_full')
    if (this.#refusal) return
    this.#held += piece.length
    // Most mail comes in one piece and is never copied here.
    if (piece.length >= PIECE_BYTES_MIN || this.#held === piece.length) this.#keep(piece)
    else this.#gather(piece)
  }

  /** The whole message; its bytes stay on the budget until `release`. It may be a window on what was read from the socket. */
  take(): Buffer {
    this.#closeBlock()
    const [only, ...more] = this.#pieces
    if (only && more.length === 0) return only
    const message = Buffer.allocUnsafeSlow(this.#held)
    let at = 0
    for (const piece of this.#pieces) at += piece.copy(message, at)
    this.#pieces = []
    return message
  }

  release(): void {
    this.#budget.giveBack(this.#held)
    this.#held = 0
    this.#pieces = []
    this.#block = undefined
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
}
