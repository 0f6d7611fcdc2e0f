import * as z from 'zod/mini'
import { type DeliveryProgress, deliveryProgressSchema } from '#contract/mailbox.ts'
import type { MailboxId, MailStore } from '#server/store/store.ts'
import type { Recipient } from './envelope.ts'

type OnProgress = (progress: DeliveryProgress) => void

/** Tells readers who are connected right now what the SMTP server is doing for their mailbox. Without content, and never stored. */
export function createDeliveryProgress(store: MailStore) {
  const localReaders = new Set<OnProgress>()
  return {
    /** For what is meant for no mailbox yet: to readers of `watchLocalProgress`. */
    publishLocalProgress(progress: DeliveryProgress): void {
      for (const onProgress of localReaders) onProgress(progress)
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
