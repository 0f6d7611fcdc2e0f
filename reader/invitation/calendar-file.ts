/** From the bytes of a calendar file to its components. What ical.js refuses costs the line that it is in, not the file. */
import ICAL from 'ical.js'
import { CALENDAR_BYTES_MAX } from './calendar-part.ts'

const LINES_MAX = 4000
/** Descriptions may be longer, and are not read. */
const LINE_CHARS_MAX = 4096
/** A calendar, its zones and their changes. */
const DEPTH_MAX = 4

const READ = new Set(
  [
    ['METHOD', 'TZID', 'TZOFFSETFROM', 'TZOFFSETTO', 'UID', 'DTSTART', 'DTEND', 'DURATION', 'RRULE', 'RDATE', 'EXDATE', 'RECURRENCE-ID'],
    ['SUMMARY', 'LOCATION', 'STATUS', 'ATTENDEE', 'URL', 'CONFERENCE', 'X-GOOGLE-CONFERENCE', 'X-MICROSOFT-SKYPETEAMSMEETINGURL'],
  ].flat(),
)

/** Empty if the file is too large or none. */
export function readCalendars(file: Uint8Array, charset: string): ICAL.Component[] {
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
  if (name === undefined || !READ.has(name) || line.length > LINE_CHARS_MAX) return
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

/**
 * Folds are removed before characters are read, since one may be inside a character (RFC 5545 section 3.1). In UTF-16 that cannot be, and a
 * fold has other bytes.
 */
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
