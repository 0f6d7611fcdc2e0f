import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { WARNING_SECONDS } from '#contract/limits.ts'
import { Mail } from '#web/components/ui/lazy-icons.ts'
import { ProblemError } from '#web/lib/api/request.ts'
import { watchWake } from '#web/lib/browser/clock.ts'
import { useTexts } from '#web/lib/i18n/i18n.tsx'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import { formatTimeLeft, useSecondsLeft } from '#web/lib/mailbox/countdown.ts'
import { POLL_MS } from '#web/lib/mailbox/live-stream.ts'
import { readUnread } from '#web/lib/mailbox/unread-mail.ts'
import { liveAddress, useLiveAddress } from '#web/lib/mailbox/use-live-address.ts'
import { Link } from '#web/lib/routing/router.tsx'

/** On pages without a clock: the address's time left and new mail, as a link to the inbox. It shows what fits. */
export default function LiveAddressLink() {
  const address = useLiveAddress()
  return address && <BackToInbox key={address.token} address={address} />
}

function BackToInbox({ address }: { address: StoredAddress }) {
  const inbox = useTexts('inbox')
  const seconds = useSecondsLeft(address.deadlineMs)
  const unread = useUnread(address.token)
  const spoken = useSpokenTime(seconds)
  return (
    // On the narrowest screens its area for fingers reaches over the site's name, which leads to the same page.
    <Link
      to="/"
      data-testid="live-address"
      className={clsx(
        'hidden min-h-11 min-w-11 animate-fade items-center justify-end gap-1 whitespace-nowrap rounded-sm px-1 text-sm @min-[1.75rem]:flex @min-[8rem]:gap-2',
        'transition-colors duration-150 ease-out hover:text-ink',
        seconds <= WARNING_SECONDS ? 'text-last-seconds-ink' : 'text-muted',
      )}
    >
      <span className="sr-only">{[inbox.title, unread > 0 && inbox.newMails({ count: unread }), spoken].filter(Boolean).join(', ')}</span>
      <Envelope hasUnread={unread > 0} isWarning={seconds <= WARNING_SECONDS} />
      <Mark unread={unread} isWarning={seconds <= WARNING_SECONDS} />
      <span aria-hidden="true" className="hidden @min-[8rem]:inline">
        {inbox.title}
      </span>
      <span aria-hidden="true" className="figures font-medium">
        {formatTimeLeft(seconds)}
      </span>
    </Link>
  )
}

const toneOf = (isWarning: boolean) => (isWarning ? 'bg-last-seconds text-on-ember' : 'bg-river text-paper')

/** Says what the time is of where the word has no room, with a dot for new mail where their number has none either. */
function Envelope({ hasUnread, isWarning }: { hasUnread: boolean; isWarning: boolean }) {
  return (
    <span aria-hidden="true" className="relative hidden @min-[3rem]:block @min-[8rem]:hidden">
      <Mail className="size-3.5" strokeWidth={1.75} />
      {hasUnread && (
        <span
          className={clsx(
            'absolute -top-0.5 -right-0.5 size-1.5 rounded-full @min-[5rem]:hidden forced-colors:bg-[CanvasText]',
            toneOf(isWarning),
          )}
        />
      )}
    </span>
  )
}

/** A dot while there is no new mail, then how many there are. The narrowest screens have room for the time only. */
function Mark({ unread, isWarning }: { unread: number; isWarning: boolean }) {
  const shape =
    unread > 0
      ? 'figures min-w-5 px-1.5 text-center font-medium leading-5 @min-[5rem]:block forced-colors:border'
      : 'size-2 @min-[8rem]:block forced-colors:bg-[CanvasText]'
  return (
    <span aria-hidden="true" className={clsx('hidden rounded-full', shape, toneOf(isWarning))}>
      {unread > 9 ? '9+' : unread > 0 && unread}
    </span>
  )
}

/** Changes once a minute, then every ten seconds: a name that changed every second would be read out again and again. */
function useSpokenTime(seconds: number): string {
  const { minutesLeft, secondsLeft } = useTexts('mailbox')
  if (seconds >= 3600) return formatTimeLeft(seconds)
  return seconds > 60 ? minutesLeft({ minutes: Math.ceil(seconds / 60) }) : secondsLeft({ seconds: Math.ceil(seconds / 10) * 10 })
}

/** Asks as often as the home page does without its stream. */
function useUnread(token: string): number {
  const [count, setCount] = useState(0)
  useEffect(() => {
    const unmounted = new AbortController()
    const { signal } = unmounted
    const look = () =>
      readUnread(token, signal).then(
        ({ length }) => setCount(length),
        error => {
          if (!signal.aborted && error instanceof ProblemError && error.code === 'mailbox_not_found') void liveAddress.check()
        },
      )
    void look()
    // A hidden page looks again when it is shown.
    const timer = setInterval(() => document.visibilityState === 'visible' && look(), POLL_MS)
    watchWake(look, signal)
    return () => {
      unmounted.abort()
      clearInterval(timer)
    }
  }, [token])
  return count
}
