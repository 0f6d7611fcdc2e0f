import { clsx } from 'clsx'
import { ShieldAlert, ShieldCheck } from '#web/components/ui/icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { TOAST_PLACE_ID } from '#web/lib/notify/toasts.ts'
import type { MailboxState } from './mailbox-lifecycle.ts'
import { useGenerationStatus } from './use-mailbox.ts'

/** How many addresses this device may still create. How long to wait is on the button. */
export function SecurityStrip({ state }: { state: MailboxState }) {
  const { security } = useTexts('mailbox')
  const { remaining: counted, waitSeconds, isSuspicious } = useGenerationStatus(state)
  // The server may refuse a device that this browser would still allow.
  const remaining = waitSeconds > 0 ? 0 : counted
  const isLow = remaining <= 1
  const Shield = isLow || isSuspicious ? ShieldAlert : ShieldCheck
  const more = isSuspicious ? security.suspicious : isLow ? security.warning : security.sealed
  return (
    <section id={TOAST_PLACE_ID} aria-label={security.label} className="flex items-start gap-3 text-muted text-sm sm:px-6">
      <Shield aria-hidden="true" className="mt-px size-4.5 shrink-0 text-river-ink" strokeWidth={1.75} />
      <p>
        {/* On a phone one line, so that the inbox does not move. */}
        {remaining === 0 && <span className="max-sm:sr-only">{security.reached}</span>}
        <span className={remaining === 0 ? 'sm:hidden' : ''}>{security.remaining({ count: remaining })}</span>
        {/* Once the limit is reached, one sentence about it is enough to see. */}
        <span className={clsx((remaining === 0 && !isSuspicious && 'sr-only') || (isSuspicious && 'max-sm:sr-only'))}>
          {'\u00a0· '}
          {more}
        </span>
      </p>
    </section>
  )
}
