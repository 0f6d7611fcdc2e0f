/** Cuts what a node sends into replies (RESP 2). */
import { KIB, MIB } from '#contract/limits.ts'

/** Strings are returned as bytes. */
export type EngineReply = Buffer | number | null | EngineReply[]

/** An error that the engine sent, not one of the connection. */
export class EngineError extends Error {}

export const NOT_OURS = 'what answers there is neither Valkey nor Redis, or speaks TLS'

const CR = 13
const MINUS = 45
const ZERO = 48
const [SIMPLE, ERROR, INTEGER, BULK, ARRAY] = ['+', '-', ':', '$', '*'].map(type => type.charCodeAt(0))
const END_BYTES = 2
/** The engine adds this to the error of a command in a script, and the arguments of one that it does not know, which may be anybody's. */
const UNWANTED = / script: [\da-f]{40}, on @user_script:\d+\.$|, with args beginning with: .*$/s
/** A list of a full mailbox is far below these. A node that somebody took over may not fill the memory of every process or keep it busy. */
const REPLY_BYTES_MAX = 256 * MIB
const REPLY_ITEMS_MAX = 1_000_000
const LINE_BYTES_MAX = 64 * KIB
const TOO_LARGE = 'its reply is larger than any of ours'
/** The reply is not whole yet. */
const PARTIAL = Symbol('partial')

type Item = EngineReply | EngineError
type OpenArray = { readonly items: Item[]; readonly length: number }

/** Cuts what a node sends into replies. Their bytes are views of what was received. What was read of an array is not read again. */
export class ReplyReader {
  #bytes: Buffer = Buffer.alloc(0)
  #at = 0
  /** Behind `bytes`, until there are enough. */
  #later: Buffer[] = []
  #laterBytes = 0
  #wanted = 0
  /** From the outermost to the innermost. */
  #arrays: OpenArray[] = []
  /** How much was read of the reply that is not whole yet. */
  #replyBytes = 0
  #replyItems = 0

  /** @throws if it is no reply. */
  read(received: Buffer, onReply: (reply: EngineReply | EngineError) => void): void {
    if (this.#bytes.byteLength > 0) {
      this.#later.push(received)
      this.#laterBytes += received.byteLength
      if (this.#replyBytes + this.#bytes.byteLength + this.#laterBytes > REPLY_BYTES_MAX) throw new Error(TOO_LARGE)
      if (this.#bytes.byteLength + this.#laterBytes < this.#wanted) return
      this.#bytes = Buffer.concat([this.#bytes, ...this.#later])
      this.#later = []
      this.#laterBytes = 0
    } else {
      this.#bytes = received
    }
    let from = 0
    while (from < this.#bytes.byteLength) {
      this.#at = from
      this.#wanted = 0
      const item = this.#parse()
      if (item === PARTIAL) break
      this.#replyBytes += this.#at - from
      from = this.#at
      const reply = this.#within(item)
      if (reply === PARTIAL) continue
      this.#replyBytes = 0
      this.#replyItems = 0
      onReply(reply)
    }
    this.#wanted -= from
    this.#bytes = this.#bytes.subarray(from)
  }

  /** Adds an item to the array that it stands in. Returns the reply that is whole with it. */
  #within(item: Item | OpenArray): Item | typeof PARTIAL {
    if (++this.#replyItems > REPLY_ITEMS_MAX || this.#replyBytes > REPLY_BYTES_MAX) throw new Error(TOO_LARGE)
    if (isOpen(item) && item.length > 0) {
      this.#arrays.push(item)
      return PARTIAL
    }
    let whole = isOpen(item) ? (item.items as EngineReply[]) : item
    for (let around = this.#arrays.at(-1); around; around = this.#arrays.at(-1)) {
      around.items.push(whole)
      if (around.items.length < around.length) return PARTIAL
      this.#arrays.pop()
      whole = around.items as EngineReply[]
    }
    return whole
  }

  /** An array has no items yet. */
  #parse(): Item | OpenArray | typeof PARTIAL {
    const type = this.#bytes[this.#at++]
    if (type === SIMPLE || type === ERROR) {
      const start = this.#at
      const end = this.#bytes.indexOf(CR, start)
      if ((end === -1 ? this.#bytes.byteLength : end) - start > LINE_BYTES_MAX) throw new Error(TOO_LARGE)
      if (end === -1 || end + 1 >= this.#bytes.byteLength) return PARTIAL
      this.#at = end + END_BYTES
      return type === SIMPLE
        ? this.#bytes.subarray(start, end)
        : new EngineError(this.#bytes.toString('utf8', start, end).replace(UNWANTED, ''))
    }
    if (type !== INTEGER && type !== BULK && type !== ARRAY) throw new Error(NOT_OURS)
    const number = this.#parseNumber()
    if (number === undefined) return PARTIAL
    if (type === INTEGER) return number
    if (number < 0) return null
    return type === BULK ? this.#parseBulk(number) : { items: [], length: number }
  }

  #parseNumber(): number | undefined {
    const bytes = this.#bytes
    const start = this.#at
    const isNegative = bytes[this.#at] === MINUS
    if (isNegative) this.#at++
    let number = 0
    for (let byte = bytes[this.#at]; byte !== CR; byte = bytes[++this.#at]) {
      if (this.#at - start > LINE_BYTES_MAX) throw new Error(TOO_LARGE)
      if (byte === undefined) return undefined
      number = number * 10 + byte - ZERO
    }
    this.#at += END_BYTES
    if (this.#at > bytes.byteLength) return undefined
    return isNegative ? -number : number
  }

  #parseBulk(length: number): Buffer | typeof PARTIAL {
    const start = this.#at
    this.#at += length + END_BYTES
    this.#wanted = this.#at
    return this.#at > this.#bytes.byteLength ? PARTIAL : this.#bytes.subarray(start, start + length)
  }
}

const isOpen = (item: Item | OpenArray): item is OpenArray => item !== null && typeof item === 'object' && 'items' in item
