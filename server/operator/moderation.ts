import type { Transaction } from 'kysely'
import type { DatabaseAccess } from '#server/database/database.ts'
import { accountOwner, asEnding } from '#server/database/rights.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { canonicalAddress } from '#server/mail/addresses/address.ts'
import type { MailboxId } from '#server/store/store.ts'
import type { AuditedBy, AuditLog } from './audit-log.ts'

/** Characters of a keyed hash in the audit log: enough to recognise an address that one knows. */
const HASH_CHARS = 16

/** Destroys addresses and accounts: implemented by the mail core and the accounts. */
type ModerationTargets = {
  /** `undefined` when no live mailbox has this address. */
  destroyAddress(address: string): Promise<MailboxId | undefined>
  /** Both or neither: `record` writes within the transaction that deletes the account. `false` if it is gone. */
  deleteAccount(userId: string, record: (step: Transaction<DatabaseSchema>) => Promise<void>): Promise<boolean>
}

type ModerationDeps = DatabaseAccess & {
  readonly audit: AuditLog
  /** The commands have none: they ask the running server. */
  readonly targets?: ModerationTargets
}

type AccountFound = { readonly id: string; readonly email: string; readonly isSuspended: boolean }

/** What the operator does to an abuser's address or account. `false`: there is no such address or account. */
export class Moderation {
  readonly #deps: ModerationDeps

  constructor(deps: ModerationDeps) {
    this.#deps = deps
  }

  async destroyAddress(actor: AuditedBy, address: string): Promise<boolean> {
    const { targets, audit, secretBox } = this.#deps
    if (!(await targets?.destroyAddress(address))) return false
    await audit.add(actor, 'address.destroy', secretBox.hash('audit', canonicalAddress(address)).slice(0, HASH_CHARS))
    return true
  }

  async destroyAccount(actor: AuditedBy, email: string): Promise<boolean> {
    const account = await this.find(email)
    const { targets, audit } = this.#deps
    if (!account || !targets) return false
    return await targets.deleteAccount(account.id, step => audit.add(actor, 'account.destroy', account.id, step))
  }

  /** Ends the account's sessions, and stops signing in, API keys and webhooks. Its addresses live to their end. */
  async suspend(actor: AuditedBy, email: string): Promise<boolean> {
    const { clock, audit } = this.#deps
    const account = await this.find(email)
    if (!account) return false
    return await asEnding(this.#deps, { owner: accountOwner(account.id) }, async step => {
      if (!(await step.selectFrom('users').select('id').where('id', '=', account.id).executeTakeFirst())) return false
      const row = { user_id: account.id, since: clock() }
      await step
        .insertInto('suspensions')
        .values(row)
        .onConflict(conflict => conflict.column('user_id').doNothing())
        .execute()
      await step.deleteFrom('sessions').where('user_id', '=', account.id).execute()
      await step.deleteFrom('webhook_deliveries').where('account', '=', accountOwner(account.id)).execute()
      await audit.add(actor, 'account.suspend', account.id, step)
      return true
    })
  }

  async resume(actor: AuditedBy, email: string): Promise<boolean> {
    const { db, audit } = this.#deps
    const account = await this.find(email)
    if (!account?.isSuspended) return false
    await db.deleteFrom('suspensions').where('user_id', '=', account.id).execute()
    await audit.add(actor, 'account.resume', account.id)
    return true
  }

  /** By its address in any spelling. */
  async find(email: string): Promise<AccountFound | undefined> {
    const { db } = this.#deps
    const row = await db
      .selectFrom('users')
      .leftJoin('suspensions', 'suspensions.user_id', 'users.id')
      .select(['users.id', 'users.email', 'suspensions.since'])
      .where(is => is.or([is('users.email', '=', email.toLowerCase()), is('users.email_key', '=', canonicalAddress(email))]))
      .executeTakeFirst()
    return row && { id: row.id, email: row.email, isSuspended: row.since !== null }
  }
}
