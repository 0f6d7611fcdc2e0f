import { describe, expect, test } from 'vitest'
import { formatReceivedAt } from '#web/lib/i18n/date-and-time.ts'
import { groupCode } from '#web/lib/mailbox/group-code.ts'

describe('codes on a row', () => {
  test.each([
    ['481516', '481 516'],
    ['1234', '1234'],
    ['12345', '12345'],
    ['12345678', '1234 5678'],
    ['123456789', '123 456 789'],
    ['1234567', '123 456 7'],
    ['K7Q-ZZ4', 'K7Q-ZZ4'],
    ['', ''],
  ])('%s is shown as %s', (code, shown) => {
    expect(groupCode(code)).toBe(shown)
    expect(groupCode(code).replaceAll(' ', '')).toBe(code)
  })
})

describe('when a mail came', () => {
  const now = new Date(2026, 10, 21, 14, 32).getTime()
  test('is shown as the hour today and as the date before', () => {
    expect(formatReceivedAt(new Date(2026, 10, 21, 9, 5).toISOString(), 'es', now)).toBe('09:05')
    expect(formatReceivedAt(new Date(2026, 10, 20, 23, 59).toISOString(), 'es', now)).toBe('20 nov')
    expect(formatReceivedAt('never', 'en', now)).toBe('')
  })

  test('is shown as the hour after midnight, and on a device whose clock is a day behind', () => {
    const midnight = new Date(2026, 10, 21, 0, 4).getTime()
    expect(formatReceivedAt(new Date(2026, 10, 20, 23, 58).toISOString(), 'es', midnight)).toBe('23:58')
    expect(formatReceivedAt(new Date(2026, 10, 22, 14, 31).toISOString(), 'es', now)).toBe('14:31')
  })
})
