import { expect, test } from 'vitest'
import { formatEventTime } from './format-event-time.ts'

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
