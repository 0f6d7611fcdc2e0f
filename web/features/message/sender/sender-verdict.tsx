import { clsx } from 'clsx'
import { hasFailedAuthentication } from '#contract/failed-authentication.ts'
import type { Authentication, Message } from '#contract/mailbox.ts'
import { ChevronDown } from '#web/components/ui/icons.tsx'
import { BadgeCheck, CircleHelp, TriangleAlert } from '#web/components/ui/lazy-icons.tsx'
import { usePopover } from '#web/components/ui/use-popover.ts'
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

/** Whether a reader could be led somewhere: an unverified sender then deserves a second look. */
export function hasLinks({ links, html, text }: Pick<Message, 'links' | 'html' | 'text'>): boolean {
  return links.length > 0 || /\bhref\s*=/i.test(html ?? '') || /https?:\/\//i.test(text ?? '')
}

/** One plain sentence; for a doubtful sender it is a button that says what to do. The results of the checks are in its tooltip. */
export function SenderVerdict({ message }: { message: Message }) {
  const { verdict: texts } = useTexts('message')
  const { authenticatesMail } = useSiteConfig()
  // Senders are not checked, so there will be no verdict.
  if (!message.authentication && !authenticatesMail) return null
  const verdict = senderVerdict(message.authentication, message.from.address)
  const sentence = 'domain' in verdict ? texts[verdict.kind]({ domain: verdict.domain }) : texts[verdict.kind]
  const details = message.authentication && texts.details(message.authentication)
  const listedOn = message.authentication?.listedOn ?? []
  return (
    <>
      {verdict.kind === 'forged' || verdict.kind === 'unverified' ? (
        <Doubt kind={verdict.kind} tone={doubtTone(verdict.kind, message)} sentence={sentence} details={details} />
      ) : (
        <p
          className={clsx('flex items-start gap-2 text-sm', verdict.kind === 'pending' ? 'text-muted' : 'text-river-ink')}
          data-verdict={verdict.kind}
          title={details}
        >
          {verdict.kind === 'pending' ? <CircleHelp {...ICON} /> : <BadgeCheck {...ICON} />}
          <span className="min-w-0 [overflow-wrap:anywhere]">{sentence}</span>
        </p>
      )}
      {listedOn.length > 0 && (
        <p className="flex items-start gap-2 text-sm text-ember-ink" data-listed>
          <TriangleAlert {...ICON} />
          <span className="min-w-0 [overflow-wrap:anywhere]">{texts.listed({ lists: listedOn.join(', ') })}</span>
        </p>
      )}
    </>
  )
}

const ICON = { 'aria-hidden': true, className: 'mt-px size-4.5 shrink-0', strokeWidth: 1.75 } as const

/** Without links and failed checks there is nothing to beware of: a first mail from a small server is often unverified. */
function doubtTone(kind: 'forged' | 'unverified', message: Message): string {
  if (kind === 'forged') return 'text-ember-ink'
  return hasLinks(message) || hasFailedAuthentication(message.authentication) ? 'text-dusk-ink' : 'text-muted'
}

type DoubtProps = { kind: 'forged' | 'unverified'; tone: string; sentence: string; details: string | undefined }

/** The explanation lies over the message, so that nothing moves. */
function Doubt({ kind, tone, sentence, details }: DoubtProps) {
  const { verdict: texts } = useTexts('message')
  const { isOpen, root, button } = usePopover()
  return (
    <div {...root} className="relative">
      <button
        {...button}
        type="button"
        className={clsx('-my-2.5 inline-flex min-h-11 items-center gap-2 text-left text-sm hover:underline underline-offset-4', tone)}
        data-verdict={kind}
        title={details}
      >
        {kind === 'forged' ? <TriangleAlert {...ICON} /> : <CircleHelp {...ICON} />}
        <span className="min-w-0 [overflow-wrap:anywhere]">{sentence}</span>
        <ChevronDown aria-hidden="true" className={clsx('size-4 shrink-0', isOpen && 'rotate-180')} strokeWidth={1.75} />
      </button>
      {isOpen && (
        <div
          // A press on the text keeps the focus inside, so that it stays open.
          tabIndex={-1}
          role="note"
          className="absolute top-full left-0 z-10 mt-2 w-full max-w-md animate-fade rounded-md border border-edge bg-raised px-4 py-3 text-sm shadow-lift"
        >
          <p>{texts.explained[kind]}</p>
          {details && <p className="mt-2 text-muted">{details}</p>}
        </div>
      )}
    </div>
  )
}
