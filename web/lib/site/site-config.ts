/** The configuration of this deployment: name, domains, support address, partner link, bot check. */
import { useSyncExternalStore } from 'react'
import { LIFETIME_SECONDS, MESSAGE_BYTES_MAX, withLifetime } from '#contract/limits.ts'
import type { SiteConfig } from '#contract/site.ts'
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
  domains: ['mayfly.test'],
  lifetimeSeconds: LIFETIME_SECONDS,
  messageBytesMax: MESSAGE_BYTES_MAX,
  supportEmail: 'support@mayfly.test',
  contactDays: 365,
  partnerUrl: 'https://www.privacyguides.org/',
  operatorName: '',
  authenticatesMail: true,
  botCheck: { provider: 'pow' },
}

/**
 * Texts use the name `Mayfly` and the default lifetime, which the server replaces in prerendered pages. This does the same in the browser.
 */
export function withSiteFacts<T>(texts: T, site: Pick<SiteConfig, 'siteName' | 'lifetimeSeconds'> = servedConfig ?? DEFAULTS): T {
  const { siteName, lifetimeSeconds } = site
  if (siteName === SITE_NAME_DEFAULT && lifetimeSeconds === LIFETIME_SECONDS) return texts
  if (typeof texts === 'string') return withLifetime(texts, lifetimeSeconds).replaceAll(SITE_NAME_DEFAULT, () => siteName) as T
  if (Array.isArray(texts)) return texts.map(text => withSiteFacts(text, site)) as T
  if (typeof texts !== 'object' || texts === null) return texts
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, withSiteFacts(text, site)])) as T
}

// The same object if nothing differs, so that the prerendered page does not render again.
const served = JSON.stringify(servedConfig) === JSON.stringify(DEFAULTS) ? DEFAULTS : servedConfig
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
export function useSiteConfig(): SiteConfig {
  return useSyncExternalStore(subscribe, configStore.get, () => HYDRATED)
}

/** The domain that the visitor chose for new addresses, while it is served. */
export function chosenDomain(): string | undefined {
  const domain = readStored(localStore, DOMAIN_KEY, text) ?? ''
  return configStore.get().domains.includes(domain) ? domain : undefined
}

export function chooseDomain(domain: string): void {
  writeStored(localStore, DOMAIN_KEY, domain)
}
