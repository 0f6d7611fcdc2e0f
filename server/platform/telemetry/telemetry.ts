/**
 * One object learns what happens, by a method for each event, and counts it: for Prometheus, for the operator's page and, with a collector,
 * as spans of traces. Labels are fixed words: an address, token or identifier never becomes one.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Counts, DomainCounts } from '#contract/operator.ts'
import { build } from '#server/platform/installation.ts'
import { LOCAL_COUNT_REASONS, type LocalCountReason } from '#server/platform/limits/limiter.ts'
import type { ThreadMetrics } from '#server/platform/threads/thread-pool.ts'
import {
  AUTHENTICATION_GAPS,
  BOT_CHECK_VERDICTS,
  type BotCheckVerdict,
  CONNECTION_REFUSALS,
  type ConnectionRefusal,
  MESSAGE_OUTCOMES,
  RECIPIENT_REFUSALS,
  type RecipientRefusal,
  SENDER_REFUSALS,
  SENDING_CHANNELS,
  TLS_FAILURES,
  type TlsFailure,
} from './labels.ts'
import type { EndedRequest, Traces } from './traces.ts'

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 30]

type MeasuredElsewhere = {
  /** The last known health of the mail store. `shards`: how many are in each state. */
  readonly store: {
    readonly ok: boolean
    readonly mailboxes: number
    readonly bytesOnDisk: number
    readonly evictedKeys?: number
    readonly clockAheadMs?: number
    readonly shards?: Readonly<Record<keyof typeof NO_SHARDS, number>>
  }
  /** The number of open event streams. */
  readonly streams: number
  readonly diskFreeBytes: number
  readonly queue: number
  readonly isDatabaseAway: boolean
  /** When they expire, in milliseconds since the epoch; `undefined`: there is none. */
  readonly certificates: { readonly smtp?: number | undefined; readonly https?: number | undefined }
}

const POOLS = ['mail', 'authentication']
const CREATED = 201
const TOO_MANY = 429

const NO_SHARDS = { total: 0, away: 0, full: 0, alone: 0, unsafe: 0, outdated: 0, denied: 0, unlinked: 0, unserved: 0 }

export class Telemetry implements ThreadMetrics {
  /** The counts of the operator's page. */
  readonly counts = new StatisticsCounter()
  readonly #registry = new Registry()
  readonly #traces: Traces | undefined
  #isProcessMeasured = false

  readonly #requests = this.#histogram('mayfly_http_request_seconds', 'HTTP requests by route pattern, method and status', [
    'route',
    'method',
    'status',
  ])
  readonly #mailboxesRefused = this.#counter(
    'mayfly_mailboxes_refused_total',
    'Recipients and requests refused because the row of their mailbox was changed by somebody else',
  )
  readonly #botChecks = this.#counter('mayfly_bot_checks_total', 'Bot checks by verdict', { verdict: BOT_CHECK_VERDICTS })
  readonly #authenticationSkipped = this.#counter(
    'mayfly_authentication_skipped_total',
    'Mails whose SPF, DKIM and DMARC were not checked to the end',
    { reason: AUTHENTICATION_GAPS },
  )
  readonly #sendersListed: Counter
  readonly #sendingsRetried = this.#counter(
    'mayfly_sendings_retried_total',
    'Mails, webhooks and push notifications that a server outside did not take and that are sent again later',
    { channel: SENDING_CHANNELS },
  )
  readonly #limitsCountedLocally = this.#counter(
    'mayfly_limits_counted_locally_total',
    'Steps of rate limits that this process counted alone, because their shard of the mail store was away or full',
    { reason: LOCAL_COUNT_REASONS },
  )
  readonly #threadsDied = this.#counter(
    'mayfly_thread_deaths_total',
    'Worker threads that crashed, took too much memory or time, or did not start',
    { pool: POOLS },
  )
  readonly #jobsRetried = this.#counter('mayfly_thread_jobs_retried_total', 'Jobs of worker threads that died, given to another one', {
    pool: POOLS,
  })
  readonly #connections = this.#gauge('mayfly_smtp_connections', 'Open SMTP connections')
  readonly #connectionsRefused = this.#counter('mayfly_smtp_refused_total', 'SMTP connections refused', { reason: CONNECTION_REFUSALS })
  readonly #tlsFailures = this.#counter('mayfly_smtp_tls_failures_total', 'Clients that did not come to speak TLS', {
    reason: TLS_FAILURES,
  })
  readonly #sendersRefused = this.#counter('mayfly_smtp_senders_refused_total', 'Senders refused at MAIL', { reason: SENDER_REFUSALS })
  readonly #recipientsRefused = this.#counter('mayfly_smtp_recipients_refused_total', 'Recipients refused', { failure: RECIPIENT_REFUSALS })
  readonly #mailBytes = this.#counter('mayfly_mail_bytes_total', 'Bytes of messages answered')
  readonly #messagesAnswered = this.#histogram('mayfly_mail_answer_seconds', 'From the final dot to the answer', ['outcome'])
  readonly #streamsDelivered = this.#histogram(
    'mayfly_stream_delivery_seconds',
    'From the arrival of a message to the event stream of its reader',
  )
  readonly #diskFree = this.#gauge('mayfly_disk_free_bytes', 'Bytes free on the disk of the data folder')
  readonly #outbox = this.#gauge('mayfly_outbox_waiting', 'Mails to send that wait for the relay')
  readonly #expiry = this.#gauge('mayfly_certificate_expiry_seconds', 'When the certificate of a port expires, in seconds since 1970', [
    'use',
  ])
  readonly #openStreams = this.#gauge('mayfly_event_streams', 'Open event streams')
  readonly #mailboxes = this.#gauge(
    'mayfly_mailboxes',
    'Live mailboxes; without those on shards that do not reply (mayfly_store_shards{state="away"})',
  )
  readonly #bytesOnDisk = this.#gauge('mayfly_store_bytes', 'Bytes of the mail store on disk')
  readonly #shards = this.#gauge(
    'mayfly_store_shards',
    'Shards of a mail store on a cluster: all, those that do not reply, those whose memory or disk is full, those with too few replicas, those that keep no mail because a node may lose it, those with a replica that is too old or copies nothing, and those with a node that denies this user what is needed; unserved is 1 while slots have no master',
    ['state'],
  )
  readonly #evictedKeys = this.#counter(
    'mayfly_store_evicted_keys_total',
    'Keys that nodes of the cluster have thrown away, or lost by a restart or a flush, since this process started: acknowledged mail or addresses',
  )
  readonly #clockAhead = this.#gauge(
    'mayfly_store_clock_ahead_seconds',
    'How far the clock of this process is ahead of those of the cluster',
  )
  readonly #isHealthy = this.#gauge('mayfly_store_healthy', '1 when the mail store takes writes')
  readonly #isDatabaseHealthy = this.#gauge('mayfly_database_healthy', '1 when the database of accounts can be reached')

  /** `blocklists`: those of the operator. `traces`: missing without a collector. */
  constructor(blocklists: readonly string[], traces?: Traces) {
    this.#traces = traces
    this.#sendersListed = this.#counter('mayfly_senders_listed_total', 'Mails whose sending server is on a list of DNS_BLOCKLISTS', {
      list: blocklists,
    })
    for (const outcome of MESSAGE_OUTCOMES) this.#messagesAnswered.zero({ outcome })
    const { version, commit } = build
    this.#gauge('mayfly_build_info', 'Always 1; the labels name the build', ['version', 'commit', 'node']).set(
      { version, commit: commit ?? 'unknown', node: process.versions.node },
      1,
    )
  }

  get contentType(): string {
    return this.#registry.contentType
  }

  requestEnded(request: EndedRequest): void {
    const { route, method, status, seconds } = request
    this.#requests.observe({ route, method, status }, seconds)
    if (route === '/api/mailboxes' && status === CREATED) this.counts.count('addresses')
    if (status === TOO_MANY) this.counts.refuse('http_rate_limited')
    this.#traces?.requestEnded(request)
  }

  /** A solution for another network is neither right nor wrong: the page solves a new one. */
  botChecked(verdict: BotCheckVerdict): void {
    this.#botChecks.inc({ verdict })
    if (verdict === 'failed') this.counts.count('botCheckFailures')
  }

  /** Seconds from a message's arrival to the event stream of a reader who was already connected. */
  streamDelivered(seconds: number): void {
    this.#streamsDelivered.observe(seconds)
  }

  /** A limit that this process counted alone. */
  limitCountedLocally(reason: LocalCountReason): void {
    this.#limitsCountedLocally.inc({ reason })
  }

  /** A server outside did not take something, which is sent again later. */
  sendingRetried(channel: (typeof SENDING_CHANNELS)[number]): void {
    this.#sendingsRetried.inc({ channel })
  }

  /** A mailbox was refused because its row was changed: see `MailboxGuard`. */
  mailboxRefused(): void {
    this.#mailboxesRefused.inc()
  }

  /** `domain`: one of our own. */
  domainUsed(domain: string, event: keyof DomainCounts): void {
    this.counts.countAt(domain, event)
  }

  authenticationSkipped(reason: (typeof AUTHENTICATION_GAPS)[number]): void {
    this.#authenticationSkipped.inc({ reason })
  }

  /** The sending server of a mail is on a DNS blocklist of the operator. */
  senderListed(list: string): void {
    this.#sendersListed.inc({ list })
    this.counts.list(list)
  }

  threadDied(pool: string): void {
    this.#threadsDied.inc({ pool })
  }

  jobsRetried(pool: string, jobs: number): void {
    this.#jobsRetried.inc({ pool }, jobs)
  }

  connectionOpened(): void {
    this.#connections.inc()
  }

  connectionClosed(): void {
    this.#connections.dec()
  }

  connectionRefused(reason: ConnectionRefusal): void {
    this.#connectionsRefused.inc({ reason })
    this.counts.refuse(reason)
  }

  tlsFailed(reason: TlsFailure): void {
    this.#tlsFailures.inc({ reason })
    this.counts.refuse('tls_failed')
  }

  senderRefused(reason: (typeof SENDER_REFUSALS)[number]): void {
    this.#sendersRefused.inc({ reason })
    this.counts.refuse(reason)
  }

  recipientRefused(failure: RecipientRefusal): void {
    this.#recipientsRefused.inc({ failure })
    this.counts.refuse(failure)
  }

  /** Called once per message, when its outcome is known. `seconds`: from the final dot until then. */
  messageAnswered(outcome: (typeof MESSAGE_OUTCOMES)[number], bytes: number, seconds: number): void {
    this.#mailBytes.inc(bytes)
    this.#messagesAnswered.observe({ outcome }, seconds)
    this.#traces?.messageAnswered(outcome, seconds)
    if (outcome === 'delivered') {
      this.counts.count('delivered')
      this.counts.count('bytes', bytes)
    } else this.counts.refuse(outcome)
  }

  /** The whole exposition. What is measured elsewhere is passed in, counts are kept here. */
  async text(measured: MeasuredElsewhere): Promise<string> {
    const { store, streams, diskFreeBytes, queue, isDatabaseAway, certificates } = measured
    // From the first request for metrics on: measuring the delay of the event loop wakes an idle process a hundred times a second.
    if (!this.#isProcessMeasured) measureProcess(this.#registry)
    this.#isProcessMeasured = true
    for (const [use, at] of Object.entries(certificates)) if (at !== undefined) this.#expiry.set({ use }, at / 1000)
    this.#diskFree.set(diskFreeBytes)
    this.#outbox.set(queue)
    this.#openStreams.set(streams)
    this.#mailboxes.set(store.mailboxes)
    this.#bytesOnDisk.set(store.bytesOnDisk)
    this.#isHealthy.set(store.ok ? 1 : 0)
    this.#isDatabaseHealthy.set(isDatabaseAway ? 0 : 1)
    this.#evictedKeys.reset()
    this.#evictedKeys.inc(store.evictedKeys ?? 0)
    this.#clockAhead.set((store.clockAheadMs ?? 0) / 1000)
    for (const [state, shards] of Object.entries(store.shards ?? NO_SHARDS)) this.#shards.set({ state }, shards)
    return this.#registry.metrics()
  }

  #gauge(name: string, help: string, labelNames: string[] = []): Gauge {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] })
  }

  #histogram(name: string, help: string, labelNames: string[] = []): Histogram {
    return new Histogram({ name, help, labelNames, buckets: SECONDS, registers: [this.#registry] })
  }

  /** With a label, it is 0 for each value from the start: an alert on a series that is not there never fires in Prometheus. */
  #counter(name: string, help: string, label: Readonly<Record<string, readonly string[]>> = {}): Counter {
    const counter = new Counter({ name, help, labelNames: Object.keys(label), registers: [this.#registry] })
    for (const [key, values] of Object.entries(label)) for (const value of values) counter.inc({ [key]: value }, 0)
    return counter
  }
}

function measureProcess(register: Registry): void {
  collectDefaultMetrics({ register })
  // Gauges with the suffix of counters, which Prometheus warns of: the same values stand in the metrics without it.
  for (const name of ['handles', 'requests', 'resources']) register.removeSingleMetric(`nodejs_active_${name}_total`)
}

export const noCounts = (): Counts => ({ delivered: 0, bytes: 0, addresses: 0, botCheckFailures: 0, refused: {}, listed: {}, domains: {} })
export const noDomainCounts = (): DomainCounts => ({ addresses: 0, mails: 0, refusals: 0, unwelcome: 0 })

/** Counts in memory until the minute is written. Exists before the database is open. */
export class StatisticsCounter {
  #counts = noCounts()

  count(name: Exclude<keyof Counts, 'refused' | 'listed' | 'domains'>, by = 1): void {
    this.#counts[name] += by
  }

  refuse(reason: string): void {
    this.#counts.refused[reason] = (this.#counts.refused[reason] ?? 0) + 1
  }

  list(blocklist: string): void {
    this.#counts.listed[blocklist] = (this.#counts.listed[blocklist] ?? 0) + 1
  }

  /** `domain`: one of our own. */
  countAt(domain: string, event: keyof DomainCounts): void {
    const counts = this.#counts.domains[domain] ?? noDomainCounts()
    counts[event] += 1
    this.#counts.domains[domain] = counts
  }

  get current(): Counts {
    return this.#counts
  }

  /** Returns the counts and starts again. */
  take(): Counts {
    const counts = this.#counts
    this.#counts = noCounts()
    return counts
  }
}
