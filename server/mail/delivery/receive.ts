/** Checks recipients and receives mail: for mailboxes and for the operator. */
import { formatAddress, normaliseAddress } from '../addresses/address.ts'
import type { MailContext, OperatorMail } from '../context.ts'
import { deriveMailboxId } from '../keys/subkeys.ts'
import type { Envelope, MailFailure, Recipient } from '../mail-core.ts'
import { Delivery } from './delivery.ts'
import { combineOutcomes, type Outcome, temporaryFailure } from './outcome.ts'

export function createReceiver(context: MailContext) {
  const { store, log, threads, config, subkeys, operatorInbox, operatorNames, guard } = context
  const delivery = new Delivery(context)

  async function storeForOperator(mail: OperatorMail): Promise<Outcome> {
    try {
      const outcome = await operatorInbox?.receive(mail)
      return outcome === 'stored' ? 'delivered' : (outcome ?? 'mailbox_not_found')
    } catch (error) {
      return temporaryFailure(error)
    }
  }

  return {
    async checkRecipient(address: string): Promise<Recipient | MailFailure> {
      const parsed = normaliseAddress(address, config.domains[0] ?? '')
      if (!parsed || !config.domains.includes(parsed.domain)) return 'domain_not_served'
      const normalised = formatAddress(parsed)
      if (operatorNames.has(parsed.localPart)) return operatorInbox ? { kind: 'operator', address, normalised } : 'mailbox_not_found'
      const mailbox = await store.findRecord(deriveMailboxId(subkeys.mailboxId, normalised))
      if (!mailbox) return 'mailbox_not_found'
      if (!guard.mayReceive(mailbox)) return 'unavailable'
      threads.expectWork()
      const { mailboxId, publicKey, expiresAt } = mailbox
      return { kind: 'mailbox', address, mailboxId, publicKey, expiresAt }
    },

    async receive(envelope: Envelope, raw: Uint8Array): Promise<Outcome> {
      const mailboxes = envelope.recipients.filter(recipient => recipient.kind === 'mailbox')
      const operator = envelope.recipients.find(recipient => recipient.kind === 'operator')
      try {
        const stored = operator ? [await storeForOperator({ recipient: operator.normalised, envelopeFrom: envelope.from, raw })] : []
        return combineOutcomes([...stored, ...(await delivery.toMailboxes(mailboxes, envelope, raw))])
      } catch (error) {
        log.error({ err: error }, 'A message could not be received')
        return temporaryFailure(error)
      }
    },
  }
}
