/** A time as calendars write it, turned into a moment where that is possible. Pure: no DOM. */

/** `day`: a whole day, wherever the reader is. `local`: a time in an unknown zone, or without one. */
export type EventTime =
  | { readonly kind: 'moment'; readonly at: number }
  | { readonly kind: 'day'; readonly at: number }
  | { readonly kind: 'local'; readonly at: number; readonly zone: string }

const DATE_TIME = /^(\d{4})(\d\d)(\d\d)(?:T(\d\d)(\d\d)(\d\d)?(Z)?)?$/
const ZONE_CHARS_MAX = 64

export function parseEventTime(value: string, zone: string | undefined): EventTime | undefined {
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
