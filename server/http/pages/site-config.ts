import type { SiteConfig } from '#contract/site.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { BotCheck } from '../bot-check/bot-check.ts'

/** What pages need to know about this deployment: part of `GET /api/config`, and written into every served page. */
export function toSiteConfig(config: Config, { provider }: BotCheck): SiteConfig {
  const {
    siteName,
    domains,
    lifetimeSeconds,
    messageBytesMax,
    supportEmail,
    contactDays,
    partnerUrl,
    operatorName,
    sourceUrl,
    authenticateMail: authenticatesMail,
  } = config
  return {
    siteName,
    domains: [...domains],
    lifetimeSeconds,
    messageBytesMax,
    supportEmail,
    contactDays,
    partnerUrl,
    operatorName,
    ...(sourceUrl !== undefined && { sourceUrl }),
    authenticatesMail,
    botCheck: provider,
  }
}
