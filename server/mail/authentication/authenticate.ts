import { Worker } from 'node:worker_threads'
import { type Authentication, authenticationSchema } from '#contract/mailbox.ts'
import type { Log } from '#server/log.ts'
import type { Envelope } from '../mail.ts'
import type { AuthenticateJob, AuthenticateSettings } from './authenticate.worker.ts'

/** Resolves to the verdict, or to `undefined` when it will never be known (too busy, too slow, broken). Never rejects. */
export type Authenticate = (envelope: Envelope, raw: Uint8Array) => Promise<Authentication | undefined>

/** Messages the thread has not answered for yet. Under a flood mail must flow and verdicts may be missing, not the other way round (decision 14). */
const PENDING_MAX = 64
/** Each of them is a copy in memory. */
const PENDING_BYTES_MAX = 64 * 1024 * 1024
const DNS_TIMEOUT_MS = 3000
const TIMES: AuthenticateTimes = {
  /** A verdict nobody waits for any more: the address lives ten minutes. */
  verdictMsMax: 20_000,
  /** Every look-up that a mail may cause (LOOKUPS_MAX), one after the other, takes two minutes; a thread that takes longer hangs. */
  answerMsMax: 150_000,
}

type AuthenticateTimes = { readonly verdictMsMax: number; readonly answerMsMax: number }
type Job = { readonly thread: Worker; readonly bytes: number; readonly settle: (verdict: Authentication | undefined) => void }
type Options = {
  /** `address` or `address:port`; empty for the system's own. */
  readonly dnsServers: readonly string[]
  readonly log: Log
  /** For tests of what runs out of time. */
  readonly times?: AuthenticateTimes
}

/** Starts the thread on first use. */
export function createAuthenticator(options: Options): { authenticate: Authenticate } & AsyncDisposable {
  const threads = new Threads(options)
  return {
    authenticate: (envelope, raw) => threads.authenticate(envelope, raw),
    [Symbol.asyncDispose]: () => threads.close(),
  }
}

/** One thread at a time, and what it owes. A job that nobody waits for any more counts until the thread is done with it. */
class Threads {
  readonly #options: Options
  readonly #times: AuthenticateTimes
  readonly #jobs = new Map<number, Job>()
  #thread: Worker | undefined
  #lastId = 0
  #bytes = 0

  constructor(options: Options) {
    this.#options = options
    this.#times = options.times ?? TIMES
  }

  authenticate(envelope: Envelope, raw: Uint8Array): Promise<Authentication | undefined> {
    if (this.#jobs.size >= PENDING_MAX || this.#bytes + raw.byteLength > PENDING_BYTES_MAX) return Promise.resolve(undefined)
    this.#thread ??= this.#start()
    const thread = this.#thread
    const job: AuthenticateJob = { id: ++this.#lastId, envelope, raw }
    return new Promise(resolve => {
      const waiting = setTimeout(resolve, this.#times.verdictMsMax, undefined).unref()
      const running = setTimeout(() => this.#replace(thread), this.#times.answerMsMax).unref()
      const settle = (verdict: Authentication | undefined) => {
        clearTimeout(waiting)
        clearTimeout(running)
        resolve(verdict)
      }
      this.#bytes += raw.byteLength
      this.#jobs.set(job.id, { thread, bytes: raw.byteLength, settle })
      thread.postMessage(job)
    })
  }

  async close(): Promise<void> {
    await this.#thread?.terminate()
  }

  #start(): Worker {
    const settings: AuthenticateSettings = { dnsServers: this.#options.dnsServers, dnsTimeoutMs: DNS_TIMEOUT_MS }
    const thread = new Worker(new URL('./authenticate.worker.ts', import.meta.url), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    thread.unref()
    thread.on('message', (reply: { id: number; verdict: unknown }) => {
      const parsed = authenticationSchema.safeParse(reply.verdict)
      this.#settle(reply.id, parsed.success ? parsed.data : undefined)
    })
    thread.on('error', err => this.#options.log.warn({ err }, 'the authentication thread failed and will be started again'))
    thread.on('exit', () => this.#abandon(thread))
    return thread
  }

  #replace(thread: Worker): void {
    this.#options.log.warn('the authentication thread did not answer and will be started again')
    this.#abandon(thread)
    void thread.terminate()
  }

  #abandon(thread: Worker): void {
    if (this.#thread === thread) this.#thread = undefined
    for (const [id, job] of this.#jobs) if (job.thread === thread) this.#settle(id, undefined)
  }

  #settle(id: number, verdict: Authentication | undefined): void {
    const job = this.#jobs.get(id)
    if (!job) return
    this.#jobs.delete(id)
    this.#bytes -= job.bytes
    job.settle(verdict)
  }
}
