/**
 * Prometheus metrics, and the same counts for the operator’s page. Labels are fixed words: an address, token or identifier never becomes
 * one.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { BOT_CHECK_VERDICTS, type BotCheck, type BotCheckVerdict } from '#server/http/bot-check/bot-check.ts'
import { AUTHENTICATION_GAPS, type Authenticate, type AuthenticationGap } from '#server/mail/authentication/authenticate.ts'
import { build } from '#server/platform/installation.ts'
import { LOCAL_COUNT_REASONS, type LocalCountReason } from '#server/platform/limits/limiter.ts'
import type { ThreadMetrics } from '#server/platform/threads/thread-pool.ts'
import { CONNECTION_REFUSALS, MESSAGE_OUTCOMES, RECIPIENT_REFUSALS, SENDER_REFUSALS, type SmtpMetrics } from '#server/smtp/smtp-metrics.ts'
import type { StoreHealth } from '#server/store/store.ts'
import type { StatisticsCounter } from './statistics.ts'

const SECONDS = [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 30]

type MeasuredElsewhere = {
  readonly diskFreeBytes: number
  readonly queue: number
  /** When they expire, in milliseconds since the epoch; `undefined`: there is none. */
  readonly certificates: { readonly smtp?: number | undefined; readonly https?: number | undefined }
}

const POOLS = ['mail', 'authentication']
const CHANNELS = ['mail', 'webhook', 'push'] as const
type Channel = (typeof CHANNELS)[number]

export type Metrics = {
  readonly contentType: string
  readonly smtp: SmtpMetrics
  readonly threads: ThreadMetrics
  observeRequest(request: {
    readonly route: string
    readonly method: string
    readonly status: number
    readonly seconds: number
    /** The header of W3C Trace Context, unchecked. */
    readonly traceparent?: string | undefined
  }): void
  /** Mailboxes refused because their row in the store was changed. */
  mailboxRefused(): void
  authenticationSkipped(reason: AuthenticationGap): void
  botChecked(verdict: BotCheckVerdict): void
  /** A mail whose sending server is on a DNS blocklist of the operator. */
  senderListed(list: string): void
  /** A limit that this process counted alone. */
  limitCountedLocally(reason: LocalCountReason): void
  /** What a server outside did not take is sent again later. */
  sendingRetried(channel: Channel): void
  /** Seconds from a message's arrival to the event stream of a reader who was already connected. */
  streamDelivered(seconds: number): void
  /** The whole exposition. What is measured elsewhere is passed in, counts are kept here. */
  text(health: StoreHealth, elsewhere: MeasuredElsewhere): Promise<string>
}

/** `streams`: the number of open event streams. */
export function createMetrics(streams: () => number, blocklists: readonly string[]): Metrics {
  const registry = new Registry()
  const registers = [registry]
  let isProcessMeasured = false
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const requests = new Histogram({
    name: 'mayfly_http_request_seconds',
    help: 'HTTP requests by route pattern, method and status',
    labelNames: ['route', 'method', 'status'],
    buckets: SECONDS,
    registers,
  })
  const buildInfo = new Gauge({
    name: 'mayfly_build_info',
    help: 'Always 1; the labels name the build',
    labelNames: ['version', 'commit', 'node'],
    registers,
  })
  buildInfo.set({ version: build.version, commit: build.commit ?? 'unknown', node: process.versions.node }, 1)
  const changed = new Counter({
    name: 'mayfly_mailboxes_refused_total',
    help: 'Recipients and requests refused because the row of their mailbox was changed by somebody else',
    registers,
  })
  const count = createCounters(registry)
  const botChecks = count('mayfly_bot_checks_total', 'Bot checks by verdict', { verdict: BOT_CHECK_VERDICTS })
  const skipped = count('mayfly_authentication_skipped_total', 'Mails whose SPF, DKIM and DMARC were not checked to the end', {
    reason: AUTHENTICATION_GAPS,
  })
  const listed = count('mayfly_senders_listed_total', 'Mails whose sending server is on a list of DNS_BLOCKLISTS', { list: blocklists })
  const retried = count(
    'mayfly_sendings_retried_total',
    'Mails, webhooks and push notifications that a server outside did not take and that are sent again later',
    { channel: CHANNELS },
  )
  const countedLocally = count(
    'mayfly_limits_counted_locally_total',
    'Steps of rate limits that this process counted alone, because their shard of the mail store was away or full',
    { reason: LOCAL_COUNT_REASONS },
  )
  const delivered = new Histogram({
    name: 'mayfly_stream_delivery_seconds',
    help: 'From the arrival of a message to the event stream of its reader',
    buckets: SECONDS,
    registers,
  })
  const diskFree = gauge('mayfly_disk_free_bytes', 'Bytes free on the disk of the data folder')
  const outbox = gauge('mayfly_outbox_waiting', 'Mails to send that wait for the relay')
  const expiry = new Gauge({
    name: 'mayfly_certificate_expiry_seconds',
    help: 'When the certificate of a port expires, in seconds since 1970',
    labelNames: ['use'],
    registers,
  })
  const openStreams = gauge('mayfly_event_streams', 'Open event streams')
  const mailboxes = gauge('mayfly_mailboxes', 'Live mailboxes')
  const bytesOnDisk = gauge('mayfly_store_bytes', 'Bytes of the mail store on disk')
  const shardsByState = new Gauge({
    name: 'mayfly_store_shards',
    help: 'Shards of a mail store on a cluster: all, those that do not reply, and those without memory',
    labelNames: ['state'],
    registers,
  })
  const isHealthy = gauge('mayfly_store_healthy', '1 when the mail store takes writes')

  return {
    contentType: registry.contentType,
    smtp: smtpMetrics(registry),
    threads: threadMetrics(registry),
    observeRequest: ({ route, method, status, seconds }) => requests.observe({ route, method, status }, seconds),
    mailboxRefused: () => changed.inc(),
    authenticationSkipped: reason => skipped.inc({ reason }),
    botChecked: verdict => botChecks.inc({ verdict }),
    senderListed: list => listed.inc({ list }),
    limitCountedLocally: reason => countedLocally.inc({ reason }),
    sendingRetried: channel => retried.inc({ channel }),
    streamDelivered: seconds => delivered.observe(seconds),
    async text(health, { diskFreeBytes, queue, certificates }) {
      // From the first request for metrics on: measuring the delay of the event loop wakes an idle process a hundred times a second.
      if (!isProcessMeasured) measureProcess(registry)
      isProcessMeasured = true
      for (const [use, at] of Object.entries(certificates)) if (at !== undefined) expiry.set({ use }, at / 1000)
      diskFree.set(diskFreeBytes)
      outbox.set(queue)
      openStreams.set(streams())
      mailboxes.set(health.mailboxes)
      bytesOnDisk.set(health.bytesOnDisk)
      isHealthy.set(health.ok ? 1 : 0)
      for (const [state, shards] of Object.entries(health.shards ?? {})) shardsByState.set({ state }, shards)
      return registry.metrics()
    },
  }
}

function measureProcess(register: Registry): void {
  collectDefaultMetrics({ register })
  // Gauges with the suffix of counters, which Prometheus warns of: the same values stand in the metrics without it.
  for (const name of ['handles', 'requests', 'resources']) register.removeSingleMetric(`nodejs_active_${name}_total`)
}

/**
 * Makes counters with one label, which are 0 for each of its values from the start: Prometheus sees no increase from a series that is
 * not there, and an alert on such a series never fires.
 */
function createCounters(registry: Registry) {
  return (name: string, help: string, label: Readonly<Record<string, readonly string[]>>) => {
    const counter = new Counter({ name, help, labelNames: Object.keys(label), registers: [registry] })
    for (const [key, values] of Object.entries(label)) for (const value of values) counter.inc({ [key]: value }, 0)
    return counter
  }
}

function threadMetrics(registry: Registry): ThreadMetrics {
  const count = createCounters(registry)
  const died = count('mayfly_thread_deaths_total', 'Worker threads that crashed, took too much memory or time, or did not start', {
    pool: POOLS,
  })
  const retried = count('mayfly_thread_jobs_retried_total', 'Jobs of worker threads that died, given to another one', { pool: POOLS })
  return {
    threadDied: pool => died.inc({ pool }),
    jobsRetried: (pool, jobs) => retried.inc({ pool }, jobs),
  }
}

function smtpMetrics(registry: Registry): SmtpMetrics {
  const registers = [registry]
  const open = new Gauge({ name: 'mayfly_smtp_connections', help: 'Open SMTP connections', registers })
  const count = createCounters(registry)
  const refused = count('mayfly_smtp_refused_total', 'SMTP connections refused', { reason: CONNECTION_REFUSALS })
  const senders = count('mayfly_smtp_senders_refused_total', 'Senders refused at MAIL', { reason: SENDER_REFUSALS })
  const recipients = count('mayfly_smtp_recipients_refused_total', 'Recipients refused', { failure: RECIPIENT_REFUSALS })
  const bytes = new Counter({ name: 'mayfly_mail_bytes_total', help: 'Bytes of messages answered', registers })
  const answered = new Histogram({
    name: 'mayfly_mail_answer_seconds',
    help: 'From the final dot to the answer',
    labelNames: ['outcome'],
    buckets: SECONDS,
    registers,
  })
  for (const outcome of MESSAGE_OUTCOMES) answered.zero({ outcome })
  return {
    connectionOpened: () => open.inc(),
    connectionClosed: () => open.dec(),
    connectionRefused: reason => refused.inc({ reason }),
    senderRefused: reason => senders.inc({ reason }),
    recipientRefused: failure => recipients.inc({ failure }),
    messageAnswered(outcome, size, seconds) {
      bytes.inc(size)
      answered.observe({ outcome }, seconds)
    },
  }
}

const CREATED = 201
const TOO_MANY = 429

/** Counts for the operator's page what is already measured for Prometheus. */
export function countingMetrics(metrics: Metrics, counter: StatisticsCounter): Metrics {
  const { smtp } = metrics
  return {
    ...metrics,
    observeRequest(request) {
      metrics.observeRequest(request)
      if (request.route === '/api/mailboxes' && request.status === CREATED) counter.count('addresses')
      if (request.status === TOO_MANY) counter.refuse('http_rate_limited')
    },
    smtp: {
      ...smtp,
      connectionRefused(reason) {
        smtp.connectionRefused(reason)
        counter.refuse(reason)
      },
      senderRefused(reason) {
        smtp.senderRefused(reason)
        counter.refuse(reason)
      },
      recipientRefused(reason) {
        smtp.recipientRefused(reason)
        counter.refuse(reason)
      },
      messageAnswered(outcome, bytes, seconds) {
        smtp.messageAnswered(outcome, bytes, seconds)
        if (outcome !== 'delivered') return counter.refuse(outcome)
        counter.count('delivered')
        counter.count('bytes', bytes)
      },
    },
  }
}

/** Counts mails whose sending server is on one of the operator's DNS blocklists. */
export function countingAuthenticate(authenticate: Authenticate, counter: StatisticsCounter, metrics: Metrics): Authenticate {
  return async (connection, raw) => {
    const results = await authenticate(connection, raw)
    for (const list of results?.listedOn ?? []) {
      counter.list(list)
      metrics.senderListed(list)
    }
    return results
  }
}

/** A solution for another network is neither: the page solves a new one. */
export function countingBotCheck(botCheck: BotCheck, counter: StatisticsCounter, metrics: Metrics): BotCheck {
  return {
    ...botCheck,
    async verify(token, action, network) {
      const verdict = await botCheck.verify(token, action, network)
      metrics.botChecked(verdict)
      if (verdict === 'failed') counter.count('botCheckFailures')
      return verdict
    },
  }
}
