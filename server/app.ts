/** Wires the whole service together. Production, tests and benches all start it here. */
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import { checkStoredFormats } from '#server/database/stored-formats.ts'
import { StreamLimit } from '#server/http/connections/stream-limit.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import { createControl, openControlPort } from '#server/operator/control.ts'
import type { OutsideServers } from '#server/operator/doctor/context.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Basics, Config } from '#server/platform/config/config.ts'
import { currentFormats } from '#server/platform/formats.ts'
import { version } from '#server/platform/installation.ts'
import { limitsFor } from '#server/platform/limits/rate-limits.ts'
import { createLog, type Log } from '#server/platform/log.ts'
import { describeMemory, isMemoryTight } from '#server/platform/memory/memory-budget.ts'
import { setOutgoingProxy } from '#server/platform/net/outgoing-proxy.ts'
import { Telemetry } from '#server/platform/telemetry/telemetry.ts'
import { Traces } from '#server/platform/telemetry/traces.ts'
import type { StarttlsState } from '#server/smtp/context.ts'
import { startSmtp } from '#server/smtp/smtp-server.ts'
import { explainStartError, loadSecret, openDataFolder } from '#server/start/data-folder.ts'
import { openMailStorage } from '#server/start/open-mail-store.ts'
import { listenSite, Shutdown, serveHttp } from '#server/start/site.ts'
import { takesMail } from '#server/store/health-watch.ts'
import type { MailStore } from '#server/store/store.ts'

type App = AsyncDisposable & {
  readonly httpPort: number
  readonly smtpPort: number
  /** Set with ACME_EMAIL. */
  readonly httpsPort: number | undefined
  /** The configuration with the ports that are really used, and a public URL that names them. */
  readonly config: Config
  /** For commands, benches and tests that need more than SMTP and HTTP. */
  readonly mail: MailCore
  /** To whom STARTTLS is offered now, and with which certificate. */
  starttls(): StarttlsState
  readonly store: MailStore
  /** Reloads the SMTP certificate for new sessions, or keeps the old one and logs why. A failed attempt by ACME is repeated. */
  reloadCertificate(): Promise<void>
}

/** Replacements for tests; production passes none. */
type Replacements = {
  readonly clock?: Clock
  readonly log?: Log
  readonly siteFolder?: string
  /** Hashes passwords at a fraction of the usual cost. */
  readonly passwordHasher?: PasswordHasher
  /** What the doctor asks outside of this machine. */
  readonly outside?: OutsideServers
}

/**
 * Starts everything and resolves once mail and requests are accepted. Disposing ends event streams, lets messages and requests under way
 * finish, then closes the store.
 * @throws StartError with a remedy when a port, the data folder or the disk prevents it; ConfigError when SMTP cannot start as configured.
 */
export async function startApp(config: Config, replacements: Replacements = {}): Promise<App> {
  try {
    return await start(config, replacements)
  } catch (error) {
    throw explainStartError(error, config)
  }
}

/**
 * The order of the start; disposing goes backwards.
 * 1. The formats of what is stored, before anything is changed; the data folder and the secret, which all else needs.
 * 2. The HTTP port is taken, so that the configuration has its real number. It serves nothing yet.
 * 3. Metrics, the mail store and its health.
 * 4. The database, which holds the operator's blocks and domains and may belong to another mail store; the mail core; accounts.
 * 5. SMTP, and HTTP.
 * 6. Certificates, and the port for commands.
 */
async function start(initialConfig: Config, replacements: Replacements): Promise<App> {
  const log = replacements.log ?? createLog(initialConfig.logLevel)
  const clock = replacements.clock ?? Date.now
  const { siteFolder, passwordHasher, outside } = replacements
  log[isMemoryTight(initialConfig.memory) ? 'info' : 'debug'](initialConfig.memory, describeMemory(initialConfig.memory))
  await using parts = new AsyncDisposableStack()
  parts.use(setOutgoingProxy(initialConfig.proxy))

  await checkStoredFormats(initialConfig)
  await openDataFolder(initialConfig.dataDir)
  const secret = loadSecret(initialConfig.dataDir, initialConfig.secret)

  const shutdown = new Shutdown()
  const site = parts.use(await listenSite(initialConfig, { clock, log, stopping: shutdown.stopping }))
  const config = withRealPort(initialConfig, site.http.port)
  const basics: Basics = { config, secret, clock, log }

  const streams = new StreamLimit(limitsFor(config).streamsPerNetworkMax)
  const { otlpEndpoint: endpoint, dnsBlocklists: blocklists } = config
  const traces = parts.use(endpoint === undefined ? undefined : new Traces({ endpoint, clock, log }))
  const telemetry = new Telemetry(blocklists, traces)
  const [opened, { openFeatures }] = await Promise.all([openMailStorage(basics, telemetry), import('#server/start/features.ts')])
  const storage = parts.use(opened)
  const features = parts.use(await openFeatures(basics, { storage, telemetry, streams, passwordHasher }))
  const { mail, moderation } = features
  const { rules } = features.operator
  const smtp = parts.use(await startSmtp({ ...basics, mail, telemetry, sharedLimits: storage.sharedLimits, rules }))

  const ports = { httpPort: site.http.port, smtpPort: smtp.port }
  const identity = { pid: process.pid, version, formats: currentFormats(), startedAt: clock(), ...ports, settings: config.fingerprints }
  const control = createControl({
    copyMailTo: storage.copyTo,
    mail,
    takesMail: () => takesMail(storage.health.latest),
    identity,
    listeners: { site, smtp },
    domains: () => rules.domains,
    moderation,
  })
  await serveHttp(basics, { storage, telemetry, streams, features, smtp, site, control, shutdown, siteFolder, outside })

  site.startCertificates(
    () => void smtp.reloadCertificate(),
    () => rules.domains.all.map(({ name }) => name),
  )
  // SMTP and HTTP open early, yet they close first: event streams end, then messages and responses under way finish.
  parts.defer(async () => {
    await shutdown.begin(config.shutdownDelayMs)
    await Promise.all([site[Symbol.asyncDispose](), smtp[Symbol.asyncDispose]()])
  })
  parts.use(await openControlPort(config.dataDir, control))

  const running = parts.move()
  return {
    ...ports,
    config: { ...config, smtpPort: smtp.port },
    mail,
    store: storage.store,
    httpsPort: site.http.httpsPort,
    starttls: smtp.starttls,
    async reloadCertificate() {
      site.retryCertificates()
      await smtp.reloadCertificate()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** With port 0 the system chooses the port, and links must contain the chosen one. */
function withRealPort(config: Config, httpPort: number): Config {
  const isPlaceholder = config.httpPort === 0 && new URL(config.publicUrl).port === '0'
  return { ...config, httpPort, publicUrl: isPlaceholder ? `http://localhost:${httpPort}` : config.publicUrl }
}
