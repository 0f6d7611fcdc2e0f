/** Opens the configured mail store: a file in the data folder, or a cluster shared by any number of processes. */
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Config } from '#server/platform/config/config.ts'
import { createMemoryLimits, type LocalCountReason, type SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import { letHeapsDouble } from '#server/platform/node-options.ts'
import { StartError } from '#server/platform/start-error.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { IdentifiedStore } from '#server/store/store.ts'
import type { Basics } from './start-phases.ts'

type OpenedMailStore = {
  /** Disposing of it closes the connections of `sharedLimits` too. */
  readonly store: IdentifiedStore
  readonly sharedLimits: SharedLimits
  /** Copies the mail to a new file. Rejects if mail is kept in a cluster. */
  readonly copyTo: (path: string) => Promise<void>
}

/** `countedLocally`: a shared limit could not be counted together. @throws StartError with the remedy when the store cannot be opened. */
export async function openMailStore(
  { config, secret, clock, log }: Basics,
  countedLocally: (reason: LocalCountReason) => void,
): Promise<OpenedMailStore> {
  const keyCheck = deriveKeyCheck(secret)
  const { dataDir: folder, diskReserveBytes, mailStoreUrls } = config
  if (mailStoreUrls === undefined) {
    const store = await openSqliteStore({ folder, diskReserveBytes, keyCheck, clock, log })
    return { store, sharedLimits: createMemoryLimits(clock), copyTo: path => store.copyTo(path) }
  }
  letHeapsDouble()
  const [{ openCluster }, { openValkeyStore }, { createValkeyLimits }] = await Promise.all([
    import('#server/store/valkey/client/open-cluster.ts'),
    import('#server/store/valkey/valkey-store.ts'),
    import('#server/store/valkey/valkey-limiter.ts'),
  ])
  const cluster = await openCluster({
    urls: mailStoreUrls,
    replicas: config.mailStoreReplicas.count,
    isSynced: config.mailStoreReplicas.isSynced,
  })
  try {
    const store = await openValkeyStore({ cluster, clock, keyCheck })
    warnOfOwnAccounts(config, log)
    return { store, sharedLimits: createValkeyLimits({ cluster, secret, clock, countedLocally }), copyTo: refuseToCopy }
  } catch (error) {
    await cluster[Symbol.asyncDispose]()
    if (error instanceof StartError) throw error
    const reason = error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error)
    throw new StartError(`The cluster of MAIL_STORE_URL refuses writes: ${reason}. Repair the cluster, then start again.`, error)
  }
}

async function refuseToCopy(): Promise<never> {
  throw new Error('mail is in the cluster of MAIL_STORE_URL')
}

/** A warning and no refusal: one process alone needs no shared database, and it cannot know whether there are others. */
function warnOfOwnAccounts({ databaseUrl, dataDir }: Config, log: Log): void {
  if (databaseUrl !== undefined) return
  log.warn(
    `Mail is in the cluster of MAIL_STORE_URL, but accounts, API keys, webhooks and the operator's blocks are in ${dataDir}, for this process alone. ` +
      'Before you start a second process, set DATABASE_URL for all of them: with databases of their own, each would know other accounts',
  )
}
