/**
 * Starts the SMTP server: listener.ts accepts connections, smtp-connection.ts reads and writes the socket and enforces time-outs,
 * smtp-session.ts replies to commands.
 */
import { readFileSync } from 'node:fs'
import type { SecureContext } from 'node:tls'
import type { MailCore } from '#server/mail/mail-core.ts'
import { ALLOW_ALL, type Policy } from '#server/mail/policy.ts'
import type { Clock } from '#server/platform/clock.ts'
import { type Config, ConfigError } from '#server/platform/config/config.ts'
import { equalShares, ShareBudget } from '#server/platform/limits/share-budget.ts'
import type { SharedCounts } from '#server/platform/limits/shared-counts.ts'
import type { Log } from '#server/platform/log.ts'
import { IpRanges } from '#server/platform/net/ip-address.ts'
import { type CertificateFacts, certificateFacts, loadCertificate, watchCertificate } from './certificate.ts'
import { Clients } from './clients.ts'
import type { SmtpContext } from './context.ts'
import { Listener } from './listener.ts'
import { noMetrics, type SmtpMetrics } from './metrics.ts'
import { OperatorMailQuota } from './operator-mail-quota.ts'
import { createTlsContext } from './secure-socket.ts'
import { SMTP_LIMITS, type SmtpLimits } from './smtp-limits.ts'

type SmtpOptions = {
  readonly mail: Pick<MailCore, 'checkRecipient' | 'receive' | 'publishDeliveryProgress'>
  readonly config: Config
  readonly log: Log
  readonly metrics?: SmtpMetrics | undefined
  /** The operator's current blocks; by default nothing is blocked. */
  readonly policy?: (() => Policy) | undefined
  /** Wall clock, for the certificate's dates. */
  readonly clock?: Clock | undefined
  /** Monotonic milliseconds, for every time-out. */
  readonly nowMs?: Clock | undefined
  readonly limits?: Partial<SmtpLimits> | undefined
  /** What several processes count together. */
  readonly shared?: SharedCounts | undefined
}

/** Disposing refuses new sessions, lets messages being received finish for `drainMs`, then ends the rest. */
export type SmtpServer = AsyncDisposable & {
  readonly port: number
  /** The certificate that STARTTLS presents now. `problem`: why the last one could not be used in its place. */
  certificate(): CertificateFacts & { readonly problem: string | undefined }
  /** Reloads the certificate for new TLS sessions. One that cannot be used is logged and the old one kept. */
  reloadCertificate(): Promise<void>
}

/** Share of the process's file descriptors that SMTP may use; the rest is for the store and HTTP. */
const DESCRIPTORS_SHARE = 0.6

/**
 * Starts to listen on `config.host`:`config.smtpPort` (0: any free port).
 * @throws ConfigError when the operator's certificate cannot be used; the system's error when the port or the data folder cannot.
 */
export async function startSmtp(options: SmtpOptions): Promise<SmtpServer> {
  const { config, log, metrics = noMetrics, clock = Date.now, nowMs = () => performance.now() } = options
  const hostname = config.mailHost
  const limits = { ...SMTP_LIMITS, drainMs: config.shutdownDrainMs, ...options.limits }
  let tls = await loadSecureContext(config, hostname, clock)
  const context: SmtpContext = {
    mail: options.mail,
    hostname,
    defaultDomain: config.domains[0] ?? hostname,
    messageBytesMax: config.messageBytesMax,
    recipientsMax: config.recipientsMax,
    limits,
    memoryBudget: new ShareBudget(equalShares(config.memory.arrivingBytesMax, limits.smallMessageBytesMax, config.messageBytesMax)),
    connectionBudget: connectionBudget(config, limits),
    operatorMailQuota: new OperatorMailQuota(nowMs),
    policy: options.policy ?? (() => ALLOW_ALL),
    clients: new Clients({
      trusted: config.smtpTrusted,
      connectionsPerClientMax: config.smtpConnectionsPerClientMax,
      nowMs,
      shared: options.shared,
    }),
    metrics,
    log,
    nowMs,
  }
  const proxies = new IpRanges(config.proxyProtocolFrom)
  const listener = new Listener(context, { connectionsMax: connectionsMax(config), proxies, secureContext: () => tls.secureContext })
  const port = await listener.listen(config.smtpPort, config.host)
  let problem: string | undefined
  const reloadCertificate = async () => {
    try {
      tls = await loadSecureContext(config, hostname, clock)
      problem = undefined
      log.info('Certificate read again')
    } catch (err) {
      problem = err instanceof ConfigError ? err.problems.join('; ') : String(err)
      log.error({ err }, 'Certificate cannot be used, the old one stays')
    }
  }
  const stopWatching = watchCertificate(config, limits.certificateCheckMs, () => void reloadCertificate())
  return {
    port,
    certificate: () => ({ ...tls.facts, problem }),
    reloadCertificate,
    async [Symbol.asyncDispose]() {
      stopWatching()
      await listener.close()
    },
  }
}

async function loadSecureContext(
  config: Config,
  hostname: string,
  clock: Clock,
): Promise<{ secureContext: SecureContext; facts: CertificateFacts }> {
  const certificate = await loadCertificate(config, hostname, clock)
  try {
    return { secureContext: createTlsContext(certificate), facts: certificateFacts(certificate) }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new ConfigError([`TLS_CERT and TLS_KEY are no certificate in PEM form with its own key (${reason})`])
  }
}

function connectionBudget(config: Config, limits: SmtpLimits): ShareBudget {
  const shares = equalShares(connectionsMax(config), 1, limits.networkConnectionsMin)
  return new ShareBudget({ ...shares, reservePerNetworkMax: limits.networkReservedConnectionsMax })
}

function connectionsMax(config: Config): number {
  return Math.min(config.smtpConnectionsMax, Math.floor(descriptorsMax() * DESCRIPTORS_SHARE))
}

/** Node has no call for it. Without /proc only the configured number counts. */
function descriptorsMax(): number {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
    return limit ? Number(limit) : Number.POSITIVE_INFINITY
  } catch {
    return Number.POSITIVE_INFINITY
  }
}
