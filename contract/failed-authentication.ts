import type { Authentication } from './mailbox.ts'

/**
 * Whether the checks say that somebody else sent this: the domain's own rule is broken (DMARC), or its servers are named and this is none of them
 * (SPF) while nothing is signed. A check that found nothing, or could not be made, has not failed.
 */
export function hasFailedAuthentication(authentication: Authentication | undefined): boolean {
  if (!authentication) return false
  const { spf, dkim, dmarc } = authentication
  return dmarc === 'fail' || (spf === 'fail' && dkim !== 'pass' && dmarc !== 'pass')
}
