import { Worker } from 'node:worker_threads'
import { type Authentication, authenticationSchema } from '#contract/mailbox.ts'
import type { Log } from '#server/log.ts'
import type { AuthenticateJob, AuthenticateSettings } from './authenticate.worker.ts'
import type { Envelope } from './mail.ts'

/** Resolves to the verdict, or to `undefined` when it will never be known (too busy, too slow, broken). Never rejects. */
export type Authenticate = (envelope: Envelope, raw: Uint8Array) => Promise<Authentication | undefined>

/** Messages waiting for a verdict. Under a flood mail must flow and verdicts may be missing, not the other way round (decision 14). */
const PENDING_MAX = 64
/** Each waiting message is a copy in memory. */
const PENDING_BYTES_MAX = 64 * 1024 * 1024
/** A verdict nobody waits for any more: the address lives ten minutes. */
const VERDICT_TIMEOUT_MS = 20_000
const DNS_TIMEOUT_MS = 3000

type Waiting = { readonly bytes: number; readonly settle: (verdict: Authentication | undefined) => void }

/** Starts the thread on first use. `dnsServers`: `address` or `address:port`; empty for the system's own. */
export function createAuthenticator(options: {
  dnsServers: readonly string[]
  log: Log
}): { authenticate: Authenticate } & AsyncDisposable {
  const waiting = new Map<number, Waiting>()
  let worker: Worker | undefined
  let lastId = 0
  let pendingBytes = 0

  const settle = (id: number, verdict: Authentication | undefined) => {
    const entry = waiting.get(id)
    if (!entry) return
    waiting.delete(id)
    pendingBytes -= entry.bytes
    entry.settle(verdict)
  }

  const abandonAll = () => {
    worker = undefined
    for (const id of [...waiting.keys()]) settle(id, undefined)
  }

  const start = () => {
    const settings: AuthenticateSettings = { dnsServers: options.dnsServers, dnsTimeoutMs: DNS_TIMEOUT_MS }
    const started = new Worker(new URL('./authenticate.worker.ts', import.meta.url), {
      workerData: settings,
      resourceLimits: { maxOldGenerationSizeMb: 256 },
    })
    started.unref()
    started.on('message', (reply: { id: number; verdict: unknown }) => {
      const parsed = authenticationSchema.safeParse(reply.verdict)
      settle(reply.id, parsed.success ? parsed.data : undefined)
    })
    started.on('error', err => options.log.warn({ err }, 'the authentication thread failed and will be started again'))
    started.on('exit', abandonAll)
    return started
  }

  return {
    authenticate(envelope, raw) {
      if (waiting.size >= PENDING_MAX || pendingBytes + raw.byteLength > PENDING_BYTES_MAX) return Promise.resolve(undefined)
      worker ??= start()
      const job: AuthenticateJob = { id: ++lastId, envelope, raw }
      return new Promise(resolve => {
        const timer = setTimeout(() => settle(job.id, undefined), VERDICT_TIMEOUT_MS)
        timer.unref()
        pendingBytes += raw.byteLength
        waiting.set(job.id, {
          bytes: raw.byteLength,
          settle: verdict => {
            clearTimeout(timer)
            resolve(verdict)
          },
        })
        worker?.postMessage(job)
      })
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate()
    },
  }
}
