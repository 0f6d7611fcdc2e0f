/**
 * HPKE contexts kept for seconds, so that the next message to the same mailbox needs no key agreement, which is most of what sealing costs
 * (docs/lab/experiments.md). Each thread has its own, in memory only. Whoever could read it there could read the mail that arrives in
 * these seconds, and could read that mail itself in the same memory.
 */
import { generateKeyPair, type SenderContext, type X25519KeyPair } from './hpke.ts'
import { firstSender, laterSender, type MessageSender, newContext, type SealingKey } from './seal.ts'

/** All are forgotten this long after the oldest was created. */
const KEPT_MS = 5000
const KEPT_MAX = 1000
/** Pause before the next key pair is generated, so that a burst of mail is sealed first. */
const SPARE_AFTER_MS = 20

/** `exporterSecret` is computed by the second message: most mailboxes get one. */
type Kept = Pick<SenderContext, 'enc' | 'exporterSecret'> & { computed: Uint8Array | undefined }

export class SenderContexts {
  readonly #kept = new Map<SealingKey, Kept>()
  #forgetting: NodeJS.Timeout | undefined
  /** The next ephemeral key pair, generated while nobody waits: a single mail is sealed a third faster. */
  #spare: X25519KeyPair | undefined
  #making: NodeJS.Timeout | undefined

  /** The sender of the next message that is sealed to this key. */
  readonly senderFor = (sealingKey: SealingKey): MessageSender => {
    const kept = this.#kept.get(sealingKey)
    if (kept) {
      kept.computed ??= kept.exporterSecret()
      return laterSender(kept.enc, kept.computed)
    }
    const context = newContext(sealingKey, this.#takeSpare())
    if (this.#kept.size >= KEPT_MAX) this.#kept.clear()
    this.#kept.set(sealingKey, { enc: context.enc, exporterSecret: context.exporterSecret, computed: undefined })
    this.#forgetting ??= setTimeout(() => this.#forget(), KEPT_MS).unref()
    return firstSender(context)
  }

  #takeSpare(): X25519KeyPair | undefined {
    const spare = this.#spare
    this.#spare = undefined
    this.#making ??= setTimeout(() => {
      this.#making = undefined
      this.#spare = generateKeyPair()
    }, SPARE_AFTER_MS).unref()
    return spare
  }

  #forget(): void {
    this.#forgetting = undefined
    this.#kept.clear()
  }
}
