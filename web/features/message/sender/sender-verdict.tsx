import type { Authentication, Message } from '#contract/mailbox.ts'
import { BadgeCheck, CircleHelp, TriangleAlert } from '#web/components/ui/lazy-icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'

import { useSiteConfig } from '#web/lib/site/site-config.ts'

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

/** One plain sentence, with the results of the checks in its tooltip. */
export function SenderVerdict({ message }: { message: Message }) {
  const { verdict: texts } = useTexts('message')
  const { authenticatesMail } = useSiteConfig()
  // Senders are not checked, so there will be no verdict.
  if (!message.authentication && !authenticatesMail) return null
  const verdict = senderVerdict(message.authentication, message.from.address)
  const isGood = verdict.kind === 'signed' || verdict.kind === 'server'
  const Icon = isGood ? BadgeCheck : verdict.kind === 'forged' ? TriangleAlert : CircleHelp
  const tone = isGood ? 'text-river-ink' : verdict.kind === 'forged' ? 'text-ember-ink' : 'text-muted'
  const listedOn = message.authentication?.listedOn ?? []
  return (
    <>
      <p
        className={`flex items-start gap-2 text-sm ${tone}`}
        data-verdict={verdict.kind}
        title={message.authentication && texts.details(message.authentication)}
      >
        <Icon aria-hidden="true" className="mt-px size-4.5 shrink-0" strokeWidth={1.75} />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          {'domain' in verdict ? texts[verdict.kind]({ domain: verdict.domain }) : texts[verdict.kind]}
        </span>
      </p>
      {listedOn.length > 0 && (
        <p className="flex items-start gap-2 text-sm text-ember-ink" data-listed>
          <TriangleAlert aria-hidden="true" className="mt-px size-4.5 shrink-0" strokeWidth={1.75} />
          <span className="min-w-0 [overflow-wrap:anywhere]">{texts.listed({ lists: listedOn.join(', ') })}</span>
        </p>
      )}
    </>
  )
}
