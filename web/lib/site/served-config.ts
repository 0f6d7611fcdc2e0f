/**
 * The configuration that the server writes into served pages, which saves a request before the first address. `vite dev` does not write it.
 */
import type { SiteConfig } from '#contract/site.ts'
import { siteConfig } from '../api/response-shapes.ts'
import { parseStored } from '../browser/storage.ts'

export const SITE_NAME_DEFAULT = 'Mayfly'

export const servedConfig: SiteConfig | undefined =
  typeof document === 'undefined' ? undefined : parseStored(document.documentElement.dataset.config, siteConfig)

/** Texts use the name `Mayfly`, which the server replaces in prerendered pages. This does the same in the browser. */
export function withSiteName<T>(texts: T, siteName = servedConfig?.siteName ?? SITE_NAME_DEFAULT): T {
  if (siteName === SITE_NAME_DEFAULT) return texts
  if (typeof texts === 'string') return texts.replaceAll(SITE_NAME_DEFAULT, () => siteName) as T
  if (Array.isArray(texts)) return texts.map(text => withSiteName(text, siteName)) as T
  if (typeof texts !== 'object' || texts === null) return texts
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, withSiteName(text, siteName)])) as T
}
