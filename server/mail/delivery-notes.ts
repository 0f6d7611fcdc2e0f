/** What the mail port sees for a mailbox, on its way to those who look at it right now. Content-free, and kept nowhere. */
import * as z from 'zod/mini'
import { type Delivery, deliverySchema } from '#contract/mailbox.ts'
import type { MailStore } from '#server/store/store.ts'
import type { Mail } from './mail.ts'

export function createDeliveryNotes(store: Pick<MailStore, 'tell' | 'listen'>): Pick<Mail, 'tellDelivery' | 'watchDeliveries'> {
  return {
    tellDelivery(recipients, delivery) {
      const note = JSON.stringify(delivery)
      for (const recipient of recipients) if (recipient.kind === 'mailbox') store.tell(recipient.mailboxId, note)
    },
    watchDeliveries(mailboxId, onDelivery, signal) {
      const listener = (note: string) => {
        const delivery = readNote(note)
        if (delivery) onDelivery(delivery)
      }
      store.listen(mailboxId, listener, signal)
    },
  }
}

/** `undefined` for what another version wrote. */
function readNote(note: string): Delivery | undefined {
  try {
    return z.parse(deliverySchema, JSON.parse(note))
  } catch {
    return undefined
  }
}
