import type { Authentication } from '#contract/mailbox.ts'

type Verdict = { readonly kind: 'signed' | 'server' | 'forged'; readonly domain: string } | { readonly kind: 'unverified' | 'pending' }

/** What the checks amount to for a reader. A signature speaks for the domain that signed, never for the name in the From line. */
export function senderVerdict(authentication: Authentication | undefined, fromAddress: string): Verdict {
  if (!authentication) return { kind: 'pending' }
  const fromDomain = fromAddress.slice(fromAddress.lastIndexOf('@') + 1)
  if (authentication.dmarc === 'fail' && fromDomain !== '') return { kind: 'forged', domain: fromDomain }
  const { domain } = authentication
  if (domain !== undefined && authentication.dkim === 'pass') return { kind: 'signed', domain }
  if (domain !== undefined && authentication.spf === 'pass') return { kind: 'server', domain }
  return { kind: 'unverified' }
}
