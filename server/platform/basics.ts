import type { Clock } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Log } from './log.ts'

/** Needed everywhere. `secret`: see `loadSecret`. `config` has the real HTTP port. */
export type Basics = { readonly config: Config; readonly secret: string; readonly clock: Clock; readonly log: Log }
