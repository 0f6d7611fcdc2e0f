import { type Authentication, authenticationSchema } from '#contract/mailbox.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { registeredDomain } from '#server/platform/net/registered-domain.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { ThreadPool } from '#server/platform/threads/thread-pool.ts'
import type { AuthenticationSettings, AuthenticationTasks } from './authenticate.worker.ts'
import type { AuthenticatedConnection } from './authentication-results.ts'
import { CheckPlaces } from './check-places.ts'
import { NO_AUTHORS, type SignedMail, type UnsignedMail } from './shown-authors.ts'
import { type HeldResults, UnsignedResults } from './unsigned-results.ts'

export type Authenticator = {
  /** Resolves to the results, or to `undefined` if the server is stopping. Never rejects. */
  authenticate(connection: AuthenticatedConnection, mail: SignedMail | UnsignedMail): Promise<Authentication | undefined>
  /** What is known now about unsigned mail over this connection. */
  held(connection: AuthenticatedConnection): readonly HeldResults[]
}

/** Readers see that the sender is unverified. Without results they would wait, and whoever keeps the checks busy would profit from it. */
const NOT_CHECKED: Authentication = { spf: 'temperror', dkim: 'temperror', dmarc: 'temperror', arc: 'temperror' }

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
  const places = new CheckPlaces()
  let checks = 0
  const unsignedResults = new UnsignedResults()

  async function check(
    id: number,
    { clientAddress, helo, from }: AuthenticatedConnection,
    mail: SignedMail | UnsignedMail,
  ): Promise<Authentication | undefined> {
    try {
      const isUnsigned = !('raw' in mail)
      const { raw, ...authors } = { ...NO_AUTHORS, raw: NO_BYTES, ...mail }
      const { value } = await thread.run('authenticate', { id, clientAddress, helo, from, authors, isUnsigned }, [{ raw }])
      places.noteUse(networksAround(clientAddress), value.usedMs)
      const results = authenticationSchema.parse(value.results)
      if (isUnsigned) unsignedResults.keep({ clientAddress, helo, from }, mail, results, value.heldMs)
      return results
    } catch (err) {
      if (isClosing) return undefined
      telemetry.authenticationSkipped('failed')
      atIntervals(() => log.warn({ err }, 'SPF, DKIM and DMARC of a mail could not be checked: its reader sees it as unverified'))
      return NOT_CHECKED
    }
  }

  function start(connection: AuthenticatedConnection, mail: SignedMail | UnsignedMail): Promise<Authentication | undefined> {
    const id = checks++
    // The thread may have ended, and its checks with it.
    const end = () => void thread.run('end', { id }, []).catch(() => undefined)
    const senders = [connection.from || connection.helo, 'raw' in mail ? '' : mail.author]
    const domains = new Set(senders.map(sender => registeredDomain(sender.replace(/^.*@/, ''))).filter(Boolean))
    const place = places.take({
      networks: networksAround(connection.clientAddress),
      domains: [...domains],
      bytes: 'raw' in mail ? mail.raw.byteLength : 0,
      giveWay() {
        telemetry.authenticationSkipped('too_busy')
        end()
      },
    })
    if (!place) {
      telemetry.authenticationSkipped('too_busy')
      return Promise.resolve(isClosing ? undefined : NOT_CHECKED)
    }
    return new Promise(resolve => {
      const giveUp = () => {
        telemetry.authenticationSkipped('too_slow')
        resolve(NOT_CHECKED)
        end()
      }
      const waiting = setTimeout(giveUp, times.resultsMsMax).unref()
      void check(id, connection, mail)
        .then(resolve)
        .finally(() => {
          clearTimeout(waiting)
          // Released only now: a check that was given up keeps the thread busy until it has ended there.
          place[Symbol.dispose]()
        })
    })
  }

  return {
    authenticate: (connection, mail) =>
      'raw' in mail ? start(connection, mail) : unsignedResults.join(connection, mail, () => start(connection, mail)),
    held: connection => unsignedResults.find(connection),
    [Symbol.asyncDispose]() {
      isClosing = true
      return thread[Symbol.asyncDispose]()
    },
  }
}
