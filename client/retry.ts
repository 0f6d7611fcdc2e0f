/** Which errors are temporary, and how long to wait before a retry. */
import { MayflyError, type MayflyErrorCode } from './errors.ts'

const TRANSIENT: ReadonlySet<MayflyErrorCode> = new Set([
  'network',
  'internal',
  'unavailable',
  'storage_full',
  'rate_limited',
  'streams_max',
])

/** A proxy in front of a restarting server responds with 502 to 504 and its own page. */
export function isTransient(error: unknown): error is MayflyError {
  return error instanceof MayflyError && (TRANSIENT.has(error.code) || (error.code === 'unreadable_reply' && error.status >= 502))
}

/** Rejects with the signal's reason when it aborts. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  const { promise, resolve } = withResolvers()
  const timer = setTimeout(resolve, ms)
  signal?.addEventListener('abort', resolve, { once: true })
  await promise
  clearTimeout(timer)
  signal?.removeEventListener('abort', resolve)
  signal?.throwIfAborted()
}

/** `Promise.withResolvers` came with Node 22. */
function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  let resolve: () => void = () => undefined
  const promise = new Promise<void>(done => {
    resolve = done
  })
  return { promise, resolve }
}

const CREATION_TRIES = 3
const CREATION_PAUSE_MS = 300
/** Lost answers, and the first attempt still being worked on. What the server refuses is not asked for again. */
const UNANSWERED: ReadonlySet<MayflyErrorCode> = new Set(['network', 'unavailable', 'idempotency_key_in_use'])

/** `create` must send the same `Idempotency-Key` each time. */
export async function retryCreation<T>(signal: AbortSignal | undefined, create: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await create()
    } catch (error) {
      const isLost = isTransient(error) && error.status >= 502
      const mayRepeat = isLost || (error instanceof MayflyError && UNANSWERED.has(error.code))
      if (!mayRepeat || attempt >= CREATION_TRIES) throw error
      await pause(Math.max((error.retryAfterSeconds ?? 0) * 1000, CREATION_PAUSE_MS * attempt), signal)
    }
  }
}
