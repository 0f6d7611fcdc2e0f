import { expect, test } from 'vitest'
import type { EventTime } from '#reader/invitation/event-time.ts'
import { readInvitation } from '#reader/invitation/invitation.ts'
import { message as english } from '#web/texts/en/message.ts'
import { message as spanish } from '#web/texts/es/message.ts'
import { eventTimePieces, purpose, recurrenceSentence } from './invitation-words.ts'

const [en, es] = [english.invitation, spanish.invitation]
const plain = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ')
const pieces = (...args: Parameters<typeof eventTimePieces>) => eventTimePieces(...args).map(plain)
const moment = (iso: string): EventTime => ({ kind: 'moment', at: Date.parse(iso), wall: Date.parse(iso) })

test('a range breaks between its day and its hours, or between its ends', () => {
  const start = moment('2026-07-14T08:00:00Z')
  const end = moment('2026-07-14T09:30:00Z')
  expect(pieces(start, end, 'en', en, 'Asia/Tokyo')).toEqual(['Tuesday, July 14, 2026,', '5:00 – 6:30 PM GMT+9'])
  expect(pieces(start, undefined, 'es', es, 'Europe/Madrid')).toEqual(['martes, 14 de julio de 2026, 10:00 CEST'])
  expect(pieces(start, moment('2026-07-16T09:30:00Z'), 'es', es, 'Europe/Madrid').map(piece => piece.split(',')[0])).toEqual([
    'martes',
    'jueves',
  ])
})

test('whole days are days, and their end is the day before; an unknown zone is named', () => {
  const day = (iso: string): EventTime => ({ kind: 'day', at: Date.parse(iso) })
  expect(pieces(day('2026-07-14'), day('2026-07-15'), 'en', en)).toEqual(['Tuesday, July 14, 2026', '· all day'])
  expect(pieces(day('2026-07-14'), day('2026-07-17'), 'en', en).join(' ')).toBe('Tuesday, July 14 – Thursday, July 16, 2026 · all day')
  expect(pieces(day('2026-07-14'), day('2026-07-17'), 'es', es).join(' ')).toMatch(/martes, 14.*jueves, 16 de julio de 2026 · todo el día/)
  const local: EventTime = { kind: 'local', at: Date.parse('2026-07-14T10:00:00Z'), zone: 'Middle-earth' }
  expect(pieces(local, undefined, 'en', en, 'Asia/Tokyo').join(' ')).toMatch(/July 14, 2026.* 10:00 AM · time of Middle-earth$/)
  expect(pieces({ ...local, zone: '' }, undefined, 'en', en).join(' ')).toMatch(/10:00 AM · local time$/)
})

function sentences(start: string, rule: string, timeZone: string): string[] {
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', start, rule, 'END:VEVENT', 'END:VCALENDAR']
  const event = readInvitation(new Uint8Array(Buffer.from(lines.join('\r\n'))))?.events[0]
  if (!event?.recurrence) return []
  const { recurrence, start: begin } = event
  return [recurrenceSentence(recurrence, begin, 'en', en, timeZone), recurrenceSentence(recurrence, begin, 'es', es, timeZone)].map(plain)
}

const MADRID = 'DTSTART;TZID=Europe/Madrid:20260714T100000'

test.each([
  ['RRULE:FREQ=DAILY;COUNT=10', 'Every day, 10 times', 'Cada día, 10 veces'],
  ['RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=TU,SA', 'Every 2 weeks on Tuesday and Saturday', 'Cada 2 semanas los martes y sábados'],
  [
    'RRULE:FREQ=WEEKLY;UNTIL=20260901T215959Z',
    'Every week on Tuesday, until September 1, 2026',
    'Cada semana los martes, hasta el 1 de septiembre de 2026',
  ],
  ['RRULE:FREQ=MONTHLY;BYDAY=-1FR', 'Every month on the last Friday', 'Cada mes el último viernes'],
  ['RRULE:FREQ=MONTHLY', 'Every month on day 14', 'Cada mes el día 14'],
  ['RRULE:FREQ=YEARLY', 'Every year', 'Cada año'],
  ['RRULE:FREQ=HOURLY', 'Repeats on dates that your calendar works out', 'Se repite según reglas que entiende tu calendario'],
  ['RRULE:FREQ=DAILY\r\nEXDATE:20260715T080000Z', 'Every day, except on 1 date', 'Cada día, excepto en 1 fecha'],
  ['RDATE:20260715T080000Z,20260716T080000Z', 'Repeats, also on 2 other dates', 'Se repite, también en 2 fechas más'],
])('%s', (rule, english, spanish) => {
  expect(sentences(MADRID, rule, 'Europe/Madrid')).toEqual([english, spanish])
})

test('the days of a rule are those of the reader’s zone', () => {
  expect(sentences('DTSTART;TZID=America/New_York:20260714T230000', 'RRULE:FREQ=WEEKLY;BYDAY=TU', 'Europe/Madrid')[0]).toBe(
    'Every week on Wednesday',
  )
  expect(sentences('DTSTART;TZID=America/New_York:20260714T230000', 'RRULE:FREQ=MONTHLY', 'Europe/Madrid')[0]).toBe(en.repeats.otherwise)
})

test.each([
  ['REPLY', 'ATTENDEE;CN="Doe: Jane";PARTSTAT=ACCEPTED:mailto:jane@example.org', 'Doe: Jane accepts'],
  ['REPLY', 'ATTENDEE;PARTSTAT=DECLINED:mailto:jane@example.org', 'jane@example.org declines'],
  ['REPLY', 'ATTENDEE;PARTSTAT=DELEGATED:mailto:jane@example.org', 'Reply from jane@example.org'],
  ['COUNTER', 'ATTENDEE;CN=Jane:mailto:jane@example.org', 'Jane proposes another time'],
  ['COUNTER', 'X:', 'Another time is proposed'],
  ['REFRESH', 'X:', 'Somebody asks for the latest version of this event'],
  ['REQUEST', 'ATTENDEE;CN=Jane:mailto:jane@example.org', undefined],
])('%s with %s says: %s', (method, line, expected) => {
  const text = `BEGIN:VCALENDAR\r\nMETHOD:${method}\r\nBEGIN:VEVENT\r\nDTSTART:20260714T100000Z\r\n${line}\r\nEND:VEVENT\r\nEND:VCALENDAR`
  const found = readInvitation(new Uint8Array(Buffer.from(text)))
  expect(found && purpose(found, en)).toBe(expected)
})
