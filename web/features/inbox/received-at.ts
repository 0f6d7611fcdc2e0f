import { clockTime } from '#web/lib/i18n/clock-time.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** The time for today, else the date. */
export function formatReceivedAt(iso: string, language: string, now: number = Date.now()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const isToday = Math.abs(now - date.getTime()) < DAY_MS && date.getDate() === new Date(now).getDate()
  if (isToday) return clockTime(date, language)
  return new Intl.DateTimeFormat(language, { day: 'numeric', month: 'short' }).format(date)
}
