import { expect, test } from 'vitest'
import { CALENDAR_BYTES_MAX, formatEventTime, parseInvitation } from './invitation.ts'

const words = { allDay: 'all day', elsewhere: ({ zone }: { zone: string }) => `time of ${zone}`, noZone: 'local time' }
const plain = (text: string) => text.replace(/[\u2009\u202f\u00a0]/g, ' ')
const at = (iso: string) => Date.parse(iso)

test('a moment is shown in the reader’s zone, a day as a day, and an unknown zone by its name', () => {
  const start = { kind: 'moment', at: at('2026-07-14T08:00:00Z') } as const
  const end = { kind: 'moment', at: at('2026-07-14T09:30:00Z') } as const
  expect(plain(formatEventTime(start, end, 'en', words, 'Asia/Tokyo'))).toBe('Tuesday, July 14, 2026, 5:00 – 6:30 PM GMT+9')
  expect(plain(formatEventTime(start, undefined, 'es', words, 'Europe/Madrid'))).toBe('martes, 14 de julio de 2026, 10:00 CEST')
  const day = { kind: 'day', at: at('2026-07-14') } as const
  expect(plain(formatEventTime(day, { kind: 'day', at: at('2026-07-15') }, 'en', words))).toBe('Tuesday, July 14, 2026 · all day')
  const local = { kind: 'local', at: at('2026-07-14T10:00:00Z'), zone: 'Middle-earth' } as const
  expect(plain(formatEventTime(local, undefined, 'en', words, 'Asia/Tokyo'))).toMatch(/July 14, 2026.* 10:00 AM · time of Middle-earth$/)
  expect(plain(formatEventTime({ ...local, zone: '' }, undefined, 'en', words))).toMatch(/10:00 AM · local time$/)
})

const calendar = (...lines: string[]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'METHOD:REQUEST', 'BEGIN:VEVENT', ...lines, 'END:VEVENT', 'END:VCALENDAR', ''].join('\r\n')
const moment = (iso: string) => ({ kind: 'moment', at: Date.parse(iso) })

test('an invitation has the fields of a small card', () => {
  const text = calendar(
    'SUMMARY:Planning\\, part 2\\nwith everybody who is there and wants to come alo',
    ' ng',
    'DTSTART;TZID=Europe/Madrid:20260714T100000',
    'DTEND;TZID="Europe/Madrid":20260714T113000',
    'LOCATION:Room 4\\; second floor',
    'URL:https://meet.example/abc',
    'RRULE:FREQ=WEEKLY',
    'BEGIN:VALARM',
    'SUMMARY:An alarm is not the event',
    'END:VALARM',
  )
  expect(parseInvitation(text)).toEqual({
    title: 'Planning, part 2 with everybody who is there and wants to come along',
    start: moment('2026-07-14T08:00:00Z'),
    end: moment('2026-07-14T09:30:00Z'),
    place: 'Room 4; second floor',
    link: 'https://meet.example/abc',
    isCancelled: false,
    isRepeated: true,
  })
})

test.each([
  ['DTSTART:20260314T100000Z', moment('2026-03-14T10:00:00Z')],
  ['DTSTART;TZID=America/New_York:20260308T033000', moment('2026-03-08T07:30:00Z')],
  ['DTSTART;TZID=America/New_York:20261101T120000', moment('2026-11-01T17:00:00Z')],
  ['DTSTART;TZID=W. Europe Standard Time:20260714T100000', moment('2026-07-14T08:00:00Z')],
  ['DTSTART;TZID=/mozilla.org/20050126_1/Europe/Berlin:20260114T100000', moment('2026-01-14T09:00:00Z')],
  ['DTSTART;VALUE=DATE:20260314', { kind: 'day', at: Date.UTC(2026, 2, 14) }],
  ['DTSTART;TZID=Middle-earth:20260314T100000', { kind: 'local', at: Date.UTC(2026, 2, 14, 10), zone: 'Middle-earth' }],
  ['DTSTART;TZID=constructor:20260314T100000', { kind: 'local', at: Date.UTC(2026, 2, 14, 10), zone: 'constructor' }],
  ['DTSTART:20260314T100000', { kind: 'local', at: Date.UTC(2026, 2, 14, 10), zone: '' }],
])('%s', (line, start) => {
  expect(parseInvitation(calendar(line))?.start).toEqual(start)
})

test.each(['DTSTART:tomorrow', 'DTSTART:20260231T100000Z', 'DTSTART:20261399', 'DTSTART:20260314T250000Z', 'SUMMARY:no time'])(
  '%s is not an event',
  line => {
    expect(parseInvitation(calendar(line))).toBeUndefined()
  },
)

test('other files, and ones that are too large, have no card', () => {
  expect(parseInvitation('')).toBeUndefined()
  expect(parseInvitation('<html>')).toBeUndefined()
  expect(parseInvitation(calendar('DTSTART:20260314T100000Z', `X:${'x'.repeat(CALENDAR_BYTES_MAX)}`))).toBeUndefined()
})

test('texts are cut, links must be web addresses, and a place that is a link becomes one', () => {
  const start = 'DTSTART:20260314T100000Z'
  expect(parseInvitation(calendar(start, `SUMMARY:${'é'.repeat(5000)}`))?.title).toHaveLength(200)
  expect(parseInvitation(calendar(start, 'SUMMARY:a\u202eb\u0000c'))?.title).toBe('a b c')
  expect(parseInvitation(calendar(start, 'URL:javascript:alert(1)'))?.link).toBeUndefined()
  expect(parseInvitation(calendar(start, 'LOCATION:https://meet.example/x'))).toMatchObject({ place: '', link: 'https://meet.example/x' })
})

test('a cancelled invitation is marked', () => {
  const text = calendar('DTSTART:20260314T100000Z', 'STATUS:CANCELLED')
  expect(parseInvitation(text)?.isCancelled).toBe(true)
  expect(parseInvitation(calendar('DTSTART:20260314T100000Z').replace('REQUEST', 'CANCEL'))?.isCancelled).toBe(true)
})

test.each(['DTSTART;', 'DTSTART;A=', 'BEGIN:VEVENT\r\n', 'X;A="', '\r\n ', 'SUMMARY:\\', ';;;;'])(
  'endless %j is read in linear time',
  unit => {
    const before = performance.now()
    parseInvitation(calendar(unit.repeat(CALENDAR_BYTES_MAX / unit.length - 40)))
    expect(performance.now() - before).toBeLessThan(500)
  },
)
