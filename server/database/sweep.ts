import { sql } from 'kysely'
import { DAY_MS, HOUR_MS } from '#contract/limits.ts'
import { BackgroundWork } from '#server/platform/background-work.ts'
import { serve } from '#server/platform/limits/clients.ts'
import { type DatabaseAccess, sweepAlone } from './database.ts'
import { GROUP_MAX, MAILBOX_TABLES, removeDeliveries, removeInGroups } from './mailbox-rows.ts'
import type { DatabaseSchema } from './schema.ts'

/** What is about a mailbox must be off the disk within five seconds. */
const EVERY_MS = 2000
/** One sweep covers all tables: docs/privacy.md promises that expired sessions and links are removed within 5 minutes. */
const SWEEPS_PER_WHOLE = 60

/** For the turns of the database's connection. */
const SWEEP = 'sweep'

/** How long rows are kept after the time that their table notes. */
export const KEPT_MS = { signUps: 7 * DAY_MS, knownNetworks: 90 * DAY_MS, agentSessions: HOUR_MS } as const

/** A table, the column with the time after which its rows are removed, and for how long they are kept after it. */
type Ending = {
  [Table in keyof DatabaseSchema]: readonly [Table, keyof DatabaseSchema[Table] & string, keptMs?: number]
}[keyof DatabaseSchema]

/** Rows about one mailbox; each column has an index. `idempotent_mailboxes` end with the reply they refer to, webhooks come last. */
const OF_MAILBOXES = MAILBOX_TABLES.toReversed().map(
  table => [table === 'idempotent_mailboxes' ? 'idempotent_requests' : table, 'expires_at'] as const,
)
const OTHERS: readonly Ending[] = [
  ['sessions', 'expires_at'],
  ['verified_sessions', 'expires_at'],
  ['link_tokens', 'expires_at'],
  ['passkey_challenges', 'expires_at'],
  ['sign_ups', 'created_at', KEPT_MS.signUps],
  ['known_networks', 'seen_at', KEPT_MS.knownNetworks],
  ['chosen_names', 'refused_until'],
  ['agent_sessions', 'used_at', KEPT_MS.agentSessions],
  ['blocks', 'ends_at'],
]
/** What people wrote to the operator, which CONTACT_DAYS ends, read or not. */
const MESSAGES = ['contact_messages', 'abuse_reports', 'operator_messages'] as const

type SweepDeps = DatabaseAccess & {
  readonly contactDays: number
  /** Removes chosen names above their limit. */
  readonly limitNames: () => Promise<void>
  /** Goes on with what a process that was killed, or a mail store that was away, left. */
  readonly destroyEnding: () => Promise<unknown>
  /** For tests. */
  readonly everyMs?: number
}

/** Removes the rows that have ended. Of several processes, one at a time. */
export class Sweep implements AsyncDisposable {
  readonly #deps: SweepDeps
  readonly #background: BackgroundWork
  readonly #timer: NodeJS.Timeout
  readonly #stopped = new AbortController()
  #sweeps = 0
  #isSweeping = false
  #isFailing = false

  /** Starts with all tables: rows ended while no server was running. */
  constructor(deps: SweepDeps) {
    this.#deps = deps
    this.#background = new BackgroundWork(deps.log)
    this.#timer = setInterval(() => this.#next(), deps.everyMs ?? EVERY_MS)
    this.#timer.unref()
    this.#next()
  }

  async run(): Promise<void> {
    await this.#remove(OF_MAILBOXES)
    await this.#remove(OTHERS)
    await this.#deps.limitNames()
    await this.#removeMessages()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    this.#stopped.abort()
    await this.#background.idle()
  }

  #next(): void {
    if (this.#isSweeping) return
    this.#isSweeping = true
    const isWhole = this.#sweeps++ % SWEEPS_PER_WHOLE === 0
    const sweep = async () => {
      await (isWhole ? this.run() : this.#remove(OF_MAILBOXES))
      await this.#deps.destroyEnding()
      if (this.#isFailing) this.#deps.log.info('What has ended is removed again')
      this.#isFailing = false
    }
    // It takes turns with those who are served, who wait for little else of it than they do for each other.
    const work = serve([SWEEP], () => sweepAlone(this.#deps, sweep)).finally(() => {
      this.#isSweeping = false
    })
    void this.#background.run(work, this.#noteFailure)
  }

  /** Logged once for each outage, during which every sweep fails. */
  readonly #noteFailure = (err: unknown) => {
    if (!this.#isFailing) this.#deps.log.error({ err }, 'What has ended could not be removed; it stays closed, and is tried again')
    this.#isFailing = true
  }

  async #remove(endings: readonly Ending[]): Promise<void> {
    const { db, dialect, clock } = this.#deps
    for (const [table, column, keptMs = 0] of endings) {
      const end = clock() - keptMs
      if (table === 'webhooks') await this.#removeDeliveries(end)
      const id = sql<number>`rowid`
      const group = db.selectFrom(table).select(id.as('id')).where(db.dynamic.ref(column), '<=', end).limit(GROUP_MAX)
      // Rows that are left at a stop go at the next start.
      if (dialect === 'sqlite') await removeInGroups(db.deleteFrom(table).where(id, 'in', group), this.#stopped.signal)
      else await db.deleteFrom(table).where(db.dynamic.ref(column), '<=', end).execute()
    }
  }

  /** The deliveries of webhooks that have ended would all go at once with them. */
  async #removeDeliveries(end: number): Promise<void> {
    const ended = await this.#deps.db.selectFrom('webhooks').select('id').where('expires_at', '<=', end).execute()
    for (const { id } of ended) await removeDeliveries(this.#deps, 'webhook_id', [id], this.#stopped.signal)
  }

  /** Logs how many: with a wrong clock or a new limit that can be everything, and nothing else would say where it went. */
  async #removeMessages(): Promise<void> {
    const { db, clock, log, contactDays } = this.#deps
    const removed: Record<string, number> = {}
    for (const table of MESSAGES) {
      const old = db.deleteFrom(table).where('received_at', '<=', clock() - contactDays * DAY_MS)
      removed[table] = Number((await old.executeTakeFirstOrThrow()).numDeletedRows)
    }
    if (Object.values(removed).some(count => count > 0)) log.info({ ...removed, contactDays }, 'Old messages to the operator were deleted')
  }
}
