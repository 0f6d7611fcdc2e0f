/** The configuration of this deployment: name, domains, support address, partner link, bot check. */
import { useSyncExternalStore } from 'react'
import type { Language } from '#contract/languages.ts'
import { fillIn, LIFETIME_SECONDS, lifetimeTexts, MAILBOX_MESSAGES_MAX, MESSAGE_BYTES_MAX } from '#contract/limits.ts'
import type { SiteConfig } from '#contract/site.ts'
import { mapTexts } from '#web/texts/catalog.ts'
import { readConfig, siteConfig } from '../api/mailbox-routes.ts'
import { request } from '../api/request.ts'
import { DOMAIN_KEY, localStore, parseStored, readStored, writeStored } from '../browser/storage.ts'
import { createStore } from '../browser/store.ts'
import { text } from '../shape.ts'

const SITE_NAME_DEFAULT = 'Mayfly'

/**
 * The configuration that the server writes into served pages, which saves a request before the first address. `vite dev` does not write it.
 */
export const servedConfig: SiteConfig | undefined =
  typeof document === 'undefined' ? undefined : parseStored(document.documentElement.dataset.config, siteConfig)

/** Used until the server has responded; the same defaults as in server/platform/config/config.ts. */
const DEFAULTS: SiteConfig = {
  siteName: SITE_NAME_DEFAULT,
  domains: ['in.example.com'],
  lifetimeSeconds: LIFETIME_SECONDS,
  messageBytesMax: MESSAGE_BYTES_MAX,
  messagesMax: MAILBOX_MESSAGES_MAX,
  supportEmail: 'support@in.example.com',
  contactDays: 365,
  partnerUrl: 'https://www.privacyguides.org/',
  operatorName: '',
  authenticatesMail: true,
  botCheck: { provider: 'pow' },
}

// The same object if nothing differs, so that the prerendered page does not render again.
const served = JSON.stringify(servedConfig) === JSON.stringify(DEFAULTS) ? DEFAULTS : servedConfig
/** With `vite dev`. A prerendered page keeps the placeholders. */
const UNSERVED = import.meta.env.SSR ? undefined : DEFAULTS

type SiteFacts = Pick<SiteConfig, 'siteName' | 'lifetimeSeconds'>

/** Texts have the name `Mayfly` and placeholders of limits, which the server fills in in prerendered pages, and this in the browser. */
export function withSiteFacts<T>(texts: T, language: Language, site: SiteFacts | undefined = served ?? UNSERVED): T {
  if (!site) return texts
  const limits = lifetimeTexts(language, site.lifetimeSeconds)
  return mapTexts(texts, text => fillIn(text, limits).replaceAll(SITE_NAME_DEFAULT, () => site.siteName))
}

/** What the served page shows: the defaults, with the site's name and the footer's links filled in by the server. */
const HYDRATED: SiteConfig = import.meta.env.SSR
  ? { ...DEFAULTS, partnerUrl: 'https://mayfly.invalid/partner', sourceUrl: 'https://mayfly.invalid/source' }
  : served && served !== DEFAULTS
    ? { ...DEFAULTS, siteName: served.siteName, partnerUrl: served.partnerUrl, sourceUrl: served.sourceUrl }
    : DEFAULTS
const configStore = createStore(served ?? DEFAULTS)
let loading = served && Promise.resolve(served)

/** The served configuration, else `GET /api/config`, fetched once per page load. After a failed fetch the next caller tries again. */
export function loadConfig(): Promise<SiteConfig> {
  loading ??= request(readConfig, {}).then(publish, error => {
    loading = undefined
    throw error
  })
  return loading
}

function publish(config: SiteConfig): SiteConfig {
  configStore.set(config)
  return config
}

function subscribe(listener: () => void): () => void {
  // Without a response the page keeps the defaults. Code that needs certainty awaits loadConfig.
  loadConfig().catch(() => undefined)
  return configStore.subscribe(listener)
}

/** The configuration as far as it is known: first the defaults, then the server's. */
export const useSiteConfig = (): SiteConfig => useSyncExternalStore(subscribe, configStore.get, () => HYDRATED)

/** The domain that the visitor chose for new addresses, while it is served. */
export function chosenDomain(): string | undefined {
  const domain = readStored(localStore, DOMAIN_KEY, text) ?? ''
  return configStore.get().domains.includes(domain) ? domain : undefined
}

export function chooseDomain(domain: string): void {
  writeStored(localStore, DOMAIN_KEY, domain)
}
