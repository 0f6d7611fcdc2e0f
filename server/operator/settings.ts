/** The operator's settings in the database. */
import { type Kysely, sql, type Transaction } from 'kysely'
import * as z from 'zod/mini'
import { perLanguage } from '#contract/languages.ts'
import { DIFFICULTY, NOTICE_CHARS_MAX } from '#contract/limits.ts'
import { type AuditAction, type OperatorLook, operatorLookSchema } from '#contract/operator.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import type { DatabaseSchema } from '#server/database/schema.ts'
import { invalid } from '#server/errors.ts'
import { defaultSettings, type Settings, type SiteNotice } from '#server/mail/policy.ts'
import { toIso } from '#server/platform/clock.ts'
import { parseJson } from '#server/platform/parse-json.ts'
import type { AuditedBy, AuditLog } from './audit-log.ts'

const REVISION = 'revision'

const stored = { registration: z.enum(['open', 'closed']), difficulty: z.number(), notice: z.object(perLanguage(() => z.string())) }

/** Call in the transaction of every change that other processes must notice. */
export async function bumpRevision(step: Transaction<DatabaseSchema>): Promise<void> {
  const table = sql.table('settings')
  await sql`insert into ${table} (name, value) values (${REVISION}, '1')
    on conflict (name) do update set value = cast(cast(settings.value as integer) + 1 as text)`.execute(step)
}

/** Grows with each of those changes. */
export async function readRevision(db: Kysely<DatabaseSchema>): Promise<string> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', REVISION).executeTakeFirst()
  return row?.value ?? '0'
}

/** Settings that the operator can change while the server runs. Every change is in the audit log. */
export class StoredSettings {
  readonly #access: DatabaseAccess
  readonly #audit: AuditLog

  constructor(access: DatabaseAccess, audit: AuditLog) {
    this.#access = access
    this.#audit = audit
  }

  /** A value that cannot be read, e.g. from a newer version, counts as not set. */
  async read(): Promise<Settings> {
    const rows = await this.#access.db.selectFrom('settings').selectAll().execute()
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

  async setRegistration(actor: AuditedBy, isOpen: boolean): Promise<void> {
    await this.#set(actor, 'registration', isOpen ? 'open' : 'closed', isOpen ? 'registration.open' : 'registration.close')
  }

  /** AppError `invalid_request` outside of `DIFFICULTY`. */
  async setDifficulty(actor: AuditedBy, difficulty: number): Promise<void> {
    if (!Number.isInteger(difficulty) || difficulty < DIFFICULTY.min || difficulty > DIFFICULTY.max) {
      throw invalid(`The difficulty is a whole number from ${DIFFICULTY.min} to ${DIFFICULTY.max}.`)
    }
    await this.#set(actor, 'difficulty', difficulty, 'difficulty.set', String(difficulty))
  }

  /** A text in every language, or no notice. AppError `invalid_request`. */
  async setNotice(actor: AuditedBy, notice: SiteNotice | undefined): Promise<void> {
    const texts = notice ? Object.values(notice) : []
    if (texts.some(text => text.trim() === '' || text.length > NOTICE_CHARS_MAX || /[^\P{Cc}\n]/u.test(text))) {
      throw invalid(`A notice has a text in every language, of at most ${NOTICE_CHARS_MAX} characters.`)
    }
    await this.#set(actor, 'notice', notice ?? null, notice ? 'notice.set' : 'notice.clear')
  }

  async #set(actor: AuditedBy, name: string, value: unknown, action: AuditAction, subject = ''): Promise<void> {
    await this.#access.db.transaction().execute(async step => {
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

/** A row of the settings. */
const LAST_LOOK = 'doctor'

/** Keeps the last findings of the doctor of the operator's page, for every process and after a restart. */
export class LastLook {
  readonly #access: DatabaseAccess

  constructor(access: DatabaseAccess) {
    this.#access = access
  }

  /** It never rejects: what was found is told even if it cannot be kept. */
  async keep(findings: OperatorLook['findings']): Promise<void> {
    const { db, clock, log } = this.#access
    const value = JSON.stringify({ at: toIso(clock()), findings })
    await db
      .insertInto('settings')
      .values({ name: LAST_LOOK, value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
      .execute()
      .catch(error => log.warn({ err: error }, "The doctor's findings could not be kept"))
  }

  /** `null` until the doctor has looked. One that another version has kept in another form counts as none. */
  async read(): Promise<OperatorLook | null> {
    const row = await this.#access.db.selectFrom('settings').select('value').where('name', '=', LAST_LOOK).executeTakeFirst()
    if (!row) return null
    const parsed = operatorLookSchema.safeParse(parseJson(row.value))
    return parsed.success ? parsed.data : null
  }
}
