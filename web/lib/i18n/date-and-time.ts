import { HOUR_MS } from '#contract/limits.ts'
import { clockTime } from '../mailbox/countdown.ts'

/** The page's language, and English, which puts day and month in two orders, as the browser's region writes it. */
export function regional(language: string): string {
  // Chromium says `en-US@posix` where the system has no language, which `Intl` does not read.
  const region = /-([A-Z]{2}|\d{3})\b/.exec(navigator.language)?.[1]
  return language === 'en' && region ? `${language}-${region}` : language
}

/** A day and its time as `clockTime` writes it. `at`: a date of the API, or one. */
export function dateAndTime(at: string | Date, language: string): string {
  const date = new Date(at)
  return `${new Intl.DateTimeFormat(regional(language), { dateStyle: 'medium' }).format(date)}, ${clockTime(date, language)}`
}

/** Midnight between two mails of one evening does not matter: what came this recently needs no date. */
const RECENT_MS = 12 * HOUR_MS

/** The time for today and the last hours, else the date. */
export function formatReceivedAt(iso: string, language: string, now: number = Date.now()): string {
  const date = new Date(iso)
  if (Number.isNaN(date.getTime())) return ''
  const isToday = date.toDateString() === new Date(now).toDateString()
  // A mail of the future shows that this browser's clock is wrong, and the date with it.
  if (isToday || now - date.getTime() < RECENT_MS) return clockTime(date, language)
  return new Intl.DateTimeFormat(regional(language), { day: 'numeric', month: 'short' }).format(date)
}
