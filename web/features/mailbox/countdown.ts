import { useEffect, useState } from 'react'

/** HH:MM:SS, zero-padded. Never negative. */
export function formatCountdown(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  return [whole / 3600, (whole / 60) % 60, whole % 60].map(part => String(Math.floor(part)).padStart(2, '0')).join(':')
}

/** A short wait as people say it: `4:07`. */
export function formatMinutes(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** How many characters of HH:MM:SS are whole groups of zeros before the first that counts: `00:00:24` → 6. */
export function leadingZeros(time: string): number {
  return /^(?:00:)*/.exec(time)?.[0].length ?? 0
}

/** Whole seconds until `deadlineMs`, a clock of `performance.now()`; the last second counts until it is over. */
export function secondsUntil(deadlineMs: number, nowMs: number): number {
  return Math.max(0, Math.ceil((deadlineMs - nowMs) / 1000))
}

/** Redraws when the shown second changes, not a fixed second after the last redraw, so that no second is ever skipped or shown twice as long. */
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

/** Seconds at which the time left is read out: often enough to act, seldom enough to bear. */
const ANNOUNCED_SECONDS = [3600, 1800, 600, 300, 120, 60, 30, 10] as const

/** The last of the announced marks that has passed; `undefined` before the first. */
export function lastAnnounced(seconds: number, lifetimeSeconds: number): number | undefined {
  return ANNOUNCED_SECONDS.filter(mark => mark < lifetimeSeconds && seconds <= mark).at(-1)
}
