/** How an event repeats, as far as a sentence can say it. Occurrences are never worked out: a stranger's rule may have no end. */
import ICAL from 'ical.js'
import { type EventTime, readTime } from './event-time.ts'

export type Recurrence = {
  /** `other`: a rule that no short sentence says. `undefined`: there are only listed dates. */
  readonly rule: Rule | 'other' | undefined
  /** Number of dates on which it does not take place. */
  readonly skippedDates: number
  /** Number of dates that the rule does not name. */
  readonly addedDates: number
  /** Number of dates that the same file describes on their own. */
  readonly changedDates: number
}

export type Rule = {
  readonly unit: 'day' | 'week' | 'month' | 'year'
  /** 2 is every second day, week, month or year. */
  readonly interval: number
  readonly on: RuleDays | undefined
  readonly count: number | undefined
  /** The last day on which it can take place, in the event's own zone, read as UTC. */
  readonly until: number | undefined
}

/** Weekdays are 0 (Sunday) to 6. A day or position of -1 is the last of the month. */
type RuleDays =
  | { readonly kind: 'weekdays'; readonly weekdays: readonly number[] }
  | { readonly kind: 'day'; readonly day: number }
  | { readonly kind: 'position'; readonly position: number; readonly weekday: number }

/** `dates` are those that the same file describes on their own. */
export function readRecurrence(
  event: ICAL.Component,
  start: EventTime,
  dates: { readonly changed: number; readonly cancelled: number },
): Recurrence | undefined {
  const rule = event.hasProperty('rrule') ? (readRule(event.getFirstPropertyValue('rrule'), start) ?? 'other') : undefined
  const addedDates = countDates(event, 'rdate')
  if (rule === undefined && addedDates === 0 && dates.changed + dates.cancelled === 0) return undefined
  return { rule, addedDates, skippedDates: countDates(event, 'exdate') + dates.cancelled, changedDates: dates.changed }
}

function countDates(event: ICAL.Component, name: string): number {
  return event.getAllProperties(name).reduce((sum, { jCal }) => sum + jCal.length - 3, 0)
}

const INTERVAL_MAX = 1000
const WEEKDAYS = ['SU', 'MO', 'TU', 'WE', 'TH', 'FR', 'SA']

function readRule(found: unknown, start: EventTime): Rule | undefined {
  if (!(found instanceof ICAL.Recur)) return undefined
  const { freq, interval, count, until } = found
  const days = daysOf(freq, interval, found.parts as Parts, new Date(start.kind === 'moment' ? start.wall : start.at))
  if (!days || !(interval >= 1 && interval <= INTERVAL_MAX)) return undefined
  const last = until ? readTime(until.toString()) : undefined
  const toWall = last?.isUtc && start.kind === 'moment' ? start.wall - start.at : 0
  return { ...days, interval, count: count ?? undefined, until: last && last.at + toWall }
}

type Parts = { readonly BYDAY?: readonly string[]; readonly BYMONTHDAY?: readonly number[]; readonly BYMONTH?: readonly number[] } & {
  readonly BYSETPOS?: readonly number[]
}

function daysOf(freq: string, interval: number, parts: Parts, start: Date): Pick<Rule, 'unit' | 'on'> | undefined {
  const names = Object.keys(parts).sort().join()
  const weekdays = (parts.BYDAY ?? []).map(name => WEEKDAYS.indexOf(name))
  const isPlain = weekdays.length > 0 && !weekdays.includes(-1)
  if (freq === 'DAILY' && names === '') return { unit: 'day', on: undefined }
  if (freq === 'WEEKLY' && names === '') return { unit: 'week', on: { kind: 'weekdays', weekdays: [start.getUTCDay()] } }
  if (names === 'BYDAY' && isPlain && (freq === 'WEEKLY' || (freq === 'DAILY' && interval === 1)))
    return { unit: 'week', on: { kind: 'weekdays', weekdays } }
  const on = freq === 'MONTHLY' ? dayOfMonth(names, parts, start) : undefined
  if (on) return { unit: 'month', on }
  return freq === 'YEARLY' && isAnniversary(parts, names, start) ? { unit: 'year', on: undefined } : undefined
}

/** The 14th, the second Tuesday or the last day. Outlook writes the second Tuesday as `BYDAY=TU;BYSETPOS=2`. */
function dayOfMonth(names: string, { BYDAY = [], BYMONTHDAY = [], BYSETPOS = [] }: Parts, start: Date): RuleDays | undefined {
  if (names === '') return { kind: 'day', day: start.getUTCDate() }
  const [day = 0] = BYMONTHDAY
  if (names === 'BYMONTHDAY' && BYMONTHDAY.length === 1 && day >= -1) return { kind: 'day', day }
  const [, ordinal = '', name = ''] = /^([+-]?\d?)([A-Z]{2})$/.exec(BYDAY.length === 1 ? (BYDAY[0] ?? '') : '') ?? []
  const position = names === 'BYDAY,BYSETPOS' && ordinal === '' && BYSETPOS.length === 1 ? BYSETPOS[0] : Number(ordinal)
  const isSayable = (names === 'BYDAY' || names === 'BYDAY,BYSETPOS') && [1, 2, 3, 4, -1].includes(position ?? 0) && name !== ''
  return isSayable ? { kind: 'position', position: position ?? 1, weekday: WEEKDAYS.indexOf(name) } : undefined
}

function isAnniversary({ BYMONTH = [], BYMONTHDAY = [] }: Parts, names: string, start: Date): boolean {
  const isOnly = (values: readonly number[], value: number) => values.length === 0 || (values.length === 1 && values[0] === value)
  return /^(?:BYMONTH)?,?(?:BYMONTHDAY)?$/.test(names) && isOnly(BYMONTH, start.getUTCMonth() + 1) && isOnly(BYMONTHDAY, start.getUTCDate())
}
