import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable, SelectQueryBuilder } from 'kysely'
import type { DatabaseAccess } from '#server/database/database.ts'
import { extendMailboxRows, forgetMailboxes, hashMailbox } from '#server/database/mailbox-rows.ts'
import { accountOwner, type Right, type Step, withRight } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { CreatedAddress, NewAddress } from '#server/mail/mailboxes.ts'
import type { SecretBox } from '#server/platform/cryptography.ts'
import { networksServed } from '#server/platform/limits/clients.ts'
import { LimitReached } from '#server/platform/limits/limiter.ts'
import type { MailboxId } from '#server/store/store.ts'
import { type CheckedAddress, ChosenNames } from './chosen-names.ts'

/** A mailbox that takes longer to create belongs to a process that died meanwhile, and is destroyed. */
const PENDING_MS = 60_000
/** `destroy_at` of a mailbox that its owner keeps and the mail store has not extended yet. */
const KEEPING = -1
/** Mailboxes destroyed in one group: the store writes them together. */
const AT_ONCE = 100
/** Groups at once: one whose part of the mail store is away waits for seconds. A list of all is never in memory. */
const GROUPS_AT_ONCE = 10
/** Owners named in one statement: a flood of sign-ups may have been more than a statement takes. */
const ENDED_AT_ONCE = 1000

type OwnedMailboxesDeps = DatabaseAccess & { readonly mail: MailCore }
export type OwnedRow = Selectable<DatabaseSchema['owned_mailboxes']>
export type OwnedMailbox = CreatedAddress & { readonly id: string }

type OwnedQuota = {
  readonly right: Right
  /** The mailboxes are theirs, and their others count against `max`. */
  readonly owner: string
  readonly max: { readonly name: string; readonly code: 'mailboxes_max' | 'api_mailboxes_max'; readonly mailboxes: number }
  /** Counts them against a rate limit, when nothing else refuses them. */
  readonly charge: (() => Promise<void>) | undefined
}

type OwnedCreation = OwnedQuota & {
  /** The account or API token that owns the names it chooses. */
  readonly nameOwner: string
  readonly address: CheckedAddress & Pick<NewAddress, 'lifetimeSeconds' | 'failure'>
  readonly count: number
  /** Seals the part of the row that only the owner can read. */
  readonly sealEmail?: (mailbox: OwnedMailbox) => string
}

/** The owners of an account's mailboxes: those of its pages, which count apart, and those of its API keys. */
export const proOwner = (userId: string) => `pro:${userId}`
/** Whether an account created it on its pages. */
export const isOfPages = ({ owner }: { readonly owner: string }) => owner.startsWith(proOwner(''))
const ownersOf = (userId: string) => [proOwner(userId), accountOwner(userId)]

/**
 * Mailboxes that belong to an account or an API token. The mail store and the database cannot change in one step, so the row of a mailbox
 * is there first and leaves last: it is written in one step with its name while the right to create it exists, then the mailbox is created,
 * then the row becomes a live one. A row that has to go is marked first, in the step that ends the right, and removed after its mailbox was
 * destroyed. Whatever is interrupted in between, the sweep finds the row and destroys the mailbox. A mailbox that already lives is adopted
 * the other way round: its row is the decision, and whatever is interrupted after it, the sweep completes.
 */
export class OwnedMailboxes {
  readonly #deps: OwnedMailboxesDeps
  readonly #names: ChosenNames
  /** By owner. */
  readonly #destroying = new Map<string, { readonly run: Promise<unknown>; next?: Promise<unknown> }>()

  constructor(deps: OwnedMailboxesDeps) {
    this.#deps = deps
    this.#names = new ChosenNames(deps)
  }

  /**
   * Creates all or none. AppError as `max` says, `local_part_taken`, `sign_in_required` or `api_token_invalid` if the right ends meanwhile.
   */
  async create(creation: OwnedCreation): Promise<OwnedMailbox[]> {
    const { right, nameOwner, address, count, charge } = creation
    // A refused request costs nothing.
    await this.#refuseOverMax(this.#deps.db, creation, [])
    await this.#names.refuseTaken(nameOwner, address)
    await charge?.()
    const ids = new Map<MailboxId, string>()
    try {
      const reserve = async (drafts: readonly CreatedAddress[]) => {
        const earlier = [...ids.values()]
        for (const { mailboxId } of drafts) ids.set(mailboxId, randomUUID())
        await this.#reserve(creation, this.#withIds(drafts, ids), earlier)
      }
      // In place of the smallest network: the accounts of one line have together what its strangers may have.
      const creator = [nameOwner, ...networksServed().slice(1)]
      const created = this.#withIds(await this.#deps.mail.createAddresses({ ...address, creator }, count, reserve), ids)
      await this.#keep(right, created)
      return created
    } catch (error) {
      // Without it they are destroyed when their time to become live is over.
      await this.#destroy([...ids.values()]).catch((err: unknown) => this.#deps.log.debug({ err }, 'Mailboxes are left to the sweep'))
      throw error
    }
  }

  /**
   * Makes a live mailbox that nobody owns one of the owner's, until `expiresAt`, with its mail and what belongs to it. Repeating it changes
   * nothing. AppError `mailbox_not_found` if it ends meanwhile, `forbidden` if somebody else owns it, and as `create`.
   */
  async adopt(mailbox: Omit<OwnedMailbox, 'id'>, { right, owner, max, charge }: OwnedQuota): Promise<OwnedMailbox> {
    const { db, secretBox } = this.#deps
    const owned = { ...mailbox, id: (await this.#findOwn(db, owner, mailbox.mailboxId)) ?? randomUUID() }
    const quota = { owner, max, count: 1 }
    await this.#refuseOverMax(db, quota, [owned.id])
    await charge?.()
    const row = { ...this.#rowOf(owned, owner, right), destroy_at: KEEPING }
    const id = await withRight(this.#deps, right, async step => {
      await this.#refuseOverMax(step, quota, [owned.id])
      const inserted = step
        .insertInto('owned_mailboxes')
        .values(row)
        .onConflict(conflict => conflict.doNothing())
      await inserted.execute()
      await extendMailboxRows(step, secretBox, mailbox.mailboxId, mailbox.expiresAt)
      return await this.#findOwn(step, owner, mailbox.mailboxId)
    })
    if (id === undefined) throw new AppError('mailbox_not_found')
    await this.#extend({ ...owned, id })
    // Its account may have been deleted meanwhile, and it with it.
    if (!(await this.live(owner).where('id', '=', id).select('id').executeTakeFirst())) throw new AppError('mailbox_not_found')
    return { ...owned, id }
  }

  /** The live mailboxes of the owner, without their order. */
  live(owner: string) {
    const { db, clock } = this.#deps
    const rows = db.selectFrom('owned_mailboxes').where('owner', '=', owner).where('expires_at', '>', clock())
    return rows.where('destroy_at', 'is', null)
  }

  /** Destroys the live mailboxes of the owner, who has this right until then; resolves to their number. */
  async destroyAll(right: Right): Promise<number> {
    const { owner } = right
    const held = this.#deps.db.selectFrom('owned_mailboxes').select('id').where('owner', '=', owner).limit(1)
    // Asking for it again takes no turn.
    if (!(await held.executeTakeFirst())) return 0
    const { numUpdatedRows } = await withRight(this.#deps, right, step => {
      const rows = step.updateTable('owned_mailboxes').set({ destroy_at: 0 }).where('owner', '=', owner).where('destroy_at', 'is', null)
      // Counted here, because the sweep may destroy some of them at the same time.
      return rows.where('expires_at', '>', this.#deps.clock()).executeTakeFirstOrThrow()
    })
    await this.#destroyInTurn(owner)
    return Number(numUpdatedRows)
  }

  /** One run at a time for each owner: those who ask meanwhile wait together for one more. */
  #destroyInTurn(owner: string): Promise<unknown> {
    const before = this.#destroying.get(owner)
    if (before) {
      before.next ??= before.run.catch(() => undefined).then(() => this.#destroyInTurn(owner))
      return before.next
    }
    const run = this.destroyEnding({ owners: [owner] }).finally(() => this.#destroying.delete(owner))
    this.#destroying.set(owner, { run })
    return run
  }

  /** `false` if the owner has no such live mailbox. */
  async destroy(owner: string, id: string): Promise<boolean> {
    const { db, clock } = this.#deps
    const row = db.updateTable('owned_mailboxes').set({ destroy_at: 0 }).where('id', '=', id).where('owner', '=', owner)
    const own = await row.where('destroy_at', 'is', null).where('expires_at', '>', clock()).returning('id').executeTakeFirst()
    return own !== undefined && (await this.destroyEnding({ ids: [own.id] })) === 1
  }

  /** Destroys what the account made, after a step that called `endMailboxes`. */
  destroyOfAccount(userId: string): Promise<number> {
    return this.destroyEnding({ owners: ownersOf(userId) })
  }

  /**
   * Destroys what is to be destroyed; of all owners, also what was not created in time. Resolves to how many were live. What cannot be
   * destroyed, because its part of the mail store is away, keeps nothing else from being destroyed; then it rejects at the end.
   */
  async destroyEnding({ owners, ids }: { owners?: readonly string[]; ids?: readonly string[] } = {}): Promise<number> {
    const { db, clock } = this.#deps
    if (!owners && !ids) {
      await this.#extendKept()
      const late = db.updateTable('owned_mailboxes').set({ destroy_at: 0 }).where('destroy_at', '>', 0)
      await late.where('destroy_at', '<=', clock()).execute()
    }
    let rows = db.selectFrom('owned_mailboxes').selectAll().where('destroy_at', '=', 0)
    if (owners) rows = rows.where('owner', 'in', owners)
    if (ids) rows = rows.where('id', 'in', ids)
    let destroyed = 0
    const failures: unknown[] = []
    const running = new Set<Promise<void>>()
    for await (const ending of this.#hundreds(rows)) {
      const group = this.#destroyRows(ending, failures)
        .then(count => {
          destroyed += count
        })
        .catch((error: unknown) => void failures.push(error))
        .finally(() => running.delete(group))
      running.add(group)
      if (running.size >= GROUPS_AT_ONCE) await Promise.race(running)
    }
    await Promise.all(running)
    if (failures.length > 0) throw failures[0]
    return destroyed
  }

  /** The address and its token, as `create` sealed them. `undefined` if it was under another secret, or for an API key or API token. */
  open(row: OwnedRow): OwnedMailbox | undefined {
    const { mailboxId, email, token } = openOwned(this.#deps.secretBox, row) ?? {}
    if (mailboxId === undefined || email === undefined || token === undefined) return undefined
    return { mailboxId, email, token, id: row.id, createdAt: row.created_at, expiresAt: row.expires_at }
  }

  /** The row of this mailbox. `undefined` if there is none. AppError `forbidden` if it is not the owner's, or about to end. */
  async #findOwn(db: Kysely<DatabaseSchema>, owner: string, mailboxId: MailboxId): Promise<string | undefined> {
    const row = await db.selectFrom('owned_mailboxes').selectAll().where('mailbox_hash', '=', this.#hash(mailboxId)).executeTakeFirst()
    if (row && (row.owner !== owner || row.destroy_at === 0)) throw new AppError('forbidden', { detail: 'Somebody else has this address.' })
    return row?.id
  }

  /** Extends a mailbox whose row says that its owner keeps it. Without the mailbox, nothing is left of it. */
  async #extend({ id, mailboxId, token, expiresAt }: OwnedMailbox): Promise<void> {
    if (!(await this.#deps.mail.extendMailbox(token, expiresAt))) return await forgetMailboxes(this.#deps, [mailboxId])
    await this.#deps.db
      .updateTable('owned_mailboxes')
      .set({ destroy_at: null })
      .where('id', '=', id)
      .where('destroy_at', '=', KEEPING)
      .execute()
  }

  /** Completes what a process that was killed, or a mail store that was away, left. */
  async #extendKept(): Promise<void> {
    const { db, log } = this.#deps
    const kept = db.selectFrom('owned_mailboxes').selectAll().where('destroy_at', '=', KEEPING)
    for await (const rows of this.#hundreds(kept)) {
      const extending = rows.flatMap(row => this.open(row) ?? []).map(mailbox => this.#extend(mailbox))
      for (const { reason } of (await Promise.allSettled(extending)).filter(end => end.status === 'rejected'))
        log.debug({ err: reason }, 'An address that its account keeps is left to the next sweep')
    }
  }

  async *#hundreds(rows: SelectQueryBuilder<DatabaseSchema, 'owned_mailboxes', OwnedRow>): AsyncGenerator<OwnedRow[]> {
    for (let after = ''; ; ) {
      const some = await rows.where('id', '>', after).orderBy('id').limit(AT_ONCE).execute()
      if (some.length === 0) return
      yield some
      after = some.at(-1)?.id ?? ''
    }
  }

  /** Resolves to how many were live. Adds why others could not be destroyed to `failures`. */
  async #destroyRows(rows: readonly OwnedRow[], failures: unknown[]): Promise<number> {
    const destroy = async (row: OwnedRow) => {
      const mailboxId = openOwned(this.#deps.secretBox, row)?.mailboxId
      const times = { createdAt: row.created_at, expiresAt: row.expires_at }
      return { row, mailboxId, outcome: mailboxId && (await this.#deps.mail.destroyForGood({ mailboxId, ...times })) }
    }
    const ends = await Promise.allSettled(rows.map(destroy))
    failures.push(...ends.flatMap(end => (end.status === 'rejected' ? [end.reason] : [])))
    const ended = ends.flatMap(end => (end.status === 'fulfilled' ? [end.value] : []))
    const own = ended.flatMap(({ mailboxId, outcome }) => (mailboxId === undefined || outcome === 'of_another' ? [] : [mailboxId]))
    if (own.length > 0) await forgetMailboxes(this.#deps, own)
    const ids = ended.map(({ row }) => row.id)
    if (ids.length > 0) await this.#deps.db.deleteFrom('owned_mailboxes').where('id', 'in', ids).execute()
    return ended.filter(({ outcome }) => outcome === 'destroyed').length
  }

  async #destroy(ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return
    await this.#deps.db.updateTable('owned_mailboxes').set({ destroy_at: 0 }).where('id', 'in', ids).execute()
    await this.destroyEnding({ ids })
  }

  /** `earlier`: rows of this creation whose mailboxes could not be created. */
  async #reserve(creation: OwnedCreation, drafts: readonly OwnedMailbox[], earlier: readonly string[]): Promise<void> {
    const { right, nameOwner, address, sealEmail } = creation
    const { clock } = this.#deps
    const rows = drafts.map(draft => ({ ...this.#rowOf(draft, creation.owner, right, sealEmail), destroy_at: clock() + PENDING_MS }))
    const hashes = rows.map(row => row.mailbox_hash)
    await withRight(this.#deps, right, async step => {
      await this.#refuseOverMax(step, creation, earlier)
      await this.#names.claim(step, nameOwner, address, Math.max(...drafts.map(({ expiresAt }) => expiresAt)))
      // The sweep has not come by yet.
      await step.deleteFrom('owned_mailboxes').where('mailbox_hash', 'in', hashes).where('expires_at', '<=', clock()).execute()
      const inserted = step
        .insertInto('owned_mailboxes')
        .values(rows)
        .onConflict(conflict => conflict.column('mailbox_hash').doNothing())
      if ((await inserted.returning('id').execute()).length < rows.length) throw new AppError('local_part_taken')
    })
  }

  #rowOf(mailbox: OwnedMailbox, owner: string, { apiKeyId }: Right, sealEmail?: OwnedCreation['sealEmail']) {
    const { id, mailboxId, createdAt, expiresAt } = mailbox
    const part = Buffer.from(JSON.stringify({ ...sealedPart(mailbox, sealEmail), apiKeyId } satisfies SealedPart))
    return {
      id,
      owner,
      sealed: this.#deps.secretBox.seal(sealingContext(owner, id), part).toString('base64'),
      sealed_email: sealEmail?.(mailbox) ?? null,
      mailbox_hash: this.#hash(mailboxId),
      created_at: createdAt,
      expires_at: expiresAt,
    }
  }

  /** They live, unless they were ended meanwhile. */
  async #keep(right: Right, created: readonly OwnedMailbox[]): Promise<void> {
    const ids = created.map(({ id }) => id)
    const rows = this.#deps.db.updateTable('owned_mailboxes').set({ destroy_at: null }).where('id', 'in', ids).where('destroy_at', '>', 0)
    if ((await rows.returning('id').execute()).length === ids.length) return
    await withRight(this.#deps, right, async () => undefined)
    throw new AppError('unavailable')
  }

  /** Mailboxes that are being created, or still have to be destroyed, count too. */
  async #refuseOverMax(
    db: Kysely<DatabaseSchema>,
    { owner, count, max }: Pick<OwnedCreation, 'owner' | 'count' | 'max'>,
    except: readonly string[],
  ): Promise<void> {
    const now = this.#deps.clock()
    const all = db.selectFrom('owned_mailboxes').where('owner', '=', owner).where('expires_at', '>', now)
    const others = except.length > 0 ? all.where('id', 'not in', except) : all
    const held = Number((await others.select(db.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()).count)
    if (held + count <= max.mailboxes) return
    const endsEnough = others
      .select('expires_at')
      .orderBy('expires_at')
      .offset(Math.min(held, held + count - max.mailboxes) - 1)
    const expiresAt = held === 0 ? undefined : (await endsEnough.limit(1).executeTakeFirst())?.expires_at
    const remaining = Math.max(0, max.mailboxes - held)
    const wait = expiresAt === undefined ? {} : { retryAfterSeconds: Math.max(1, Math.ceil((Number(expiresAt) - now) / 1000)) }
    const detail = `${held} mailboxes are live, and ${max.mailboxes} may be.`
    throw new LimitReached({ name: max.name, max: max.mailboxes }, { detail, remaining, ...wait }, max.code)
  }

  #withIds(mailboxes: readonly CreatedAddress[], ids: ReadonlyMap<MailboxId, string>): OwnedMailbox[] {
    return mailboxes.map(mailbox => ({ ...mailbox, id: ids.get(mailbox.mailboxId) ?? '' }))
  }

  #hash(mailboxId: MailboxId): string {
    return hashMailbox(this.#deps.secretBox, 'owned_mailboxes', mailboxId)
  }
}

/** In a step that ends the rights of an account: what it made is no longer live, and `destroyOfAccount` destroys it. */
export async function endMailboxes(step: Step, ...userIds: readonly string[]): Promise<void> {
  const owners = userIds.flatMap(ownersOf)
  for (let at = 0; at < owners.length; at += ENDED_AT_ONCE) {
    const some = owners.slice(at, at + ENDED_AT_ONCE)
    await step.updateTable('owned_mailboxes').set({ destroy_at: 0 }).where('owner', 'in', some).execute()
  }
}

/** `apiKeyId`: the key that made it. */
type SealedPart = Pick<OwnedMailbox, 'mailboxId'> & Partial<Pick<OwnedMailbox, 'email' | 'token'>> & Pick<Right, 'apiKeyId'>

/** `undefined` if it was sealed under another secret. */
export function openOwned(secretBox: SecretBox, { id, owner, sealed }: Pick<OwnedRow, 'id' | 'owner' | 'sealed'>): SealedPart | undefined {
  const bytes = secretBox.open(sealingContext(owner, id), Buffer.from(sealed, 'base64'))
  return bytes && JSON.parse(bytes.toString())
}

/** The server cannot open the mailboxes of API keys and API tokens, so neither address nor token is kept. */
function sealedPart({ mailboxId, email, token }: OwnedMailbox, sealEmail: OwnedCreation['sealEmail']) {
  return sealEmail ? { mailboxId } : { mailboxId, email, token }
}

/** Binds a sealed value to its row, so that it cannot be moved to another. */
const sealingContext = (owner: string, id: string): string => `owned-mailbox/${owner}/${id}`
