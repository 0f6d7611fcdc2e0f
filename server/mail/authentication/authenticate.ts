import { KIB, MIB } from '#contract/limits.ts'
import { type Authentication, authenticationSchema } from '#contract/mailbox.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import { largestNetwork, type Networks, networksAround } from '#server/platform/net/ip-address.ts'
import { registeredDomain } from '#server/platform/net/registered-domain.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { ThreadPool } from '#server/platform/threads/thread-pool.ts'
import type { AuthenticationSettings, AuthenticationTasks } from './authenticate.worker.ts'
import type { AuthenticatedConnection } from './authentication-results.ts'
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

/** Messages waiting for their results. Under a flood, mail must be delivered and may be unverified, not the other way round. */
const PENDING_MAX = 64
/** Each of them is a copy in memory. */
const PENDING_BYTES_MAX = 64 * MIB
const SMALL_BYTES_MAX = 256 * KIB
/** Share of one network. A larger message takes the whole share. */
const NETWORK_BYTES_MAX = 32 * MIB
/** Mails of one domain that are checked at once, as any sender's are. Only beyond it the domain counts. */
const DOMAIN_CHECKS_ORDINARY = 4
const NETWORKS_MAX = 10_000

type Wanted = {
  readonly networks: Networks
  /** Registrable domains whose name servers the check is known to need. */
  readonly domains: readonly string[]
  readonly bytes: number
  /** Called when the check must end with what it knows, because its place is another's now. */
  readonly giveWay: () => void
}
type Check = Wanted & { place: Disposable }

/**
 * Places for mails whose sender is being checked. Name servers that do not answer keep a check waiting for seconds, and whoever has enough
 * networks and domains fills all places with such mail. So a network with few checks takes a place of whoever has most, and of those with
 * as many, of whoever has used most CPU time.
 */
class CheckPlaces {
  readonly #checks = new ShareBudget(equalShares(PENDING_MAX, 1))
  readonly #bytes = new ShareBudget(equalShares(PENDING_BYTES_MAX, SMALL_BYTES_MAX, NETWORK_BYTES_MAX))
  /** Without a limit: whoever forges a domain must not use up the places of its mail. */
  readonly #domains = new ShareBudget()
  /** The longest waiting first. */
  readonly #pending = new Set<Check>()
  /** Checks in the thread that gave way and have not ended yet, by whom they gave way to: nobody may fill the thread with them. */
  readonly #leaving = new ShareBudget({ total: PENDING_MAX, perHolderMax: PENDING_MAX / 4 })
  readonly #leavingBytes = new ShareBudget({ total: NETWORK_BYTES_MAX })
  /** CPU time of the largest networks, as the thread knew it last. */
  readonly #usedMs = new BoundedMap<string, number>(NETWORKS_MAX)

  noteUse(networks: Networks, cpuMs: number): void {
    this.#usedMs.set(largestNetwork(networks), cpuMs)
  }

  /** To be disposed of when the check has ended. `undefined` if there is no place. */
  take(mail: Wanted): Disposable | undefined {
    const wanted = { ...mail, bytes: Math.min(mail.bytes, NETWORK_BYTES_MAX) }
    const place = this.#acquire(wanted) ?? this.#displace(wanted)
    if (!place) return undefined
    const check = { ...wanted, place }
    this.#pending.add(check)
    return {
      [Symbol.dispose]: () => {
        this.#pending.delete(check)
        check.place[Symbol.dispose]()
      },
    }
  }

  #acquire({ networks, domains, bytes }: Wanted): Disposable | undefined {
    return allOf([this.#checks.acquire(networks, 1), this.#bytes.acquire(networks, bytes), this.#domains.acquire(domains, 1)])
  }

  /** The place of a check of the network or domain that has most, if it then has no less than the newcomer. */
  #displace(wanted: Wanted): Disposable | undefined {
    const { networks, bytes } = wanted
    const isCrowded = !this.#checks.hasRoom(networks, 1)
    const [budget, amount] = isCrowded ? [this.#checks, 1] : [this.#bytes, bytes]
    if (budget.fullShare(networks, amount) !== undefined) return undefined
    const own = budget.heldBy(largestNetwork(networks))
    // Domains count only here: a newcomer must not be refused for those who forge its domain.
    const held = (check: Check) => {
      const ofDomains = isCrowded ? check.domains.map(domain => this.#domains.heldBy(domain)) : []
      return Math.max(budget.heldBy(largestNetwork(check.networks)), ...ofDomains.filter(checks => checks > DOMAIN_CHECKS_ORDINARY))
    }
    const used = ({ networks }: Check) => this.#usedMs.get(largestNetwork(networks)) ?? 0
    let most: Check | undefined
    for (const check of this.#pending) {
      const more = most && (held(check) - held(most) || used(check) - used(most))
      if (more === undefined || more > 0) most = check
    }
    const isFirst = this.#checks.heldBy(largestNetwork(networks)) === 0
    if (!most || (isFirst ? amount > held(most) : own + amount >= held(most))) return undefined
    const newcomer = [largestNetwork(networks), ...wanted.domains]
    const leaving = allOf([this.#leaving.acquire(newcomer, 1), this.#leavingBytes.acquire([], most.bytes)])
    if (!leaving) return undefined
    most.place[Symbol.dispose]()
    const place = this.#acquire(wanted)
    if (!place) {
      leaving[Symbol.dispose]()
      // It fits again, since nothing was taken.
      most.place = this.#acquire(most) ?? most.place
      return undefined
    }
    most.place = leaving
    this.#pending.delete(most)
    most.giveWay()
    return place
  }
}

/** All of the leases, or none. */
function allOf(leases: readonly (Disposable | undefined)[]): Disposable | undefined {
  using all = new DisposableStack()
  for (const lease of leases) if (lease) all.use(lease)
  return leases.includes(undefined) ? undefined : all.move()
}
