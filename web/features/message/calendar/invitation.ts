/**
 * The one event of a calendar file (RFC 5545) as far as a small card shows it. The file is a stranger's: every length is bounded. Pure: no
 * DOM.
 */
import { type EventTime, parseEventTime } from './event-time.ts'

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
