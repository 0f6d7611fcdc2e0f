import type { Kysely } from 'kysely'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { ALLOW_ALL, createPolicy, type Policy } from '#server/mail/policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { Blocks } from './blocks.ts'
import { type OperatorSettings, readRevision } from './settings.ts'

/** Changes by a command or another process take effect within this time. */
const CHECK_MS = 2000

type LivePolicyDeps = {
  readonly db: Kysely<DatabaseSchema>
  readonly blocks: Blocks
  readonly settings: OperatorSettings
  readonly clock: Clock
  readonly log: Log
}

/** The current policy, read again when its revision in the database has grown. If the database fails, the last one stays in effect. */
export class LivePolicy implements AsyncDisposable {
  readonly #deps: LivePolicyDeps
  readonly #timer: NodeJS.Timeout
  #revision: string | undefined
  #current = ALLOW_ALL
  #checking: Promise<void> | undefined
  #hasFailed = false

  private constructor(deps: LivePolicyDeps) {
    this.#deps = deps
    this.#timer = setInterval(() => void this.#check(), CHECK_MS)
    this.#timer.unref()
  }

  static async open(deps: LivePolicyDeps): Promise<LivePolicy> {
    const policy = new LivePolicy(deps)
    await policy.#check()
    return policy
  }

  get current(): Policy {
    return this.#current
  }

  /** After a change by this process: resolves when it is in effect here. */
  async refresh(): Promise<void> {
    await this.#checking
    await this.#check()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
  }

  #check(): Promise<void> {
    this.#checking ??= this.#read().finally(() => {
      this.#checking = undefined
    })
    return this.#checking
  }

  async #read(): Promise<void> {
    const { db, blocks, settings, clock, log } = this.#deps
    try {
      const revision = await readRevision(db)
      if (revision !== this.#revision) {
        const [listed, current] = await Promise.all([blocks.list(), settings.read()])
        this.#current = createPolicy(listed, current, clock)
        this.#revision = revision
      }
      this.#hasFailed = false
    } catch (error) {
      if (!this.#hasFailed) log.error({ err: error }, 'The blocks and settings of the operator could not be read; the last ones stay')
      this.#hasFailed = true
    }
  }
}
