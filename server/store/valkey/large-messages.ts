/** Stores messages that are too large for one step in pieces next to their mailbox, so that no single command blocks a shard. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#server/platform/clock.ts'
import type { Quota, SealedMessage, StoreResult } from '../store.ts'
import type { Cluster } from './client/cluster.ts'
import { decodeHead, encodeRow, type Head, pieceKeys, toStoreResult } from './encoding.ts'
import { DELIVER, WOULD_REFUSE } from './scripts.ts'

/** The most that is kept in the mailbox itself, so that a hundred messages are a few MB, which move to another node in one step. */
export const INLINE_BYTES_MAX = 32 * 1024
const PIECE_BYTES = 256 * 1024
/** Pieces being sent at once: a small command may have to wait behind them. */
const PIECES_AT_ONCE = 4

export class LargeMessages {
  readonly #cluster: Cluster
  readonly #clock: Clock

  constructor(cluster: Cluster, clock: Clock) {
    this.#cluster = cluster
    this.#clock = clock
  }

  /** Writes the pieces first; the step that adds the message checks that all are there. */
  async deliver(key: string, message: SealedMessage, { messagesMax, bytesMax }: Quota, expiresAt?: number): Promise<StoreResult> {
    const { messageId, sealedRaw } = message
    const args = [messageId, messagesMax, bytesMax, sealedRaw.byteLength, expiresAt ?? '']
    const replicated = { isReplicated: true, isRepeatable: true }
    const goneAt = await this.#cluster.run(WOULD_REFUSE, key, [this.#clock(), ...args], replicated)
    if (typeof goneAt !== 'number') return toStoreResult(goneAt)
    const head = { pieces: Math.ceil(sealedRaw.byteLength / PIECE_BYTES), upload: randomBytes(8).toString('hex') }
    const keys = pieceKeys(key, head)
    await fewAtOnce(keys, (piece, i) =>
      this.#cluster.call(piece, 'SET', sealedRaw.subarray(i * PIECE_BYTES, (i + 1) * PIECE_BYTES), 'PXAT', goneAt),
    )
    const row = encodeRow(message, head.pieces, head.upload)
    const delivered = toStoreResult(await this.#cluster.run(DELIVER, key, [this.#clock(), ...args, row], { ...replicated, keys }))
    // Another attempt to store the same message was faster, or the mailbox is full or gone: nothing refers to these pieces.
    if (delivered.outcome !== 'stored') await this.#unlink(keys)
    return delivered
  }

  /** In shared memory, so that the thread that opens it reads it where it is. `undefined` when it was removed meanwhile. */
  async read(key: string, head: Head): Promise<Uint8Array | undefined> {
    const whole = new Uint8Array(new SharedArrayBuffer(head.rawBytes))
    let isWhole = true
    await fewAtOnce(pieceKeys(key, head), async (pieceKey, i) => {
      const piece = await this.#cluster.call(pieceKey, 'GET')
      if (piece instanceof Buffer) whole.set(piece, i * PIECE_BYTES)
      else isWhole = false
    })
    return isWhole ? whole : undefined
  }

  /** `heads`: of messages that no mailbox lists any more. Pieces that cannot be reached now expire with their mailbox. */
  async remove(key: string, heads: readonly Buffer[]): Promise<void> {
    for (const head of heads.map(decodeHead)) await this.#unlink(pieceKeys(key, head))
  }

  async #unlink(keys: readonly string[]): Promise<void> {
    await fewAtOnce(keys, key => this.#cluster.call(key, 'UNLINK')).catch(() => undefined)
  }
}

/** Runs a few at once, starting the next when one is done. */
async function fewAtOnce(keys: readonly string[], run: (key: string, index: number) => Promise<unknown>): Promise<void> {
  const entries = keys.entries()
  const worker = async () => {
    for (const [index, key] of entries) await run(key, index)
  }
  await Promise.all(Array.from({ length: PIECES_AT_ONCE }, worker))
}
