/** What an error of a node means for the command that met it. */
import { isEngineError } from './node-connection.ts'
import { NotReplicated } from './replicated-writes.ts'

export type Failure =
  /** Not done: the slot is at `host:port`, for good or (`isAsking`) on its way there. */
  | { readonly kind: 'elsewhere'; readonly address: { host: string; port: number } | undefined; readonly isAsking: boolean }
  /** Not done, and the same node may do it in a moment. */
  | { readonly kind: 'not_now' }
  /** Nobody knows whether it was done. */
  | { readonly kind: 'unknown' }
  /** Not done, and trying again changes nothing. */
  | { readonly kind: 'full' }
  | { readonly kind: 'refused' }

const NOT_NOW = /^(CLUSTERDOWN|LOADING|MASTERDOWN|TRYAGAIN|READONLY|NOREPLICAS|NOSCRIPT|BUSY|UNBLOCKED|-?FAILOVER)/

export function readFailure(error: unknown): Failure {
  if (error instanceof NotReplicated) return { kind: 'refused' }
  if (!isEngineError(error)) return { kind: wasNeverSent(error) ? 'not_now' : 'unknown' }
  const [, redirect, place = ''] = /^(MOVED|ASK) \d+ (\S+)/.exec(error.message) ?? []
  if (redirect) return { kind: 'elsewhere', address: toAddress(place), isAsking: redirect === 'ASK' }
  if (error.message.startsWith('OOM')) return { kind: 'full' }
  return { kind: NOT_NOW.test(error.message) ? 'not_now' : 'refused' }
}

function toAddress(place: string): { host: string; port: number } | undefined {
  const colon = place.lastIndexOf(':')
  return colon > 0 ? { host: place.slice(0, colon), port: Number(place.slice(colon + 1)) } : undefined
}

function wasNeverSent(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && /^(connect|getaddrinfo)$/.test(String(error.syscall))
}
