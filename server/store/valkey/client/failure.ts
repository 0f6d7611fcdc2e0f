/** Classifies a node's error: what it means for the command that caused it. */
import { isEngineError } from './node-connection.ts'
import { NotReplicated } from './replicated-writes.ts'

export type Failure =
  /** Not executed: the slot is at `host:port`, permanently or (`isAsking`) while it moves. */
  | { readonly kind: 'elsewhere'; readonly address: { host: string; port: number } | undefined; readonly isAsking: boolean }
  /** Not executed; the same node may execute it in a moment. */
  | { readonly kind: 'not_now' }
  /** It is unknown whether it was executed. */
  | { readonly kind: 'unknown' }
  /** Not executed, and a retry would fail too. */
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
