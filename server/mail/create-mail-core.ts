import { AppError } from '#server/errors.ts'
import { ThreadPool } from '#server/platform/threads/thread-pool.ts'
import type { MailboxId } from '#server/store/store.ts'
import { formatAddress, generateLocalPart, normaliseAddress } from './addresses/address.ts'
import { normaliseChosenLocalPart } from './addresses/chosen-addresses.ts'
import { addressDomain, type MailDomain } from './addresses/mail-domains.ts'
import type { MailContext, MailOptions } from './context.ts'
import { createDeliveryProgress, createReceiver } from './delivery/delivery.ts'
import { StorageShares } from './delivery/storage-shares.ts'
import { runExpiry } from './expiry.ts'
import { deriveMailboxId, deriveSubkeys } from './keys/secret.ts'
import {
  createToken,
  deriveMailboxKeys,
  deriveMailboxPrivateKey,
  hashToken,
  matchesTokenHash,
  openAddress,
  parseToken,
  sealAddress,
} from './keys/token.ts'
import type { MailCore, NewAddress, OpenMailbox } from './mail-core.ts'
import { MailboxGuard } from './mailbox-guard.ts'
import { FreshRows } from './reading/fresh-rows.ts'
import { createInbox, createMessageSearch } from './reading/inbox.ts'
import { createAttachments, createMessageReader, StoredMessages } from './reading/read-message.ts'
import type { MailTasks } from './threads/mail-tasks.ts'
import { mailThreadOptions } from './threads/mail-threads.ts'

/** Creates the mail core: see `MailCore`. Disposing of it ends its threads and its sweep; the caller closes the store. */
export function createMailCore(options: MailOptions): MailCore {
  const { store, log, config } = options
  const subkeys = deriveSubkeys(options.secret)
  const threads = new ThreadPool<MailTasks>({
    ...mailThreadOptions(subkeys.messageId, log, store.directDelivery?.connect),
    metrics: options.telemetry,
  })
  const context: MailContext = {
    ...options,
    subkeys,
    threads,
    storageShares: new StorageShares({ store, health: options.storeHealth }),
    guard: new MailboxGuard({ keys: subkeys, log, refused: () => options.telemetry.mailboxRefused() }),
    freshRows: new FreshRows(),
  }
  const storedMessages = new StoredMessages(store, config.memory.wholeReadsMax)
  const mailboxes = createMailboxes(context)
  const receiver = createReceiver(context)
  const inbox = createInbox(context)
  const { readMatching, ...reader } = createMessageReader(context, storedMessages)
  const search = createMessageSearch(context, readMatching)
  const attachments = createAttachments(context, storedMessages)
  const deliveryProgress = createDeliveryProgress(store)
  const closing = new AbortController()
  const expiry = runExpiry(store, closing.signal, log)

  return {
    ...mailboxes,
    ...receiver,
    ...inbox,
    ...reader,
    ...search,
    ...attachments,
    ...deliveryProgress,
    plainText: async (raw, envelopeFrom) => (await threads.run('plainText', { envelopeFrom }, [{ raw }])).value,
    async *watch(mailboxId, signal) {
      using _reader = context.freshRows.watch(mailboxId)
      yield* store.watch(mailboxId, signal)
    },
    async [Symbol.asyncDispose]() {
      closing.abort()
      await expiry
      await threads[Symbol.asyncDispose]()
    },
  }
}

/**
 * Names tried before giving up. With 63 random bits none is taken, but a name may belong to a shard of the store that is away or full. With
 * one of three shards away, ten tries fail for one visitor in 59,000.
 */
const TRIES_MAX = 10

/** Creates mailboxes with their addresses, opens them by token, and destroys them. */
function createMailboxes(context: MailContext) {
  const { store, storeHealth, log, directory, telemetry, clock, random, subkeys, threads, storageShares, guard, listener } = context

  async function createMailbox(localPart: string, domain: MailDomain, { lifetimeSeconds, creator }: NewAddress) {
    const email = formatAddress({ localPart, domain: addressDomain(domain, random) })
    const token = createToken(deriveMailboxId(subkeys.mailboxId, email), random)
    const { publicKey } = deriveMailboxKeys(token)
    const { mailboxId } = token
    const sealedAddress = sealAddress(token, email)
    const createdAt = clock()
    const expiresAt = createdAt + lifetimeSeconds * 1000
    const record = { mailboxId, tokenHash: hashToken(token), publicKey, sealedAddress, createdAt, expiresAt }
    if ((await store.createMailbox({ ...record, mac: guard.computeMac(record) })) !== 'created') return undefined
    if (creator !== undefined) storageShares.created(mailboxId, creator)
    telemetry.domainUsed(domain.name, 'addresses')
    // Nobody waits for it: with its database away, addresses are created all the same.
    directory.keepUntil(domain.name, expiresAt).catch((err: unknown) => log.debug({ err }, 'How long a domain is in use could not be kept'))
    return { mailboxId, email, token: token.token, createdAt, expiresAt }
  }

  async function destroyMailbox({ mailboxId }: Pick<OpenMailbox, 'mailboxId'>): Promise<boolean> {
    const isDestroyed = await store.destroyMailbox(mailboxId)
    if (isDestroyed) await listener.mailboxDestroyed(mailboxId)
    return isDestroyed
  }

  return {
    destroyMailbox,

    async createAddress(request: NewAddress) {
      const { localPart } = request
      threads.expectWork()
      const domain = directory.domains.choose(request.domain, request.insteadOf)
      if (localPart !== undefined) {
        const created = await createMailbox(normaliseChosenLocalPart(localPart, directory.domains.operatorNames), domain, request)
        if (!created) throw new AppError('local_part_taken')
        return created
      }
      let failure: unknown = new Error('every generated address was taken: is the random source broken?')
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        try {
          const created = await createMailbox(generateLocalPart(random), domain, request)
          if (created) return created
        } catch (error) {
          const isOfShard = error instanceof AppError && (error.code === 'unavailable' || error.code === 'storage_full')
          if (!isOfShard || (storeHealth().shards?.total ?? 1) === 1) throw error
          failure = error
        }
      }
      throw failure instanceof AppError ? failure : new AppError('unavailable', { cause: failure })
    },

    async destroyAddress(address: string): Promise<MailboxId | undefined> {
      const parsed = normaliseAddress(address, '')
      if (!parsed) return undefined
      const mailboxId = deriveMailboxId(subkeys.mailboxId, formatAddress(parsed))
      return (await destroyMailbox({ mailboxId })) ? mailboxId : undefined
    },

    async openMailbox(text: string): Promise<OpenMailbox | undefined> {
      const token = parseToken(text)
      const stored = token && (await store.findRecord(token.mailboxId))
      if (!stored || !matchesTokenHash(token, stored.tokenHash)) return undefined
      const openEmail = () => openAddress(token, stored.sealedAddress)
      guard.requireOwner(stored, () => deriveMailboxKeys(token).publicKey, openEmail)
      return {
        mailboxId: stored.mailboxId,
        // Decrypted for those who ask for it: few requests show the address.
        get email() {
          return openEmail()
        },
        createdAt: stored.createdAt,
        expiresAt: stored.expiresAt,
        privateKey: deriveMailboxPrivateKey(token),
      }
    },
  }
}
