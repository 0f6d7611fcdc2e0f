/** The one place of wiring: production, tests and benches all start the service here. */
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import { openDataFolder, readSecret } from '#server/data-folder.ts'
import { createHttp } from '#server/http/http.ts'
import { listenHttp } from '#server/http/http-server.ts'
import { createLog, type Log } from '#server/log.ts'
import { explainStart } from '#server/start-error.ts'

export type App = AsyncDisposable & {
  readonly httpPort: number
  readonly smtpPort: number
  /** The configuration as it came to be: real ports, and a public URL that names them. */
  readonly config: Config
}

/** What a test may bring along; production brings nothing. */
export type AppDeps = { readonly clock?: Clock; readonly log?: Log }

/**
 * Starts everything and resolves when mail and requests are taken. Disposing ends streams, lets SMTP finish and closes the store, in that order.
 * @throws StartError with a remedy when a port, the data folder or the disk is in the way.
 */
export async function startApp(config: Config, deps: AppDeps = {}): Promise<App> {
  try {
    return await start(config, deps)
  } catch (error) {
    throw explainStart(error, config)
  }
}

async function start(given: Config, deps: AppDeps): Promise<App> {
  const log = deps.log ?? createLog(given.logLevel)
  const stopping = new AbortController()
  await using parts = new AsyncDisposableStack()

  await openDataFolder(given.dataDir)
  await readSecret(given)
  const httpServer = parts.use(await listenHttp({ host: given.host, port: given.httpPort }))
  const config = withRealPort(given, httpServer.port)
  httpServer.serve(createHttp({ config, log }).fetch)
  parts.defer(() => stopping.abort())

  const running = parts.move()
  return { httpPort: httpServer.port, smtpPort: config.smtpPort, config, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

/** With port 0 the system chooses; links must name what it chose. */
function withRealPort(config: Config, httpPort: number): Config {
  const isPlaceholder = config.httpPort === 0 && new URL(config.publicUrl).port === '0'
  return { ...config, httpPort, publicUrl: isPlaceholder ? `http://localhost:${httpPort}` : config.publicUrl }
}
