import type { SiteConfig } from '#contract/site.ts'
import type { BotCheck } from '#server/bot-check/bot-check.ts'
import type { Config } from '#server/config.ts'

/** What a page must know of this deployment: part of the reply to `GET /api/config`, and written into every page that is served. */
export function toSiteConfig(config: Config, { provider }: BotCheck): SiteConfig {
  const {
    siteName,
    domains,
    lifetimeSeconds,
    messageBytesMax,
    supportEmail,
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
    partnerUrl,
    operatorName,
    ...(sourceUrl !== undefined && { sourceUrl }),
    authenticatesMail,
    botCheck: provider,
  }
}
