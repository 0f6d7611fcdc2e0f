import { type Authentication, authenticationSchema } from '#contract/mailbox.ts'
import type { Log } from '#server/log.ts'
import { ThreadPool } from '#server/threads/thread-pool.ts'
import type { AuthenticationSettings, AuthenticationTasks } from './authenticate.worker.ts'
import type { AuthenticatedConnection } from './verdict.ts'

/** Resolves to the verdict, or to `undefined` when it will never be known (too busy, too slow, broken). Never rejects. */
export type Authenticate = (connection: AuthenticatedConnection, raw: Uint8Array) => Promise<Authentication | undefined>

/** Messages whose verdict the thread still owes. Under a flood mail must flow and verdicts may be missing, not the other way round. */
const PENDING_MAX = 64
/** Each of them is a copy in memory. */
const PENDING_BYTES_MAX = 64 * 1024 * 1024
const DNS_TIMEOUT_MS = 3000
const HEAP_MB_MAX = 256
/** Starting the thread again costs a tenth of a second of processor time. */
const IDLE_MS_MAX = 60_000
const TIMES: AuthenticateTimes = {
  /** After this nobody waits for a verdict: the address lives ten minutes. */
  verdictMsMax: 20_000,
  /** Every look-up that a mail may cause (LOOKUPS_MAX), one after the other, takes two minutes; a thread that takes longer hangs. */
  answerMsMax: 150_000,
}

type AuthenticateTimes = { readonly verdictMsMax: number; readonly answerMsMax: number }
type Options = {
  /** `address` or `address:port`; empty for the system's own. */
  readonly dnsServers: readonly string[]
  readonly log: Log
  /** For tests of what runs out of time. */
  readonly times?: AuthenticateTimes
}

/** Starts its thread on first use. */
export function createAuthenticator({ dnsServers, log, times = TIMES }: Options): { authenticate: Authenticate } & AsyncDisposable {
  const settings: AuthenticationSettings = { dnsServers, dnsTimeoutMs: DNS_TIMEOUT_MS }
  const thread = new ThreadPool<AuthenticationTasks>({
    name: 'authentication',
    log,
    code: new URL('./authenticate.worker.ts', import.meta.url),
    settings,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    threadsMax: 1,
    isConcurrent: true,
    limits: { wallMsMax: times.answerMsMax },
    idleMsMax: IDLE_MS_MAX,
  })
  let pending = 0
  let pendingBytes = 0

  async function verdict({ clientAddress, helo, from }: AuthenticatedConnection, raw: Uint8Array): Promise<Authentication | undefined> {
    pending += 1
    pendingBytes += raw.byteLength
    try {
      return authenticationSchema.parse((await thread.run('verdict', { clientAddress, helo, from }, [raw])).value)
    } catch {
      return undefined
    } finally {
      // Only now: a job that nobody waits for any more keeps the thread busy until it is done.
      pending -= 1
      pendingBytes -= raw.byteLength
    }
  }

  return {
    authenticate(connection, raw) {
      if (pending >= PENDING_MAX || pendingBytes + raw.byteLength > PENDING_BYTES_MAX) return Promise.resolve(undefined)
      return new Promise(resolve => {
        const waiting = setTimeout(resolve, times.verdictMsMax, undefined).unref()
        void verdict(connection, raw)
          .then(resolve)
          .finally(() => clearTimeout(waiting))
      })
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
