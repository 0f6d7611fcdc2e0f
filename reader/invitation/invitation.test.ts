import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CALENDAR_BYTES_MAX, calendarFilename } from './calendar-part.ts'
import type { EventTime } from './event-time.ts'
import expectedOf from './expected.json' with { type: 'json' }
import { type CalendarEvent, type Invitation, readInvitation } from './invitation.ts'

const FIXTURES = new URL('fixtures/', import.meta.url)

function show(time: EventTime | undefined): string {
  if (!time) return ''
  const text = new Date(time.at).toISOString()
  if (time.kind === 'day') return text.slice(0, 10)
  return time.kind === 'moment' ? text.slice(0, 16).concat('Z') : text.slice(0, 16).concat(` ${time.zone || 'anywhere'}`)
}

function describeEvent({ title, start, end, place, link, isCancelled, isOneDate, attendee, recurrence }: CalendarEvent): string {
  const { rule, ...dates } = recurrence ?? {}
  const on = typeof rule === 'object' && rule.on ? Object.values(rule.on).flat().join(' ') : ''
  const repeats =
    typeof rule === 'object'
      ? `${rule.interval} ${rule.unit} ${on} ${rule.count ?? ''}${show(rule.until === undefined ? undefined : { kind: 'day', at: rule.until })}`
      : rule
  const marks = [isCancelled && 'cancelled', isOneDate && 'one date', attendee && `${attendee.name} ${attendee.reply}`]
  const counts = Object.entries(dates).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]))
  return [title, `${show(start)} ${show(end)}`.trim(), place, link, repeats?.trim(), ...counts, ...marks].filter(Boolean).join(' | ')
}

const describeFile = (found: Invitation | undefined) => found && [found.act, ...found.events.map(describeEvent)]

// Made by the library and version in the name; those of Google, Exchange, Outlook and Apple have the shape that these services write.
test.each(Object.entries(expectedOf))('%s', (name, expected) => {
  expect(describeFile(readInvitation(readFileSync(new URL(`${name}.ics`, FIXTURES))))).toEqual(expected)
})

test('every fixture is tested', () => {
  expect(
    readdirSync(FIXTURES)
      .map(name => name.replace('.ics', ''))
      .sort(),
  ).toEqual(Object.keys(expectedOf).sort())
})

const bytes = (text: string) => new Uint8Array(Buffer.from(text))
const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REQUEST', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
const read = (...lines: string[]) => readInvitation(bytes(calendar(...lines)))?.events[0]

test.each([
  ['DTSTART:20260314T100000Z', '2026-03-14T10:00Z'],
  ['DTSTART:20260314T1000Z', '2026-03-14T10:00Z'],
  ['DTSTART;TZID=America/New_York:20260308T033000', '2026-03-08T07:30Z'],
  ['DTSTART;TZID=America/New_York:20261101T120000', '2026-11-01T17:00Z'],
  ['DTSTART;TZID=W. Europe Standard Time:20260714T100000', '2026-07-14T08:00Z'],
  ['DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260114T100000', '2026-01-14T09:00Z'],
  ['DTSTART;TZID=tzone://Microsoft/Utc:20260114T100000', '2026-01-14T10:00Z'],
  ['DTSTART;TZID=GMT+02:00:20260114T100000', '2026-01-14T08:00Z'],
  ['DTSTART;VALUE=DATE:20260314', '2026-03-14'],
  ['DTSTART:20260314', '2026-03-14'],
  ['DTSTART;TZID=Middle-earth:20260314T100000', '2026-03-14T10:00 Middle-earth'],
  ['DTSTART;TZID=constructor:20260314T100000', '2026-03-14T10:00 constructor'],
  ['DTSTART:20260314T100000', '2026-03-14T10:00 anywhere'],
])('%s', (line, start) => {
  expect(show(read(line)?.start)).toBe(start)
})

test.each(['DTSTART:tomorrow', 'DTSTART:20260231T100000Z', 'DTSTART:20261399', 'DTSTART:20260314T250000Z', 'SUMMARY:no time'])(
  '%s is no event',
  line => {
    expect(read(line)).toBeUndefined()
  },
)

// RFC 5545 section 3.3.6: days are of the calendar, hours are exact. Clocks go back in Madrid on 25 October 2026.
test.each([
  ['DTSTART;VALUE=DATE:20260714', 'P3D', '2026-07-17'],
  ['DTSTART;VALUE=DATE:20260714', 'P1W', '2026-07-21'],
  ['DTSTART;TZID=Europe/Madrid:20261024T120000', 'P1D', '2026-10-25T11:00Z'],
  ['DTSTART;TZID=Europe/Madrid:20261024T120000', 'PT24H', '2026-10-25T10:00Z'],
  ['DTSTART;TZID=Europe/Madrid:20261024T120000', 'PT1440M', '2026-10-25T10:00Z'],
  ['DTSTART;TZID=Europe/Madrid:20261024T120000', 'P1DT2H', '2026-10-25T13:00Z'],
  ['DTSTART:20260714T100000Z', 'PT45M', '2026-07-14T10:45Z'],
  ['DTSTART;TZID=Middle-earth:20260714T100000', 'PT45M', '2026-07-14T10:45 Middle-earth'],
  ['DTSTART:20260714T100000Z', '-PT45M', ''],
  ['DTSTART:20260714T100000Z', 'soon', ''],
])('%s for %s ends at %s', (start, duration, end) => {
  expect(show(read(start, `DURATION:${duration}`)?.end)).toBe(end)
})

const zone = (name: string, ...changes: string[]) => ['BEGIN:VTIMEZONE', `TZID:${name}`, ...changes, 'END:VTIMEZONE'].join('\r\n')
const change = (start: string, from: string, to: string, ...more: string[]) =>
  ['BEGIN:STANDARD', `DTSTART:${start}`, `TZOFFSETFROM:${from}`, `TZOFFSETTO:${to}`, ...more, 'END:STANDARD'].join('\r\n')
const inZone = (description: string, start: string) =>
  show(
    readInvitation(bytes(calendar(`DTSTART;TZID=Here:${start}`).replace('BEGIN:VEVENT', `${description}\r\nBEGIN:VEVENT`)))?.events[0]
      ?.start,
  )

test('the zone that a file describes counts, also under the name of a known one', () => {
  const description = zone('Europe/Madrid', change('16010101T000000', '-0400', '-0400'))
  const text = calendar('DTSTART;TZID=Europe/Madrid:20260714T100000').replace('BEGIN:VEVENT', `${description}\r\nBEGIN:VEVENT`)
  expect(show(readInvitation(bytes(text))?.events[0]?.start)).toBe('2026-07-14T14:00Z')
})

test('in a described zone the last change before a time counts, whether it is a start, a listed date or a rule', () => {
  const spring = change('20200329T020000', '+0100', '+0200', 'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU')
  const autumn = change('20201025T030000', '+0200', '+0100', 'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU')
  expect(inZone(zone('Here', spring, autumn), '20260714T100000')).toBe('2026-07-14T08:00Z')
  expect(inZone(zone('Here', spring, autumn), '20260114T100000')).toBe('2026-01-14T09:00Z')
  // before the first change
  expect(inZone(zone('Here', spring, autumn), '20190714T100000')).toBe('2019-07-14T09:00Z')
  // the hour that is skipped, and the first of the two that have one name
  expect(inZone(zone('Here', spring, autumn), '20260329T023000')).toBe('2026-03-29T01:30Z')
  expect(inZone(zone('Here', spring, autumn), '20261025T023000')).toBe('2026-10-25T00:30Z')
  const listed = zone('Here', change('20250330T020000', '+0100', '+0200', 'RDATE:20260329T020000,20270328T020000'), autumn)
  expect(inZone(listed, '20260714T100000')).toBe('2026-07-14T08:00Z')
  expect(inZone(listed, '20250714T100000')).toBe('2025-07-14T08:00Z')
  const ended = change('19960407T020000', '-0600', '-0500', 'RRULE:FREQ=YEARLY;UNTIL=20220403T080000Z;BYMONTH=4;BYDAY=1SU')
  const last = change('19961027T020000', '-0500', '-0600', 'RRULE:FREQ=YEARLY;UNTIL=20221030T070000Z;BYMONTH=10;BYDAY=-1SU')
  expect(inZone(zone('Here', ended, last), '20260714T100000')).toBe('2026-07-14T16:00Z')
  const weekOf8 = 'RRULE:FREQ=YEARLY;BYMONTH=3;BYMONTHDAY=8,9,10,11,12,13,14;BYDAY=SU'
  expect(inZone(zone('Here', change('20070311T020000', '-0500', '-0400', weekOf8)), '20260308T020000')).toBe('2026-03-08T07:00Z')
  expect(inZone(zone('Here'), '20260714T100000')).toBe('2026-07-14T10:00 Here')
})

test.each([
  ['FREQ=DAILY', 'day', undefined],
  ['FREQ=DAILY;BYDAY=MO,TU,WE,TH,FR', 'week', [1, 2, 3, 4, 5]],
  ['FREQ=WEEKLY', 'week', [2]],
  ['FREQ=MONTHLY', 'month', 14],
  ['FREQ=MONTHLY;BYMONTHDAY=-1', 'month', -1],
  ['FREQ=YEARLY;BYMONTH=7;BYMONTHDAY=14', 'year', undefined],
])('%s is said by %s', (rule, unit, on) => {
  const found = read('DTSTART:20260714T100000Z', `RRULE:${rule}`)?.recurrence?.rule
  expect(found).toMatchObject({ unit, interval: 1 })
  if (typeof found === 'object' && found.on) expect(Object.values(found.on)[1]).toEqual(on)
})

test.each([
  'FREQ=HOURLY',
  'FREQ=YEARLY;BYMONTH=11;BYDAY=4TH',
  'FREQ=MONTHLY;BYDAY=MO,TU',
  'FREQ=WEEKLY;BYDAY=XX',
  'FREQ=DAILY;INTERVAL=5000',
])('%s repeats in another way', rule => {
  expect(read('DTSTART:20260714T100000Z', `RRULE:${rule}`)?.recurrence?.rule).toBe('other')
})

test('texts are cut, links must be web addresses, and a place that is a link becomes one', () => {
  const start = 'DTSTART:20260314T100000Z'
  expect(read(start, `SUMMARY:${'é'.repeat(3000)}`)?.title).toHaveLength(200)
  expect(read(start, 'SUMMARY:a\u202eb\u0000c\\nd')?.title).toBe('a b c d')
  expect(read(start, 'URL:javascript:alert(1)')?.link).toBeUndefined()
  expect(read(start, 'LOCATION:https://meet.example/x')).toMatchObject({ place: '', link: 'https://meet.example/x' })
  expect(read(start, 'LOCATION:Room 4 <https://meet.example/x>')).toMatchObject({ link: 'https://meet.example/x' })
  expect(read(start, 'CONFERENCE;VALUE=URI;LABEL="Join: now":https://meet.example/a?x=1;y=2')?.link).toBe('https://meet.example/a?x=1;y=2')
  expect(read(start, 'BEGIN:VALARM', 'SUMMARY:of the alarm', 'END:VALARM', 'SUMMARY:of the event')?.title).toBe('of the event')
})

test('any charset, and a fold inside a character', () => {
  const text = calendar('DTSTART:20260314T100000Z', 'SUMMARY:Reunión en Łódź')
  expect(readInvitation(new Uint8Array(Buffer.from(`\ufeff${text}`, 'utf16le')))?.events[0]?.title).toBe('Reunión en Łódź')
  const folded = Buffer.from(text.replace('Łódź', 'Łód\u0001ź'))
  const at = folded.indexOf(1)
  const inside = Buffer.concat([folded.subarray(0, at), folded.subarray(at + 1, at + 2), Buffer.from('\r\n '), folded.subarray(at + 2)])
  expect(readInvitation(inside)?.events[0]?.title).toBe('Reunión en Łódź')
  const latin1 = Buffer.from(calendar('DTSTART:20260314T100000Z', 'SUMMARY:Reunión'), 'latin1')
  for (const charset of ['iso-8859-1', 'utf-8', 'x-unknown'])
    expect(readInvitation(latin1, charset)?.events[0]?.title, charset).toBe('Reunión')
  const japanese = Buffer.from(calendar('DTSTART:20260314T100000Z', 'SUMMARY:@').replace('@', '\u0082\u00a0'), 'latin1')
  expect(readInvitation(japanese, 'shift_jis')?.events[0]?.title).toBe('あ')
  expect(readInvitation(bytes(text), 'shift_jis')?.events[0]?.title, 'converted by a gateway').toBe('Reunión en Łódź')
})

test('a line that cannot be read costs neither the event nor the others, and what is left open is closed', () => {
  const text = calendar('nonsense', 'X-A;B="open:c', 'GEO:here', 'END:VALARM', 'SUMMARY:Planning', 'DTSTART:20260314T100000Z')
  expect(readInvitation(bytes(text.replace(/END:VEVENT.*/s, '')))?.events[0]?.title).toBe('Planning')
})

test('of many events the first five are described, and the rest counted', () => {
  const events = Array.from({ length: 8 }, (_, at) => `BEGIN:VEVENT\r\nDTSTART:2026031${at}T100000Z\r\nSUMMARY:${at}\r\nEND:VEVENT`)
  const found = readInvitation(bytes(`BEGIN:VCALENDAR\r\n${events.join('\r\n')}\r\nEND:VCALENDAR`))
  expect([found?.events.map(({ title }) => title), found?.moreEvents]).toEqual([['0', '1', '2', '3', '4'], 3])
})

test('other files, and ones that are too large, are no invitation', () => {
  expect(readInvitation(bytes(''))).toBeUndefined()
  expect(readInvitation(bytes('<html>'))).toBeUndefined()
  expect(readInvitation(bytes(calendar('DTSTART:20260314T100000Z', `X:${'x'.repeat(CALENDAR_BYTES_MAX)}`)))).toBeUndefined()
})

test.each([
  ['invite.ics', 'invite.ics'],
  ['Invite.ICS', 'Invite.ics'],
  ['2026.11.30.ics', '2026.11.30.ics'],
  ['talk.ics.html', 'talk.ics.html.ics'],
  ['invite.bat', 'invite.bat.ics'],
  ['invite', 'invite.ics'],
])('the calendar file %s is saved as %s', (filename, saved) => {
  expect(calendarFilename(filename)).toBe(saved)
})
