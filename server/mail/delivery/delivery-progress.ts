/** Tells readers who are connected right now what the SMTP server is doing for their mailbox. Without content, and never stored. */
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod/mini'
import { type DeliveryProgress, deliveryProgressSchema } from '#contract/mailbox.ts'
import type { MailboxId, MailStore } from '#server/store/store.ts'
import type { Recipient } from './envelope.ts'

type OnProgress = (progress: DeliveryProgress) => void

/** Between two notices that all readers nearby get: one line of a client causes one. */
const LOCAL_EVERY_MS = 1000
/** Networks whose notice waits. */
const LOCAL_WAITING_MAX = 100
/** Readers told in one turn of the event loop. */
const TOLD_PER_TURN = 50

export function createDeliveryProgress(store: MailStore) {
  const localReaders = new Set<OnProgress>()
  /** By network, in the order of their first notices, so that none can keep those of another waiting for long. */
  const waiting = new Map<string, DeliveryProgress>()
  let isTelling = false

  async function tellLocalReaders(): Promise<void> {
    isTelling = true
    for (const [network, progress] of waiting) {
      waiting.delete(network)
      let told = 0
      for (const onProgress of localReaders) {
        onProgress(progress)
        if (++told % TOLD_PER_TURN === 0) await setImmediate()
      }
      await sleep(LOCAL_EVERY_MS, undefined, { ref: false })
    }
    isTelling = false
  }
  return {
    /** For what is meant for no mailbox yet: to readers of `watchLocalProgress`. A network's last notice replaces one that waits. */
    publishLocalProgress(network: string, progress: DeliveryProgress): void {
      if (waiting.has(network) || waiting.size < LOCAL_WAITING_MAX) waiting.set(network, progress)
      if (!isTelling) void tellLocalReaders()
    },
    /** Calls `onProgress` with what fails for clients of this machine and of private networks, until `signal` aborts. This process only. */
    watchLocalProgress(onProgress: OnProgress, signal: AbortSignal): void {
      if (signal.aborted) return
      localReaders.add(onProgress)
      signal.addEventListener('abort', () => localReaders.delete(onProgress), { once: true })
    },
    /** Tells readers who have these mailboxes open what the SMTP server is doing for them. */
    publishDeliveryProgress(recipients: readonly Recipient[], progress: DeliveryProgress): void {
      const writeProgress = () => JSON.stringify(progress)
      for (const recipient of recipients) if (recipient.kind === 'mailbox') store.publishProgress(recipient.mailboxId, writeProgress)
    },
    /** Calls `onProgress` with what the SMTP server is doing for this mailbox, until `signal` aborts. */
    watchDeliveryProgress(mailboxId: MailboxId, onProgress: OnProgress, signal: AbortSignal): void {
      const listener = (text: string) => {
        const progress = readProgress(text)
        if (progress) onProgress(progress)
      }
      store.subscribeToProgress(mailboxId, listener, signal)
    },
  }
}

/** `undefined` for one that another version wrote. */
function readProgress(text: string): DeliveryProgress | undefined {
  try {
    return z.parse(deliveryProgressSchema, JSON.parse(text))
  } catch {
    return undefined
  }
}
