import { expect, test } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { clockTime } from './clock-time.ts'

test.each(LANGUAGES)('the time matches Intl for every minute of a day in %s', language => {
  const format = new Intl.DateTimeFormat(language, { hour: language === 'en' ? 'numeric' : '2-digit', minute: '2-digit' })
  for (let minute = 0; minute < 1440; minute += 1) {
    const date = new Date(2026, 10, 21, 0, minute)
    // Intl puts a narrow no-break space before AM and PM.
    expect(clockTime(date, language)).toBe(format.format(date).replace('\u202f', ' '))
  }
})
