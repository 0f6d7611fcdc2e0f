/** The threads that parse, encrypt and decrypt mail, which never happens on the main thread. */
import { availableParallelism } from 'node:os'
import { MIB } from '#contract/limits.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { Log } from '#server/platform/log.ts'
import { requestBytes, type TaskArgs, type TaskRequest } from '#server/platform/threads/batch.ts'
import type { Urgency } from '#server/platform/threads/job-queue.ts'
import { type PoolOptions, ThreadPool } from '#server/platform/threads/thread-pool.ts'
import type { MessageId } from '#server/store/store.ts'
import type { MailTasks } from './mail-tasks.ts'

/**
 * A hostile message that takes longer is stored without being parsed. Ordinary ones, measured at a load of 38: 11 ms to store a small one
 * in a new thread and 25 to open it, 7 and 32 with a MiB of HTML, and at most 50 and 210 with 24 MiB.
 */
const CPU_MS_MAX = 2000
const CPU_MS_PER_MESSAGE = 300
const CPU_MS_PER_MIB = 70
const WALL_MS_MAX = 10_000
/** JavaScript heap of one thread. Message bytes are outside of it, and the worst MIME bombs stay below 200 MB in total. */
const HEAP_MB_MAX = 192
/** Size of a thread's young generation. V8 would take and keep 48 MB, while the objects of one mail are soon garbage. */
const YOUNG_MB_MAX = 12
/** One thread never reads whole messages, so that networks which read hostile mail delay neither deliveries nor each other. */
const THREADS_MAX = Math.max(3, Math.min(availableParallelism(), 8))
/** Each took seconds of a thread, so a hundred thousand of them would take days. */
const COSTLY_MAX = 10_000

/** Priorities: a sender waits for a delivery, a row takes microseconds, a message as long as a job may. Callers may pass another. */
const URGENCIES = {
  seal: 'first',
  digest: 'first',
  firstMatch: 'soon',
  list: 'ordinary',
  summaries: 'ordinary',
  sealAuthentication: 'ordinary',
  message: 'long',
  raw: 'long',
  attachment: 'long',
  plainText: 'long',
} as const satisfies Record<keyof MailTasks, Urgency>

export function mailThreadOptions(messageIdKey: Uint8Array, log: Log): PoolOptions {
  return {
    name: 'mail',
    log,
    code: new URL('./mail.worker.ts', import.meta.url),
    settings: messageIdKey,
    resourceLimits: { maxOldGenerationSizeMb: HEAP_MB_MAX, maxYoungGenerationSizeMb: YOUNG_MB_MAX },
    threadsMax: THREADS_MAX,
    urgency: task => URGENCIES[task as keyof MailTasks],
    limits: { cpuMsMax, wallMsMax: WALL_MS_MAX },
  }
}

function cpuMsMax(job: Pick<TaskRequest, 'bytes'>): number {
  const ofMessages = CPU_MS_PER_MESSAGE * Math.max(1, job.bytes.length)
  return Math.min(CPU_MS_MAX, ofMessages + (CPU_MS_PER_MIB * requestBytes(job)) / MIB)
}

export class MailThreads extends ThreadPool<MailTasks> {
  readonly #costly: BoundedMap<MessageId, true>

  constructor(options: Omit<PoolOptions, 'retryArgs'>) {
    const costly = new BoundedMap<MessageId, true>(COSTLY_MAX)
    super({
      ...options,
      // A message that cost a thread is processed again without the parser.
      retryArgs: (args, task) => {
        const messageId = readMessageId(task, args)
        if (messageId) costly.set(messageId, true)
        return { ...(args as object), isUnparsed: true }
      },
    })
    this.#costly = costly
  }

  /**
   * Whether reading this message cost a thread. Then it is read without the parser from the start: whoever waits for mail reads it again
   * with each request, and would keep the threads from everybody.
   */
  isCostly(messageId: MessageId): boolean {
    return this.#costly.get(messageId) === true
  }
}

/** Returns the id of the one message that a task reads. */
function readMessageId(task: string, args: unknown): MessageId | undefined {
  if (task === 'message') return (args as TaskArgs<MailTasks, 'message'>).row.messageId
  if (task === 'attachment') return (args as TaskArgs<MailTasks, 'attachment'>).messageId
  const [first, ...others] = task === 'firstMatch' ? (args as TaskArgs<MailTasks, 'firstMatch'>).rows : []
  return others.length === 0 ? first?.messageId : undefined
}
