/** Mail on its way in: who may get it, and what becomes of it (decisions 9–12). */
import { AppError } from '#server/errors.ts'
import type { Delivered, MailboxId, MessageId } from '#server/store/store.ts'
import { normaliseAddress, textOf } from './address.ts'
import type { MailContext } from './context.ts'
import type { Envelope, MailFailure } from './mail.ts'
import { PublicKeys } from './mailboxes.ts'
import { isOperators } from './reserved-names.ts'
import { mailboxIdOf } from './subkeys.ts'
import type { RecipientKey } from './work.ts'

type Destination = { readonly kind: 'mailbox'; readonly mailboxId: MailboxId } | { readonly kind: 'operator' }
type Outcome = 'delivered' | MailFailure
type Sealed = RecipientKey & { readonly messageId: MessageId; readonly sealedSummary: Uint8Array; readonly sealedRaw: Uint8Array }

export function createReceive(context: MailContext) {
  const { store, config, clock, log, subkeys, workers, operatorInbox, authenticate } = context
  const publicKeys = new PublicKeys(store, clock)

  function destinationOf(recipient: string): Destination | 'domain_not_served' | 'mailbox_not_found' {
    const address = normaliseAddress(recipient, config.domains[0] ?? '')
    if (!address || !config.domains.includes(address.domain)) return 'domain_not_served'
    if (isOperators(address.localPart)) return operatorInbox ? { kind: 'operator' } : 'mailbox_not_found'
    return { kind: 'mailbox', mailboxId: mailboxIdOf(subkeys.mailboxId, textOf(address)) }
  }

  async function seal(recipients: readonly RecipientKey[], envelope: Envelope, raw: Uint8Array): Promise<Sealed[]> {
    if (recipients.length === 0) return []
    const { value: messageIds, bytes } = await workers.run('seal', { recipients, envelopeFrom: envelope.from }, [raw])
    return recipients.map((recipient, i) => {
      const [messageId, sealedSummary, sealedRaw] = [messageIds[i], bytes[2 * i], bytes[2 * i + 1]]
      // A copy that is missing must end as a failure: left out here, the others would be answered 250 for all.
      if (!messageId || !sealedSummary || !sealedRaw) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
      return { ...recipient, messageId, sealedSummary, sealedRaw }
    })
  }

  async function deliver({ mailboxId, messageId, sealedSummary, sealedRaw }: Sealed): Promise<Delivered> {
    return await store.deliver(mailboxId, { messageId, receivedAt: clock(), sealedSummary, sealedRaw }, config.quota)
  }

  async function annotate(envelope: Envelope, raw: Uint8Array, sealed: readonly Sealed[]): Promise<void> {
    const verdict = await authenticate?.(envelope, raw)
    if (!verdict) return
    for (const { mailboxId, publicKey, messageId } of sealed) {
      const done = await workers.run('annotation', { recipient: { mailboxId, publicKey }, messageId, verdict }, [])
      await store.annotate(mailboxId, messageId, done.bytes[0] ?? new Uint8Array(0))
    }
  }

  async function toMailboxes(mailboxIds: readonly MailboxId[], envelope: Envelope, raw: Uint8Array): Promise<Outcome[]> {
    const known = await Promise.all(mailboxIds.map(async mailboxId => ({ mailboxId, publicKey: await publicKeys.of(mailboxId) })))
    const recipients = known.flatMap(({ mailboxId, publicKey }) => (publicKey ? [{ mailboxId, publicKey }] : []))
    const sealed = await seal(recipients, envelope, raw)
    const settled = await Promise.allSettled(sealed.map(deliver))
    const stored = sealed.filter((_, i) => settled[i]?.status === 'fulfilled' && settled[i].value.outcome === 'stored')
    if (stored.length > 0 && authenticate) {
      annotate(envelope, raw, stored).catch((err: unknown) => log.debug({ err }, 'a verdict could not be kept'))
    }
    const gone = known.flatMap(({ publicKey }): Outcome[] => (publicKey ? [] : ['mailbox_not_found']))
    return [...gone, ...settled.map(outcomeOf)]
  }

  async function toOperator(envelope: Envelope, raw: Uint8Array): Promise<Outcome> {
    try {
      const kept = await operatorInbox?.accept(envelope, raw)
      return kept === 'stored' ? 'delivered' : (kept ?? 'mailbox_not_found')
    } catch (error) {
      return failureOf(error)
    }
  }

  return {
    async checkRecipient(recipient: string): Promise<'accepted' | MailFailure> {
      const destination = destinationOf(recipient)
      if (typeof destination === 'string') return destination
      if (destination.kind === 'operator') return 'accepted'
      const mailbox = await store.findMailbox(destination.mailboxId)
      if (!mailbox) return 'mailbox_not_found'
      publicKeys.keep(mailbox)
      return 'accepted'
    },

    async receive(envelope: Envelope, raw: Uint8Array): Promise<Outcome> {
      const destinations = envelope.recipients.map(destinationOf)
      // One copy however often, and in whatever spelling, an address was named (S25).
      const mailboxIds = new Set(destinations.flatMap(to => (typeof to === 'object' && to.kind === 'mailbox' ? [to.mailboxId] : [])))
      const isOperators = destinations.some(to => typeof to === 'object' && to.kind === 'operator')
      const refused = destinations.filter(to => typeof to === 'string')
      try {
        const operator = isOperators ? [await toOperator(envelope, raw)] : []
        return verdictOf([...refused, ...operator, ...(await toMailboxes([...mailboxIds], envelope, raw))])
      } catch (error) {
        log.error({ err: error }, 'a message could not be received')
        return failureOf(error)
      }
    },
  }
}

/**
 * One reply for all recipients: SMTP has no other after the final dot. Delivered to some: the sender is asked to come again, is told at
 * RCPT who is gone, and finds the others' copies folded into one (decision 12).
 */
export function verdictOf(outcomes: readonly Outcome[]): Outcome {
  const failures = outcomes.filter(outcome => outcome !== 'delivered')
  if (failures.length === 0) return outcomes.length > 0 ? 'delivered' : 'mailbox_not_found'
  if (failures.length < outcomes.length) return 'partly_delivered'
  const temporary = failures.find(failure => failure !== 'mailbox_not_found' && failure !== 'domain_not_served')
  return temporary ?? failures[0] ?? 'unavailable'
}

function outcomeOf(settled: PromiseSettledResult<Delivered>): Outcome {
  if (settled.status === 'rejected') return failureOf(settled.reason)
  const { outcome } = settled.value
  return outcome === 'stored' || outcome === 'duplicate' ? 'delivered' : outcome
}

function failureOf(error: unknown): 'storage_full' | 'unavailable' {
  return error instanceof AppError && error.code === 'storage_full' ? 'storage_full' : 'unavailable'
}
