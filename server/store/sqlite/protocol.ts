/** Requests to the thread that owns the database: each query with the time of the request. */
import type { TaskRequest, TaskResult } from '#server/platform/threads/batch.ts'
import type { MailboxId, MessageId, Quota, SealedMessage, StoreHealth, StoreResult } from '../store.ts'
import type { Queries } from './queries.ts'

export const READ_QUERIES = ['findMailbox', 'changesSince', 'readMessage'] as const
type Read = (typeof READ_QUERIES)[number]
type Write = 'createMailbox' | 'deliver' | 'removeMessage' | 'addAuthentication' | 'closeMailbox' | 'clearMailbox' | 'sweep'

type CallArgs<V extends QueryName> = V extends keyof Queries ? Parameters<Queries[V]> : [now: number]
type CallResult<V extends QueryName> = V extends keyof Queries ? ReturnType<Queries[V]> : StoreHealth
type WithoutNow<Args> = Args extends [number, ...infer Rest] ? Rest : never

export type QueryName = Read | Write | 'health'
export type Args<V extends QueryName> = WithoutNow<CallArgs<V>>
/** Requests about the file itself. */
type FileTasks = {
  /** `deliver` for a message that comes from another thread: see `DirectDelivery`. */
  deliverDirect(
    args: [now: number, mailboxId: MailboxId, receivedAt: number, quota: Quota, expiresAt: number | undefined],
  ): TaskResult<StoreResult>

  about(args: []): TaskResult<{ readonly storeId: string; readonly lostTransactions: number }>
  copyTo(args: [path: string]): TaskResult<undefined>
}
export type StoreTasks = { readonly [V in QueryName]: (args: CallArgs<V>) => TaskResult<CallResult<V>> } & FileTasks
export type StoreSettings = { readonly folder: string; readonly diskReserveBytes: number; readonly keyCheck?: string | undefined }

/** `isDirect`: it comes from another thread than the main one, so its time is a little old. */
export type StoreCall = {
  readonly id: number
  readonly query: QueryName
  readonly now: number
  readonly args: readonly unknown[]
  readonly isDirect?: boolean
}

/** The thread's side of `StoreTasks`. */
export function toStoreCall({ id, task, args, bytes }: TaskRequest): StoreCall {
  if (task === 'deliverDirect') {
    const [now, mailboxId, receivedAt, quota, expiresAt, messageId] = args as [...Parameters<StoreTasks['deliverDirect']>[0], MessageId]
    const [sealedSummary, sealedRaw] = bytes
    if (!sealedSummary || !sealedRaw) throw new TypeError('a message without its bytes')
    const message: SealedMessage = { messageId, receivedAt, sealedSummary, sealedRaw }
    return { id, query: 'deliver', now, args: [mailboxId, message, quota, expiresAt], isDirect: true }
  }
  const [now, ...rest] = args as [number, ...unknown[]]
  return { id, query: task as QueryName, now, args: rest }
}
