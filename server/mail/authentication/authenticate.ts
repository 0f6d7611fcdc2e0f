import { KIB, MIB } from '#contract/limits.ts'
import { type Authentication, authenticationSchema } from '#contract/mailbox.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { ThreadPool } from '#server/platform/threads/thread-pool.ts'
import type { AuthenticationSettings, AuthenticationTasks } from './authenticate.worker.ts'
import type { AuthenticatedConnection } from './authentication-results.ts'
import type { UnsignedMail } from './shown-authors.ts'
import { type HeldResults, UnsignedResults } from './unsigned-results.ts'

export type Authenticator = {
  /** Resolves to the results, or to `undefined` if the server is stopping. Never rejects. */
  authenticate(connection: AuthenticatedConnection, mail: Uint8Array | UnsignedMail): Promise<Authentication | undefined>
  /** What is known now about unsigned mail over this connection. */
  held(connection: AuthenticatedConnection): readonly HeldResults[]
}

/** Readers see that the sender is unverified. Without results they would wait, and whoever keeps the checks busy would profit from it. */
const NOT_CHECKED: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' }

/** Messages waiting for their results. Under a flood, mail must be delivered and may be unverified, not the other way round. */
const PENDING_MAX = 64
/** One domain may have so many: while its name servers do not answer, its mails may come from everywhere. */
const PENDING_OF_DOMAIN_MAX = PENDING_MAX / 4
/** Each of them is a copy in memory. */
const PENDING_BYTES_MAX = 64 * MIB
const SMALL_BYTES_MAX = 256 * KIB
/** Share of one network. A larger message takes the whole share. */
const NETWORK_BYTES_MAX = 32 * MIB
const NO_BYTES = new Uint8Array(0)
/** For one query to one server. */
const DNS_TIMEOUT_MS = 1500
const HEAP_MB_MAX = 256
/** A sender whose mail breaks the check may send more of it. */
const LOG_EVERY_MS = 60_000
const TIMES: AuthenticateTimes = {
  /** Later results are useless: the address lives ten minutes. */
  resultsMsMax: 30_000,
  /** The lookups of 64 mails and their bodies, which are read one after the other, take less. A thread that takes longer is stuck. */
  answerMsMax: 150_000,
}

type AuthenticateTimes = { readonly resultsMsMax: number; readonly answerMsMax: number }
type Options = {
  /** `address` or `address:port`; empty for the system's resolvers. */
  readonly dnsServers: readonly string[]
  /** DNS blocklists in which each sender's address is looked up; none by default. */
  readonly blocklists?: readonly string[]
  readonly log: Log
  readonly telemetry: Telemetry
  /** For tests of time-outs. */
  readonly times?: AuthenticateTimes
}

/** Starts its thread on first use. */
export function createAuthenticator({
  dnsServers,
  blocklists = [],
  log,
  telemetry,
  times = TIMES,
}: Options): Authenticator & AsyncDisposable {
  const settings: AuthenticationSettings = { dnsServers, dnsTimeoutMs: DNS_TIMEOUT_MS, blocklists }
  const thread = new ThreadPool<AuthenticationTasks>({
    name: 'authentication',
    log,
    metrics: telemetry,
    code: new URL('./authenticate.worker.ts', import.meta.url),
    settings,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    threadsMax: 1,
    isConcurrent: true,
    limits: { wallMsMax: times.answerMsMax },
  })
  const atIntervals = createLogInterval(LOG_EVERY_MS)
  let isClosing = false
  const pending = new ShareBudget(equalShares(PENDING_MAX, 1))
  const pendingOfDomain = new ShareBudget({ perHolderMax: PENDING_OF_DOMAIN_MAX })
  const pendingBytes = new ShareBudget(equalShares(PENDING_BYTES_MAX, SMALL_BYTES_MAX, NETWORK_BYTES_MAX))

  const unsignedResults = new UnsignedResults()

  async function check(
    { clientAddress, helo, from }: AuthenticatedConnection,
    mail: Uint8Array | UnsignedMail,
  ): Promise<Authentication | undefined> {
    try {
      const [raw, unsigned] = mail instanceof Uint8Array ? [mail] : [NO_BYTES, mail]
      const { value } = await thread.run('authenticate', { clientAddress, helo, from, unsigned }, [{ raw }])
      const results = authenticationSchema.parse(value.results)
      if (unsigned) unsignedResults.keep({ clientAddress, helo, from }, unsigned, results, value.heldMs)
      return results
    } catch (err) {
      if (isClosing) return undefined
      telemetry.authenticationSkipped('failed')
      atIntervals(() => log.warn({ err }, 'SPF, DKIM and DMARC of a mail could not be checked: its reader sees it as unverified'))
      return NOT_CHECKED
    }
  }

  function start(connection: AuthenticatedConnection, mail: Uint8Array | UnsignedMail): Promise<Authentication | undefined> {
    const networks = networksAround(connection.clientAddress)
    const domain = (connection.from || connection.helo).replace(/^.*@/, '').toLowerCase()
    const bytes = mail instanceof Uint8Array ? mail.byteLength : 0
    const leases = [
      pending.acquire(networks, 1),
      pendingOfDomain.acquire([domain], 1),
      pendingBytes.acquire(networks, Math.min(bytes, NETWORK_BYTES_MAX)),
    ]
    const release = () => {
      for (const lease of leases) lease?.[Symbol.dispose]()
    }
    if (leases.includes(undefined)) {
      release()
      telemetry.authenticationSkipped('too_busy')
      return Promise.resolve(isClosing ? undefined : NOT_CHECKED)
    }
    return new Promise(resolve => {
      const giveUp = () => {
        telemetry.authenticationSkipped('too_slow')
        resolve(NOT_CHECKED)
      }
      const waiting = setTimeout(giveUp, times.resultsMsMax).unref()
      void check(connection, mail)
        .then(resolve)
        .finally(() => {
          clearTimeout(waiting)
          // Released only now: a job whose result is no longer wanted keeps the thread busy until it ends.
          release()
        })
    })
  }

  return {
    authenticate: (connection, mail) =>
      mail instanceof Uint8Array ? start(connection, mail) : unsignedResults.join(connection, mail, () => start(connection, mail)),
    held: connection => unsignedResults.find(connection),
    [Symbol.asyncDispose]() {
      isClosing = true
      return thread[Symbol.asyncDispose]()
    },
  }
}
