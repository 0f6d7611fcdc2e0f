import type { Kysely } from 'kysely'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import type { Account } from './account.ts'
import { accountOwner } from './api-credentials.ts'
import type { Passwords } from './passwords.ts'
import type { ProMailboxes } from './pro-mailboxes.ts'

type DeleteAccountDeps = {
  db: Kysely<DatabaseSchema>
  passwords: Passwords
  proMailboxes: ProMailboxes
  destroyMailboxes: (userId: string) => Promise<void>
}

/** Deletes an account and everything that belongs to it. AppError `credentials_wrong`. */
export async function deleteAccount(deps: DeleteAccountDeps, account: Account, password: string): Promise<void> {
  if (!(await deps.passwords.isCorrect(account, password))) throw new AppError('credentials_wrong')
  await endAccount(deps, account.id)
}

/** The same without a password, for the operator. */
export async function endAccount(
  { db, proMailboxes, destroyMailboxes }: Omit<DeleteAccountDeps, 'passwords'>,
  userId: string,
): Promise<void> {
  await destroyMailboxes(userId)
  await proMailboxes.forgetNames(userId)
  await db.deleteFrom('webhooks').where('owner', '=', accountOwner(userId)).execute()
  // Sessions, keys, links, networks and addresses refer to the user and are deleted with it.
  await db.deleteFrom('users').where('id', '=', userId).execute()
}
