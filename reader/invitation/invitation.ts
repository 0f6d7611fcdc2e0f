/**
 * The events of a calendar file (RFC 5545) that came by mail (RFC 5546, RFC 6047), as far as a small card shows them. ical.js reads lines,
 * values and rules; this decides what of a stranger's file is read at all. Pure, and loaded only when such a file is opened.
 */
import ICAL from 'ical.js'
import { CALENDAR_BYTES_MAX } from './calendar-part.ts'
import { CalendarZones, type EventTime } from './event-time.ts'
import { type Recurrence, readRecurrence } from './recurrence.ts'

export type Invitation = {
  /** Its purpose (RFC 5546 section 1.4). A file that names none is published. */
  readonly act: 'publish' | 'request' | 'reply' | 'add' | 'cancel' | 'refresh' | 'counter' | 'declinecounter'
  /** At least one. An event and its changed dates are one. */
  readonly events: readonly CalendarEvent[]
  /** Number of further events in the file, which are not read. */
  readonly moreEvents: number
}

export type CalendarEvent = {
  readonly title: string
  readonly start: EventTime
  /** After the start. Of whole days it is the first day after them. */
  readonly end: EventTime | undefined
  readonly place: string
  /** A web address, http or https. */
  readonly link: string | undefined
  readonly isCancelled: boolean
  readonly recurrence: Recurrence | undefined
  /** The file describes one date of a series, and not the series. */
  readonly isOneDate: boolean
  /** Who replies or proposes, and what is replied, in the words of RFC 5545 (PARTSTAT) in lower case. */
  readonly attendee: { readonly name: string; readonly reply: string | undefined } | undefined
}

const EVENTS_SHOWN_MAX = 5
const TEXT_CHARS_MAX = 200
const URL_CHARS_MAX = 2048

/** `undefined` if the file has no event with a readable time. `charset` is that of the part's Content-Type. */
export function readInvitation(file: Uint8Array, charset = 'utf-8'): Invitation | undefined {
  const calendars = readCalendars(file, charset)
  const zones = new CalendarZones(calendars)
  const act = ACTS.find(name => calendars.some(calendar => textOf(calendar, 'method').toLowerCase() === name)) ?? 'publish'
  const found = calendars.flatMap(calendar => calendar.getAllSubcomponents('vevent'))
  const events: CalendarEvent[] = []
  let moreEvents = 0
  for (const series of bySeries(found)) {
    if (events.length < EVENTS_SHOWN_MAX) events.push(...readEvent(series, act, zones))
    else moreEvents += 1
  }
  return events.length === 0 ? undefined : { act, events, moreEvents }
}

const ACTS = ['request', 'reply', 'add', 'cancel', 'refresh', 'counter', 'declinecounter'] as const

/** An event, with the dates of it that the same file describes on their own. */
type Series = { readonly event: ICAL.Component; readonly changes: readonly ICAL.Component[] }

function bySeries(events: readonly ICAL.Component[]): Series[] {
  const groups = Map.groupBy(events, event => textOf(event, 'uid') || event)
  return Array.from(groups.values()).flatMap(group => {
    const [event, ...others] = group.filter(each => !isOneDate(each))
    const changes = group.filter(isOneDate)
    return event ? [{ event, changes }, ...alone(others)] : alone(changes)
  })
}

const alone = (events: readonly ICAL.Component[]): Series[] => events.map(event => ({ event, changes: [] }))
const isOneDate = (event: ICAL.Component): boolean => event.hasProperty('recurrence-id')

/** Empty if it has no readable time. */
function readEvent({ event, changes }: Series, act: Invitation['act'], zones: CalendarZones): CalendarEvent[] {
  const start = zones.time(event.getFirstProperty('dtstart'))
  if (!start) return []
  const place = readText(textOf(event, 'location'))
  const isCancelled = (each: ICAL.Component) => /^cancelled$/i.test(textOf(each, 'status').trim())
  const cancelledDates = changes.filter(isCancelled).length
  const read: CalendarEvent = {
    title: readText(textOf(event, 'summary')),
    start,
    end: readEnd(event, start, zones),
    place: webAddress(place) === undefined ? place : '',
    link:
      LINKS.flatMap(name => allTexts(event, name))
        .concat(place)
        .map(webAddress)
        .find(Boolean) ?? webAddress(/https?:[^\s<>"]+/i.exec(place)?.[0]),
    isCancelled: act === 'cancel' || isCancelled(event),
    recurrence: readRecurrence(event, start, { changed: changes.length - cancelledDates, cancelled: cancelledDates }),
    isOneDate: isOneDate(event),
    attendee: act === 'publish' || act === 'request' ? undefined : readAttendee(event),
  }
  return [read]
}

function readEnd(event: ICAL.Component, start: EventTime, zones: CalendarZones): EventTime | undefined {
  const begin = event.getFirstProperty('dtstart')
  const duration = event.getFirstPropertyValue('duration')
  const lasts = begin && duration instanceof ICAL.Duration ? zones.after(start, begin, duration) : undefined
  const end = zones.time(event.getFirstProperty('dtend')) ?? lasts
  return end && end.kind === start.kind && end.at > start.at ? end : undefined
}

/** Only if it is one person, since nothing else says who of several proposes another time. */
function readAttendee(event: ICAL.Component): CalendarEvent['attendee'] {
  const [attendee, ...others] = event.getAllProperties('attendee')
  if (!attendee || others.length > 0) return undefined
  const address = String(attendee.getFirstValue()).replace(/^mailto:/i, '')
  const name = readText(String(attendee.getFirstParameter('cn') || address))
  return { name, reply: String(attendee.getFirstParameter('partstat') ?? '').toLowerCase() }
}

/** Programs put the address of a video meeting into a property of their own. */
const LINKS = ['conference', 'x-google-conference', 'x-microsoft-skypeteamsmeetingurl', 'url']

function allTexts(component: ICAL.Component, name: string): string[] {
  return component.getAllProperties(name).map(property => String(property.getFirstValue() ?? ''))
}

const textOf = (component: ICAL.Component, name: string): string => String(component.getFirstPropertyValue(name) ?? '')

function readText(value: string): string {
  return value
    .slice(0, 4 * TEXT_CHARS_MAX)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
    .slice(0, TEXT_CHARS_MAX)
}

function webAddress(value = ''): string | undefined {
  const trimmed = value.trim().replace(/^<(.*)>$/, '$1')
  const url = trimmed.length <= URL_CHARS_MAX && /^https?:\/\/\S+$/i.test(trimmed) ? URL.parse(trimmed) : null
  return url?.href
}

const LINES_MAX = 4000
/** Descriptions may be longer, and are not read. */
const LINE_CHARS_MAX = 4096
/** A calendar, its zones and their changes. */
const DEPTH_MAX = 4

const READ_PROPERTIES = new Set(
  [
    ['METHOD', 'TZID', 'TZOFFSETFROM', 'TZOFFSETTO', 'UID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID'],
    ['SUMMARY', 'LOCATION', 'STATUS', 'ATTENDEE', 'URL', 'CONFERENCE', 'X-GOOGLE-CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL'],
  ].flat(),
)

/** The components of a calendar file. What ical.js refuses costs the line that it is in, not the file. Empty if it is too large or none. */
function readCalendars(file: Uint8Array, charset: string): ICAL.Component[] {
  if (file.length > CALENDAR_BYTES_MAX) return []
  const root: JCal = ['root', [], []]
  const open: JCal[] = [root]
  for (const line of unfoldedText(file, charset).split(/\r\n|\r|\n/, LINES_MAX)) {
    const [, isBegin, name = ''] = /^(?:(BEGIN)|END):\s*([A-Z-]{1,40})\s*$/i.exec(line) ?? []
    if (name === '') readProperty(line, open.at(-1) ?? root)
    else if (isBegin !== undefined) open.push(component(open.at(-1) ?? root, name.toLowerCase(), open.length > DEPTH_MAX))
    else close(open, name.toLowerCase())
  }
  return root[2].filter(([name]) => name === 'vcalendar').map(calendar => new ICAL.Component(calendar))
}

/** A component as jCal (RFC 7265) has it: name, properties, components. */
type JCal = [name: string, properties: unknown[][], components: JCal[]]

function component(parent: JCal, name: string, isTooDeep: boolean): JCal {
  const child: JCal = [name, [], []]
  if (!isTooDeep) parent[2].push(child)
  return child
}

/** Closes what was left open inside it, too. An end without a beginning does nothing. */
function close(open: JCal[], name: string): void {
  const at = open.findLastIndex(([opened]) => opened === name)
  if (at > 0) open.length = at
}

function readProperty(line: string, [, properties]: JCal): void {
  const name = /^[A-Z0-9-]{1,60}(?=[:;])/i.exec(line)?.[0].toUpperCase()
  if (name === undefined || !READ_PROPERTIES.has(name) || line.length > LINE_CHARS_MAX) return
  try {
    const property = ICAL.parse.property(withoutSlips(line)) as unknown[]
    // Values are read at their first use, and then one that cannot be would cost the file.
    new ICAL.Property(property).getFirstValue()
    properties.push(property)
  } catch {
    // The event still repeats, in a way that nobody can say.
    if (name === 'RRULE') properties.push(['rrule', {}, 'text', ''])
  }
}

const DATE_LINE = /^(DTSTART|DTEND|RECURRENCE-ID)(;.*)?:\s*(\d{8})(?:(T\d{4})(\d\d)?(Z?))?\s*$/i
const PERSON_LINE = /^(ATTENDEE)(;.*):\s*(mailto:.*)$/is

/**
 * Slips that senders make and calendars accept: whole days that are not declared as days, times without seconds, and names of zones and
 * people with a colon outside quotes, which one library escapes with a backslash.
 */
function withoutSlips(line: string): string {
  const date = DATE_LINE.exec(line)
  if (date) {
    const [, name, parameters = '', day, time = '', seconds = '00', utc = ''] = date
    const zone = /;TZID=(?:"([^"]*)"|([^";]*))/i.exec(parameters)
    if (time === '') return `${name};VALUE=DATE:${day}`
    return `${name}${zone ? `;TZID="${zone[1] ?? zone[2]}"` : ''}:${day}${time}${seconds}${utc}`
  }
  const person = PERSON_LINE.exec(line)
  if (!person) return line
  const parameters = person[2]?.replace(/;CN=([^";]+)/i, (_, unquoted: string) => `;CN="${unquoted.replace(/\\(?=[:,])/g, '')}"`)
  return `${person[1]}${parameters}:${person[3]}`
}

/** Unfolds bytes before characters are read: a fold may be inside one (RFC 5545 section 3.1). In UTF-16 it has other bytes. */
function unfoldedText(file: Uint8Array, charset: string): string {
  const wide = file[0] === 0xff && file[1] === 0xfe ? 'utf-16le' : file[0] === 0xfe && file[1] === 0xff ? 'utf-16be' : charset
  if (/^utf-?16/i.test(wide)) return decode(file, wide)?.replace(/\r?\n[ \t]/g, '') ?? ''
  const bytes = unfold(file)
  // Gateways convert mail to UTF-8 and leave the declaration; others declare UTF-8 and write windows-1252.
  const texts = [charset, 'utf-8'].flatMap(label => decode(bytes, label) ?? [])
  const other = texts.length === 2 && !/^utf-?8$/i.test(charset) ? texts[0] : decode(bytes, 'windows-1252')
  return texts.find(text => !text.includes('\ufffd')) ?? other ?? ''
}

/** `undefined` if the browser does not know the charset. */
function decode(bytes: Uint8Array, charset: string): string | undefined {
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    return undefined
  }
}

const [TAB, LF, CR, SPACE] = [9, 10, 13, 32]

function unfold(bytes: Uint8Array): Uint8Array {
  const out = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at++) {
    const end = bytes[at] === CR && bytes[at + 1] === LF ? at + 1 : at
    const isFold = bytes[end] === LF && (bytes[end + 1] === SPACE || bytes[end + 1] === TAB)
    if (isFold) at = end + 1
    else out[length++] = bytes[at] ?? 0
  }
  return out.subarray(0, length)
}
