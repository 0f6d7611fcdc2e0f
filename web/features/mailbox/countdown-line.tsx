import { clsx } from 'clsx'
import { WARNING_SECONDS } from '#contract/limits.ts'
import { Flame } from '#web/components/ui/icons.tsx'
import { clockTime } from '#web/lib/i18n/clock-time.ts'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { MailboxSession } from '#web/lib/mailbox/mailbox-session.ts'
import { formatCountdown, lastAnnounced, useSecondsLeft } from './countdown.ts'

/** HH:MM:SS over a thin line that burns down; ember and a slow pulse in the last 30 s. */
export function CountdownLine({ session }: { session: MailboxSession }) {
  const texts = useTexts('mailbox')
  const { language } = useLanguage()
  const seconds = useSecondsLeft(session.deadlineMs)
  const isWarning = seconds <= WARNING_SECONDS
  const left = Math.min(1, seconds / session.lifetimeSeconds)
  // By this browser's own clock: the server's end may be a day off where that clock is wrong.
  const goneAt = new Date(session.wallDeadlineMs)
  const time = clockTime(goneAt, language)

  return (
    <div data-phase={isWarning ? 'warning' : 'active'}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <span className="flex items-baseline gap-3">
          <span className="text-muted text-sm">{texts.timeLeft}</span>
          <span
            role="timer"
            data-testid="countdown"
            className={clsx('figures font-medium font-mono text-lg', isWarning && 'animate-pulse text-ember-ink')}
          >
            {formatCountdown(seconds)}
          </span>
        </span>
        <span className="text-muted text-sm">{isToday(goneAt) ? texts.goneAt({ time }) : texts.goneTomorrow({ time })}</span>
      </div>
      <div aria-hidden="true" className="relative mt-2 h-0.5 overflow-hidden rounded-sm bg-line">
        <div
          style={{ transform: `scaleX(${left})` }}
          className={clsx(
            'absolute inset-0 origin-left transition-transform duration-1000 ease-linear forced-colors:bg-[CanvasText]',
            isWarning ? 'bg-ember' : 'bg-dusk',
          )}
        />
      </div>
      {isWarning && (
        <p role="status" className="mt-3 flex items-start gap-2 text-ember-ink text-sm">
          <Flame aria-hidden="true" className="mt-0.5 size-4 shrink-0" strokeWidth={1.75} />
          {texts.warning}
        </p>
      )}
      <span role="status" className="sr-only">
        {announcement(seconds, session.lifetimeSeconds, texts)}
      </span>
    </div>
  )
}

/** An address lives 24 hours at most, so what is not today is tomorrow. */
function isToday(date: Date): boolean {
  return date.toDateString() === new Date().toDateString()
}

/** Changes only at a few marks, so that a screen reader hears eight short sentences and not six hundred. */
function announcement(seconds: number, lifetimeSeconds: number, texts: ReturnType<typeof useTexts<'mailbox'>>): string {
  const mark = lastAnnounced(seconds, lifetimeSeconds)
  if (mark === undefined) return ''
  return mark >= 60 ? texts.minutesLeft({ minutes: mark / 60 }) : texts.secondsLeft({ seconds: mark })
}
