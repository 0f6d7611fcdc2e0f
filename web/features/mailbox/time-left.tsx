import { clsx } from 'clsx'
import { WARNING_SECONDS } from '#contract/limits.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'
import { formatCountdown, useSecondsLeft } from './countdown.ts'

/** The countdown as one quiet line over an open mail, with the warning of the last 30 s. */
export function TimeLeft({ session }: { session: MailboxSession }) {
  const texts = useTexts('mailbox')
  const seconds = useSecondsLeft(session.deadlineMs)
  const isWarning = seconds <= WARNING_SECONDS
  return (
    <div
      data-print="never"
      data-testid="time-left"
      className={clsx(
        'flex flex-wrap gap-x-3 border-line border-b px-5 py-1.5 text-sm sm:px-6',
        isWarning ? 'text-ember-ink' : 'text-muted',
      )}
    >
      <span>
        {texts.timeLeft} <span className="figures font-mono">{formatCountdown(seconds)}</span>
      </span>
      {isWarning && <span role="status">{texts.warning}</span>}
    </div>
  )
}
