/** Opens the configured mail store and watches its health. */
import { deriveKeyCheck } from '#server/mail/keys/secret.ts'
import type { Basics } from '#server/platform/config/config.ts'
import type { Log } from '#server/platform/log.ts'
import type { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { type ConfiguredStore, configuredStore, type OpenStore } from '#server/store/configured-store.ts'
import { HealthWatch, type KnownHealth, omitKnown, takesMail } from '#server/store/health-watch.ts'
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
  const onEnd = (kind: StoreProblem['kind']) => {
    const sentence = WELL_AGAIN[kind]
    if (sentence !== undefined) log.info(sentence)
  }
  const health = opening.use(await HealthWatch.start(stored.store, { onChange, onEnd }))
  const opened = opening.move()
  return { ...stored, health, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

function logHealth(log: Log, now: KnownHealth, before: KnownHealth, { full }: ConfiguredStore): void {
  for (const { kind, fact, remedy, isHarmless } of omitKnown(now.problems, before.problems))
    log[isHarmless && kind !== 'lost' ? 'warn' : 'error'](`${fact}: ${remedy}`)
  if (now.isFull && full !== undefined) log.error(full)
  if (!now.ok && before.ok && !now.isFull) log.error('The mail store does not take mail: senders get 451 and readers 503 until it does')
  if (takesMail(now) && !takesMail(before)) log.info('The mail store takes mail again')
}

/** The log says these once no node has a problem of a kind any more. */
const WELL_AGAIN: Partial<Record<StoreProblem['kind'], string>> = {
  alone: 'Every shard of MAIL_STORE_URL has its replicas again',
  unsaved: 'Every node of MAIL_STORE_URL keeps an append-only file again',
  outdated: 'No replica of MAIL_STORE_URL is too old any more',
  denied: 'Every node of MAIL_STORE_URL gives this server what it needs again',
  unlinked: 'Every replica of MAIL_STORE_URL copies its master again',
  unserved: 'Every slot of MAIL_STORE_URL has a master again',
  cut: 'Every shard of MAIL_STORE_URL tells of new mail again',
}
