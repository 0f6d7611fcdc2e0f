/**
 * HPKE contexts kept for seconds, so that the next message to the same mailbox needs no key agreement, which is most of what sealing costs
 * (docs/performance.md). Each thread has its own, in memory only. Whoever could read it there could read the mail that arrives in
 * these seconds, and could read that mail itself in the same memory.
 */
import type { SenderContext } from './hpke.ts'
import { firstSender, laterSender, type MessageSender, newContext, type Recipient } from './seal.ts'

/** All are forgotten this long after the oldest was made. */
const KEPT_MS = 5000
const KEPT_MAX = 1000

/** `exporterSecret` is computed by the second message: most mailboxes get one. */
type Kept = Pick<SenderContext, 'enc' | 'exporterSecret'> & { computed: Uint8Array | undefined }

export class SenderContexts {
  readonly #kept = new Map<Recipient, Kept>()
  #forgetting: NodeJS.Timeout | undefined

  /** The sender of the next message to this recipient. */
  readonly start = (recipient: Recipient): MessageSender => {
    const kept = this.#kept.get(recipient)
    if (kept) {
      kept.computed ??= kept.exporterSecret()
      return laterSender(kept.enc, kept.computed)
    }
    const context = newContext(recipient)
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear()
    this.#kept.set(recipient, { enc: context.enc, exporterSecret: context.exporterSecret, computed: undefined })
    this.#forgetting ??= setTimeout(() => this.#forget(), KEPT_MS).unref()
    return firstSender(context)
  }

  #forget(): void {
    this.#forgetting = undefined
    this.#kept.clear()
  }
}
