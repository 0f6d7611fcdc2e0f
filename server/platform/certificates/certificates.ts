/**
 * Certificates by ACME for the site and the mail port: loads, obtains and renews them. Only one process runs on a data folder, so nobody
 * else orders them.
 */
import { X509Certificate } from 'node:crypto'
import { Worker } from 'node:worker_threads'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import type { AcmeOrder, FromAcmeThread } from './acme.worker.ts'
import { AcmeFiles, type AcmeProblem, explainAcmeProblem, type FailedAttempts, type PemPair } from './acme-files.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
/** Public authorities limit failed checks of a name per hour, so the pauses grow quickly. */
const FIRST_PAUSE_MS = MINUTE_MS
const PAUSE_GROWTH = 4
const PAUSE_MS_MAX = 12 * HOUR_MS
/** Random, so that machines that failed together do not retry together. */
const PAUSE_JITTER = 0.2

type Validity = { readonly validFrom: number; readonly validTo: number }

/** Within the twelfth of its life before the last third begins: 30 days before the end of 90. `random` from 0 to 1. */
export function renewalAt({ validFrom, validTo }: Validity, random: number): number {
  const lifeMs = validTo - validFrom
  return validTo - lifeMs / 3 - (random * lifeMs) / 12
}

/** `failures`: in a row, including this one. `waitMs`: how long the authority asked to wait. */
export function retryAt(nowMs: number, failures: number, waitMs: number, random: number): number {
  const pauseMs = Math.min(FIRST_PAUSE_MS * PAUSE_GROWTH ** (failures - 1), PAUSE_MS_MAX)
  return nowMs + Math.max(waitMs, pauseMs) * (1 + random * PAUSE_JITTER)
}

/** Time for one order; authorities finish within seconds. */
const ORDER_MS_MAX = 150_000
/** Time between checks, because the clock may be set meanwhile. */
const CHECK_MS_MAX = 3_600_000
const CHECK_MS_MIN = 1000
const HEAP_MB_MAX = 128

type AcmeConfig = { readonly email: string; readonly directoryUrl: string; readonly names: readonly string[] }

/** Status of one name for doctor, metrics and the operator's page. Times in milliseconds since the epoch. */
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
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  /** From 0 to 1. */
  readonly random: () => number
}

type Held = { readonly pem: PemPair; readonly validTo: number; readonly renewAt: number }

export class Certificates implements AsyncDisposable {
  readonly #deps: CertificatesDeps
  readonly #files: AcmeFiles
  readonly #held = new Map<string, Held>()
  readonly #challenges = new Map<string, string>()
  #attempts = new Map<string, FailedAttempts>()
  #worker: Worker | undefined
  #timer: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined
  #isClosed = false
  #onChange: (name: string) => void = () => undefined

  private constructor(deps: CertificatesDeps) {
    this.#deps = deps
    this.#files = new AcmeFiles(deps.dataDir, deps.acme.directoryUrl)
  }

  /** Loads existing certificates; `start` orders missing ones. */
  static async open(deps: CertificatesDeps): Promise<Certificates> {
    const certificates = new Certificates(deps)
    certificates.#attempts = await certificates.#files.readAttempts()
    for (const name of deps.acme.names) {
      const pem = await certificates.#files.readCertificate(name)
      if (pem) certificates.#hold(name, pem)
    }
    return certificates
  }

  /** Orders missing and expiring certificates, now and periodically. Port 80 must be open. `onChange`: this name has a new one. */
  start(onChange: (name: string) => void): void {
    this.#onChange = onChange
    this.#check()
  }

  /** The operator has fixed something: retries failed names at once, unless the authority asked to wait. */
  retry(): void {
    for (const [name, attempts] of this.#attempts) {
      if (!attempts.isAskedToWait) this.#attempts.set(name, { ...attempts, retryAt: 0 })
    }
    this.#check()
  }

  /** The reply to a pending challenge (RFC 8555 section 8.3). */
  keyAuthorization(token: string): string | undefined {
    return this.#challenges.get(token)
  }

  /** `undefined` until it was obtained, and after it has expired. */
  valid(name: string): PemPair | undefined {
    const held = this.#held.get(name)
    return held && held.validTo > this.#deps.clock() ? held.pem : undefined
  }

  status(): CertificateStatus[] {
    return this.#deps.acme.names.map(name => {
      const attempts = this.#attempts.get(name)
      return { name, validTo: this.#held.get(name)?.validTo, problem: attempts?.problem, retryAt: attempts?.retryAt }
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
    this.#working = this.#obtainDue().finally(() => {
      this.#working = undefined
      if (this.#isClosed) return
      const next = Math.min(...this.#deps.acme.names.map(name => this.#dueAt(name))) - this.#deps.clock()
      this.#timer = setTimeout(() => this.#check(), Math.min(Math.max(next, CHECK_MS_MIN), CHECK_MS_MAX)).unref()
    })
  }

  /** One after the other, because authorities also limit pending orders. */
  async #obtainDue(): Promise<void> {
    for (const name of this.#deps.acme.names) {
      if (this.#isClosed || this.#dueAt(name) > this.#deps.clock()) continue
      try {
        const outcome = await this.#order(name)
        if (this.#isClosed) return
        if ('cert' in outcome) await this.#obtained(name, outcome)
        else await this.#failed(name, outcome)
      } catch (err) {
        this.#deps.log.error({ err }, 'A certificate could not be kept')
        await this.#failed(name, { type: undefined, detail: err instanceof Error ? err.message : String(err), waitMs: 0 }).catch(
          () => undefined,
        )
      }
    }
  }

  #dueAt(name: string): number {
    return Math.max(this.#held.get(name)?.renewAt ?? 0, this.#attempts.get(name)?.retryAt ?? 0)
  }

  #hold(name: string, pem: PemPair): void {
    try {
      const { validFromDate, validToDate } = new X509Certificate(pem.cert)
      const [validFrom, validTo] = [validFromDate.getTime(), validToDate.getTime()]
      this.#held.set(name, { pem, validTo, renewAt: renewalAt({ validFrom, validTo }, this.#deps.random()) })
    } catch (err) {
      this.#deps.log.warn({ err }, 'A kept certificate cannot be read; another one is obtained')
    }
  }

  async #obtained(name: string, pem: PemPair): Promise<void> {
    await this.#files.writeCertificate(name, pem)
    this.#hold(name, pem)
    if (this.#attempts.delete(name)) await this.#files.writeAttempts(this.#attempts)
    this.#deps.log.info({ name, validTo: new Date(this.#held.get(name)?.validTo ?? 0).toISOString() }, 'Certificate obtained')
    this.#onChange(name)
  }

  async #failed(name: string, problem: AcmeProblem): Promise<void> {
    const { acme, clock, random, log } = this.#deps
    const failures = (this.#attempts.get(name)?.failures ?? 0) + 1
    const at = retryAt(clock(), failures, problem.waitMs, random())
    const sentence = explainAcmeProblem(problem, { name, ...acme })
    this.#attempts.set(name, { failures, retryAt: at, problem: sentence, isAskedToWait: problem.waitMs > 0 })
    log.error({ retryAt: new Date(at).toISOString(), failures }, sentence)
    await this.#files.writeAttempts(this.#attempts)
  }

  async #order(name: string): Promise<PemPair | AcmeProblem> {
    const { directoryUrl, email } = this.#deps.acme
    const workerData: AcmeOrder = { directoryUrl, email, name, accountKey: await this.#files.accountKey() }
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
