/** What this deployment is configured to be: name, domains, support address, partner link, bot check. */
import { useSyncExternalStore } from 'react'
import { LIFETIME_SECONDS, MESSAGE_BYTES_MAX } from '#contract/limits.ts'
import type { SiteConfig } from '#contract/site.ts'
import { readConfig } from '../api/mailbox-api.ts'
import { createStore } from '../browser/store.ts'
import { SITE_NAME_DEFAULT, servedConfig } from './served-config.ts'

/** What the prerendered pages show until the server has answered; the same defaults as server/config.ts. */
const DEFAULTS: SiteConfig = {
  siteName: SITE_NAME_DEFAULT,
  domains: ['mayfly.test'],
  lifetimeSeconds: LIFETIME_SECONDS,
  messageBytesMax: MESSAGE_BYTES_MAX,
  supportEmail: 'support@mayfly.test',
  partnerUrl: 'https://www.privacyguides.org/',
  operatorName: '',
  authenticatesMail: true,
  botCheck: { provider: 'pow' },
}

// What the prerendered page shows already must not be drawn again.
const served = JSON.stringify(servedConfig) === JSON.stringify(DEFAULTS) ? DEFAULTS : servedConfig
/** What the served page shows: the server has put the site's name into it, and nothing else. */
const HYDRATED = served && served !== DEFAULTS ? { ...DEFAULTS, siteName: served.siteName } : DEFAULTS
const configStore = createStore(served ?? DEFAULTS)
let loading = served && Promise.resolve(served)

/** The served configuration, else `GET /api/config`, fetched once per page load; a failed fetch is tried again by the next caller. */
export function loadConfig(): Promise<SiteConfig> {
  loading ??= readConfig().then(publish, error => {
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
  // Without an answer the defaults stay on the page; whoever needs the truth awaits loadConfig.
  loadConfig().catch(() => undefined)
  return configStore.subscribe(listener)
}

/** The configuration as far as it is known: the defaults first, the server's own a moment later. */
export function useSiteConfig(): SiteConfig {
  return useSyncExternalStore(subscribe, configStore.get, () => HYDRATED)
}
