/** Checks recipients and receives mail, for mailboxes and for the operator. */
import { KIB, MIB } from '#contract/limits.ts'
import type { Authentication } from '#contract/mailbox.ts'
import { AppError, type MailFailure, Outage } from '#server/errors.ts'
import { type Holder, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { hintGarbage } from '#server/platform/memory/gc-hint.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import type { MessageId, SealedMessage, StoreResult } from '#server/store/store.ts'
import { domainOf, envelopeAddress, formatAddress, normaliseAddress } from '../addresses/address.ts'
import type { MailContext } from '../context.ts'
import { createSealMemory } from '../keys/seal.ts'
import { deriveMailboxId, deriveMessageId } from '../keys/secret.ts'
import type { Prepared, SealArgs, SenderOfMail } from '../threads/mail-tasks.ts'
import type { Envelope, OperatorMail, Recipient, SettleArrival } from './envelope.ts'

type Outcome = 'delivered' | MailFailure

export function createReceiver(context: MailContext) {
  const { store, threads, rules, telemetry, subkeys, receiveOperatorMail, guard } = context
  const refusals = new Refusals(context)
  const delivery = new Delivery(context, refusals)

  async function storeForOperator(mail: OperatorMail): Promise<Outcome> {
    try {
      const outcome = await receiveOperatorMail(mail)
      return outcome === 'stored' ? 'delivered' : outcome
    } catch (error) {
      return refusals.refuse(error)
    }
  }

  return {
    /** Called at RCPT: finds the recipient of an address. An address that never existed and an expired one fail in the same way. */
    async checkRecipient(address: string): Promise<Recipient | MailFailure> {
      const { main, operatorNames, receiving } = rules.domains
      const parsed = normaliseAddress(address, main)
      // `""@domain` is an address at the domain, which nobody has (RFC 5321 section 4.1.2).
      const name = parsed?.domain ?? domainOf(address, main)
      if (!receiving(name)) await rules.refresh()
      const domain = rules.domains.receiving(name)
      if (!domain) return 'domain_not_served'
      if (!parsed) return 'mailbox_not_found'
      const normalised = formatAddress(parsed)
      if (operatorNames.has(parsed.localPart)) return { kind: 'operator', address, normalised }
      const mailbox = await store
        .findRecord(deriveMailboxId(subkeys.mailboxId, normalised))
        .catch((error: unknown) => refusals.refuse(error))
      if (typeof mailbox === 'string') return mailbox
      if (!mailbox) {
        telemetry.domainUsed(domain.name, 'refusals')
        return 'mailbox_not_found'
      }
      if (!guard.mayReceive(mailbox)) return 'unavailable'
      threads.expectWork()
      const { mailboxId, publicKey, createdAt, expiresAt } = mailbox
      const failure = guard.failureOf(mailbox)
      return { kind: 'mailbox', address, domain: domain.name, mailboxId, publicKey, createdAt, expiresAt, failure }
    },

    /** Called after the final dot. `'delivered'` only when every recipient's copy is durable. */
    async receive(envelope: Envelope, raw: Uint8Array): Promise<Outcome> {
      const mailboxes = envelope.recipients.filter(recipient => recipient.kind === 'mailbox')
      const operator = envelope.recipients.find(recipient => recipient.kind === 'operator')
      try {
        const stored = operator ? [await storeForOperator({ recipient: operator.normalised, envelopeFrom: envelope.from, raw })] : []
        const outcome = combineOutcomes([...stored, ...(await delivery.toMailboxes(mailboxes, envelope, raw))])
        if (outcome !== 'delivered') return outcome
        refusals.delivered()
        for (const { domain } of mailboxes) telemetry.domainUsed(domain, 'mails')
        return outcome
      } catch (error) {
        return refusals.refuse(error)
      }
    },

    /** Whether mail was refused in the last 30 seconds because the store failed, or a part of it was full. */
    isRefusing: () => refusals.isRecent,
    /** A mail to the operator as plain text, read in a mail thread. Of one that cannot be parsed, the text as it is. */
    plainText: async (raw: Uint8Array, envelopeFrom: string) => (await threads.run('plainText', { envelopeFrom }, [{ raw }])).value,
  }
}

/**
 * One reply for all recipients, because SMTP allows only one after the final dot. If some got the message, the sender is asked to retry: it
 * then learns at RCPT which recipients are gone, and second copies are recognised as duplicates.
 */
function combineOutcomes(outcomes: readonly Outcome[]): Outcome {
  const failures = outcomes.filter(outcome => outcome !== 'delivered')
  if (failures.length === 0) return outcomes.length > 0 ? 'delivered' : 'mailbox_not_found'
  if (failures.length < outcomes.length) return 'partly_delivered'
  const temporary = failures.find(failure => failure !== 'mailbox_not_found' && failure !== 'domain_not_served')
  return temporary ?? failures[0] ?? 'unavailable'
}

/** Some mail is delivered while a part of the store is away: only after this long without a refusal is an outage over. */
const CALM_MS = 30_000
/** A cause that did not refuse for this long, while mail was delivered, has ended: when it comes back it is logged again. */
const CAUSE_ENDED_MS = 10_000
const CAUSES_MAX = 20
/** While mail is refused for it, no more often than this. */
const SHARE_TOLD_EVERY_MS = 600_000
const SHARE_USED =
  'Mail is refused with 452: the mail store is more than half full, and whoever created its address (a network or an account) ' +
  'has used the eighth that each may use. Give the mail store more room, or delete mail or addresses of theirs: docs/limits.md'

/** Logs each cause of a temporary refusal once in an outage, and its end. Others log a full store and an `Outage`. */
class Refusals {
  readonly #context: MailContext
  /** When each refused last. */
  readonly #causes = new Map<string, number>()
  #refusedAt = Number.NEGATIVE_INFINITY
  #deliveredAt = Number.NEGATIVE_INFINITY
  #shareToldAt = Number.NEGATIVE_INFINITY

  constructor(context: MailContext) {
    this.#context = context
  }

  get isRecent(): boolean {
    return this.#context.clock() - this.#refusedAt < CALM_MS
  }

  refuse(error: unknown): 'storage_full' | 'unavailable' {
    this.#refusedAt = this.#context.clock()
    if (error instanceof AppError && error.code === 'storage_full') return 'storage_full'
    if (error instanceof Outage) return 'unavailable'
    const cause = String(error instanceof AppError ? (error.cause ?? error) : error)
    const before = this.#causes.get(cause)
    if (before === undefined && this.#causes.size >= CAUSES_MAX) return 'unavailable'
    this.#causes.set(cause, this.#refusedAt)
    const hasEnded = before === undefined || (this.#refusedAt - before >= CAUSE_ENDED_MS && this.#deliveredAt > before)
    if (hasEnded) this.#context.log.error({ err: error }, 'A message could not be received')
    return 'unavailable'
  }

  /** The store itself is well, so nothing else shows it. */
  refuseShare(): void {
    const now = this.#context.clock()
    if (now - this.#shareToldAt < SHARE_TOLD_EVERY_MS) return
    this.#shareToldAt = now
    this.#context.log.warn(SHARE_USED)
  }

  delivered(): void {
    this.#deliveredAt = this.#context.clock()
    if (this.#causes.size === 0 || this.isRecent) return
    this.#causes.clear()
    this.#context.log.info('Messages are received again')
  }
}

/** Copies of one mail that are encrypted and stored together: many of a small mail, one of a large one. */
const COPIES_AT_ONCE_BYTES_MAX = 4 * MIB
/** Copies up to this size together never wait for memory. */
const SMALL_COPIES_BYTES = 256 * KIB

function toCopyRecipient(named: readonly MailboxRecipient[]): CopyRecipient[] {
  return named.slice(0, 1).map(({ address: _, ...mailbox }) => ({ ...mailbox, envelopeTo: [...new Set(named.map(envelopeAddress))] }))
}

/** The memories of one mail, which its groups use one after the other. `undefined` for small copies. */
function createMemories(copies: number, rawBytes: number): readonly SharedArrayBuffer[] | undefined {
  const memories = Array.from({ length: copies }, () => createSealMemory(rawBytes)).filter(memory => memory !== undefined)
  return memories.length > 0 ? memories : undefined
}

/** Delivers one mail to its mailboxes, and later adds its authentication results. */
class Delivery {
  readonly #context: MailContext
  readonly #refusals: Refusals
  /** Bytes of encrypted copies in memory: those of one mail of 24 MiB to 50 recipients take 1.2 GB together. */
  readonly #copies: ShareBudget

  constructor(context: MailContext, refusals: Refusals) {
    this.#context = context
    this.#refusals = refusals
    this.#copies = new ShareBudget({ total: context.config.memory.copiesBytesMax })
  }

  /** The outcome for each recipient; a copy is durable when its outcome is `'delivered'`. Rejects if a copy could not even be encrypted. */
  async toMailboxes(recipients: readonly MailboxRecipient[], envelope: Envelope, raw: Uint8Array): Promise<Outcome[]> {
    const { authenticator } = this.#context
    const mail = { envelope, raw, networks: networksAround(envelope.clientAddress), heldResults: authenticator?.held(envelope) }
    // One copy per mailbox, however often and with whatever tags its address was named.
    const distinct = [...Map.groupBy(recipients, ({ mailboxId }) => mailboxId).values()].flatMap(toCopyRecipient)
    // After its expiry the name may belong to somebody else, with another key.
    const areLive = await Promise.all(distinct.map(recipient => isLive(this.#context, recipient)))
    const live = distinct.filter((_, i) => areLive[i])
    // For the whole mail at once, and before its copies take memory that other mail waits for: counting may take a while.
    using space = await this.#context.storageShares.acquire(
      live.map(({ mailboxId }) => mailboxId),
      raw.byteLength,
    )
    const admitted = live.filter(({ mailboxId }) => space.isGranted(mailboxId))
    if (admitted.length < live.length) this.#refusals.refuseShare()
    const outcomes: Outcome[] = [
      ...Array.from({ length: distinct.length - live.length }, () => 'mailbox_not_found' as const),
      ...Array.from({ length: live.length - admitted.length }, () => 'storage_full' as const),
    ]
    const stored: WrittenCopy[] = []
    let sender: SenderOfMail | undefined
    const groupSize = Math.max(1, Math.floor(COPIES_AT_ONCE_BYTES_MAX / Math.max(raw.byteLength, 1)))
    let prepared: Prepared | undefined
    let memories = admitted.length > groupSize ? createMemories(groupSize, raw.byteLength) : undefined
    try {
      for (let at = 0; at < admitted.length; at += groupSize) {
        const group = admitted.slice(at, at + groupSize)
        const bytes = group.length * raw.byteLength
        using _memory = bytes > SMALL_COPIES_BYTES ? await this.#copies.wait(mail.networks, bytes) : undefined
        const written = await this.#deliver({ mail, recipients: group, prepared, isMore: at + groupSize < admitted.length, memories })
        prepared = written.prepared
        sender = written.sender
        // Bytes of a copy that failed may still be on their way to a node.
        if (written.copies.some(({ result }) => result.status === 'rejected')) memories = undefined
        outcomes.push(...written.copies.map(({ result }) => this.#outcomeOf(result)))
        stored.push(...written.copies.filter(({ result }) => isStored(result)))
      }
    } finally {
      // This includes the copies that were stored before a later group failed: the sender's next attempt finds them to be duplicates.
      if (sender && stored.length > 0) this.#afterStoring(mail, stored, sender)
    }
    return outcomes
  }

  #outcomeOf(settled: Settled): Outcome {
    if (settled.status === 'rejected') return this.#refusals.refuse(settled.reason)
    const { value } = settled
    return value === 'stored' || value === 'duplicate' ? 'delivered' : value
  }

  async #deliver(group: CopyGroup) {
    const receivedAt = this.#context.clock()
    const { prepared, settle } = await this.#enqueueArrivals(group, receivedAt)
    const written = await writeCopies(this.#context, { ...group, prepared }, receivedAt)
    written.copies.forEach(({ result }, i) => {
      if (result.status === 'fulfilled') settle[i]?.(isStored(result))
    })
    return written
  }

  /** Records the events for webhooks before anything is stored, so that they are sent even if the process is killed in between. */
  async #enqueueArrivals(
    { mail: { raw, networks }, recipients, prepared }: CopyGroup,
    receivedAt: number,
  ): Promise<{ prepared: Prepared | undefined; settle: readonly (SettleArrival | undefined)[] }> {
    const { webhookEvents, threads, subkeys } = this.#context
    if (!webhookEvents.mayEnqueueArrivals) return { prepared, settle: [] }
    const known = prepared ?? { digest: (await threads.run('digest', {}, [{ raw }], networks)).value }
    const enqueued = recipients.map(({ mailboxId, envelopeTo }) => {
      const messageId = deriveMessageId(subkeys.messageId, mailboxId, known.digest)
      return webhookEvents.enqueueArrival({ mailboxId, messageId, receivedAt, envelopeTo })
    })
    return { prepared: known, settle: await Promise.all(enqueued) }
  }

  /** What the sender does not wait for. */
  #afterStoring({ envelope, raw }: IncomingMail, stored: readonly WrittenCopy[], { results, authors, isUnsigned }: SenderOfMail): void {
    const { mailStored, storageShares, authenticator, log } = this.#context
    for (const { recipient } of stored) mailStored(recipient.mailboxId, storageShares.creatorOf(recipient.mailboxId))
    // The bytes of a mail without signatures are not kept for its results.
    const checking = results ? undefined : authenticator?.authenticate(envelope, isUnsigned ? authors : { ...authors, raw })
    if (results) this.#countLists(results)
    this.#addAuthentication(checking, stored).catch((err: unknown) => log.debug({ err }, 'Authentication results could not be kept'))
  }

  async #addAuthentication(checking: Promise<Authentication | undefined> | undefined, stored: readonly WrittenCopy[]): Promise<void> {
    const { threads, store } = this.#context
    const authentication = await checking
    if (!authentication) return
    this.#countLists(authentication)
    for (const { recipient, messageId } of stored) {
      const { mailboxId, publicKey, createdAt } = recipient
      // Name servers may take longer to answer than the mailbox lives.
      if (!(await isLive(this.#context, recipient))) continue
      const done = await threads.run('sealAuthentication', { recipient: { mailboxId, publicKey }, messageId, authentication }, [])
      await store.addAuthentication(mailboxId, messageId, done.bytes[0]?.sealedAuthentication ?? new Uint8Array(0), createdAt)
    }
  }

  #countLists({ listedOn = [] }: Authentication): void {
    for (const list of listedOn) this.#context.telemetry.senderListed(list)
  }
}

type MailboxRecipient = Extract<Recipient, { kind: 'mailbox' }>
/** A mailbox, and which of its addresses the envelope named. */
type CopyRecipient = Omit<MailboxRecipient, 'address'> & { readonly envelopeTo: readonly string[] }
/** `networks`: the sender's, which share memory and mail threads with others. */
type IncomingMail = Pick<SealArgs, 'heldResults'> & { readonly envelope: Envelope; readonly raw: Uint8Array; readonly networks: Holder }
/**
 * The recipients whose copies are written together. `prepared`: what earlier groups of the same mail found out. `isMore`: more follow.
 * `memories`: one a recipient, if the message is large.
 */
type CopyGroup = Pick<SealArgs, 'memories'> & {
  readonly mail: IncomingMail
  readonly recipients: readonly CopyRecipient[]
  readonly prepared: Prepared | undefined
  readonly isMore: boolean
}
type Settled = PromiseSettledResult<StoreResult>
type WrittenCopy = { readonly recipient: CopyRecipient; readonly messageId: MessageId; readonly result: Settled }

/** Resolves when each copy is durable or refused, in the order of the recipients. Rejects if a copy could not be encrypted. */
async function writeCopies(
  context: MailContext,
  { mail: { envelope, raw, networks, heldResults }, recipients, ...options }: CopyGroup,
  receivedAt: number,
): Promise<{ readonly copies: WrittenCopy[]; readonly prepared: Prepared | undefined; readonly sender: SenderOfMail }> {
  const { threads, freshRows, config, rules, authenticator } = context
  const keys = recipients.map(({ mailboxId, publicKey, envelopeTo }) => ({ mailboxId, publicKey, envelopeTo }))
  const isWatched = recipients.some(({ mailboxId }) => freshRows.isWatched(mailboxId))
  const { siteName, operatorName, publicUrl } = config
  const hosts = [new URL(publicUrl).hostname, ...rules.domains.all.map(({ name }) => name)]
  const site = { name: siteName, operator: operatorName, hosts, isChecking: authenticator !== undefined }
  const args = { recipients: keys, envelopeFrom: envelope.from, site, isWatched, heldResults, ...options }
  const sealed = await threads.run('seal', args, [{ raw }], networks)
  const { messageIds, shown, prepared, sender } = sealed.value
  const copies = recipients.map(async (recipient, i) => {
    const [messageId, copy] = [messageIds[i], sealed.bytes[i]]
    const stored = messageId && copy && passOn(context, recipient, { messageId, receivedAt, ...copy })
    // A missing copy must be a failure: if it were skipped here, the sender would get 250 for all recipients.
    if (!messageId || !stored) throw new AppError('internal', { cause: new Error('a sealed copy is missing') })
    const [result] = await Promise.allSettled([stored])
    // For readers who are connected, whom the store has just notified. A duplicate may have had another envelope.
    if (shown && isStored(result)) freshRows.add(recipient.mailboxId, messageId, { ...shown, envelopeTo: [...recipient.envelopeTo] })
    return { recipient, messageId, result: await afterExpiry(context, recipient, result) }
  })
  return { copies: await Promise.all(copies), prepared, sender }
}

/** Passes a copy on to the store. */
async function passOn(
  { store, config }: MailContext,
  { mailboxId, createdAt }: CopyRecipient,
  message: SealedMessage,
): Promise<StoreResult> {
  try {
    return await store.deliver(mailboxId, message, config.quota, createdAt)
  } finally {
    hintGarbage(message.sealedRaw.byteLength)
  }
}

const NOT_FOUND: Settled = { status: 'fulfilled', value: 'mailbox_not_found' }

/** If the mailbox expired on the way, nobody can read the copy, and nobody may learn that the mailbox existed. */
async function afterExpiry(context: MailContext, recipient: CopyRecipient, result: Settled): Promise<Settled> {
  return isStored(result) && !(await isLive(context, recipient)) ? NOT_FOUND : result
}

/** Asks the store only after the end that was known at RCPT: an account may have kept the address since. */
async function isLive({ clock, store }: MailContext, { mailboxId, createdAt, expiresAt }: CopyRecipient): Promise<boolean> {
  return expiresAt > clock() || (await store.findRecord(mailboxId))?.createdAt === createdAt
}

/** Whether this call stored the message; a duplicate was there before. */
const isStored = (settled: Settled): boolean => settled.status === 'fulfilled' && settled.value === 'stored'
