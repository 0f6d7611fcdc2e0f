/** How the rights of an account end: in one step, before anything that was made with them. */
import type { DatabaseAccess } from '#server/database/database.ts'
import { endWebhooks } from '#server/database/mailbox-rows.ts'
import { accountOwner, asEnding, lockOwner, type Right, requireRight, type Step, signUpsOwner } from '#server/database/rights.ts'
import type { Warn } from './account-mail.ts'
import { forgetNameOwner } from './chosen-names.ts'
import { endMailboxes } from './owned-mailboxes.ts'
import { readSignUpPasskey } from './webauthn.ts'

export type RecordDeletion = (step: Step) => Promise<void>
/** `sessionId`: of whoever asks for it, unless the operator does. `record` is part of the step: if it fails, the account stays. */
export type Deletion = { readonly userId: string; readonly sessionId?: string; readonly record?: RecordDeletion | undefined }

/** Whoever has a session, a passkey, an API key or a reset link of the account can do nothing more with it. No network is known. */
export async function endRights(step: Step, userId: string): Promise<void> {
  const owner = accountOwner(userId)
  for (const table of ['sessions', 'passkeys', 'api_keys', 'link_tokens', 'known_networks'] as const)
    await step.deleteFrom(table).where('user_id', '=', userId).execute()
  await endWebhooks(step, 'owner', owner)
  await step.deleteFrom('agent_sessions').where('owner', '=', owner).execute()
}

type Ending = {
  readonly table: 'sessions' | 'passkeys' | 'api_keys'
  readonly userId: string
  readonly id: string
  readonly warn?: Warn | undefined
}

/**
 * Ends one session, passkey or API key, with the webhooks and agents' sessions that were made with the key. `false` if the account has none
 * with this id, which takes no turn: ids are easily made up. AppError `sign_in_required` if the session that asks has ended meanwhile.
 */
export async function endOne(access: DatabaseAccess, by: Right, { table, userId, id, warn }: Ending): Promise<boolean> {
  const own = access.db.selectFrom(table).select('id').where('user_id', '=', userId).where('id', '=', id)
  if (!(await own.executeTakeFirst())) return false
  const tell = await warn?.(userId)
  return await asEnding(access, by, async step => {
    await requireRight(step, access, by)
    const { numDeletedRows } = await step.deleteFrom(table).where('user_id', '=', userId).where('id', '=', id).executeTakeFirst()
    if (table === 'api_keys') {
      await endWebhooks(step, 'api_key_id', id)
      await step.deleteFrom('agent_sessions').where('api_key_id', '=', id).execute()
    }
    if (numDeletedRows === 0n) return false
    await tell?.(step)
    return true
  })
}

/**
 * In a step that opens or deletes the account of the address, and holds its lock. What the sign-ups kept ends with them: it may be a
 * stranger's, and without an account nobody could end it. `also`: one that was removed before.
 */
export async function endSignUps(step: Step, emailKey: string, also: readonly { readonly passkey: string | null }[] = []): Promise<void> {
  const ended = await step.deleteFrom('sign_ups').where('email_key', '=', emailKey).returning('passkey').execute()
  const passkeys = [...also, ...ended].flatMap(({ passkey }) => (passkey === null ? [] : readSignUpPasskey(passkey)))
  await endMailboxes(step, ...passkeys.map(({ userId }) => userId))
}

/**
 * Deletes the account with everything that refers to it, in one step; its mailboxes are left to `destroyOfAccount`. `false` if the account
 * is gone already. AppError `sign_in_required` if the session has ended: an intruder's deletion that is under way when the owner sets a new
 * password must not come true.
 */
export async function deleteUser(access: DatabaseAccess, { userId, sessionId, record }: Deletion): Promise<boolean> {
  const by = { owner: accountOwner(userId), sessionId }
  return await asEnding(access, by, async step => {
    await requireRight(step, access, by)
    await endRights(step, userId)
    await endMailboxes(step, userId)
    const user = await step.selectFrom('users').select('email_key').where('id', '=', userId).executeTakeFirst()
    if (!user) return false
    await record?.(step)
    await lockOwner(step, access.dialect, signUpsOwner(user.email_key))
    await endSignUps(step, user.email_key)
    await step.deleteFrom('users').where('id', '=', userId).execute()
    await forgetNameOwner(step, userId)
    return true
  })
}
