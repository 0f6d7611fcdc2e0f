/** The server writes the configuration into the pages it serves, which saves a round trip before the first address; `vite dev` does not. */
import type { SiteConfig } from '#contract/site.ts'
import { siteConfig } from '../api/replies.ts'
import { parseStored } from '../browser/storage.ts'

export const SITE_NAME_DEFAULT = 'Mayfly'

export const servedConfig: SiteConfig | undefined =
  typeof document === 'undefined' ? undefined : parseStored(document.documentElement.dataset.config ?? null, siteConfig)

/** Texts name the site `Mayfly`, as the server finds them in the prerendered pages; here they name it as this deployment does. */
export function withSiteName<T>(texts: T, siteName = servedConfig?.siteName ?? SITE_NAME_DEFAULT): T {
  if (siteName === SITE_NAME_DEFAULT) return texts
  if (typeof texts === 'string') return texts.replaceAll(SITE_NAME_DEFAULT, () => siteName) as T
  if (Array.isArray(texts)) return texts.map(text => withSiteName(text, siteName)) as T
  if (typeof texts !== 'object' || texts === null) return texts
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, withSiteName(text, siteName)])) as T
}
