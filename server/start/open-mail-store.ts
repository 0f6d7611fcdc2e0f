/** Opens the configured mail store: a file in the data folder, or a cluster shared by any number of processes. */
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import { StartError } from '#server/platform/start-error.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { IdentifiedStore } from '#server/store/store.ts'
import type { Cluster } from '#server/store/valkey/client/cluster.ts'

type OpenedMailStore = {
  /** Disposing of it closes the cluster too. */
  readonly store: IdentifiedStore
  /** The cluster, if mail is kept in one. Processes count their shared limits there. */
  readonly cluster: Cluster | undefined
  /** Copies the mail to a new file. Rejects if mail is kept in a cluster. */
  readonly copyTo: (path: string) => Promise<void>
}

/** @throws StartError with the remedy when the store cannot be opened. */
export async function openMailStore(config: Config, keyCheck: string, clock: Clock, log: Log): Promise<OpenedMailStore> {
  const { dataDir: folder, diskReserveBytes, mailStoreUrls } = config
  if (mailStoreUrls === undefined) {
    const store = await openSqliteStore({ folder, diskReserveBytes, keyCheck, clock, log })
    return { store, cluster: undefined, copyTo: path => store.copyTo(path) }
  }
  const [{ openCluster }, { openValkeyStore }] = await Promise.all([
    import('#server/store/valkey/client/open-cluster.ts'),
    import('#server/store/valkey/valkey-store.ts'),
  ])
  const cluster = await openCluster({
    urls: mailStoreUrls,
    replicas: config.mailStoreReplicas.count,
    isSynced: config.mailStoreReplicas.isSynced,
  })
  try {
    const store = await openValkeyStore({ cluster, clock, keyCheck })
    warnOfOwnAccounts(config, log)
    return { store, cluster, copyTo: refuseToCopy }
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
