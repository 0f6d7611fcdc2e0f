/** The operator's settings in the database, and the policy that follows from them and from the blocks. */
import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import { perLanguage } from '#contract/languages.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { AppError } from '#server/errors.ts'
import { normaliseDomain } from '#server/mail/addresses/address.ts'
import { createMailDomains, initialDomains, type MailDomains, type OwnNames } from '#server/mail/addresses/mail-domains.ts'
import { ALLOW_ALL, createPolicy, DIFFICULTY, defaultSettings, type Notice, type Policy, type Settings } from '#server/mail/policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Log } from '#server/platform/log.ts'
import type { AuditLog, OperatorActor } from './audit-log.ts'
import type { Blocks } from './blocks.ts'
import type { Domains } from './domains.ts'
import type { StatisticsCounter } from './statistics.ts'

const REVISION = 'revision'
const NOTICE_CHARS_MAX = 500

const stored = {
  registration: z.enum(['open', 'closed']),
  difficulty: z.number(),
  notice: z.object(perLanguage(() => z.string())),
}

/** Call in the transaction of every change that other processes must notice. */
export async function bumpRevision(step: Transaction<DatabaseSchema>): Promise<void> {
  const table = sql.table('settings')
  await sql`insert into ${table} (name, value) values (${REVISION}, '1')
    on conflict (name) do update set value = cast(cast(settings.value as integer) + 1 as text)`.execute(step)
}

async function readRevision(db: Kysely<DatabaseSchema>): Promise<string> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', REVISION).executeTakeFirst()
  return row?.value ?? '0'
}

/** Settings that the operator can change while the server runs. Every change is in the audit log. */
export class OperatorSettings {
  readonly #db: Kysely<DatabaseSchema>
  readonly #audit: AuditLog

  constructor(db: Kysely<DatabaseSchema>, audit: AuditLog) {
    this.#db = db
    this.#audit = audit
  }

  /** A value that cannot be read, e.g. from a newer version, counts as not set. */
  async read(): Promise<Settings> {
    const rows = await this.#db.selectFrom('settings').selectAll().execute()
    const values = new Map(rows.map(({ name, value }) => [name, value]))
    const get = <T>(name: string, schema: z.ZodMiniType<T>): T | undefined => {
      const parsed = schema.safeParse(parseJson(values.get(name)))
      return parsed.success ? parsed.data : undefined
    }
    const difficulty = get('difficulty', stored.difficulty) ?? defaultSettings.difficulty
    return {
      isRegistrationOpen: get('registration', stored.registration) !== 'closed',
      difficulty: Math.min(DIFFICULTY.max, Math.max(DIFFICULTY.min, difficulty)),
      notice: get('notice', stored.notice),
    }
  }

  async setRegistration(actor: OperatorActor, isOpen: boolean): Promise<void> {
    await this.#set(actor, 'registration', isOpen ? 'open' : 'closed', isOpen ? 'registration.open' : 'registration.close')
  }

  /** AppError `invalid_request` outside of `DIFFICULTY`. */
  async setDifficulty(actor: OperatorActor, difficulty: number): Promise<void> {
    if (!Number.isInteger(difficulty) || difficulty < DIFFICULTY.min || difficulty > DIFFICULTY.max) {
      throw new AppError('invalid_request', { detail: `The difficulty is a whole number from ${DIFFICULTY.min} to ${DIFFICULTY.max}.` })
    }
    await this.#set(actor, 'difficulty', difficulty, 'difficulty.set', String(difficulty))
  }

  /** A text in every language, or no notice. AppError `invalid_request`. */
  async setNotice(actor: OperatorActor, notice: Notice | undefined): Promise<void> {
    const texts = notice ? Object.values(notice) : []
    if (texts.some(text => text.trim() === '' || text.length > NOTICE_CHARS_MAX || /[^\P{Cc}\n]/u.test(text))) {
      throw new AppError('invalid_request', { detail: `A notice has a text in every language, of at most ${NOTICE_CHARS_MAX} characters.` })
    }
    await this.#set(actor, 'notice', notice ?? null, notice ? 'notice.set' : 'notice.clear')
  }

  async #set(actor: OperatorActor, name: string, value: unknown, action: string, subject = ''): Promise<void> {
    await this.#db.transaction().execute(async step => {
      const row = { name, value: JSON.stringify(value) }
      await step
        .insertInto('settings')
        .values(row)
        .onConflict(conflict => conflict.column('name').doUpdateSet({ value: row.value }))
        .execute()
      await this.#audit.add(actor, action, subject, step)
      await bumpRevision(step)
    })
  }
}

function parseJson(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return undefined
  }
}

/** Changes by a command or another process take effect within a second. */
const CHECK_MS = 800

type LivePolicyDeps = {
  readonly db: Kysely<DatabaseSchema>
  readonly blocks: Blocks
  readonly settings: OperatorSettings
  readonly domains: Domains
  readonly counter: StatisticsCounter
  readonly ownNames: OwnNames
  readonly clock: Clock
  readonly log: Log
}

/**
 * The current policy and domains, read again when their revision in the database has grown. If the database fails, the last ones stay in
 * effect.
 */
export class LivePolicy implements AsyncDisposable {
  readonly #deps: LivePolicyDeps
  readonly #timer: NodeJS.Timeout
  #revision: string | undefined
  #current = ALLOW_ALL
  #domains: MailDomains
  #checking: Promise<void> | undefined
  #refreshing: Promise<void> | undefined
  #hasFailed = false

  private constructor(deps: LivePolicyDeps) {
    this.#deps = deps
    this.#domains = createMailDomains(initialDomains(deps.ownNames.domains), deps.ownNames, deps.clock)
    this.#timer = setInterval(() => void this.#check(), CHECK_MS)
    this.#timer.unref()
  }

  /** Rejects when they cannot be read: nobody is served by rules that were never read. */
  static async open(deps: LivePolicyDeps): Promise<LivePolicy> {
    await using opening = new AsyncDisposableStack()
    const policy = opening.use(new LivePolicy(deps))
    await policy.#read()
    opening.move()
    return policy
  }

  get current(): Policy {
    return this.#current
  }

  get domains(): MailDomains {
    return this.#domains
  }

  /** Resolves when every change that was made before the call is in effect here. Those who ask while it waits share one look. */
  refresh(): Promise<void> {
    this.#refreshing ??= (async () => {
      await this.#checking
      this.#refreshing = undefined
      await this.#check()
    })()
    return this.#refreshing
  }

  /** A site refused an address at this domain, as its visitor says. Ignored for one that is not ours. */
  noteUnwelcome(domain: string): void {
    const ours = this.#domains.receiving(normaliseDomain(`@${domain}`, ''))
    if (ours) this.#deps.counter.countAt(ours.name, 'unwelcome')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer)
    await this.#checking
  }

  #check(): Promise<void> {
    this.#checking ??= this.#read()
      .then(() => {
        this.#hasFailed = false
      })
      .catch(err => {
        if (!this.#hasFailed)
          this.#deps.log.error({ err }, 'The blocks, settings and domains of the operator could not be read; the last ones stay')
        this.#hasFailed = true
      })
      .finally(() => {
        this.#checking = undefined
      })
    return this.#checking
  }

  async #read(): Promise<void> {
    const { db, blocks, settings, domains, ownNames, clock } = this.#deps
    const revision = await readRevision(db)
    if (revision === this.#revision) return
    const [listed, current, ours] = await Promise.all([blocks.list(), settings.read(), domains.inUse()])
    this.#current = createPolicy(listed, current, clock, domain => this.#domains.receiving(domain)?.name)
    // The same object while they are the same: what was made of them stays.
    if (!isDeepStrictEqual(ours, this.#domains.all)) this.#domains = createMailDomains(ours, ownNames, clock)
    this.#revision = revision
  }
}
