import { useEffect, useState } from 'react'
import { DAY_MS, WARNING_SECONDS } from '#contract/limits.ts'
import type { MailboxTexts } from '#web/texts/en/core.ts'

/** HH:MM:SS, zero-padded. Never negative. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return [whole / 3600, (whole / 60) % 60, whole % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':')
}

/** A short wait as people read it: `4:07`. */
export const formatMinutes = (seconds: number): string => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

/** The time that an address has left, as a short text on pages that have no clock: `7:12`, and for hours `23 h`. */
export const formatTimeLeft = (seconds: number): string =>
  seconds < 3600 ? formatMinutes(seconds) : `${Math.floor(seconds / 3600)}\u00a0h`

/** HH:, MM: and SS of HH:MM:SS, however many hours there are. */
export const timeGroups = (time: string): string[] => time.match(/[^:]+:?/g) ?? []

/** How many characters of HH:MM:SS are leading zero groups: `00:00:24` → 6. */
export const leadingZeros = (time: string): number => /^(?:00:)*/.exec(time)?.[0].length ?? 0

/** Whole seconds until `deadlineMs` on the clock of `performance.now()`, rounded up. */
const secondsUntil = (deadlineMs: number, nowMs: number): number => Math.max(0, Math.ceil((deadlineMs - nowMs) / 1000))

/** Renders when the displayed second changes, not at a fixed interval, so that no second is skipped or shown for too long. */
export function useSecondsLeft(deadlineMs: number): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(deadlineMs, performance.now()))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    const tick = () => {
      const leftMs = deadlineMs - performance.now()
      setSeconds(secondsUntil(deadlineMs, performance.now()))
      if (leftMs > 0) timer = setTimeout(tick, leftMs % 1000 || 1000)
    }
    tick()
    return () => clearTimeout(timer)
  }, [deadlineMs])
  return seconds
}

/** Seconds at which screen readers announce the time left: often enough to act, without being annoying. */
const ANNOUNCED_SECONDS = [3600, 1800, 600, 300, 120, 60, 30, 10] as const

/** The last of these marks that has passed; `undefined` before the first. */
function lastAnnounced(seconds: number, lifetimeSeconds: number): number | undefined {
  return ANNOUNCED_SECONDS.filter(mark => mark < lifetimeSeconds && seconds <= mark).at(-1)
}

/** Changes only at these marks, so that screen readers announce eight sentences instead of six hundred. The warning is one of them. */
export function spokenTimeLeft(seconds: number, lifetimeSeconds: number, texts: MailboxTexts): string {
  const mark = lastAnnounced(seconds, lifetimeSeconds)
  if (mark === undefined) return ''
  if (mark >= 60) return texts.minutesLeft({ minutes: mark / 60 })
  return `${texts.secondsLeft({ seconds: mark })}${mark === WARNING_SECONDS ? `. ${texts.warning}` : ''}`
}

/** The regions where English counts twenty-four hours (CLDR), besides Europe (150). */
const WHOLE_DAY =
  'A[IT]|B[EIWZ]|C[CHKMXZ]|D[EGK]|E[ES]|F[IKR]|G[BEGIS]|HU|I[DELMOT]|J[EP]|KE|L[TV]|M[GSTUV]|N[FGLORU]|P[LNT]|R[OW]|S[CEHIKX]|T[KVZ]|U[AG]|Z[AW]'
const TWELVE_HOURS = new RegExp(`^en(?!-(150|${WHOLE_DAY}))`)

/**
 * Formats hours and minutes: `6:53 PM` in English where the browser's own region writes so, else `18:53`. Without `Intl`, because the first
 * `Intl.DateTimeFormat` of a page blocks the main thread for 15 to 25 ms (Chromium 156), four times that on a phone, just when the address
 * or the first mail appears.
 */
export function clockTime(date: Date, language: string): string {
  const hours = date.getHours()
  const minutes = twoDigits(date.getMinutes())
  if (language !== 'en' || !TWELVE_HOURS.test(navigator.language)) return `${twoDigits(hours)}:${minutes}`
  return `${hours % 12 || 12}:${minutes} ${hours < 12 ? 'AM' : 'PM'}`
}

const twoDigits = (value: number) => String(value).padStart(2, '0')

/** How often midnight passes before `date`. */
export function daysUntil(date: Date): number {
  return Math.round((new Date(date).setHours(0, 0, 0, 0) - new Date().setHours(0, 0, 0, 0)) / DAY_MS)
}

/** "today", "tomorrow", "in 7 days". */
export function relativeDay(days: number, language: string): string {
  return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day')
}
