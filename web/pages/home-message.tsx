import { clsx } from 'clsx'
import type { ComponentProps, CSSProperties } from 'react'
import type { Language } from '#contract/languages.ts'
import { WARNING_SECONDS } from '#contract/limits.ts'
import type { MessageSummary } from '#contract/mailbox.ts'
import { preloadHtmlView } from '#web/features/message/body/message-body.tsx'
import MessageDialog, { readAhead } from '#web/features/message/message-dialog.tsx'
import { fontBytes } from '#web/lib/browser/site-font.ts'
import { loadTexts, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { formatCountdown, spokenTimeLeft, useSecondsLeft } from '#web/lib/mailbox/countdown.ts'
import { isEverySenderUnchecked } from '#web/lib/mailbox/mail-facts.ts'

/** Fetches what shows a mail besides this file. While the address is there, a press on a row requests its message. */
export function prepare(token: string, language: Language, signal: AbortSignal): Promise<unknown> {
  const onPress = ({ target, button }: MouseEvent) => {
    if (button !== 0) return
    const row = (target as Element).closest('[data-message] > button:not([aria-disabled])')?.parentElement
    if (row?.dataset.message !== undefined) readAhead(token, row.dataset.message, signal)
  }
  // On a touch screen it is sent right before a click, and not when a finger scrolls.
  addEventListener('mousedown', onPress, { signal })
  return Promise.all([preloadHtmlView(), fontBytes(), loadTexts(language, ['message'])])
}

type Props = Omit<ComponentProps<typeof MessageDialog>, 'token' | 'timeLeft' | 'isVerdictSaid'> & {
  address: StoredAddress
  rows: readonly MessageSummary[]
}

/** An open message of the address, with the time that is left for both. */
export default function HomeMessage({ address, rows, ...props }: Props) {
  const isVerdictSaid = !isEverySenderUnchecked(rows)
  return <MessageDialog {...props} token={address.token} isVerdictSaid={isVerdictSaid} timeLeft={<TimeLeft address={address} />} />
}

/** The countdown in the bar of an open message, with a horizon as under the clock. In the last 30 s a warning takes a line below it. */
function TimeLeft({ address }: { address: StoredAddress }) {
  const texts = useTexts('mailbox')
  const seconds = useSecondsLeft(address.deadlineMs)
  const isWarning = seconds <= WARNING_SECONDS
  const style: CSSProperties & { '--left': number } = { '--left': Math.min(1, seconds / address.lifetimeSeconds) }
  return (
    <div
      data-print="never"
      data-testid="time-left"
      className={clsx('contents text-sm', isWarning ? 'text-last-seconds-ink' : 'text-muted')}
    >
      <span className="flex-1 whitespace-nowrap short:flex-none">
        <span className="sr-only">{texts.timeLeft}</span> <span className="figures font-medium font-mono">{formatCountdown(seconds)}</span>
      </span>
      <span aria-hidden="true" className="horizon" style={style} />
      {isWarning && <p className="order-last w-full px-3 pb-2 text-sm">{seconds > 0 ? texts.warning : texts.destroying}</p>}
      {/* The page behind, with the same sentences, is inert. */}
      <span role="status" className="sr-only">
        {spokenTimeLeft(seconds, address.lifetimeSeconds, texts)}
      </span>
    </div>
  )
}
