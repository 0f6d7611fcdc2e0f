import { clsx } from 'clsx'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import { formatCountdown, useSecondsLeft } from '#web/lib/mailbox/countdown.ts'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'
import { WARNING_SECONDS } from '#web/lib/mailbox/timing.ts'

/** The countdown in the bar of an open message. In the last 30 s a warning takes a line below it. */
export default function TimeLeft({ session }: { session: MailboxSession }) {
  const texts = useTexts('mailbox')
  const seconds = useSecondsLeft(session.deadlineMs)
  const isWarning = seconds <= WARNING_SECONDS
  return (
    <div data-print="never" data-testid="time-left" className={clsx('contents text-sm', isWarning ? 'text-ember-ink' : 'text-muted')}>
      <span className="min-w-0 flex-1 short:flex-none">
        <span className="sr-only">{texts.timeLeft}</span> <span className="figures font-medium font-mono">{formatCountdown(seconds)}</span>
      </span>
      {isWarning && (
        <p role="status" className="order-last w-full px-3 pb-2 text-sm">
          {texts.warning}
        </p>
      )}
    </div>
  )
}
