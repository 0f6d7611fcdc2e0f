import { clsx } from 'clsx'
import { type CSSProperties, type ReactNode, useEffect, useRef, useState } from 'react'
import { WARNING_SECONDS } from '#contract/limits.ts'
import { servedDrawing } from '#web/components/drawings/drawing.tsx'
import { useLanguage, useTexts } from '#web/lib/i18n/i18n.tsx'
import type { AddressPhase, ShownAddress } from '#web/lib/mailbox/address-machine.ts'
import type { StoredAddress } from '#web/lib/mailbox/address-store.ts'
import {
  clockTime,
  daysUntil,
  formatCountdown,
  formatMinutes,
  leadingZeros,
  relativeDay,
  spokenTimeLeft,
  timeGroups,
  useSecondsLeft,
} from '#web/lib/mailbox/countdown.ts'
import { showInTitle } from '#web/lib/notify/title-badge.ts'

/** The picture behind the clock; styles.css moves its parts. */
const SkyDrawing = servedDrawing('sky', () => import('./sky-shapes.tsx'))
/** How often the tab's icon is redrawn in a lifetime. */
const ICON_STEPS = 12
/** As long as its transitions in styles.css. */
const MOVING_MS = 2600
/** The tab's title shows the time left when it is at most this long. */
const TITLE_SECONDS = 60

/** The sun is up, not up yet, or has set for good. */
type Light = 'day' | 'dawn' | 'night'

/**
 * The clock of the address: the sun sinks with the time left, and the horizon is the progress line. Its height is the same in every phase.
 */
export function Sky({ state, keep }: { state: ShownAddress; keep?: (secondsLeft: number) => ReactNode }) {
  const texts = useTexts('mailbox')
  const { language } = useLanguage()
  const { phase } = state
  const endedAt = useEndedAt(state)
  useTitle(endedAt === undefined ? '' : `${texts.gone} · `)
  if (state.address && phase !== 'destroying') return <RunningSky phase={phase} address={state.address} keep={keep} />
  if (endedAt !== undefined) {
    return (
      <SkyFrame
        light="night"
        left={0}
        isEmpty={phase !== 'destroying'}
        clock={<Countdown isFaint={phase !== 'destroying'}>00:00:00</Countdown>}
      >
        <Line>{phase === 'destroying' ? texts.destroying : texts.destroyed({ time: clockTime(new Date(endedAt), language) })}</Line>
      </SkyFrame>
    )
  }
  return (
    <SkyFrame light="dawn" left={0} clock={<NoTime />}>
      {/* The message is where the address will be. */}
      {null}
    </SkyFrame>
  )
}

/** When an address ended here that no other has replaced. A computer that slept meanwhile hears of it later. */
export function useEndedAt({ phase, address }: ShownAddress): number | undefined {
  const [endedAt, setEndedAt] = useState<number>()
  const ends = phase === 'destroying' || phase === 'expired'
  const begins = phase === 'generating' || phase === 'active'
  if (ends && endedAt === undefined) setEndedAt(Math.min(Date.now(), address?.wallDeadlineMs ?? Date.now()))
  if (begins && endedAt !== undefined) setEndedAt(undefined)
  return begins ? undefined : endedAt
}

/** While the address is being deleted the sun is down, with no time beside it. It comes up again when that is undone. */
type RunningSkyProps = { phase: AddressPhase; address: StoredAddress; keep: ((secondsLeft: number) => ReactNode) | undefined }

function RunningSky({ phase, address, keep }: RunningSkyProps) {
  const texts = useTexts('mailbox')
  const { language } = useLanguage()
  const left = useSecondsLeft(address.deadlineMs)
  const [seconds, setSeconds] = useState(left)
  const isLeaving = phase === 'deleting'
  if (!isLeaving && seconds !== left) setSeconds(left)
  const isMoving = useMoving(address.token, isLeaving ? 0 : address.lifetimeSeconds)
  const isStill = useReducedMotion()
  const isWarning = seconds <= WARNING_SECONDS
  // With reduced motion the sun moves once a minute.
  const shown = isStill && !isWarning ? Math.ceil(seconds / 60) * 60 : seconds
  // By this browser's clock: if it is wrong, the server's time could be a day off.
  const goneAt = new Date(address.wallDeadlineMs)
  const time = clockTime(goneAt, language).replace(' ', '\u00a0')
  const days = daysUntil(goneAt)
  useTitle(!isLeaving && seconds <= TITLE_SECONDS && seconds > 0 ? `${formatMinutes(seconds)} · ` : '')

  return (
    <SkyFrame
      light={isWarning ? 'night' : 'day'}
      phase={isWarning ? 'warning' : 'active'}
      isMoving={isMoving}
      onWater={keep?.(seconds)}
      left={isLeaving ? 0 : Math.min(1, shown / address.lifetimeSeconds)}
      clock={isLeaving ? <NoTime /> : <Countdown isWarning={isWarning}>{formatCountdown(seconds)}</Countdown>}
      spoken={spokenTimeLeft(seconds, address.lifetimeSeconds, texts)}
    >
      {isLeaving ? null : isWarning ? (
        <Line isWarning>{texts.warning}</Line>
      ) : (
        <p className="sky-hint">{days === 0 ? texts.goneAt({ time }) : texts.goneLater({ time, day: relativeDay(days, language) })}</p>
      )}
    </SkyFrame>
  )
}

type SkyFrameProps = {
  light: Light
  /** The part of the lifetime that is left, from 1 to 0. */
  left: number
  phase?: 'active' | 'warning'
  isEmpty?: boolean
  isMoving?: boolean
  clock: ReactNode
  onWater?: ReactNode
  /** Announced by screen readers when it changes. The end of an address has a toast, which is announced too. */
  spoken?: string
  children: ReactNode
}

function SkyFrame({ light, left, phase, isEmpty, isMoving, clock, onWater, spoken = '', children }: SkyFrameProps) {
  const style: CSSProperties & { '--left': number } = { '--left': left }
  useIcon(light === 'dawn' ? 1 : left, light === 'night')
  return (
    <div data-phase={phase} data-light={light} data-empty={isEmpty} data-moving={isMoving} style={style} className="sky @container">
      <SkyDrawing />
      <div className="sky-head">
        {clock}
        {/* Always two lines on a narrow screen. */}
        <div className="sky-words">{children}</div>
      </div>
      {onWater}
      <span role="status" className="sr-only">
        {spoken}
      </span>
    </div>
  )
}

const NoTime = () => <Countdown isFaint>--:--:--</Countdown>

/** HH:MM:SS, with leading zero groups dimmed. Each group is an element that stays, so that none of them moves when another is dimmed. */
function Countdown({ children, isWarning, isFaint }: { children: string; isWarning?: boolean; isFaint?: boolean }) {
  const { timeLeft } = useTexts('mailbox')
  const faint = isFaint ? children.length : leadingZeros(children)
  return (
    // Without an address there is no time to read.
    <div aria-hidden={children.startsWith('-') || undefined}>
      <span className="sr-only">{timeLeft}</span>
      <span
        role="timer"
        data-testid="countdown"
        className={clsx('figures clock font-mono font-semibold', isWarning && 'animate-pulse text-last-seconds-ink')}
      >
        {timeGroups(children).map((group, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: hours, minutes and seconds stay in their places
          <span key={at} className={at * 3 < faint ? 'text-muted' : undefined}>
            {group}
          </span>
        ))}
      </span>
    </div>
  )
}

function Line({ isWarning, children }: { isWarning?: boolean; children: string }) {
  return <p className={isWarning ? 'sky-warning' : 'text-muted'}>{children}</p>
}

function useTitle(text: string): void {
  useEffect(() => {
    const unmounted = new AbortController()
    if (text !== '') showInTitle('time', text, unmounted.signal)
    return () => unmounted.abort()
  }, [text])
}

/** Loaded when the sun first moves. */
function useIcon(left: number, isLastSeconds: boolean): void {
  const step = Math.ceil(left * ICON_STEPS)
  const hasMoved = useRef(false)
  useEffect(() => {
    if (step === ICON_STEPS && !hasMoved.current) return
    hasMoved.current = true
    import('#web/lib/notify/sunset-icon.ts').then(icon => icon.showSunsetIcon(step / ICON_STEPS, isLastSeconds), console.warn)
  }, [step, isLastSeconds])
}

/** While the sun goes down or comes up because its address has got another lifetime: kept, deleted, or not deleted after all. */
function useMoving(token: string, lifetimeSeconds: number): boolean {
  const [shown, setShown] = useState({ token, lifetimeSeconds, isMoving: false })
  if (shown.token !== token || shown.lifetimeSeconds !== lifetimeSeconds)
    setShown({ token, lifetimeSeconds, isMoving: shown.token === token })
  useEffect(() => {
    if (!shown.isMoving) return
    const timer = setTimeout(() => setShown(moved => ({ ...moved, isMoving: false })), MOVING_MS)
    return () => clearTimeout(timer)
  }, [shown])
  return shown.isMoving
}

function useReducedMotion(): boolean {
  const [isStill, setIsStill] = useState(false)
  useEffect(() => setIsStill(matchMedia('(prefers-reduced-motion: reduce)').matches), [])
  return isStill
}
