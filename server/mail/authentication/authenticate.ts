import { KIB, MIB } from '#contract/limits.ts'
import { type Authentication, authenticationSchema } from '#contract/mailbox.ts'
import { equalShares, ShareBudget } from '#server/limiter/share-budget.ts'
import type { Log } from '#server/log.ts'
import { networkPrefix } from '#server/net/ip-address.ts'
import { ThreadPool } from '#server/threads/thread-pool.ts'
import type { AuthenticationSettings, AuthenticationTasks } from './authenticate.worker.ts'
import type { AuthenticatedConnection } from './verdict.ts'

/** Resolves to the verdict, or to `undefined` when it will never be known (too busy, too slow, broken). Never rejects. */
export type Authenticate = (connection: AuthenticatedConnection, raw: Uint8Array) => Promise<Authentication | undefined>

/** Messages whose verdict the thread still owes. Under a flood mail must flow and verdicts may be missing, not the other way round. */
const PENDING_MAX = 64
/** Each of them is a copy in memory. */
const PENDING_BYTES_MAX = 64 * MIB
const SMALL_BYTES_MAX = 256 * KIB
/** One network's share; what is larger takes the whole of it. */
const NETWORK_BYTES_MAX = 32 * MIB
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
  const pending = new ShareBudget(equalShares(PENDING_MAX, 1))
  const pendingBytes = new ShareBudget(equalShares(PENDING_BYTES_MAX, SMALL_BYTES_MAX, NETWORK_BYTES_MAX))

  async function verdict({ clientAddress, helo, from }: AuthenticatedConnection, raw: Uint8Array): Promise<Authentication | undefined> {
    try {
      return authenticationSchema.parse((await thread.run('verdict', { clientAddress, helo, from }, [raw])).value)
    } catch {
      return undefined
    }
  }

  return {
    authenticate(connection, raw) {
      const network = networkPrefix(connection.clientAddress)
      const holds = [pending.open(network), pendingBytes.open(network)] as const
      const release = () => {
        for (const hold of holds) hold.release()
      }
      if (!holds[0].grow(1) || !holds[1].grow(Math.min(raw.byteLength, NETWORK_BYTES_MAX))) {
        release()
        return Promise.resolve(undefined)
      }
      return new Promise(resolve => {
        const waiting = setTimeout(resolve, times.verdictMsMax, undefined).unref()
        void verdict(connection, raw)
          .then(resolve)
          .finally(() => {
            clearTimeout(waiting)
            // Only now: a job that nobody waits for any more keeps the thread busy until it is done.
            release()
          })
      })
    },
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  }
}
