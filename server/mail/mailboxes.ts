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
import type { NewAddress, OpenMailbox } from './mail-core.ts'

/**
 * Names tried before giving up. With 63 random bits none is taken, but a name may belong to a shard of the store that is away or full. With
 * one of three shards away, ten tries fail for one visitor in 59,000.
 */
const TRIES_MAX = 10

export function createMailboxes(context: MailContext) {
  const { store, storeHealth, log, directory, telemetry, clock, subkeys, threads, storageShares, guard, listener } = context

  async function createMailbox(localPart: string, domain: MailDomain, { lifetimeSeconds, creator }: NewAddress) {
    const email = formatAddress({ localPart, domain: addressDomain(domain) })
    const token = createToken(deriveMailboxId(subkeys.mailboxId, email))
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
          const created = await createMailbox(generateLocalPart(), domain, request)
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
