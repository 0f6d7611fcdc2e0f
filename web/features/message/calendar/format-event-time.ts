import type { EventTime } from './event-time.ts'

type Words = { readonly allDay: string; readonly elsewhere: (p: { zone: string }) => string; readonly noZone: string }

const DAY_MS = 86_400_000

/**
 * From when to when: in the reader's own zone, named; whole days as days; a time in an unknown zone as it was written, with the zone's
 * name.
 */
export function formatEventTime(start: EventTime, end: EventTime | undefined, language: string, words: Words, timeZone?: string): string {
  const last = end && end.kind === start.kind && end.at > start.at ? end.at : undefined
  if (start.kind === 'day') {
    // The end of whole days is the first day after them.
    const days = new Intl.DateTimeFormat(language, { dateStyle: 'full', timeZone: 'UTC' })
    return `${range(days, start.at, last === undefined ? undefined : last - DAY_MS)} · ${words.allDay}`
  }
  const zone = start.kind === 'local' ? 'UTC' : timeZone
  const format = new Intl.DateTimeFormat(language, {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: 'numeric',
    minute: '2-digit',
    ...(start.kind === 'moment' ? { timeZoneName: 'short' } : {}),
    ...(zone === undefined ? {} : { timeZone: zone }),
  })
  const shown = range(format, start.at, last)
  if (start.kind === 'moment') return shown
  return `${shown} · ${start.zone === '' ? words.noZone : words.elsewhere({ zone: start.zone })}`
}

function range(format: Intl.DateTimeFormat, start: number, end: number | undefined): string {
  return end === undefined || end <= start ? format.format(start) : format.formatRange(start, end)
}
