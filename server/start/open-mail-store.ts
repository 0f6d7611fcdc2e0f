/** Opens the configured mail store and watches its health. */
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Basics } from '#server/platform/basics.ts'
import type { Log } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { type ConfiguredStore, configuredStore, type OpenStore } from '#server/store/configured-store.ts'
import { HealthWatch, type KnownHealth, omitKnown } from '#server/store/health-watch.ts'
import type { StoreProblem } from '#server/store/store.ts'

export type MailStorage = AsyncDisposable & OpenStore & { readonly health: HealthWatch }

/** @throws StartError with the remedy when the store cannot be opened. */
export async function openMailStorage({ config, secret, clock, log }: Basics, telemetry: Telemetry): Promise<MailStorage> {
  await using opening = new AsyncDisposableStack()
  const configured = configuredStore(config)
  const stored = await configured.open({ secret, keyCheck: deriveKeyCheck(secret), clock, log, telemetry })
  opening.use(stored.store)
  if (configured.apart !== undefined) log.warn(configured.apart)
  const onChange = (health: KnownHealth, before: KnownHealth) => logHealth(log, health, before, configured)
  const health = opening.use(await HealthWatch.start(stored.store, { onChange }))
  const opened = opening.move()
  return { ...stored, health, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function logHealth(log: Log, now: KnownHealth, before: KnownHealth, { full }: ConfiguredStore): void {
  for (const { kind, fact, remedy } of omitKnown(now.problems, before.problems))
    log[HARMLESS.has(kind) && kind !== 'lost' ? 'warn' : 'error'](`${fact}: ${remedy}`)
  if (now.isFull && full !== undefined) log.error(full)
  if (!now.ok && before.ok && !now.isFull) log.error('The mail store does not take mail: senders get 451 and readers 503 until it does')
  if (takesMail(now) && !takesMail(before)) log.info('The mail store takes mail again')
  if (!isAlone(now) && isAlone(before)) log.info('Every shard of MAIL_STORE_URL has its replicas again')
}

const isAlone = ({ problems = [] }: KnownHealth) => problems.some(({ kind }) => kind === 'alone')
/** Problems with which mail is taken all the same. */
const HARMLESS: ReadonlySet<StoreProblem['kind']> = new Set(['alone', 'unsaved', 'outdated', 'unheard', 'cut', 'lost'])
const takesMail = ({ ok, isFull, problems = [] }: KnownHealth) => ok && !isFull && problems.every(({ kind }) => HARMLESS.has(kind))
