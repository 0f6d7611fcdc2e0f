/**
 * What the main thread asks the thread that owns the database, by name. Both sides check it: the arguments and the result
 * of a request are those of the query with its name.
 */
import type { TaskResult } from '#server/platform/threads/batch.ts'
import type { StoreHealth } from '../store.ts'
import type { Queries } from './queries.ts'

export const READ_QUERIES = ['findMailbox', 'changesSince', 'readMessage', 'health'] as const
type Read = Exclude<(typeof READ_QUERIES)[number], 'health'>
type Write =
  | 'createMailbox'
  | 'extendMailbox'
  | 'deliver'
  | 'deleteMessage'
  | 'addAuthentication'
  | 'destroyMailbox'
  | 'sweepMailbox'
  | 'sweep'
export type QueryTasks = { readonly [Name in Read | Write]: (args: Parameters<Queries[Name]>[0]) => TaskResult<ReturnType<Queries[Name]>> }

type OtherTasks = {
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
export type StoreRequest = Named<keyof StoreTasks>

/** A request that the engine runs. `isOlder`: it has waited, so its time is a little old. */
export type StoreCall<Name extends QueryName = QueryName> = Named<Name> & { readonly isOlder?: boolean }
/** The queries themselves, for a call of one of them. */
export type QueryFunctions<Name extends keyof QueryTasks> = { readonly [Each in Name]: (args: ArgsOf<Each>) => unknown }
type QueryName = keyof QueryTasks | 'health'

export const isStoreCall = (request: StoreRequest): request is StoreCall => request.task !== 'about' && request.task !== 'copyTo'
