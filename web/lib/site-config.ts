/** `GET /api/config`, fetched once per page load; a failed fetch is tried again by the next caller. */
import type { SiteConfig } from '#contract/site.ts'
import { readConfig } from '#web/lib/api.ts'

let loading: Promise<SiteConfig> | undefined

export function loadConfig(): Promise<SiteConfig> {
  loading ??= readConfig().catch(error => {
    loading = undefined
    throw error
  })
  return loading
}
