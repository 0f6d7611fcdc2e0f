/** Opens the configured mail store: a file in the data folder, or a cluster shared by any number of processes. */
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Basics } from '#server/platform/basics.ts'
import type { Config } from '#server/platform/config/config.ts'
import { createMemoryLimits, type LocalCountReason, type SharedLimits } from '#server/platform/limits/limiter.ts'
import type { Log } from '#server/platform/log.ts'
import { letHeapsDouble } from '#server/platform/node-options.ts'
import { StartError } from '#server/platform/start-error.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { HealthWatch, type KnownHealth, omitKnown } from '#server/store/health-watch.ts'
import { openSqliteStore } from '#server/store/sqlite/sqlite-store.ts'
import type { MailStore, StoreFinding, StoreProblem } from '#server/store/store.ts'

export type MailStorage = AsyncDisposable & {
  /** Its disposal closes the connections of `sharedLimits` too. */
  readonly store: MailStore
  readonly health: HealthWatch
  readonly sharedLimits: SharedLimits
  /** Copies the mail to a new file. Rejects if mail is kept in a cluster. */
  readonly copyTo: (path: string) => Promise<void>
}

/** @throws StartError with the remedy when the store cannot be opened. */
export async function openMailStorage(basics: Basics, telemetry: Telemetry): Promise<MailStorage> {
  await using opening = new AsyncDisposableStack()
  const { config, log } = basics
  const stored = await openMailStore(basics, telemetry)
  opening.use(stored.store)
  const health = opening.use(
    await HealthWatch.start(stored.store, { onChange: (health, before) => logHealth(log, health, before, config) }),
  )
  const opened = opening.move()
  return { ...stored, health, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

async function openMailStore(
  { config, secret, clock, log }: Basics,
  telemetry: Telemetry,
): Promise<Pick<MailStorage, 'store' | 'sharedLimits' | 'copyTo'>> {
  const keyCheck = deriveKeyCheck(secret)
  const { dataDir: folder, diskReserveBytes, mailStore } = config
  if (mailStore.kind === 'file') {
    const store = await openSqliteStore({ folder, diskReserveBytes, keyCheck, clock, log })
    return { store, sharedLimits: createMemoryLimits(clock), copyTo: path => store.copyTo(path) }
  }
  letHeapsDouble()
  const [{ openCluster }, { openValkeyStore }, { createValkeyLimits }] = await Promise.all([
    import('#server/store/valkey/client/open-cluster.ts'),
    import('#server/store/valkey/valkey-store.ts'),
    import('#server/store/valkey/valkey-limiter.ts'),
  ])
  const cluster = await openCluster(mailStore)
  try {
    const store = await openValkeyStore({ cluster, clock, keyCheck })
    warnOfOwnAccounts(config, log)
    const countedLocally = (reason: LocalCountReason) => telemetry.limitCountedLocally(reason)
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

/** For the doctor: nothing of a file in the data folder. */
export async function examineMailStore({ mailStore }: Config): Promise<StoreFinding[]> {
  if (mailStore.kind === 'file') return []
  const { examineCluster } = await import('#server/store/valkey/examine-cluster.ts')
  return await examineCluster(mailStore)
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

function logHealth(log: Log, now: KnownHealth, before: KnownHealth, { dataDir, mailStore }: Config): void {
  for (const { kind, fact, remedy } of omitKnown(now.problems, before.problems))
    log[kind === 'alone' || kind === 'unsaved' ? 'warn' : 'error'](`${fact}: ${remedy}`)
  if (now.isFull && mailStore.kind === 'file')
    log.error(
      `The disk of ${dataDir} is full: senders get 452 and visitors 507 until there is room. Make some: docs/operations.md#disk-full`,
    )
  if (!now.ok && before.ok && !now.isFull) log.error('The mail store does not take mail: senders get 451 and readers 503 until it does')
  if (takesMail(now) && !takesMail(before)) log.info('The mail store takes mail again')
  if (!isAlone(now) && isAlone(before)) log.info('Every shard of MAIL_STORE_URL has its replicas again')
}

const isAlone = ({ problems = [] }: KnownHealth) => problems.some(({ kind }) => kind === 'alone')
/** Problems with which mail is taken all the same. */
const HARMLESS: ReadonlySet<StoreProblem['kind']> = new Set(['alone', 'unsaved', 'lost'])
const takesMail = ({ ok, isFull, problems = [] }: KnownHealth) => ok && !isFull && problems.every(({ kind }) => HARMLESS.has(kind))
