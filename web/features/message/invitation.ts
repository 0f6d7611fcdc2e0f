/**
 * The one event of a calendar file (RFC 5545) as far as a small card shows it. The file is a stranger's: every length is bounded. Pure: no
 * DOM.
 */
import { DAY_MS } from '#contract/limits.ts'
export type Invitation = {
  readonly title: string
  readonly start: EventTime
  readonly end: EventTime | undefined
  readonly place: string
  /** http or https only. */
  readonly link: string | undefined
  readonly isCancelled: boolean
  readonly isRepeated: boolean
}

/** An invitation has 2 to 10 kB. A larger file is somebody's whole calendar. */
export const CALENDAR_BYTES_MAX = 131_072
const LINES_MAX = 4000
const TEXT_CHARS_MAX = 200
const URL_CHARS_MAX = 2048

type Property = { readonly name: string; readonly zone: string | undefined; readonly value: string }

/** `undefined` if it is not an event, or has no readable time. */
export function parseInvitation(text: string): Invitation | undefined {
  if (text.length > CALENDAR_BYTES_MAX) return undefined
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/, LINES_MAX)
  const begin = lines.findIndex(line => /^BEGIN:VEVENT\s*$/i.test(line))
  if (begin === -1) return undefined
  const event = eventProperties(lines.slice(begin + 1))
  const get = (name: string) => event.get(name)?.value ?? ''
  const start = time(event.get('DTSTART'))
  if (!start) return undefined
  const place = readText(get('LOCATION'))
  const isCancelled = /^CANCELLED$/i.test(get('STATUS').trim()) || lines.some(line => /^METHOD:CANCEL\s*$/i.test(line))
  return {
    title: readText(get('SUMMARY')),
    start,
    end: time(event.get('DTEND')),
    place: webAddress(place) === undefined ? place : '',
    link: [get('X-GOOGLE-CONFERENCE'), get('X-MICROSOFT-SKYPETEAMSMEETINGURL'), get('URL'), place].map(webAddress).find(Boolean),
    isCancelled,
    isRepeated: event.has('RRULE'),
  }
}

/** The first of each name; what belongs to an alarm inside the event is not the event's. */
function eventProperties(lines: readonly string[]): Map<string, Property> {
  const properties = new Map<string, Property>()
  let depth = 0
  for (const line of lines) {
    if (/^BEGIN:/i.test(line)) depth += 1
    else if (/^END:/i.test(line)) depth -= 1
    if (depth < 0) break
    const property = depth === 0 ? parseProperty(line) : undefined
    if (property && !properties.has(property.name)) properties.set(property.name, property)
  }
  return properties
}

/** `DTSTART;TZID="Europe/Madrid":20260314T100000`: a colon in quotes is part of a parameter. */
function parseProperty(line: string): Property | undefined {
  const match = /^([A-Z0-9-]{1,60})((?:;[A-Z0-9-]{1,60}=(?:"[^"]*"|[^";:]*))*):(.*)$/i.exec(line)
  if (!match) return undefined
  const [, name = '', parameters = '', value = ''] = match
  const zone = /;TZID=(?:"([^"]*)"|([^";:]*))/i.exec(parameters)
  return { name: name.toUpperCase(), zone: zone?.[1] ?? zone?.[2], value }
}

function time(property: Property | undefined): EventTime | undefined {
  return property && parseEventTime(property.value.trim(), property.zone)
}

function readText(value: string): string {
  return value
    .slice(0, 4 * TEXT_CHARS_MAX)
    .replace(/\\([nN,;\\])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? ' ' : escaped))
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_CHARS_MAX)
}

function webAddress(value: string): string | undefined {
  const trimmed = value.trim()
  const url = trimmed.length <= URL_CHARS_MAX && /^https?:\/\/\S+$/i.test(trimmed) ? URL.parse(trimmed) : null
  return url?.href
}

/**
 * A time as calendars write it, turned into a moment where that is possible. `day`: a whole day, wherever the reader is. `local`: a time in
 * an unknown zone, or without one.
 */
type EventTime =
  | { readonly kind: 'moment'; readonly at: number }
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'local'; readonly at: number; readonly zone: string }

const DATE_TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/
const ZONE_CHARS_MAX = 64

function parseEventTime(value: string, zone: string | undefined): EventTime | undefined {
  const match = DATE_TIME.exec(value)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second] = match.map(Number)
  const at = Date.UTC(year ?? 0, (month ?? 1) - 1, day, hour || 0, minute || 0, second || 0)
  // The 31st of February is not a day.
  if (Number.isNaN(at) || new Date(at).getUTCDate() !== day || (hour || 0) > 23 || (minute || 0) > 59) return undefined
  if (match[4] === undefined) return { kind: 'day', at }
  if (match[7] === 'Z') return { kind: 'moment', at }
  const name = (zone ?? '').slice(0, ZONE_CHARS_MAX)
  const moment = momentIn(WINDOWS_ZONES[name] ?? name.replace(/^\/[^/]+\/[^/]+\//, ''), at)
  return moment === undefined ? { kind: 'local', at, zone: name } : { kind: 'moment', at: moment }
}

/** The moment at which clocks of a zone show what UTC shows at `at`; `undefined` for a zone the browser does not know. */
function momentIn(zone: string, at: number): number | undefined {
  if (zone === '') return undefined
  try {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone: zone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    // Twice, as the offset of the first guess may be that of the other side of a change of the clocks.
    const first = at - offset(format, at)
    return at - offset(format, first)
  } catch {
    return undefined
  }
}

function offset(format: Intl.DateTimeFormat, at: number): number {
  const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const get = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(get('year'), get('month') - 1, get('day'), get('hour'), get('minute'), get('second')) - at
}

/** Outlook's names for the zones that most mail comes from (CLDR windowsZones). */
const WINDOWS_ZONES: Readonly<Record<string, string>> = {
  __proto__: null as never,
  'Hawaiian Standard Time': 'Pacific/Honolulu',
  'Alaskan Standard Time': 'America/Anchorage',
  'Pacific Standard Time': 'America/Los_Angeles',
  'Mountain Standard Time': 'America/Denver',
  'US Mountain Standard Time': 'America/Phoenix',
  'Central Standard Time': 'America/Chicago',
  'Central Standard Time (Mexico)': 'America/Mexico_City',
  'Eastern Standard Time': 'America/New_York',
  'SA Pacific Standard Time': 'America/Bogota',
  'Atlantic Standard Time': 'America/Halifax',
  'Venezuela Standard Time': 'America/Caracas',
  'Pacific SA Standard Time': 'America/Santiago',
  'Argentina Standard Time': 'America/Buenos_Aires',
  'E. South America Standard Time': 'America/Sao_Paulo',
  'Montevideo Standard Time': 'America/Montevideo',
  'GMT Standard Time': 'Europe/London',
  'Greenwich Standard Time': 'Atlantic/Reykjavik',
  'W. Europe Standard Time': 'Europe/Berlin',
  'Romance Standard Time': 'Europe/Paris',
  'Central Europe Standard Time': 'Europe/Budapest',
  'Central European Standard Time': 'Europe/Warsaw',
  'GTB Standard Time': 'Europe/Bucharest',
  'FLE Standard Time': 'Europe/Kiev',
  'E. Europe Standard Time': 'Europe/Chisinau',
  'Turkey Standard Time': 'Europe/Istanbul',
  'Israel Standard Time': 'Asia/Jerusalem',
  'South Africa Standard Time': 'Africa/Johannesburg',
  'Egypt Standard Time': 'Africa/Cairo',
  'Russian Standard Time': 'Europe/Moscow',
  'Arabian Standard Time': 'Asia/Dubai',
  'Arab Standard Time': 'Asia/Riyadh',
  'Pakistan Standard Time': 'Asia/Karachi',
  'India Standard Time': 'Asia/Calcutta',
  'SE Asia Standard Time': 'Asia/Bangkok',
  'China Standard Time': 'Asia/Shanghai',
  'Singapore Standard Time': 'Asia/Singapore',
  'Tokyo Standard Time': 'Asia/Tokyo',
  'Korea Standard Time': 'Asia/Seoul',
  'AUS Eastern Standard Time': 'Australia/Sydney',
  'New Zealand Standard Time': 'Pacific/Auckland',
}

type Words = { readonly allDay: string; readonly elsewhere: (p: { zone: string }) => string; readonly noZone: string }

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
