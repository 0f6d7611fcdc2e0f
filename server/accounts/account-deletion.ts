import type { Transaction } from 'kysely'
import type { DatabaseAccess } from '#server/database/database.ts'
import { lockOwner } from '#server/database/locks.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { accountOwner } from './api-credentials.ts'
import { forgetNameOwner } from './chosen-names.ts'

type AccountDeletionDeps = DatabaseAccess & { readonly destroyMailboxes: (userId: string) => Promise<void> }

export type RecordDeletion = (step: Transaction<DatabaseSchema>) => Promise<void>

/**
 * Deletes an account and everything that belongs to it. A mailbox that is being created meanwhile cannot store its row any more, so its
 * creator destroys it. One that was stored after `destroyMailboxes` started is found here, and everything is done once more. `record` is
 * part of the deletion: if it fails, the account stays.
 */
export async function deleteAccount(deps: AccountDeletionDeps, userId: string, record?: RecordDeletion): Promise<void> {
  do await deps.destroyMailboxes(userId)
  while (!(await deleteUser(deps, userId, record)))
}

/**
 * `false` if mailboxes of the account are left. Sessions, keys, links, networks and addresses refer to the user and are deleted with it.
 */
function deleteUser(deps: AccountDeletionDeps, userId: string, record?: RecordDeletion): Promise<boolean> {
  const { db, dialect } = deps
  const owner = accountOwner(userId)
  return db.transaction().execute(async step => {
    await lockOwner(step, dialect, owner)
    // New slots refer to this row, so none is taken until it is gone. SQLite runs one writing transaction at a time anyway.
    if (dialect === 'postgres') await step.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
    // A slot without its address yet: whoever creates it finds the slot gone and destroys the mailbox.
    await step.deleteFrom('pro_mailboxes').where('user_id', '=', userId).where('sealed', '=', '').execute()
    const ofPro = await step.selectFrom('pro_mailboxes').select('slot').where('user_id', '=', userId).executeTakeFirst()
    const ofKeys = step.selectFrom('api_mailboxes').select('id').where('owner', '=', owner).where('expires_at', '>', deps.clock())
    if (ofPro || (await ofKeys.executeTakeFirst())) return false
    await step.deleteFrom('webhooks').where('owner', '=', owner).execute()
    await step.deleteFrom('agent_sessions').where('owner', '=', owner).execute()
    await step.deleteFrom('users').where('id', '=', userId).execute()
    await forgetNameOwner(step, userId)
    await record?.(step)
    return true
  })
}
