/** Creates mailboxes with their addresses, opens them by token, and destroys them. */
import { AppError } from '#server/errors.ts'
import type { MailboxId } from '#server/store/store.ts'
import { type Address, formatAddress, generateLocalPart, normaliseAddress } from './addresses/address.ts'
import { normaliseChosenLocalPart } from './addresses/chosen-local-part.ts'
import { servedDomain } from './addresses/served-domain.ts'
import type { MailContext } from './context.ts'
import { openAddress, sealAddress } from './keys/sealed-address.ts'
import { deriveMailboxId } from './keys/subkeys.ts'
import { createToken, deriveMailboxKeys, deriveMailboxPrivateKey, hashToken, matchesTokenHash, parseToken } from './keys/token.ts'
import type { NewAddress, OpenMailbox } from './mail-core.ts'

/** Names tried before giving up: with 63 random bits, even a second try means that something else is wrong. */
const TRIES_MAX = 5

export function createMailboxes(context: MailContext) {
  const { store, config, clock, random, subkeys, threads, operatorNames, storageShares, guard, listener } = context

  async function createMailbox(address: Address, { lifetimeSeconds, creator }: NewAddress) {
    const email = formatAddress(address)
    const token = createToken(deriveMailboxId(subkeys.mailboxId, email), random)
    const { publicKey } = deriveMailboxKeys(token)
    const { mailboxId } = token
    const sealedAddress = sealAddress(token, email)
    const createdAt = clock()
    const expiresAt = createdAt + lifetimeSeconds * 1000
    const record = { mailboxId, tokenHash: hashToken(token), publicKey, sealedAddress, createdAt, expiresAt }
    if ((await store.createMailbox({ ...record, mac: guard.computeMac(record) })) !== 'created') return undefined
    if (creator !== undefined) storageShares.created(mailboxId, creator)
    return { mailboxId, email, token: token.token, createdAt, expiresAt }
  }

  async function destroyMailbox({ mailboxId }: Pick<OpenMailbox, 'mailboxId'>): Promise<boolean> {
    const isDestroyed = await store.destroyMailbox(mailboxId)
    if (isDestroyed) listener?.mailboxDestroyed(mailboxId)
    return isDestroyed
  }

  return {
    destroyMailbox,

    async createAddress(request: NewAddress) {
      const { domain: requestedDomain, localPart } = request
      threads.expectWork()
      const domain = servedDomain(config.domains, requestedDomain)
      if (localPart !== undefined) {
        const created = await createMailbox({ localPart: normaliseChosenLocalPart(localPart, operatorNames), domain }, request)
        if (!created) throw new AppError('local_part_taken')
        return created
      }
      for (let tries = 0; tries < TRIES_MAX; tries++) {
        const created = await createMailbox({ localPart: generateLocalPart(random), domain }, request)
        if (created) return created
      }
      throw new AppError('unavailable', { cause: new Error('every generated address was taken: is the random source broken?') })
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
      const keys = lazy(() => deriveMailboxKeys(token))
      guard.requireKey(stored, () => keys().publicKey)
      const email = openAddress(token, keys, stored.sealedAddress)
      guard.requireAddress(stored, email)
      return {
        mailboxId: stored.mailboxId,
        email,
        createdAt: stored.createdAt,
        expiresAt: stored.expiresAt,
        privateKey: deriveMailboxPrivateKey(token),
      }
    },
  }
}

function lazy<Value>(compute: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= compute()
    return value
  }
}
