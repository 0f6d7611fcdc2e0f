/**
 * The events of a calendar file (RFC 5545) that came by mail (RFC 5546, RFC 6047), as far as a small card shows them. ical.js reads lines,
 * values and rules; this decides what of a stranger's file is read at all. Pure, and loaded only when such a file is opened.
 */
import ICAL from 'ical.js'
import { readCalendars } from './calendar-file.ts'
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

function alone(events: readonly ICAL.Component[]): Series[] {
  return events.map(event => ({ event, changes: [] }))
}

function isOneDate(event: ICAL.Component): boolean {
  return event.hasProperty('recurrence-id')
}

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

function textOf(component: ICAL.Component, name: string): string {
  return String(component.getFirstPropertyValue(name) ?? '')
}

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
