import type { Authentication } from './mailbox.ts'

/**
 * Whether the checks say that somebody else sent the message: DMARC failed, or SPF failed and nothing is signed. A check without a result
 * has not failed.
 */
export function hasFailedAuthentication(authentication: Authentication | undefined): boolean {
  if (!authentication) return false
  const { spf, dkim, dmarc } = authentication
  return dmarc === 'fail' || (spf === 'fail' && dkim !== 'pass' && dmarc !== 'pass')
}
