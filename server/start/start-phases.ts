/** What the phases of the start in app.ts hand on to the later ones. */

import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import type { HealthWatch } from '#server/store/health-watch.ts'
import type { IdentifiedStore } from '#server/store/store.ts'

/** Needed everywhere. `config` has the real HTTP port. */
export type Basics = { readonly config: Config; readonly secret: string; readonly clock: Clock; readonly log: Log }

/** Where mail is kept. */
export type MailStorage = AsyncDisposable & {
  readonly store: IdentifiedStore
  readonly health: HealthWatch
  readonly sharedLimits: SharedLimits
  /** Copies the mail to a new file. Rejects if mail is kept in a cluster. */
  readonly copyTo: (path: string) => Promise<void>
}
