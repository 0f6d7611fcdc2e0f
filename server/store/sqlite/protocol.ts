/** What travels between the adapter and its thread. */
import type { MessagePort } from 'node:worker_threads'
import type { Verbs } from './verbs.ts'

export const READS = ['findMailbox', 'changesSince', 'readMessage'] as const
type Read = (typeof READS)[number]
type Write = 'createMailbox' | 'deliver' | 'removeMessage' | 'annotate' | 'closeMailbox' | 'clearMailbox' | 'sweep'
export type Verb = Read | Write | 'health'

type WithoutNow<Args> = Args extends [number, ...infer Rest] ? Rest : never
export type Args<V extends Verb> = V extends keyof Verbs ? WithoutNow<Parameters<Verbs[V]>> : []
export type Result<V extends Verb> = V extends keyof Verbs ? ReturnType<Verbs[V]> : Health

export type Health = { readonly ok: boolean; readonly mailboxes: number; readonly bytesOnDisk: number }
export type Request = { readonly id: number; readonly now: number; readonly verb: Verb; readonly args: readonly unknown[] }
export type Failure = 'storage_full' | 'unavailable'
export type Reply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly failure: Failure; readonly cause: string }

export type Settings = { readonly folder: string; readonly diskReserveBytes: number; readonly keyCheck?: string | undefined }
/** Asks for a copy of the database in a new file; `reply` hears CopyReply once. */
export type CopyRequest = { readonly copyTo: string; readonly reply: MessagePort }
export type CopyReply = { readonly failure?: string }
/** The first thing the thread says; later it says only lists of replies. */
export type Opened = { readonly opened: true; readonly storeId: string } | { readonly opened: false; readonly reason: string }
