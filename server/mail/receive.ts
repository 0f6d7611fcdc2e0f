/** Mail on its way in: who may get it, and what becomes of it (decisions 9–12). */
import type { MailboxId } from '#server/store/store.ts'
import { normaliseAddress, textOf } from './address.ts'
import type { MailContext, OperatorMail } from './context.ts'
import { Delivery } from './delivery.ts'
import { mailboxIdOf } from './keys/subkeys.ts'
import type { Envelope, MailFailure } from './mail.ts'
import { PublicKeys } from './mailboxes.ts'
import { failureOf, type Outcome, verdictOf } from './outcome.ts'

type Destination = { readonly kind: 'mailbox'; readonly mailboxId: MailboxId } | { readonly kind: 'operator'; readonly recipient: string }

export function createReceive(context: MailContext) {
  const { store, clock, log, threads } = context
  const publicKeys = new PublicKeys(store, clock)
  const delivery = new Delivery(context, publicKeys)

  return {
    isForOperator(recipient: string): boolean {
      const destination = destinationOf(context, recipient)
      return typeof destination === 'object' && destination.kind === 'operator'
    },

    async checkRecipient(recipient: string): Promise<'accepted' | MailFailure> {
      const destination = destinationOf(context, recipient)
      if (typeof destination === 'string') return destination
      if (destination.kind === 'operator') return 'accepted'
      const mailbox = await store.findMailbox(destination.mailboxId)
      if (!mailbox) return 'mailbox_not_found'
      publicKeys.keep(mailbox)
      threads.expectWork()
      return 'accepted'
    },

    async receive(envelope: Envelope, raw: Uint8Array): Promise<Outcome> {
      const destinations = envelope.recipients.map(recipient => destinationOf(context, recipient))
      // One copy however often, and in whatever spelling, an address was named (S25).
      const mailboxIds = new Set(destinations.flatMap(to => (typeof to === 'object' && to.kind === 'mailbox' ? [to.mailboxId] : [])))
      const toOperators = destinations.find(to => typeof to === 'object' && to.kind === 'operator')
      const refused = destinations.filter(to => typeof to === 'string')
      try {
        const operator = toOperators
          ? [await storeForOperator(context, { recipient: toOperators.recipient, envelopeFrom: envelope.from, raw })]
          : []
        return verdictOf([...refused, ...operator, ...(await delivery.toMailboxes([...mailboxIds], envelope, raw))])
      } catch (error) {
        log.error({ err: error }, 'a message could not be received')
        return failureOf(error)
      }
    },
  }
}

function destinationOf(
  { config, subkeys, operatorInbox, operatorNames }: MailContext,
  recipient: string,
): Destination | 'domain_not_served' | 'mailbox_not_found' {
  const address = normaliseAddress(recipient, config.domains[0] ?? '')
  if (!address || !config.domains.includes(address.domain)) return 'domain_not_served'
  if (operatorNames.has(address.localPart)) return operatorInbox ? { kind: 'operator', recipient: textOf(address) } : 'mailbox_not_found'
  return { kind: 'mailbox', mailboxId: mailboxIdOf(subkeys.mailboxId, textOf(address)) }
}

async function storeForOperator({ operatorInbox }: MailContext, mail: OperatorMail): Promise<Outcome> {
  try {
    const kept = await operatorInbox?.receive(mail)
    return kept === 'stored' ? 'delivered' : (kept ?? 'mailbox_not_found')
  } catch (error) {
    return failureOf(error)
  }
}
