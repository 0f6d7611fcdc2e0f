/** Creates mailboxes with their addresses, opens them by token, destroys them, and removes those that have expired. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { PlannedFailure } from '#contract/mailbox.ts'
import { AppError } from '#server/errors.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'
import type { Log } from '#server/platform/log.ts'
import type { MailboxId, MailStore } from '#server/store/store.ts'
import { canonicalAddress, domainOf, formatAddress, generateLocalPart } from './addresses/address.ts'
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

/**
 * Opens one mailbox. Created only from its token and kept only for one request; only its key stays for five seconds in the mail thread
 * that read. Never log it, never store it.
 */
export type OpenMailbox = {
  readonly mailboxId: MailboxId
  readonly email: string
  /** Milliseconds since the epoch, both. */
  readonly createdAt: number
  readonly expiresAt: number
  readonly privateKey: Uint8Array
}

export type NewAddress = {
  /** Its mail counts against their share of the disk when space is low: an account, or a visitor's networks. */
  readonly creator?: Holder | undefined
  /** One of those offered, by default the first. Otherwise AppError `domain_not_served`. See `MailDomains`. */
  readonly domain?: string | undefined
  /** Without `domain`: the one offered after this one. */
  readonly insteadOf?: string | undefined
  /** Pro only. AppError `local_part_reserved` or `local_part_taken`. */
  readonly localPart?: string | undefined
  readonly lifetimeSeconds: number
  readonly failure?: PlannedFailure | undefined
}

/** Times are milliseconds since the epoch. */
export type CreatedAddress = {
  readonly mailboxId: MailboxId
  readonly email: string
  readonly token: string
  readonly createdAt: number
  readonly expiresAt: number
}

/**
 * Called before these are created, so that whoever has to destroy them knows them first; what it rejects with ends the creation. Called
 * again with other addresses for those that could not be created.
 */
type ReserveAddresses = (drafts: readonly CreatedAddress[]) => Promise<void>

/**
 * Names tried before giving up. With 63 random bits none is taken, but a name may belong to a shard of the store that is away or full. With
 * one of three shards away, ten tries fail for one visitor in 59,000.
 */
const TRIES_MAX = 10

export function createMailboxes(context: MailContext) {
  const { store, subkeys, guard, rules, storageShares, mailboxDestroyed } = context
  const createAddresses = addressCreator(context)

  /** One of several simultaneous calls resolves to `true`. */
  async function destroyMailbox({ mailboxId }: Pick<OpenMailbox, 'mailboxId'>): Promise<boolean> {
    const isDestroyed = await store.destroyMailbox(mailboxId)
    storageShares.forget(mailboxId)
    if (isDestroyed) await mailboxDestroyed(mailboxId)
    return isDestroyed
  }

  /** The live mailbox of a token, with what only its owner can have written. */
  async function findByToken(text: string) {
    const token = parseToken(text)
    const stored = token && (await store.findRecord(token.mailboxId))
    if (!stored || !matchesTokenHash(token, stored.tokenHash)) return undefined
    const openEmail = () => openAddress(token, stored.sealedAddress)
    guard.requireOwner(stored, () => deriveMailboxKeys(token).publicKey, openEmail)
    return { token, stored, openEmail }
  }

  return {
    createAddresses,
    destroyMailbox,

    async createAddress(request: NewAddress): Promise<CreatedAddress> {
      const [created] = await createAddresses(request, 1)
      if (!created) throw new AppError('unavailable')
      return created
    },

    /**
     * Destroys it; one that does not exist yet cannot be created any more by a request under way. Leaves a mailbox of somebody else with
     * this name. `mailboxDestroyed` is not called: the caller removes what lists it.
     */
    async destroyForGood({ mailboxId, createdAt, expiresAt }: Omit<CreatedAddress, 'email' | 'token'>) {
      const stored = await store.findMailbox(mailboxId)
      if (stored && stored.createdAt !== createdAt) return 'of_another'
      const isDestroyed = await store.destroyMailbox(mailboxId, expiresAt)
      storageShares.forget(mailboxId)
      return isDestroyed ? 'destroyed' : 'absent'
    },

    /**
     * Gives the mailbox of the token this end, milliseconds since the epoch, with all its mail. `false` if it is not live. Call it for a
     * mailbox that an account keeps: see `OwnedMailboxes.adopt`.
     */
    async extendMailbox(text: string, expiresAt: number): Promise<boolean> {
      const found = await findByToken(text)
      if (!found) return false
      const { stored, openEmail } = found
      const record = { ...stored, expiresAt }
      if (!(await store.extendMailbox({ ...record, mac: guard.sign(record, guard.failureOf(stored)) }))) return false
      const domain = rules.domains.receiving(domainOf(openEmail(), ''))
      if (domain) noteDomain(context, domain.name, expiresAt)
      return true
    },

    /** When the mailbox that was created then ends, in milliseconds since the epoch. `undefined` if it has ended. */
    async findEnd({ mailboxId, createdAt }: Pick<OpenMailbox, 'mailboxId' | 'createdAt'>): Promise<number | undefined> {
      const stored = await store.findMailbox(mailboxId)
      return stored?.createdAt === createdAt ? stored.expiresAt : undefined
    },

    /** Asks the store, so it knows of a destruction by any process. */
    async isLive(mailboxId: MailboxId): Promise<boolean> {
      return (await store.findMailbox(mailboxId)) !== undefined
    },

    /** For the operator: destroys a mailbox by its address. `undefined` if no live mailbox has it. */
    async destroyAddress(address: string): Promise<MailboxId | undefined> {
      const email = canonicalAddress(address)
      if (email === '') return undefined
      const mailboxId = deriveMailboxId(subkeys.mailboxId, email)
      return (await destroyMailbox({ mailboxId })) ? mailboxId : undefined
    },

    /** `undefined` for a wrong, an expired and a never-issued token alike. */
    async openMailbox(text: string): Promise<OpenMailbox | undefined> {
      const found = await findByToken(text)
      if (!found) return undefined
      const { token, stored, openEmail } = found
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

/** Nobody waits for it: with its database away, addresses are created and extended all the same. */
function noteDomain({ keepDomain, log }: MailContext, name: string, expiresAt: number): void {
  keepDomain(name, expiresAt).catch((err: unknown) => log.debug({ err }, 'How long a domain is in use could not be kept'))
}

function addressCreator(context: MailContext) {
  const { store, storeHealth, rules, telemetry, clock, subkeys, threads, storageShares, guard } = context

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
    if (creator !== undefined) await storageShares.created(record, creator)
    telemetry.domainUsed(domain.name, 'addresses')
    noteDomain(context, domain.name, expiresAt)
    return { mailboxId, email, token: token.token, createdAt, expiresAt }
  }

  /** Resolves to all of them. When it rejects, some of those that were reserved may exist. */
  async function createAddresses(request: NewAddress, count: number, reserve?: ReserveAddresses): Promise<CreatedAddress[]> {
    threads.expectWork()
    const domain = rules.domains.choose(request.domain, request.insteadOf)
    const chosen = request.localPart === undefined ? undefined : normaliseChosenLocalPart(request.localPart, rules.domains.operatorNames)
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

/** How long after its expiry a mailbox is physically removed when the server is idle. */
const PAUSE_MS = 1000
/** Limits one round. A million mailboxes that expire at once are removed in a few hundred rounds without a pause between them. */
const MAILBOXES_PER_ROUND = 2000

/** Removes expired mailboxes until `signal` aborts. If the store fails, it tries again after the pause. */
export async function sweepExpired(store: Pick<MailStore, 'sweep'>, signal: AbortSignal, log: Log): Promise<void> {
  while (!signal.aborted) {
    const removed = await store.sweep(MAILBOXES_PER_ROUND).catch((err: unknown) => {
      if (!signal.aborted) log.warn({ err }, 'Expired mailboxes could not be removed now; they stay closed and are tried again')
      return 0
    })
    if (removed < MAILBOXES_PER_ROUND) await sleep(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined)
  }
}
