import { ShieldAlert, ShieldCheck } from '#web/components/ui/icons.tsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { TOAST_PLACE_ID } from '#web/lib/notify/toasts.ts'
import type { MailboxState } from './mailbox-state.ts'
import { useNewAddressStatus } from './use-mailbox.ts'

/** How many addresses this device may still create. How long to wait is on the button. Suspicious activity changes only the shield. */
export function SecurityStrip({ state }: { state: MailboxState }) {
  const { security } = useTexts('mailbox')
  const { remaining, isSuspicious } = useNewAddressStatus(state)
  const isLow = remaining <= 1
  const Shield = isLow || isSuspicious ? ShieldAlert : ShieldCheck
  return (
    <section
      id={TOAST_PLACE_ID}
      aria-label={security.label}
      data-limit={remaining === 0 || undefined}
      // On a phone with room for a toast, which stands here, above the heading of the inbox.
      className="flex items-start gap-3 text-muted text-sm max-sm:min-h-8 sm:px-6"
    >
      <Shield aria-hidden="true" className="mt-px size-4.5 shrink-0 text-river-ink" strokeWidth={1.75} />
      <p>
        {remaining === 0 ? security.reached : security.remaining({ count: remaining })}
        {/* At the limit one sentence about it is enough to see. */}
        <span className={remaining === 0 ? 'sr-only' : ''}> · {isLow ? security.warning : security.sealed}</span>
      </p>
    </section>
  )
}
