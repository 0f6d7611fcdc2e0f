import { randomUUID } from 'node:crypto'
import type { Kysely, Selectable } from 'kysely'
import type { NewPasskey, Passkey, UsedPasskey } from '#contract/passkeys.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner, asOwner, type Right, type Step, withRight } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { toIso } from '#server/platform/clock.ts'
import { endOne } from './account-endings.ts'
import type { Warn } from './account-mail.ts'
import type { Account } from './sessions.ts'
import { type Ceremonies, type Credential, credentialSchema } from './webauthn.ts'

/** Phones, computers and security keys of one person. */
const PER_ACCOUNT_MAX = 10

type Row = Selectable<DatabaseSchema['passkeys']>
type PasskeysDeps = DatabaseAccess & { readonly ceremonies: Ceremonies }
/** A passkey whose use was verified, but not counted yet. */
type VerifiedPasskey = { readonly id: string; readonly userId: string; readonly counter: number; readonly newCounter: number }

/** The passkeys of accounts. Each opens its account alone, because its device has verified who uses it. */
export class Passkeys {
  readonly #deps: PasskeysDeps

  constructor(deps: PasskeysDeps) {
    this.#deps = deps
  }

  /** Oldest first. */
  async list(userId: string): Promise<Passkey[]> {
    return (await this.#ofAccount(this.#deps.db, userId)).map(describe)
  }

  /** AppError `passkeys_max`. */
  async offerAnother({ id: userId, email }: Account) {
    const others = await this.#ofAccount(this.#deps.db, userId)
    if (others.length >= PER_ACCOUNT_MAX) throw new AppError('passkeys_max')
    return this.#deps.ceremonies.offerCreation({ userId, email, isSignUp: false }, others.map(toCredential))
  }

  /** AppError `passkey_refused`, `passkeys_max`, or `sign_in_required` if the session ends meanwhile. */
  async add(userId: string, right: Right, passkey: NewPasskey, device: string | undefined, warn?: Warn): Promise<Passkey> {
    const { subject, credential } = await this.#deps.ceremonies.verifyCreation(passkey)
    if (subject.isSignUp || subject.userId !== userId) throw new AppError('passkey_refused')
    const tell = await warn?.(userId)
    return withRight(this.#deps, right, async step => {
      if ((await this.#ofAccount(step, userId)).length >= PER_ACCOUNT_MAX) throw new AppError('passkeys_max')
      const added = await insertPasskey(step, { userId, credential, device, now: this.#deps.clock() })
      await tell?.(step)
      return describe(added)
    })
  }

  /** `false` if the account has no such passkey. */
  remove(userId: string, by: Right, id: string, warn?: Warn): Promise<boolean> {
    return endOne(this.#deps, by, { table: 'passkeys', userId, id, warn })
  }

  /** AppError `passkey_refused` for one that no account has, and for a wrong answer. */
  async verify(passkey: UsedPasskey): Promise<VerifiedPasskey> {
    const { db, ceremonies } = this.#deps
    const row = await db.selectFrom('passkeys').selectAll().where('credential_id', '=', passkey.id).executeTakeFirst()
    if (!row) throw new AppError('passkey_refused')
    const newCounter = await ceremonies.verifyUse(passkey, row.user_id, toCredential(row))
    return { id: row.id, userId: row.user_id, counter: row.counter, newCounter }
  }

  /** Counts the use, in a step of its owner. `false` if it was removed or used meanwhile. */
  async count(step: Step, { id, counter, newCounter }: VerifiedPasskey): Promise<boolean> {
    const used = step.updateTable('passkeys').set({ counter: newCounter, last_used_at: this.#deps.clock() })
    const row = used.where('id', '=', id).where('counter', '=', counter)
    return (await row.returning('id').executeTakeFirst()) !== undefined
  }

  /** AppError `passkey_refused` unless it is one of the account. */
  async prove({ id }: Account, passkey: UsedPasskey): Promise<void> {
    const verified = await this.verify(passkey)
    const isOwn = verified.userId === id && (await asOwner(this.#deps, accountOwner(id), step => this.count(step, verified)))
    if (!isOwn) throw new AppError('passkey_refused')
  }

  async #ofAccount(db: Kysely<DatabaseSchema>, userId: string): Promise<Row[]> {
    return await db.selectFrom('passkeys').selectAll().where('user_id', '=', userId).orderBy('created_at').orderBy('id').execute()
  }
}

type Insertion = { readonly userId: string; readonly credential: Credential; readonly device: string | undefined; readonly now: number }

/** AppError `passkey_refused` if an account has it already. */
export async function insertPasskey(step: Step, { userId, credential, device, now }: Insertion): Promise<Row> {
  const { credentialId: credential_id, publicKey: public_key, counter, transports } = credential
  const key = { credential_id, public_key, counter, transports: JSON.stringify(transports) }
  const row = { id: randomUUID(), user_id: userId, ...key, device: device ?? null, created_at: now, last_used_at: null }
  const insert = step
    .insertInto('passkeys')
    .values(row)
    .onConflict(conflict => conflict.column('credential_id').doNothing())
  if (!(await insert.returning('id').executeTakeFirst())) throw new AppError('passkey_refused')
  return row
}

function toCredential({ credential_id, public_key, counter, transports }: Row): Credential {
  return {
    credentialId: credential_id,
    publicKey: public_key,
    counter,
    transports: credentialSchema.shape.transports.parse(JSON.parse(transports)),
  }
}

function describe({ id, device, created_at, last_used_at }: Row): Passkey {
  return {
    id,
    ...(device !== null && { device }),
    createdAt: toIso(created_at),
    ...(last_used_at !== null && { lastUsedAt: toIso(last_used_at) }),
  }
}
