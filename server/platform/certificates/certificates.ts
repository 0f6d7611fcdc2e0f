/** Loads, obtains and renews certificates by ACME. Only one process runs on a data folder, so nobody else orders them. */
import { X509Certificate } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import { HOUR_MS } from '#contract/limits.ts'
import type { PortCertificate } from '#contract/operator.ts'
import { type Clock, toIso } from '../clock.ts'
import type { Log } from '../log.ts'
import type { OutgoingProxy } from '../net/outgoing-proxy.ts'
import type { AcmeOrder, FromAcmeThread } from './acme.worker.ts'
import { AcmeFiles, type AcmeProblem, explainAcmeProblem, type FailedAttempts, type PemPair } from './acme-files.ts'

/** Time for one order; authorities finish within seconds. */
const ORDER_MS_MAX = 150_000
/** Time between checks, because the clock may be set meanwhile. */
const CHECK_MS_MAX = HOUR_MS
const CHECK_MS_MIN = 1000
const HEAP_MB_MAX = 128

/** The names of one certificate; the first one is its own. */
type Names = readonly string[]
type AcmeConfig = { readonly email: string; readonly directoryUrl: string; readonly certificates: readonly Names[] }

/** Status of one certificate for doctor, metrics and the operator's page. Times in milliseconds since the epoch. */
export type CertificateStatus = {
  readonly name: string
  /** Missing until the first certificate was obtained. */
  readonly validTo?: number | undefined
  /** Why the last attempt failed, and when the next one is; removed once one succeeds. */
  readonly problem?: string | undefined
  readonly retryAt?: number | undefined
}

type CertificatesDeps = {
  readonly acme: AcmeConfig
  readonly proxy: OutgoingProxy | undefined
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  /** From 0 to 1. */
  readonly random: () => number
}

type Watched = {
  /** These names have a new certificate. */
  readonly onChange: (names: Names) => void
  /** Names with a certificate of their own beside those of the configuration, as they are now. */
  readonly more: () => Promise<readonly string[]>
}

/** `missing`: names that it lacks, because they were added later or the authority left them out. It is in use until one has them all. */
type Held = { readonly pem: PemPair; readonly validTo: number; readonly renewAt: number; readonly missing: readonly string[] }

export class Certificates implements AsyncDisposable {
  readonly #deps: CertificatesDeps
  readonly #files: AcmeFiles
  readonly #held = new Map<string, Held>()
  readonly #challenges = new Map<string, string>()
  #failedOrders = new Map<string, FailedAttempts>()
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined
  #isClosed = false
  #watched: Watched = { onChange: () => undefined, more: async () => [] }
  #more: readonly Names[] = []

  private constructor(deps: CertificatesDeps) {
    this.#deps = deps
    this.#files = new AcmeFiles(deps.dataDir, deps.acme.directoryUrl)
  }

  /** Loads existing certificates; `start` orders missing ones. */
  static async open(deps: CertificatesDeps): Promise<Certificates> {
    const certificates = new Certificates(deps)
    certificates.#failedOrders = await certificates.#files.readAttempts()
    for (const names of deps.acme.certificates) await certificates.#load(names)
    return certificates
  }

  /** Orders missing and expiring certificates, now and periodically. Port 80 must be open. */
  start(watched: Watched): void {
    this.#watched = watched
    this.#check()
  }

  /** The operator has fixed something: retries failed names at once, unless the authority asked to wait. */
  retry(): void {
    for (const [name, failed] of this.#failedOrders) {
      if (!failed.isAskedToWait) this.#failedOrders.set(name, { ...failed, retryAt: 0 })
    }
    this.#check()
  }

  /** The reply to a pending challenge (RFC 8555 section 8.3). */
  keyAuthorization(token: string): string | undefined {
    return this.#challenges.get(token)
  }

  /** `undefined` until it was obtained, and after it has expired. It has this name, and perhaps not all of the others. */
  valid(name: string): PemPair | undefined {
    const held = this.#held.get(name)
    return held && held.validTo > this.#deps.clock() ? held.pem : undefined
  }

  status(): CertificateStatus[] {
    return this.#wanted.map(([name = '']) => {
      const failed = this.#failedOrders.get(name)
      return { name, validTo: this.#held.get(name)?.validTo, problem: failed?.problem, retryAt: failed?.retryAt }
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#timer)
    await this.#worker?.terminate()
    await this.#working
  }

  #check(): void {
    if (this.#isClosed || this.#working) return
    clearTimeout(this.#timer)
    this.#working = this.#obtainDue()
      .catch(err => this.#deps.log.error({ err }, 'Certificates could not be checked; they are checked again'))
      .finally(() => {
        this.#working = undefined
        if (this.#isClosed) return
        const next = Math.min(...this.#wanted.map(names => this.#dueAt(names))) - this.#deps.clock()
        this.#timer = setTimeout(() => this.#check(), Math.min(Math.max(next, CHECK_MS_MIN), CHECK_MS_MAX)).unref()
      })
  }

  /** One after the other, because authorities also limit pending orders. */
  async #obtainDue(): Promise<void> {
    await this.#obtainDueOf(this.#deps.acme.certificates)
    if (this.#isClosed) return
    await this.#readMore()
    await this.#obtainDueOf(this.#more)
  }

  async #obtainDueOf(certificates: readonly Names[]): Promise<void> {
    for (const names of certificates) {
      if (this.#isClosed || this.#dueAt(names) > this.#deps.clock()) continue
      try {
        const outcome = await this.#order(names)
        if (this.#isClosed) return
        if ('cert' in outcome) await this.#obtained(names, outcome)
        else await this.#failed(names, outcome)
      } catch (err) {
        this.#deps.log.error({ err }, 'A certificate could not be kept')
        await this.#failed(names, { type: undefined, detail: err instanceof Error ? err.message : String(err), waitMs: 0 }).catch(
          () => undefined,
        )
      }
    }
  }

  get #wanted(): readonly Names[] {
    return [...this.#deps.acme.certificates, ...this.#more]
  }

  async #readMore(): Promise<void> {
    const { acme, log } = this.#deps
    const known = acme.certificates.flat()
    const more = await this.#watched.more().catch(err => {
      log.debug({ err }, 'Which further names need a certificate could not be found out')
      return this.#more.flat()
    })
    const before = new Set(this.#more.flat())
    this.#more = more.filter(name => !known.includes(name)).map(name => [name])
    for (const names of this.#more) {
      const [name = ''] = names
      if (before.has(name)) continue
      await this.#load(names)
      if (this.valid(name)) this.#watched.onChange(names)
    }
  }

  /** One that was obtained earlier. */
  async #load(names: Names): Promise<void> {
    const pem = await this.#files.readCertificate(names[0] ?? '')
    const held = pem && this.#read(names, pem)
    if (held) this.#held.set(names[0] ?? '', held)
  }

  #dueAt([name = '']: Names): number {
    return Math.max(this.#held.get(name)?.renewAt ?? 0, this.#failedOrders.get(name)?.retryAt ?? 0)
  }

  /** `undefined` for one that is of no use: it lacks its own name, or is no certificate. */
  #read(names: Names, pem: PemPair): Held | undefined {
    try {
      const certificate = new X509Certificate(pem.cert)
      const missing = names.filter(host => certificate.checkHost(host) === undefined)
      if (missing.includes(names[0] ?? '')) return undefined
      const [validFrom, validTo] = [certificate.validFromDate.getTime(), certificate.validToDate.getTime()]
      const renewAt = missing.length > 0 ? 0 : renewalAt({ validFrom, validTo }, this.#deps.random())
      return { pem, validTo, renewAt, missing }
    } catch (err) {
      this.#deps.log.warn({ err }, 'A kept certificate cannot be read; another one is obtained')
      return undefined
    }
  }

  /** One that lacks a name counts as a failed attempt, so that the next is not at once; it is in use if the one before lacks as many. */
  async #obtained(names: Names, pem: PemPair): Promise<void> {
    const [name = ''] = names
    const held = this.#read(names, pem)
    const missing = held?.missing ?? [name]
    const before = this.valid(name) && this.#held.get(name)?.missing.length
    if (held && missing.length <= (before ?? names.length)) {
      await this.#files.writeCertificate(name, pem)
      this.#held.set(name, held)
      this.#deps.log.info({ name, validTo: new Date(held.validTo).toISOString() }, 'Certificate obtained')
      this.#watched.onChange(names)
    }
    if (missing.length > 0)
      return this.#failed(names, { type: undefined, detail: `the authority left out ${missing.join(', ')}`, waitMs: 0 })
    if (this.#failedOrders.delete(name)) await this.#files.writeAttempts(this.#failedOrders)
  }

  async #failed(names: Names, problem: AcmeProblem): Promise<void> {
    const [name = ''] = names
    const { acme, clock, random, log } = this.#deps
    const failures = (this.#failedOrders.get(name)?.failures ?? 0) + 1
    const at = retryAt(clock(), failures, problem.waitMs, random())
    const sentence = explainAcmeProblem(problem, { name: names.join(', '), ...acme })
    this.#failedOrders.set(name, { failures, retryAt: at, problem: sentence, isAskedToWait: problem.waitMs > 0 })
    log.error({ retryAt: new Date(at).toISOString(), failures }, sentence)
    await this.#files.writeAttempts(this.#failedOrders)
  }

  async #order(names: Names): Promise<PemPair | AcmeProblem> {
    const { acme, proxy } = this.#deps
    const { directoryUrl, email } = acme
    const workerData: AcmeOrder = { directoryUrl, email, names, proxy, accountKey: await this.#files.accountKey() }
    const { promise, resolve } = Promise.withResolvers<PemPair | AcmeProblem>()
    const failed = (detail: string, type?: string) => resolve({ type, detail, waitMs: 0 })
    const worker = new Worker(new URL('./acme.worker.ts', import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX },
    })
    this.#worker = worker
    const deadline = setTimeout(() => failed(`it took longer than ${ORDER_MS_MAX / 1000} s`, 'timeout'), ORDER_MS_MAX)
    worker.on('message', (message: FromAcmeThread) => {
      if ('challenge' in message) this.#challenges.set(message.challenge.token, message.challenge.keyAuthorization)
      else resolve('certificate' in message ? message.certificate : message.problem)
    })
    worker.on('error', error => failed(error.message))
    worker.on('exit', () => failed('the thread ended'))
    try {
      return await promise
    } finally {
      clearTimeout(deadline)
      this.#challenges.clear()
      await worker.terminate()
      this.#worker = undefined
    }
  }
}

type Presented = {
  /** The certificate that STARTTLS presents now. */
  readonly mail: { readonly names: string; readonly validTo: string; readonly isSelfSigned: boolean; readonly problem?: string | undefined }
  readonly mailHost: string
  /** Missing without ACME. */
  readonly siteHost: string | undefined
  /** By ACME. */
  readonly obtained: readonly CertificateStatus[]
}

/** The certificates that the mail port and the site present, for the operator's page and the metrics. */
export function portCertificates({ mail, mailHost, siteHost, obtained }: Presented): PortCertificate[] {
  const statusOf = (host: string) => obtained.find(({ name }) => name === host)
  const ofMail = statusOf(mailHost)
  const ofSite = siteHost === undefined ? undefined : statusOf(siteHost)
  const { names, validTo, isSelfSigned } = mail
  return [
    {
      use: 'mail',
      name: names,
      validTo,
      isSelfSigned,
      problem: ofMail?.problem ?? mail.problem ?? null,
      retryAt: toIsoOrNull(ofMail?.retryAt),
    },
    ...(ofSite
      ? [
          {
            use: 'site' as const,
            name: ofSite.name,
            validTo: toIsoOrNull(ofSite.validTo),
            isSelfSigned: false,
            problem: ofSite.problem ?? null,
            retryAt: toIsoOrNull(ofSite.retryAt),
          },
        ]
      : []),
  ]
}

const toIsoOrNull = (ms: number | undefined) => (ms === undefined ? null : toIso(ms))

const MINUTE_MS = 60_000
/** Public authorities limit failed checks of a name per hour, so the pauses grow quickly. */
const FIRST_PAUSE_MS = MINUTE_MS
const PAUSE_GROWTH = 4
const PAUSE_MS_MAX = 12 * HOUR_MS
/** Random, so that machines that failed together do not retry together. */
const PAUSE_JITTER = 0.2

/** Within the twelfth of its life before the last third begins: 30 days before the end of 90. `random` from 0 to 1. */
export function renewalAt({ validFrom, validTo }: { readonly validFrom: number; readonly validTo: number }, random: number): number {
  const lifeMs = validTo - validFrom
  return validTo - lifeMs / 3 - (random * lifeMs) / 12
}

/** `failures`: in a row, including this one. `waitMs`: how long the authority asked to wait. */
export function retryAt(nowMs: number, failures: number, waitMs: number, random: number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** (failures - 1), PAUSE_MS_MAX)
  return nowMs + Math.max(waitMs, pauseMs) * (1 + random * PAUSE_JITTER)
}
