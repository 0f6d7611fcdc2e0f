/**
 * What the operator should know at once: by mail to CONTACT_TO and by a POST to OPERATOR_WEBHOOK_URL. Reports of abuse are sent as they
 * come, up to a number per hour and network. What is wrong with the server is sent when it begins, and once a day while it lasts.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { DAY_MS } from '#contract/limits.ts'
import type { OperatorDomain, PortCertificate } from '#contract/operator.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { postOnce, RequestTargets } from '#server/outbound/guarded-request.ts'
import type { Forwarding } from '#server/outbound/outbox.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import { type Clock, toIso } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { createMemoryLimits, type Limit, type SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import type { KnownHealth } from '#server/store/health-watch.ts'

type OperatorNotice = {
  readonly kind: 'abuse_report' | 'store_full' | 'store_failing' | 'certificate' | 'domain_worn'
  /** One sentence. The webhook says no more than this: its receiver may be a third party. */
  readonly subject: string
  readonly text: string
  readonly replyTo?: string | undefined
}
/** `key` tells apart what may be wrong at the same time. */
type Condition = OperatorNotice & { readonly key: string }

/** A notice that may be sent. */
type Admitted = {
  /** Durable with the transaction that it is part of, or when it resolves. */
  mail(within?: Transaction<DatabaseSchema>): Promise<void>
  /** Call it after the commit: sends the mail, and posts to the webhook without being waited for. */
  send(): void
}

/** Beyond these, reports are only on the operator's page: a flood of them must not become one of mails. */
const REPORTS = { name: 'operator-reports', max: 20, windowSeconds: 3600 } as const
/** A flood from one network must not keep the operator from being told of the reports of others. */
const REPORTS_OF_NETWORK = { name: 'operator-reports-network', max: 3, windowSeconds: 3600 } as const
/** One process of a cluster reports for all, and a condition that comes and goes is reported at most this often. */
const CONDITIONS = { name: 'operator-conditions', max: 1, windowSeconds: 3600 } as const
const CHECK_MS = 15_000
const AGAIN_MS = DAY_MS
/** The operator named the receiver, which may be in any network. */
const ANYWHERE = ['0.0.0.0/0', '::/0']
/** Before the second, third and fourth try. Mail is the way that survives a longer failure. */
const PAUSES_MS = [1000, 30_000, 300_000]

type OperatorNoticesDeps = {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly forwarding: Forwarding | undefined
  /** They are those of all processes on a cluster, so that one of them tells for all. */
  readonly sharedLimits: SharedLimits
}

export class OperatorNotices implements AsyncDisposable {
  readonly #deps: OperatorNoticesDeps
  readonly #ownLimits: Pick<SharedLimits, 'take'>
  readonly #background: BackgroundWork
  readonly #targets: RequestTargets
  readonly #closing = new AbortController()
  #timer: NodeJS.Timeout | undefined
  #conditions: () => Promise<Condition[]> = async () => []
  /** When each condition that lasts was last reported, by its key. */
  readonly #reportedAt = new Map<string, number>()

  constructor(deps: OperatorNoticesDeps) {
    this.#deps = deps
    this.#ownLimits = createMemoryLimits(deps.clock)
    this.#background = new BackgroundWork(deps.log)
    this.#targets = new RequestTargets(ANYWHERE, { isOperators: true, proxy: deps.config.proxy })
  }

  /** `undefined` when too many of its kind were sent, or too many from this network. */
  async admitReport(notice: OperatorNotice, networkMark: string): Promise<Admitted | undefined> {
    if (!(await this.#mayReportForAll(REPORTS_OF_NETWORK, networkMark))) return undefined
    return (await this.#mayReportForAll(REPORTS, notice.kind)) ? this.#admitted(notice) : undefined
  }

  /** Reports what `read` returns, now and regularly. */
  watch(read: () => Promise<Condition[]>): void {
    if (!this.#deps.forwarding && this.#deps.config.operatorWebhookUrl === undefined) return
    this.#conditions = read
    const check = () => void this.#background.run(this.check(), 'The operator could not be told what is wrong')
    this.#timer = setInterval(check, CHECK_MS).unref()
    check()
  }

  async check(): Promise<void> {
    const conditions = await this.#conditions()
    for (const key of this.#reportedAt.keys()) if (!conditions.some(condition => condition.key === key)) this.#reportedAt.delete(key)
    for (const condition of conditions) {
      const now = this.#deps.clock()
      if (now - (this.#reportedAt.get(condition.key) ?? Number.NEGATIVE_INFINITY) < AGAIN_MS) continue
      // The operator was told less than an hour ago, and is told again later, if it lasts.
      if (!(await this.#ownLimits.take(CONDITIONS, condition.key))) continue
      this.#reportedAt.set(condition.key, now)
      if (!(await this.#mayReportForAll(CONDITIONS, condition.key))) continue
      const notice = this.#admitted(condition)
      try {
        await notice.mail()
      } catch (error) {
        this.#reportedAt.delete(condition.key)
        throw error
      } finally {
        // This works when the disk of the outbox is full, too.
        notice.send()
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#closing.abort()
    await this.#background.idle()
  }

  async #mayReportForAll(limit: Limit, key: string): Promise<boolean> {
    // What is wrong may be the cluster that counts for all.
    return await this.#deps.sharedLimits.take(limit, key).then(
      left => left !== undefined,
      () => true,
    )
  }

  #admitted(notice: OperatorNotice): Admitted {
    const { forwarding, config } = this.#deps
    return {
      async mail(within) {
        const { subject, text, replyTo } = notice
        await forwarding?.enqueue({ subject, text, ...(replyTo && { replyTo }) }, within)
      },
      send: () => {
        forwarding?.flush()
        const url = config.operatorWebhookUrl
        if (url !== undefined) void this.#background.run(this.#post(url, notice), 'The webhook of the operator failed')
      },
    }
  }

  async #post(url: string, { kind, subject }: OperatorNotice): Promise<void> {
    const { clock, config, log } = this.#deps
    const page = `${config.publicUrl}/operator`
    // `text` is what chat programs show of an incoming webhook.
    const body = JSON.stringify({ kind, text: `[${config.siteName}] ${subject} ${page}`, at: toIso(clock()) })
    const { signal } = this.#closing
    for (const pauseMs of [0, ...PAUSES_MS]) {
      if (!(await sleep(pauseMs, true, { signal, ref: false }).catch(() => false))) return
      const attempted = await postOnce({ url, headers: { 'content-type': 'application/json' }, body }, this.#targets, { signal })
      if (attempted.isDelivered) return
      if (!signal.aborted) log.warn({ reason: attempted.reason }, 'The receiver of OPERATOR_WEBHOOK_URL did not take a notice')
    }
  }
}

const runbook = (section: string) => `What to do: docs/operations.md#${section}, or run "mayfly doctor".\n`

/** Each check reads the counts of a day, and a domain wears out slowly. */
const WORN_CHECK_MS = 300_000

/** Looks for domains that are offered although sites refuse them. */
export function refusedDomainsCheck(describe: () => Promise<readonly OperatorDomain[]>): () => Promise<readonly Condition[]> {
  return cachedFor(WORN_CHECK_MS, async () => findWornDomains(await describe()))
}

function findWornDomains(domains: readonly OperatorDomain[]): Condition[] {
  const refused = domains.filter(({ state, isWorn }) => state === 'offered' && isWorn)
  return refused.map(({ name, counts: { unwelcome } }) => {
    const subject = `Sites refuse addresses at ${name}: ${unwelcome} visitors said so within a day.`
    const text = `${subject} Offer another domain, and retire this one.\n\n${runbook('domains')}`
    return { kind: 'domain_worn', key: `domain ${name}`, subject, text }
  })
}

/** The last result of `read`, which is called again after `keptMs`. It is kept while `read` rejects: the failure is logged elsewhere. */
function cachedFor<T>(keptMs: number, read: () => Promise<readonly T[]>): () => Promise<readonly T[]> {
  let last: { readonly at: number; readonly read: Promise<readonly T[]> } | undefined
  return () => {
    const at = performance.now()
    const before = last?.read ?? Promise.resolve([])
    if (!last || at - last.at >= keptMs) last = { at, read: read().catch(() => before) }
    return last.read
  }
}

/** The alert in deploy/prometheus-alerts.yml says the same. A renewal is due long before. */
const EXPIRY_DAYS = 14

export function findConditions(health: KnownHealth, certificates: readonly PortCertificate[], nowMs: number): Condition[] {
  const found: Condition[] = []
  const { ok, isFull, problems = [] } = health
  for (const { kind, fact, remedy } of problems) {
    const text = `${fact}: ${remedy}\n\n${runbook('mail-does-not-arrive')}`
    found.push({ kind: kind === 'full' ? 'store_full' : 'store_failing', key: `store ${kind}`, subject: `${fact}.`, text })
  }
  const failing = (kind: 'store_full' | 'store_failing', subject: string, section: string) =>
    found.push({ kind, key: kind, subject, text: `${subject} Senders are refused for now, and try again.\n\n${runbook(section)}` })
  if (problems.length === 0 && isFull) failing('store_full', 'The disk is full: mail is refused for now.', 'disk-full')
  if (problems.length === 0 && !isFull && !ok) failing('store_failing', 'The mail store does not take mail.', 'mail-does-not-arrive')
  for (const { use, name, validTo, problem } of certificates) {
    const daysLeft = validTo === null ? undefined : Math.floor((Date.parse(validTo) - nowMs) / DAY_MS)
    const isLate = daysLeft !== undefined && daysLeft < EXPIRY_DAYS
    if (problem === null && !isLate) continue
    const end = daysLeft === undefined ? 'There is none yet.' : daysLeft < 0 ? 'It has expired.' : `It expires in ${daysLeft} days.`
    const subject = `The certificate of ${name} ${problem === null ? 'was not renewed' : 'could not be obtained'}. ${end}`
    found.push({ kind: 'certificate', key: `certificate ${use}`, subject, text: `${subject}\n\n${problem ?? ''}\n\n${runbook('https')}` })
  }
  return found
}
