/**
 * The mail store of a configuration: a file in the data folder, or a cluster shared by any number of processes. Whoever has not opened it
 * asks it here for its format, its state and what cannot be done with it.
 */
import { join } from 'node:path'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { DATABASE_FILES, type Formats } from '#server/platform/formats.ts'
import { createMemoryLimits, type SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import { letHeapsDouble } from '#server/platform/node-options.ts'
import { StartError } from '#server/platform/start-error.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { openSqliteStore } from './sqlite/sqlite-store.ts'
import type { MailStore, StoreFinding } from './store.ts'

type Opening = {
  readonly secret: string
  /** See `deriveKeyCheck`. */
  readonly keyCheck: string
  readonly clock: Clock
  readonly log: Log
  readonly telemetry: Telemetry
}

export type OpenStore = {
  /** Its disposal closes the connections of `sharedLimits` too. */
  readonly store: MailStore
  readonly sharedLimits: SharedLimits
  /** Copies the mail to a new file. Rejects if mail is kept in a cluster. */
  readonly copyTo: (path: string) => Promise<void>
}

export type ConfiguredStore = {
  /** Its own format beside that of the site. */
  readonly format: Exclude<keyof Formats, 'site'>
  /** Its database in the data folder, whose format can be read before it is opened. */
  readonly file?: string
  /** @throws StartError with the remedy. */
  open(opening: Opening): Promise<OpenStore>
  /** For the doctor: nothing of a file. `isReached`: whether a running server reaches all of it. */
  examine(isReached: () => Promise<boolean>): Promise<StoreFinding[]>
  /** For the doctor, when the disk of the data folder is nearly full. */
  describeLowDisk(freeMib: number, reserveMib: number): Omit<StoreFinding, 'remedy'>
  /** For the log, when it is full and none of its problems says so. */
  readonly full?: string
  /** A warning and no refusal: one process alone needs no shared database, and it cannot know whether there are others. */
  readonly apart?: string | undefined
  /** Why the commands neither copy nor restore it. */
  readonly refusals?: { readonly backup: string; readonly restore: string }
}

export function configuredStore(config: Config): ConfiguredStore {
  return config.cluster === undefined ? fileStore(config) : clusterStore(config, config.cluster)
}

function fileStore({ dataDir: folder, diskReserveBytes }: Config): ConfiguredStore {
  return {
    format: 'mail',
    file: join(folder, DATABASE_FILES.mail),
    async open({ keyCheck, clock, log }) {
      const store = await openSqliteStore({ folder, diskReserveBytes, keyCheck, clock, log })
      return { store, sharedLimits: createMemoryLimits(clock), copyTo: path => store.copyTo(path) }
    },
    examine: async () => [],
    describeLowDisk: (free, reserve) => ({
      status: 'failure',
      sentence: `Only ${free} MiB are free: mail is refused below ${reserve} MiB.`,
    }),
    full: `The disk of ${folder} is full: senders get 452 and visitors 507 until there is room. Make some: docs/operations.md#disk-full`,
  }
}

function clusterStore({ dataDir, databaseUrl }: Config, place: NonNullable<Config['cluster']>): ConfiguredStore {
  return {
    format: 'cluster',
    open: opening => openClusterStore(place, opening),
    examine: async isReached => (await import('./valkey/examine-cluster.ts')).examineCluster(place, isReached),
    describeLowDisk(free) {
      const kept = databaseUrl === undefined ? 'accounts' : 'certificates'
      const sentence = `Only ${free} MiB are free on the disk of the data folder, which keeps ${kept}. Mail is elsewhere.`
      return { status: 'warning', sentence }
    },
    apart:
      databaseUrl === undefined
        ? `Mail is in the cluster of MAIL_STORE_URL, but accounts, API keys, webhooks and the operator's blocks are in ${dataDir}, for this process alone. ` +
          'Before you start a second process, set DATABASE_URL for all of them: with databases of their own, each would know other accounts'
        : undefined,
    refusals: {
      backup:
        'Mail is in the cluster of MAIL_STORE_URL, and addresses live too short for a backup: each node keeps its own in its append-only file. ' +
        (databaseUrl === undefined
          ? `Accounts are in ${join(dataDir, DATABASE_FILES.site)}: copy it while no server runs.`
          : 'Accounts are in PostgreSQL: back them up with pg_dump.'),
      restore:
        'Mail is in the cluster of MAIL_STORE_URL, whose nodes read their own files when they start. Restore accounts with pg_restore or psql.',
    },
  }
}

async function openClusterStore(
  place: NonNullable<Config['cluster']>,
  { secret, keyCheck, clock, telemetry }: Opening,
): Promise<OpenStore> {
  letHeapsDouble()
  const [{ openCluster }, { openValkeyStore }, { createValkeyLimits }] = await Promise.all([
    import('./valkey/client/open-cluster.ts'),
    import('./valkey/valkey-store.ts'),
    import('./valkey/valkey-limiter.ts'),
  ])
  const cluster = await openCluster(place)
  try {
    const store = await openValkeyStore({ cluster, clock, keyCheck })
    const countedLocally = telemetry.limitCountedLocally.bind(telemetry)
    return { store, sharedLimits: createValkeyLimits({ cluster, secret, clock, countedLocally }), copyTo: refuseToCopy }
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    if (error instanceof StartError) throw error
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new StartError(
      `The cluster of MAIL_STORE_URL refuses writes: ${reason.replace(/\.$/, '')}. Repair the cluster, then start again.`,
      error,
    )
  }
}

async function refuseToCopy(): Promise<never> {
  throw new Error('mail is in the cluster of MAIL_STORE_URL')
}
