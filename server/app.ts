/** Wires the whole service together. Production, tests and benches all start it here. */
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { PasswordHasher } from '#server/accounts/password-hasher.ts'
import { createBotCheck } from '#server/bot-check/create-bot-check.ts'
import { portCertificates } from '#server/certificates/port-certificates.ts'
import type { Clock } from '#server/clock.ts'
import type { Config } from '#server/config.ts'
import { type Control, controlActions } from '#server/control/control-actions.ts'
import { openControl } from '#server/control/control-server.ts'
import { openDataFolder } from '#server/data-folder.ts'
import { readStoredBlocks } from '#server/database/stored-blocks.ts'
import { type DatabaseFeatures, listenToMail, openDatabaseFeatures, waitingInbox } from '#server/database-features.ts'
import type { Surroundings } from '#server/doctor/context.ts'
import { AppError } from '#server/errors.ts'
import { StreamLimit } from '#server/http/connections/stream-limit.ts'
import { limitsFor } from '#server/limiter/limits.ts'
import { createMemoryLimiter } from '#server/limiter/memory-limiter.ts'
import { createValkeyLimits, type ValkeyLimits } from '#server/limiter/valkey-limiter.ts'
import { listenSite, type Site } from '#server/listen-site.ts'
import { createLog, type Log } from '#server/log.ts'
import { createAuthenticator } from '#server/mail/authentication/authenticate.ts'
import { createMail } from '#server/mail/create-mail.ts'
import { deriveKeyCheck, loadSecret } from '#server/mail/keys/secret.ts'
import type { Mail } from '#server/mail/mail.ts'
import { describeMemory, isTight } from '#server/memory-budget.ts'
import { createMetrics, type Metrics } from '#server/metrics.ts'
import { openMailStore } from '#server/open-mail-store.ts'
import { countingAuthenticate, countingBotCheck, countingMetrics } from '#server/operator/observe.ts'
import { StatisticsCounter } from '#server/operator/statistics.ts'
import { Traces } from '#server/operator/traces.ts'
import { createPolicy, defaultSettings } from '#server/policy/policy.ts'
import { root } from '#server/root.ts'
import { Shutdown } from '#server/shutdown.ts'
import { type SmtpServer, startSmtp } from '#server/smtp/smtp-server.ts'
import { explainStart } from '#server/start-error.ts'
import { HealthWatch } from '#server/store/health-watch.ts'
import type { MailStore } from '#server/store/store.ts'
import { version } from '#server/version.ts'

export type App = AsyncDisposable & {
  readonly httpPort: number
  readonly smtpPort: number
  /** There with ACME_EMAIL. */
  readonly httpsPort: number | undefined
  /** The configuration with the ports that are really used, and a public URL that names them. */
  readonly config: Config
  /** For commands, benches and tests that need more than SMTP and HTTP. */
  readonly mail: Mail
  readonly store: MailStore
  /** Reloads the SMTP certificate for new TLS sessions. One that cannot be used is logged and the old one kept. An attempt by ACME that failed is repeated. */
  reloadCertificate(): Promise<void>
}

/** Replacements for tests; production passes none. */
type AppDeps = {
  readonly clock?: Clock
  readonly log?: Log
  /** Folder of the built site. */
  readonly siteFolder?: string
  /** Hashes passwords at a fraction of the usual cost. */
  readonly passwordHasher?: PasswordHasher
  /** What the doctor asks outside of this machine. */
  readonly doctor?: Surroundings
}

/**
 * Starts everything and resolves once mail and requests are accepted. Disposing ends event streams, lets messages and requests under way
 * finish, then closes the store.
 * @throws StartError with a remedy when a port, the data folder or the disk prevents it; ConfigError when SMTP cannot start as configured.
 */
export async function startApp(config: Config, deps: AppDeps = {}): Promise<App> {
  try {
    return await start(config, deps)
  } catch (error) {
    throw explainStart(error, config)
  }
}

/**
 * The order of the start; disposing goes backwards.
 * 1. The data folder and the secret, which all else needs.
 * 2. The HTTP port is taken, so that the configuration has its real number. It serves nothing yet.
 * 3. The mail store, its health, metrics and the mail core.
 * 4. A PostgreSQL database: it may belong to another mail store, which must be known before SMTP greets anyone.
 * 5. SMTP. Until the database is open, the blocks of the last run hold, and mail to the operator waits.
 * 6. A SQLite database, and HTTP on it: its modules are imported while SMTP already greets senders.
 * 7. Certificates, and the port for commands.
 */
async function start(initialConfig: Config, deps: AppDeps): Promise<App> {
  const log = deps.log ?? createLog(initialConfig.logLevel)
  const clock = deps.clock ?? Date.now
  log[isTight(initialConfig.memory) ? 'info' : 'debug'](initialConfig.memory, describeMemory(initialConfig.memory))
  await using parts = new AsyncDisposableStack()

  await openDataFolder(initialConfig.dataDir)
  const secret = loadSecret(initialConfig.dataDir, initialConfig.secret)
  const shutdown = new Shutdown()
  const site = parts.use(await listenSite(initialConfig, { clock, log, stopping: shutdown.announced }))
  const httpServer = site.http
  const config = withRealPort(initialConfig, httpServer.port)
  const { store: openedStore, cluster, copyTo } = await openMailStore(config, { keyCheck: deriveKeyCheck(secret), clock, log })
  const store = parts.use(openedStore)

  const health = parts.use(await HealthWatch.start(store, { onChange: ok => logHealth(log, ok) }))

  const counts = cluster && createValkeyLimits(cluster, secret)
  const limits = limitsFor(config)
  const streams = new StreamLimit(limits.streamsPerNetworkMax)
  const counter = new StatisticsCounter()
  const metrics = openMetrics(config, parts, { streams: () => streams.count, counter, clock, log })

  const featuresOpened = Promise.withResolvers<DatabaseFeatures>()
  featuresOpened.promise.catch(() => undefined)
  const authenticator = parts.use(openAuthenticator(config, log))
  const mail = parts.use(
    createMail({
      store,
      storeHealth: () => health.latest,
      secret,
      config,
      clock,
      random: randomBytes,
      log,
      operatorInbox: waitingInbox(featuresOpened.promise),
      mailboxRefused: metrics.mailboxRefused,
      listener: listenToMail(featuresOpened.promise),
      ...(authenticator ? { authenticate: countingAuthenticate(authenticator.authenticate, counter, metrics) } : {}),
    }),
  )
  // A database on the network may belong to another mail store. That must be checked before SMTP greets anyone.
  const isShared = config.databaseUrl !== undefined
  const mailStoreId = isShared ? store.storeId : undefined
  const state = { counter, health: () => health.latest, streams: () => streams.count }
  const featureDeps = { config, secret, mailStoreId, clock, log, mail, store, passwordHasher: deps.passwordHasher, state, counts }
  const sharedFeatures = isShared ? parts.use(await openDatabaseFeatures(featureDeps)) : undefined
  // Until the database is open, a moment after the first greeting, the blocks of the last run hold.
  const storedPolicy = createPolicy(isShared ? [] : readStoredBlocks(config.dataDir), defaultSettings, clock)
  let livePolicy = sharedFeatures?.operations.livePolicy
  const policy = () => livePolicy?.current ?? storedPolicy
  const smtp = parts.use(await startSmtp({ mail, config, log, clock, metrics: metrics.smtp, shared: counts, policy }))
  // If the database cannot be opened, mail to the operator that waits for it gets a temporary refusal.
  parts.defer(() => featuresOpened.reject(new AppError('unavailable')))
  const features = sharedFeatures ?? parts.use(await openDatabaseFeatures(featureDeps))
  livePolicy = features.operations.livePolicy
  featuresOpened.resolve(features)

  const siteFolder = deps.siteFolder ?? join(root, 'dist/web')
  const identity = { pid: process.pid, version, startedAt: clock(), httpPort: httpServer.port, smtpPort: smtp.port }
  const control = controlActions({ copyTo, mail, identity, site, moderation: features.operations.moderation })
  const served = { control, config, mail, health, clock, log, metrics, streams, limits, features, siteFolder, smtp, site, counter }
  const fetch = await buildHttp({ ...served, doctor: deps.doctor, shutdown, secret, counts })
  httpServer.serve(fetch)
  site.startCertificates(() => void smtp.reloadCertificate())
  parts.use(edgesFirst(site, smtp, { shutdown, delayMs: config.shutdownDelayMs }))

  parts.use(await openControl({ dataDir: config.dataDir, actions: control }))

  const running = parts.move()
  return {
    httpPort: httpServer.port,
    smtpPort: smtp.port,
    config: { ...config, smtpPort: smtp.port },
    mail,
    store,
    httpsPort: httpServer.httpsPort,
    async reloadCertificate() {
      site.retryCertificates()
      await smtp.reloadCertificate()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function openAuthenticator({ authenticateMail, dnsServers, dnsBlocklists: blocklists }: Config, log: Log) {
  return authenticateMail ? createAuthenticator({ dnsServers, blocklists, log }) : undefined
}

type MetricsDeps = { streams: () => number; counter: StatisticsCounter; clock: Clock; log: Log }

/** For Prometheus, for the operator's page and, if a collector is named, as traces. */
function openMetrics(
  { otlpEndpoint: endpoint }: Config,
  parts: AsyncDisposableStack,
  { streams, counter, clock, log }: MetricsDeps,
): Metrics {
  const counted = countingMetrics(createMetrics(streams), counter)
  return endpoint === undefined ? counted : parts.use(new Traces({ endpoint, clock, log })).observing(counted)
}

function logHealth(log: Log, ok: boolean): void {
  if (ok) log.info('the mail store takes mail again')
  else log.error('the mail store does not take mail: senders get 451 and readers 503 until it does')
}

/**
 * SMTP and HTTP open early, yet they must close first, unlike the order of a stack: event streams end, then messages and responses under
 * way finish.
 */
function edgesFirst(
  site: AsyncDisposable,
  smtp: AsyncDisposable,
  { shutdown, delayMs }: { shutdown: Shutdown; delayMs: number },
): AsyncDisposable {
  return {
    async [Symbol.asyncDispose]() {
      await shutdown.begin(delayMs)
      await Promise.all([site[Symbol.asyncDispose](), smtp[Symbol.asyncDispose]()])
    },
  }
}

type HttpParts = {
  config: Config
  mail: Mail
  health: HealthWatch
  clock: Clock
  log: Log
  metrics: Metrics
  streams: StreamLimit
  limits: ReturnType<typeof limitsFor>
  features: DatabaseFeatures
  siteFolder: string
  smtp: SmtpServer
  site: Site
  counter: StatisticsCounter
  control: Control
  doctor: Surroundings | undefined
  shutdown: Shutdown
  secret: string
  counts: ValkeyLimits | undefined
}

async function buildHttp({
  health,
  siteFolder,
  smtp,
  site,
  features,
  counter,
  control,
  doctor,
  shutdown,
  secret,
  counts,
  ...parts
}: HttpParts) {
  const { config, clock } = parts
  const signal = shutdown.closing
  const [{ createHttp }, { toSiteConfig }, { loadSiteFiles }] = await Promise.all([
    import('#server/http/http.ts'),
    import('#server/http/pages/site-config.ts'),
    import('#server/http/pages/site-files.ts'),
  ])
  const difficulty = () => features.operations.livePolicy.current.difficulty
  const botCheck = countingBotCheck(
    await createBotCheck(config, { clock, signal, difficulty, shared: counts && { secret, counts } }),
    counter,
    parts.metrics,
  )
  return createHttp({
    ...parts,
    accounts: features.accounts,
    webhooks: features.webhooks,
    push: features.push,
    ...features.operations,
    certificates: () =>
      portCertificates({
        mail: smtp.certificate(),
        mailHost: config.mailHost,
        siteHost: config.acme?.siteHost,
        obtained: site.certificateStatus(),
      }),
    startedAt: control.identify().startedAt,
    onUntrustedProxy: control.noteProxy,
    examine: async () => (await import('#server/doctor/self-examination.ts')).examineSelf(config, control, clock, doctor),
    views: features.views,
    botCheck,
    signal,
    stopping: shutdown.announced,
    limiter: counts ?? createMemoryLimiter(clock),
    health: () => health.latest,
    siteFiles: () => loadSiteFiles(siteFolder, { publicUrl: config.publicUrl, config: toSiteConfig(config, botCheck) }),
  }).fetch
}

/** With port 0 the system chooses the port, and links must contain the chosen one. */
function withRealPort(config: Config, httpPort: number): Config {
  const isPlaceholder = config.httpPort === 0 && new URL(config.publicUrl).port === '0'
  return { ...config, httpPort, publicUrl: isPlaceholder ? `http://localhost:${httpPort}` : config.publicUrl }
}
