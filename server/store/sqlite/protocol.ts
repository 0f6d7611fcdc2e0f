/**
 * What the main thread and mail threads ask the thread that owns the database, by name. Both sides check it: the arguments and the result
 * of a request are those of the query with its name.
 */
import type { TaskRequest } from '#server/platform/threads/batch.ts'
import type { TaskResult } from '#server/platform/threads/tasks.ts'
import type { MailboxId, MessageId, Quota, StoreHealth, StoreResult } from '../store.ts'
import type { Queries } from './queries.ts'

export const READ_QUERIES = ['findMailbox', 'changesSince', 'readMessage', 'health'] as const
type Read = Exclude<(typeof READ_QUERIES)[number], 'health'>
type Write = 'createMailbox' | 'deliver' | 'deleteMessage' | 'addAuthentication' | 'destroyMailbox' | 'sweepMailbox' | 'sweep'
export type QueryTasks = { readonly [Name in Read | Write]: (args: Parameters<Queries[Name]>[0]) => TaskResult<ReturnType<Queries[Name]>> }

/** What the main thread knows of a message that a mail thread sends: see `MailStore.directDelivery`. */
type ExpectedDelivery = {
  readonly now: number
  readonly mailboxId: MailboxId
  readonly receivedAt: number
  readonly quota: Quota
  readonly expiresAt: number
}
type OtherTasks = {
  /** Sent by a mail thread, which adds the message; run as `deliver` (`toStoreCall`). */
  deliverDirect(args: ExpectedDelivery): TaskResult<StoreResult>
  health(args: { readonly now: number }): TaskResult<StoreHealth>
  about(args: undefined): TaskResult<{ readonly storeId: string; readonly lostTransactions: number }>
  /** A copy of the whole database in a new file. */
  copyTo(args: { readonly path: string }): TaskResult<undefined>
}
export type StoreTasks = QueryTasks & OtherTasks
export type StoreSettings = { readonly folder: string; readonly diskReserveBytes: number; readonly keyCheck?: string | undefined }

type ArgsOf<Name extends keyof StoreTasks> = Parameters<StoreTasks[Name]>[0]
type Named<Name extends keyof StoreTasks> = {
  [Each in Name]: { readonly id: number; readonly task: Each; readonly args: ArgsOf<Each> }
}[Name]
/** What arrives at the thread. */
export type StoreRequest =
  | Exclude<Named<keyof StoreTasks>, { task: 'deliverDirect' }>
  | (Pick<TaskRequest, 'id' | 'bytes'> & {
      readonly task: 'deliverDirect'
      readonly args: ExpectedDelivery & { readonly messageId: MessageId }
    })

/** A request that the engine runs. `isOlder`: it comes from another thread than the main one, or has waited, so its time is a little old. */
export type StoreCall<Name extends QueryName = QueryName> = Named<Name> & { readonly isOlder?: boolean }
/** The queries themselves, for a call of one of them. */
export type QueryFunctions<Name extends keyof QueryTasks> = { readonly [Each in Name]: (args: ArgsOf<Each>) => unknown }
type QueryName = keyof QueryTasks | 'health'

/** `undefined` for a request about the file itself. */
export function toStoreCall(request: StoreRequest): StoreCall | undefined {
  if (request.task === 'about' || request.task === 'copyTo') return undefined
  if (request.task !== 'deliverDirect') return request
  const { id, args, bytes } = request
  const { now, mailboxId, messageId, receivedAt, quota, expiresAt } = args
  const [{ sealedSummary, sealedRaw } = {}] = bytes
  if (!sealedSummary || !sealedRaw) throw new TypeError('a message without its bytes')
  const message = { messageId, receivedAt, sealedSummary, sealedRaw }
  return { id, task: 'deliver', args: { now, mailboxId, message, quota, expiresAt }, isOlder: true }
}
