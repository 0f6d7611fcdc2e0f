/** When an event is: a day, a moment, or a time in a zone that nobody knows. */
import type ICAL from 'ical.js'
import windowsZones from './windows-zones.json' with { type: 'json' }

/**
 * `day`: a whole day, wherever the reader is. `local`: a time without a zone (`zone` is empty), or in one that neither the file nor this
 * machine knows. Times are in milliseconds; those of `wall` and of the other two kinds are what the clocks there show, read as UTC.
 */
export type EventTime =
  | { readonly kind: 'moment'; readonly at: number; readonly wall: number }
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'local'; readonly at: number; readonly zone: string }

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const ZONE_CHARS_MAX = 100
const OFFSET_MS_MAX = 26 * HOUR_MS

/** The zones of one file. Its own descriptions come first (RFC 5545 section 3.2.19), then the names that everybody knows. */
export class CalendarZones {
  readonly #described = new Map<string, ICAL.Component>()

  constructor(calendars: readonly ICAL.Component[]) {
    for (const zone of calendars.flatMap(calendar => calendar.getAllSubcomponents('vtimezone'))) {
      const name = zone.getFirstPropertyValue('tzid')
      if (typeof name === 'string' && !this.#described.has(name)) this.#described.set(name, zone)
    }
  }

  /** The first value of a property such as DTSTART; `undefined` if it is no date. */
  time(property: ICAL.Property | null): EventTime | undefined {
    if (!property) return undefined
    const read = readTime(String(property.jCal[3]))
    if (!read) return undefined
    if (read.isDay) return { kind: 'day', at: read.at }
    if (read.isUtc) return { kind: 'moment', at: read.at, wall: read.at }
    return this.#inZone(read.at, zoneName(property))
  }

  /** The end of an event with a duration. Weeks and days are of the calendar (RFC 5545 section 3.3.6): `P1D` may have 23 or 25 hours. */
  after(start: EventTime, property: ICAL.Property, duration: ICAL.Duration): EventTime | undefined {
    const { isNegative, weeks, days, hours, minutes, seconds } = duration
    const nominal = (7 * weeks + days) * DAY_MS
    const exact = (hours * 60 + minutes) * 60 * SECOND_MS + seconds * SECOND_MS
    if (isNegative || !Number.isSafeInteger(nominal + exact)) return undefined
    if (start.kind !== 'moment') return { ...start, at: start.at + nominal + exact }
    const day = this.#inZone(start.wall + nominal, zoneName(property) || 'UTC')
    return day.kind === 'moment' ? { ...day, at: day.at + exact, wall: day.wall + exact } : undefined
  }

  #inZone(wall: number, name: string): EventTime {
    const described = this.#described.get(name)
    const offset = (described && describedOffset(described, wall)) ?? namedOffset(name, wall)
    return offset === undefined ? { kind: 'local', at: wall, zone: name } : { kind: 'moment', at: wall - offset, wall }
  }
}

const zoneName = (property: ICAL.Property): string => String(property.getFirstParameter('tzid') ?? '').slice(0, ZONE_CHARS_MAX)

type ReadTime = { readonly at: number; readonly isDay: boolean; readonly isUtc: boolean }

const DATE_TIME = /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d):(\d\d)(Z)?)?$/

/** A date as ical.js writes it. Its own reading takes the 31st of February for one. */
export function readTime(text: string): ReadTime | undefined {
  const match = DATE_TIME.exec(text)
  if (!match) return undefined
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = match.slice(1, 7).map(part => Number(part ?? 0))
  const at = Date.UTC(year, month - 1, day, hour, minute, second)
  const isReal = year >= 100 && new Date(at).getUTCDate() === day && month <= 12 && hour <= 23 && minute <= 59
  return isReal ? { at, isDay: match[4] === undefined, isUtc: match[7] === 'Z' } : undefined
}

type Onset = { readonly at: number; readonly from: number; readonly to: number }

/**
 * The offset from UTC in a described zone while its clocks show `wall`: that of the last change until then. ical.js would work this out
 * too, but takes UTC for every time before the first change, skips the start of a change that also lists dates, and would expand any rule.
 */
function describedOffset(zone: ICAL.Component, wall: number): number | undefined {
  let last: Onset | undefined
  let first: Onset | undefined
  for (const change of zone.getAllSubcomponents()) {
    const [from, to] = ['tzoffsetfrom', 'tzoffsetto'].map(name => utcOffset(change.getFirstPropertyValue(name)))
    const start = readTime(String(change.getFirstProperty('dtstart')?.jCal[3]))
    if (from === undefined || to === undefined || !start) continue
    if (!first || start.at < first.at) first = { at: start.at, from, to }
    const at = lastOnset(change, start.at, from, wall)
    if (at !== undefined && (!last || at > last.at)) last = { at, from, to }
  }
  if (!last) return first?.from
  // The hour that is skipped in spring is read with the offset before it (RFC 5545 section 3.3.5).
  return wall - last.at < last.to - last.from ? last.from : last.to
}

function utcOffset(value: unknown): number | undefined {
  const match = /^([+-])(\d\d):?(\d\d)(?::?(\d\d))?$/.exec(String(value))
  if (!match) return undefined
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(2).map(part => Number(part ?? 0))
  const offset = (hours * 60 + minutes) * 60 * SECOND_MS + seconds * SECOND_MS
  return offset > OFFSET_MS_MAX ? undefined : match[1] === '-' ? -offset : offset
}

/** The last time until `wall` at which the clocks change in this way. `undefined` if they have not yet. */
function lastOnset(change: ICAL.Component, start: number, from: number, wall: number): number | undefined {
  const listed = change.getAllProperties('rdate').flatMap(({ jCal }) => jCal.slice(3).map(value => readTime(String(value))))
  const onsets = listed.flatMap(date => (date ? [date.isUtc ? date.at + from : date.at] : []))
  const rule = change.getFirstPropertyValue('rrule')
  if (rule) onsets.push(...lastYearly(rule as ICAL.Recur, start, from, wall))
  return [start, ...onsets].filter(at => at <= wall).reduce((last: number | undefined, at) => Math.max(last ?? at, at), undefined)
}

/** The dates of a yearly rule (`BYMONTH=10;BYDAY=-1SU`) in the year of `wall` and the one before, or in the last year of the rule. */
function lastYearly({ freq, parts, until, count }: ICAL.Recur, start: number, from: number, wall: number): number[] {
  if (freq !== 'YEARLY') return []
  const begin = new Date(start)
  const ended = until && readTime(until.toString())
  const end = ended && (ended.isUtc ? ended.at + from : ended.isDay ? ended.at + DAY_MS - 1 : ended.at)
  const yearOfEnd = Math.min(
    new Date(Math.min(wall, end ?? wall)).getUTCFullYear(),
    count ? begin.getUTCFullYear() + count - 1 : Number.POSITIVE_INFINITY,
  )
  const months = (parts.BYMONTH as number[] | undefined) ?? [begin.getUTCMonth() + 1]
  const days = (parts.BYMONTHDAY as number[] | undefined) ?? (parts.BYDAY ? [] : [begin.getUTCDate()])
  const weekdays = (parts.BYDAY as string[] | undefined) ?? []
  return [yearOfEnd - 1, yearOfEnd]
    .flatMap(year => months.slice(0, 12).flatMap(month => daysOf(year, month, days, weekdays)))
    .map(day => day + (((start % DAY_MS) + DAY_MS) % DAY_MS))
    .filter(at => at >= start && at <= (end ?? at))
}

const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

function daysOf(year: number, month: number, days: readonly number[], weekdays: readonly string[]): number[] {
  const length = new Date(Date.UTC(year, month, 0)).getUTCDate()
  const isMeant = (day: number) => {
    const name = WEEKDAYS[new Date(Date.UTC(year, month - 1, day)).getUTCDay()]
    const spellings = [
      name,
      `${Math.ceil(day / 7)}${name}`,
      `+${Math.ceil(day / 7)}${name}`,
      `-${Math.ceil((length - day + 1) / 7)}${name}`,
    ]
    const isWeekday = weekdays.length === 0 || weekdays.some(weekday => spellings.includes(weekday))
    return isWeekday && (days.length === 0 || days.includes(day) || days.includes(day - length - 1))
  }
  return Array.from({ length }, (_, at) => at + 1)
    .filter(isMeant)
    .map(day => Date.UTC(year, month - 1, day))
}

/** The offset while clocks in a zone of the IANA or the Windows list show `wall`. `undefined` for a name that the machine does not know. */
function namedOffset(name: string, wall: number): number | undefined {
  const format = zoneFormat(name)
  if (!format) return undefined
  // Twice, as the offset of the first guess may be that of the other side of a change of the clocks.
  const first = wall - shownOffset(format, wall)
  return shownOffset(format, first)
}

/** Programs put their own path before a name: `/mozilla.org/20050126_1/Europe/Berlin`. */
function zoneFormat(name: string): Intl.DateTimeFormat | undefined {
  const known = Object.hasOwn(windowsZones, name) ? windowsZones[name as keyof typeof windowsZones] : name
  for (let rest = known; rest !== ''; rest = rest.includes('/') ? rest.slice(rest.indexOf('/') + 1) : '') {
    try {
      return new Intl.DateTimeFormat('en-US', {
        timeZone: rest.replace(/^(?:UTC|GMT)(?=[+-]\d)/, ''),
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      })
    } catch {
      // Not a zone: the next part may be one.
    }
  }
  return undefined
}

function shownOffset(format: Intl.DateTimeFormat, at: number): number {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second')) - at
}
