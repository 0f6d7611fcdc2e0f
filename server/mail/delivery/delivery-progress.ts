import * as z from 'zod/mini'
import { type DeliveryProgress, deliveryProgressSchema } from '#contract/mailbox.ts'
import type { MailStore } from '#server/store/store.ts'
import type { MailCore } from '../mail-core.ts'

type Verbs = 'publishDeliveryProgress' | 'watchDeliveryProgress' | 'publishLocalProgress' | 'watchLocalProgress'

/** Tells readers who are connected right now what the SMTP server is doing for their mailbox. Without content, and never stored. */
export function createDeliveryProgress(store: MailStore): Pick<MailCore, Verbs> {
  const localReaders = new Set<(progress: DeliveryProgress) => void>()
  return {
    publishLocalProgress(progress) {
      for (const onProgress of localReaders) onProgress(progress)
    },
    watchLocalProgress(onProgress, signal) {
      if (signal.aborted) return
      localReaders.add(onProgress)
      signal.addEventListener('abort', () => localReaders.delete(onProgress), { once: true })
    },
    publishDeliveryProgress(recipients, progress) {
      const writeProgress = () => JSON.stringify(progress)
      for (const recipient of recipients) if (recipient.kind === 'mailbox') store.publishProgress(recipient.mailboxId, writeProgress)
    },
    watchDeliveryProgress(mailboxId, onProgress, signal) {
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
