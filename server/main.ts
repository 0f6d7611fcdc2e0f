/** `node server/main.ts`: starts the server by its environment, reloads the certificate on SIGHUP, stops on SIGTERM or SIGINT. */
import { enableCompiledCodeCache, keepHeapsSmall } from '#server/platform/node-options.ts'

keepHeapsSmall()
enableCompiledCodeCache(process.env)
// The compile cache applies only to modules imported after this call.
const [{ startApp }, { collectWhenIdle }, { addressesOf, renderBanner }, { ConfigError, readConfig }, { createLog }, { StartError }] =
  await Promise.all([
    import('#server/app.ts'),
    import('#server/platform/memory/gc-hint.ts'),
    import('#server/start/banner.ts'),
    import('#server/platform/config/config.ts'),
    import('#server/platform/log.ts'),
    import('#server/platform/start-error.ts'),
  ])

/** How long stopping may take beyond delay and drain, 9 s in all by default: supervisors kill after 10 s (Docker) or 90 s (systemd). */
const CLOSE_MS_MAX = 3_000
/** A terminal sends Ctrl-C to every process in the foreground, and npm passes it on. Signals within this time are one key press. */
const SAME_KEY_PRESS_MS = 2_000

/** Resolves on SIGTERM, on SIGINT (a second one ends the process), or when the parent process ended (scripts/server-process.mjs). */
function stopRequested(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  let requestedAt: number | undefined
  const onSignal = (signal: NodeJS.Signals) => {
    if (signal === 'SIGINT' && requestedAt !== undefined && performance.now() - requestedAt > SAME_KEY_PRESS_MS) {
      console.log('Stopped at once.')
      process.exit(1)
    }
    requestedAt ??= performance.now()
    resolve()
  }
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  process.once('disconnect', () => resolve())
  process.channel?.unref()
  return promise
}

/** Written whatever LOG_LEVEL is: who started the process reads its ports here. JSON, like the log, when no person is reading. */
const say: (text: string, facts?: object) => void = process.stdout.isTTY
  ? text => console.log(text)
  : (text, facts = {}) => createLog('info').info(facts, text)

/** Whether `npm start` runs this process, without `--silent`. */
function isLoudNpmStart({ npm_lifecycle_event, npm_config_loglevel }: NodeJS.ProcessEnv): boolean {
  return npm_lifecycle_event === 'start' && npm_config_loglevel !== 'silent'
}

async function main(): Promise<void> {
  const stopping = stopRequested().then(() => say('Stopping …'))
  await serveUntil(stopping)
  say('Stopped.')
}

async function serveUntil(stopping: Promise<void>): Promise<void> {
  await using app = await startApp(readConfig(process.env))
  // With a terminal attached, SIGHUP means that it was closed, and ends the process as usual.
  if (!process.stdin.isTTY) process.on('SIGHUP', () => void app.reloadCertificate())
  collectWhenIdle()
  const { smtpHost, httpHost, publicUrl } = app.config
  const where = {
    host: smtpHost,
    httpHost,
    httpPort: app.httpPort,
    smtpPort: app.smtpPort,
    publicUrl: process.env.PUBLIC_URL ? publicUrl : undefined,
    starttls: app.starttls(),
  }
  if (!process.stdout.isTTY) say('Ready', addressesOf(where))
  // npm puts lines of its own before the JSON: a person reads that output, in whatever file it ends.
  if (process.stdout.isTTY || isLoudNpmStart(process.env)) console.log(renderBanner(where))
  await stopping
  const { shutdownDelayMs, shutdownDrainMs } = app.config
  setTimeout(() => process.exit(1), shutdownDelayMs + shutdownDrainMs + CLOSE_MS_MAX).unref()
}

// The process reading our output may have ended before this one.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined)

try {
  await main()
} catch (error) {
  if (!(error instanceof ConfigError || error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
