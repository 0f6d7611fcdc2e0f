/** The meaning of a command that failed at a node, and the masters that fail now and then. */
import { connectionRemedy, describeRefusal, isCut, lackOf, meaningOf, type NodeAddress, NotConnected } from './node-connection.ts'
import { NotReplicated } from './replicated-writes.ts'
import { EngineError } from './reply-reader.ts'

type Failure =
  /** Not executed: the slot is at `host:port`, permanently or (`isAsking`) while it moves. */
  | { readonly kind: 'elsewhere'; readonly address: { host: string; port: number } | undefined; readonly isAsking: boolean }
  /** Not executed; the same node may execute it in a moment. */
  | { readonly kind: 'not_now' }
  /** It is unknown whether it was executed. */
  | { readonly kind: 'unknown' }
  /** Not executed, and a retry would fail too. */
  | { readonly kind: 'full' }
  | { readonly kind: 'refused' }

/** Classifies a node's error: what it means for the command that caused it. */
export function readFailure(error: unknown): Failure {
  if (error instanceof NotReplicated) return { kind: 'refused' }
  if (!(error instanceof EngineError)) return { kind: error instanceof NotConnected ? 'not_now' : 'unknown' }
  const [, redirect, place = ''] = /^(MOVED|ASK) \d+ (\S+)/.exec(error.message) ?? []
  if (redirect) return { kind: 'elsewhere', address: toAddress(place), isAsking: redirect === 'ASK' }
  return { kind: lackOf(error) ? 'full' : meaningOf(error) === 'not_now' ? 'not_now' : 'refused' }
}

/** Why a master did not keep a write. */
export function describeFailure(name: string, error: Error): { readonly fact: string; readonly remedy?: string | undefined } {
  const reason = error instanceof NotReplicated && error.cause instanceof Error ? error.cause : error
  if (reason instanceof EngineError) return describeRefusal(name, reason)
  return { fact: `The mail store at ${name}: ${reason.message}.`, remedy: connectionRemedy(reason, name) }
}

export function toAddress(place: string): NodeAddress | undefined {
  const colon = place.lastIndexOf(':')
  return colon > 0 ? { host: place.slice(0, colon), port: Number(place.slice(colon + 1)) } : undefined
}

/** A master that fails so often within this time is told, though it keeps mail in between. */
const [HITCHES_MIN, HITCHES_TOLD_MS] = [3, 8000]

/** Masters that now and then hang up in the middle of a conversation, or refuse mail, so that a trial may succeed all the same. */
export class Hitches {
  /** By master, the last ones. `isOver`: it has kept mail since. */
  readonly #noted = new Map<string, { readonly atMs: number; readonly reason: Error; isOver?: true }[]>()

  note(name: string, reason: unknown): void {
    const before = this.#noted.get(name) ?? []
    if (!(reason instanceof Error) || (before.length > 0 && !before.at(-1)?.isOver)) return
    this.#noted.set(name, [...before.slice(1 - HITCHES_MIN), { atMs: performance.now(), reason }])
  }

  /** It has kept mail. */
  end(name: string): void {
    const last = this.#noted.get(name)?.at(-1)
    if (last) last.isOver = true
  }

  /** The masters that fail too often, with a reason. */
  get lasting(): Map<string, Error> {
    const isRecent = ({ atMs }: { readonly atMs: number }) => performance.now() - atMs < HITCHES_TOLD_MS
    return new Map(
      [...this.#noted].flatMap(([name, noted]) => {
        // One that hangs up does so also before its first reply: that is the same, and is told once.
        const last = noted.findLast(({ reason }) => isCut(reason)) ?? noted.at(-1)
        return last && noted.filter(isRecent).length >= HITCHES_MIN ? [[name, last.reason] as const] : []
      }),
    )
  }
}
