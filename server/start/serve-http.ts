/** Wires the HTTP side from all other parts. Its modules are imported only now: SMTP already greets senders. */
import { join } from 'node:path'
import { createBotCheck } from '#server/http/bot-check/create-bot-check.ts'
import type { MailCore } from '#server/mail/mail-core.ts'
import type { Control } from '#server/operator/control/control-actions.ts'
import type { OutsideServers } from '#server/operator/doctor/context.ts'
import { countingBotCheck } from '#server/operator/observability/count-statistics.ts'
import { portCertificates } from '#server/platform/certificates/port-certificates.ts'
import { root } from '#server/platform/installation/root.ts'
import { createMemoryLimiter } from '#server/platform/limits/memory-limiter.ts'
import { limitsFor } from '#server/platform/limits/rate-limits.ts'
import type { SmtpServer } from '#server/smtp/smtp-server.ts'
import type { DatabaseFeatures } from './database-features.ts'
import type { Site } from './listen-site.ts'
import type { Shutdown } from './shutdown.ts'
import type { Basics, MailStorage, Meters } from './start-phases.ts'

type HttpSideDeps = {
  readonly storage: MailStorage
  readonly meters: Meters
  readonly mail: MailCore
  readonly features: DatabaseFeatures
  readonly smtp: SmtpServer
  readonly site: Site
  readonly control: Control
  readonly shutdown: Shutdown
}

/** See `AppDeps`. */
type Replacements = { readonly siteFolder?: string; readonly doctor?: OutsideServers }

/** Answers requests on the site's ports from now on. */
export async function serveHttp(basics: Basics, deps: HttpSideDeps, { siteFolder = join(root, 'dist/web'), doctor }: Replacements) {
  const { config, secret, clock, log } = basics
  const { storage, meters, mail, features, smtp, site, control, shutdown } = deps
  const { operations, accounts, webhooks, push, views } = features
  const { metrics, statistics, streams } = meters
  const { sharedLimits, health } = storage
  const [{ createHttp }, { toSiteConfig }, { loadSiteFiles }] = await Promise.all([
    import('#server/http/http.ts'),
    import('#server/http/pages/site-config.ts'),
    import('#server/http/pages/site-files.ts'),
  ])
  const difficulty = () => operations.livePolicy.current.difficulty
  const shared = sharedLimits && { secret, counts: sharedLimits }
  const uncounted = await createBotCheck(config, { clock, signal: shutdown.closing, difficulty, shared })
  const botCheck = countingBotCheck(uncounted, statistics, metrics)
  const app = createHttp({
    config,
    clock,
    log,
    mail,
    metrics,
    streams,
    botCheck,
    accounts,
    webhooks,
    push,
    views,
    ...operations,
    limits: limitsFor(config),
    limiter: sharedLimits ?? createMemoryLimiter(clock),
    health: () => health.latest,
    certificates: () =>
      portCertificates({
        mail: smtp.certificate(),
        mailHost: config.mailHost,
        siteHost: config.acme?.siteHost,
        obtained: site.certificateStatus(),
      }),
    startedAt: control.identify().startedAt,
    onUntrustedProxy: control.noteProxy,
    examine: async () => (await import('#server/operator/doctor/self-examination.ts')).examineSelf(config, control, clock, doctor),
    siteFiles: () => loadSiteFiles(siteFolder, { publicUrl: config.publicUrl, config: toSiteConfig(config, botCheck) }),
    stopping: shutdown.stopping,
    closing: shutdown.closing,
  })
  site.http.serve(app.fetch)
}
