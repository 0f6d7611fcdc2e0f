/** Creates mailboxes with their addresses, opens them by token, and destroys them. */
import { AppError } from '#server/errors.ts'
import type { MailboxId } from '#server/store/store.ts'
import { canonicalAddress, formatAddress, generateLocalPart } from './addresses/address.ts'
import { normaliseChosenLocalPart } from './addresses/chosen-addresses.ts'
import { addressDomain, type MailDomain } from './addresses/mail-domains.ts'
import type { MailContext } from './context.ts'
import { deriveMailboxId } from './keys/secret.ts'
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
import type { CreatedAddress, NewAddress, OpenMailbox, ReserveAddresses } from './mail-core.ts'

/**
 * Names tried before giving up. With 63 random bits none is taken, but a name may belong to a shard of the store that is away or full. With
 * one of three shards away, ten tries fail for one visitor in 59,000.
 */
const TRIES_MAX = 10

export function createMailboxes(context: MailContext) {
  const { store, subkeys, guard, listener } = context
  const createAddresses = addressCreator(context)

  async function destroyMailbox({ mailboxId }: Pick<OpenMailbox, 'mailboxId'>): Promise<boolean> {
    const isDestroyed = await store.destroyMailbox(mailboxId)
    if (isDestroyed) await listener.mailboxDestroyed(mailboxId)
    return isDestroyed
  }

  return {
    createAddresses,
    destroyMailbox,

    async createAddress(request: NewAddress): Promise<CreatedAddress> {
      const [created] = await createAddresses(request, 1)
      if (!created) throw new AppError('unavailable')
      return created
    },

    async destroyForGood({ mailboxId, createdAt, expiresAt }: Omit<CreatedAddress, 'email' | 'token'>) {
      const stored = await store.findMailbox(mailboxId)
      if (stored && stored.createdAt !== createdAt) return 'of_another'
      return (await store.destroyMailbox(mailboxId, expiresAt)) ? 'destroyed' : 'absent'
    },

    async isLive(mailboxId: MailboxId): Promise<boolean> {
      return (await store.findMailbox(mailboxId)) !== undefined
    },

    async destroyAddress(address: string): Promise<MailboxId | undefined> {
      const email = canonicalAddress(address)
      if (email === '') return undefined
      const mailboxId = deriveMailboxId(subkeys.mailboxId, email)
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

function addressCreator({ store, storeHealth, log, directory, telemetry, clock, subkeys, threads, storageShares, guard }: MailContext) {
  /** One that nobody has yet. */
  function draftMailbox(localPart: string, domain: MailDomain, { lifetimeSeconds }: NewAddress) {
    const email = formatAddress({ localPart, domain: addressDomain(domain) })
    const token = createToken(deriveMailboxId(subkeys.mailboxId, email))
    const createdAt = clock()
    return { mailboxId: token.mailboxId, email, token, createdAt, expiresAt: createdAt + lifetimeSeconds * 1000 }
  }

  async function createMailbox(
    { mailboxId, email, token, createdAt, expiresAt }: ReturnType<typeof draftMailbox>,
    domain: MailDomain,
    { creator, failure }: NewAddress,
  ): Promise<CreatedAddress | undefined> {
    const { publicKey } = deriveMailboxKeys(token)
    const record = { mailboxId, tokenHash: hashToken(token), publicKey, sealedAddress: sealAddress(token, email), createdAt, expiresAt }
    if ((await store.createMailbox({ ...record, mac: guard.sign(record, failure) })) !== 'created') return undefined
    if (creator !== undefined) storageShares.created(mailboxId, creator)
    telemetry.domainUsed(domain.name, 'addresses')
    // Nobody waits for it: with its database away, addresses are created all the same.
    directory.keepUntil(domain.name, expiresAt).catch((err: unknown) => log.debug({ err }, 'How long a domain is in use could not be kept'))
    return { mailboxId, email, token: token.token, createdAt, expiresAt }
  }

  async function createAddresses(request: NewAddress, count: number, reserve?: ReserveAddresses): Promise<CreatedAddress[]> {
    threads.expectWork()
    const domain = directory.domains.choose(request.domain, request.insteadOf)
    const chosen =
      request.localPart === undefined ? undefined : normaliseChosenLocalPart(request.localPart, directory.domains.operatorNames)
    const created: CreatedAddress[] = []
    let failure: unknown = new Error('every generated address was taken: is the random source broken?')
    for (let tries = 0; tries < TRIES_MAX && created.length < count; tries++) {
      const drafts = Array.from({ length: count - created.length }, () => draftMailbox(chosen ?? generateLocalPart(), domain, request))
      await reserve?.(drafts.map(({ token, ...draft }) => ({ ...draft, token: token.token })))
      const results = await Promise.allSettled(drafts.map(draft => createMailbox(draft, domain, request)))
      for (const result of results) {
        if (result.status === 'fulfilled' && result.value) created.push(result.value)
        if (result.status === 'fulfilled') continue
        if (!isOfShard(result.reason)) throw result.reason
        failure = result.reason
      }
      if (chosen !== undefined && created.length === 0) throw failure instanceof AppError ? failure : new AppError('local_part_taken')
    }
    if (created.length === count) return created
    throw failure instanceof AppError ? failure : new AppError('unavailable', { cause: failure })
  }

  /** Another name may belong to another shard. */
  function isOfShard(error: unknown): boolean {
    const isRefused = error instanceof AppError && (error.code === 'unavailable' || error.code === 'storage_full')
    return isRefused && (storeHealth().shards?.total ?? 1) > 1
  }

  return createAddresses
}
