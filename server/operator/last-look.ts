/** Keeps the last findings of the doctor of the operator's page, for every process and after a restart. */
import { type OperatorLook, operatorLookSchema } from '#contract/operator.ts'
import type { DatabaseAccess } from '#server/database/database.ts'
import { toIso } from '#server/platform/clock.ts'
import { parseJson } from '#server/platform/parse-json.ts'

/** A row of the settings. */
const NAME = 'doctor'

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
      .values({ name: NAME, value })
      .onConflict(conflict => conflict.column('name').doUpdateSet({ value }))
      .execute()
      .catch(error => log.warn({ err: error }, "The doctor's findings could not be kept"))
  }

  /** `null` until the doctor has looked. One that another version has kept in another form counts as none. */
  async read(): Promise<OperatorLook | null> {
    const row = await this.#access.db.selectFrom('settings').select('value').where('name', '=', NAME).executeTakeFirst()
    if (!row) return null
    const parsed = operatorLookSchema.safeParse(parseJson(row.value))
    return parsed.success ? parsed.data : null
  }
}
