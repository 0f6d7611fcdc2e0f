import { expect, test } from 'vitest'
import { CALENDAR_BYTES_MAX } from './calendar-part.ts'
import { readInvitation } from './invitation.ts'

function calendar(zone: string, event: string): Uint8Array {
  const zoned = `BEGIN:VTIMEZONE\r\nTZID:Here\r\n${zone}\r\nEND:VTIMEZONE`
  const text = `BEGIN:VCALENDAR\r\n${zoned}\r\nBEGIN:VEVENT\r\nDTSTART;TZID=Here:99990714T100000\r\n${event}\r\nEND:VEVENT\r\nEND:VCALENDAR`
  return new Uint8Array(Buffer.from(text.slice(0, CALENDAR_BYTES_MAX)))
}

const fill = (unit: string) => unit.repeat((CALENDAR_BYTES_MAX - 400) / unit.length)
const endless = 'BEGIN:STANDARD\r\nDTSTART:01000101T000000\r\nTZOFFSETFROM:+0000\r\nTZOFFSETTO:+0100\r\nRRULE:FREQ=@\r\nEND:STANDARD\r\n'

/** The work is bounded, so that a rule without an end does not stop the page. */
test.each([
  ['parameters', '', fill(';A=')],
  ['quotes', '', fill('X;A="')],
  ['folds', '', fill('\r\n ')],
  ['beginnings', '', fill('BEGIN:VEVENT\r\n')],
  ['ends', '', fill('END:VEVENT\r\n')],
  ['backslashes', '', `SUMMARY:${fill('\\')}`],
  ['attendees', '', fill('ATTENDEE;CN=a:b:mailto:c\r\n')],
  ['one long name of a person', '', `ATTENDEE;CN=${':mailto:'.repeat(500)}`],
  ['rules of every second', fill(endless.replace('@', 'SECONDLY')), ''],
  ['yearly rules', fill(endless.replace('@', 'YEARLY;BYMONTH=1,2,3,4,5,6,7,8,9,10,11,12;BYDAY=MO,TU,WE')), ''],
  ['rules without a day', fill(endless.replace('@', 'YEARLY;BYMONTH=2;BYMONTHDAY=30')), ''],
  ['listed dates', `BEGIN:STANDARD\r\n${fill('RDATE:20260714T100000\r\n')}`, ''],
  ['a rule without end', '', 'RRULE:FREQ=SECONDLY'],
  ['a long count', '', 'RRULE:FREQ=DAILY;COUNT=99999999999999999999'],
])('%s are read to their end', (_, zone, event) => {
  const found = readInvitation(calendar(zone, `${event}\r\nSUMMARY:last`))
  expect(found?.events.length ?? 0).toBeLessThanOrEqual(5)
})
