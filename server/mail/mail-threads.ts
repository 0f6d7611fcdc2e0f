/** The threads mail is parsed, sealed and opened in: the main thread never does any of it. */
import { availableParallelism } from 'node:os'
import type { Log } from '#server/log.ts'
import type { Urgency } from '#server/threads/job-queue.ts'
import type { PoolOptions, ThreadPool } from '#server/threads/thread-pool.ts'
import type { MailTasks } from './mail-tasks.ts'

/** An honest message of 25 MiB takes a tenth of it; a hostile one that takes more is kept without being parsed. */
const CPU_MS_MAX = 2000
const WALL_MS_MAX = 10_000
/** JavaScript heap of one thread; message bytes are outside it, and the worst MIME bombs stay under 200 MB in all. */
const HEAP_MB_MAX = 192
/** Young objects of one thread: V8 would take 48 and keep them, and what one mail makes is dead long before. */
const YOUNG_MB_MAX = 12
/** Whole messages are read in all threads but one: two networks that read hostile mail hold up neither deliveries nor each other. */
const THREADS_MAX = Math.max(3, Math.min(availableParallelism(), 8))

/** A delivery has a sender waiting; a row is read in microseconds; a whole message may take as long as a job may. */
const URGENCIES = {
  seal: 'first',
  summaries: 'ordinary',
  smallMessage: 'ordinary',
  annotation: 'ordinary',
  message: 'long',
  raw: 'long',
  attachment: 'long',
} as const satisfies Record<keyof MailTasks, Urgency>

export type MailThreads = ThreadPool<MailTasks>

export function mailThreadOptions(messageIdKey: Uint8Array, log: Log): PoolOptions {
  return {
    name: 'mail',
    log,
    code: new URL('./mail.worker.ts', import.meta.url),
    settings: messageIdKey,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    threadsMax: THREADS_MAX,
    urgencyOf: task => URGENCIES[task as keyof MailTasks],
    limits: { cpuMsMax: CPU_MS_MAX, wallMsMax: WALL_MS_MAX },
    // A message that cost a thread is done again without the parser.
    retryArgs: args => ({ ...(args as object), isBare: true }),
  }
}
