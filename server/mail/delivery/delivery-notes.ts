/** Tells readers who are connected right now what the SMTP server is doing for their mailbox. Without content, and never stored. */
import * as z from 'zod/mini'
import { type DeliveryProgress, deliverySchema } from '#contract/mailbox.ts'
import type { MailStore } from '#server/store/store.ts'
import type { Mail } from '../mail.ts'

export function createDeliveryNotes(store: Pick<MailStore, 'publish' | 'subscribe'>): Pick<Mail, 'publishDelivery' | 'watchDeliveries'> {
  return {
    publishDelivery(recipients, delivery) {
      const writeNote = () => JSON.stringify(delivery)
      for (const recipient of recipients) if (recipient.kind === 'mailbox') store.publish(recipient.mailboxId, writeNote)
    },
    watchDeliveries(mailboxId, onDelivery, signal) {
      const listener = (note: string) => {
        const delivery = readNote(note)
        if (delivery) onDelivery(delivery)
      }
      store.subscribe(mailboxId, listener, signal)
    },
  }
}

/** `undefined` for a note that another version wrote. */
function readNote(note: string): DeliveryProgress | undefined {
  try {
    return z.parse(deliverySchema, JSON.parse(note))
  } catch {
    return undefined
  }
}
