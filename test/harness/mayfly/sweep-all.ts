import type { Database } from '#server/database/database.ts'
import { Sweep } from '#server/database/sweep.ts'
import type { Clock } from '#server/platform/clock.ts'
import { createLog, type Log } from '#server/platform/log.ts'

type SweepOptions = { readonly database: Database; readonly clock: Clock; readonly log?: Log; readonly contactDays?: number }

/** Removes at once what has ended. */
export async function sweepAll({ log = createLog('silent'), contactDays = 365, ...options }: SweepOptions): Promise<void> {
  await using sweep = new Sweep({ ...options, log, contactDays, limitNames: async () => undefined })
  await sweep.run()
}
