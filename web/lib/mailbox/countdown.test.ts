import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LANGUAGES } from '#contract/languages.ts'
import { mailbox as texts } from '#web/texts/en/core.ts'
import { dateAndTime } from '../i18n/date-and-time.ts'
import {
  clockTime,
  formatCountdown,
  formatMinutes,
  formatTimeLeft,
  leadingZeros,
  spokenTimeLeft,
  timeGroups,
  useSecondsLeft,
} from './countdown.ts'

test('a clock of a thousand hours keeps all its digits', () => {
  expect(timeGroups(formatCountdown(5_184_000))).toEqual(['1440:', '00:', '00'])
  expect(timeGroups('00:10:00')).toEqual(['00:', '10:', '00'])
})

test.each([
  [600, '00:10:00'],
  [599, '00:09:59'],
  [30, '00:00:30'],
  [0, '00:00:00'],
  [-1, '00:00:00'],
  [86_400, '24:00:00'],
  [3661, '01:01:01'],
])('%i seconds are shown as %s', (seconds, text) => {
  expect(formatCountdown(seconds)).toBe(text)
})

test.each([
  ['00:09:41', '00:'],
  ['00:00:24', '00:00:'],
  ['23:59:59', ''],
  ['00:00:00', '00:00:'],
])('in %s the leading %s is faded', (time, zeros) => {
  expect(time.slice(0, leadingZeros(time))).toBe(zeros)
})

test('a wait is shown in minutes and seconds', () => {
  expect([277, 60, 9].map(formatMinutes)).toEqual(['4:37', '1:00', '0:09'])
})

test('the time left of an address is minutes and seconds, or whole hours', () => {
  expect([0, 432, 3599, 3600, 86_399, 86_400].map(formatTimeLeft)).toEqual(['0:00', '7:12', '59:59', '1\u00a0h', '23\u00a0h', '24\u00a0h'])
})

test('a second is counted until it is over', () => {
  const clock = vi.spyOn(performance, 'now').mockReturnValue(0)
  onTestFinished(() => clock.mockRestore())
  const shown = (leftMs: number) => renderToStaticMarkup(createElement(() => String(useSecondsLeft(leftMs))))
  expect([600_000, 599_001, 599_000, 1, 0, -5].map(shown)).toEqual(['600', '600', '599', '1', '0', '0'])
})

test('the remaining time is announced at a few moments, none above the lifetime', () => {
  const spoken = [600, 599, 301, 300, 299, 60, 31, 30, 10, 1].map(seconds => spokenTimeLeft(seconds, 600, texts))
  const [five, one, thirty, ten] = [
    texts.minutesLeft({ minutes: 5 }),
    texts.minutesLeft({ minutes: 1 }),
    `${texts.secondsLeft({ seconds: 30 })}. ${texts.warning}`,
    texts.secondsLeft({ seconds: 10 }),
  ]
  expect(spoken).toEqual(['', '', '', five, five, one, one, thirty, ten, ten])
})

const LOCALES = [
  ...['en', 'es-ES', 'de-DE'],
  // Regions of English in CLDR: those of twelve hours, and those of twenty-four.
  ...'AE AU BB CA GH HK IN JM MY NZ PH PK SG TT US ZM'.split(' ').map(region => `en-${region}`),
  ...'150 AT BE BW BZ CH DE DK FI GB GG GI IE IL IM JE KE MT NG NL RW SE SI TZ UG ZA ZW'.split(' ').map(region => `en-${region}`),
]

test.each(LOCALES.flatMap(locale => LANGUAGES.map(language => [language, locale] as const)))(
  'the time matches Intl for every minute of a day in %s where the browser is of %s',
  (language, locale) => {
    vi.stubGlobal('navigator', { language: locale })
    onTestFinished(() => void vi.unstubAllGlobals())
    const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
    const isTwelve = language === 'en' && hour12 === true
    const format = new Intl.DateTimeFormat(language, { hour: isTwelve ? 'numeric' : '2-digit', minute: '2-digit', hour12: isTwelve })
    for (let minute = 0; minute < 1440; minute += 1) {
      const date = new Date(2026, 10, 21, 0, minute)
      // Intl puts a narrow no-break space before AM and PM.
      expect(clockTime(date, language)).toBe(format.format(date).replace('\u202f', ' '))
    }
  },
)

test('a day and its time have the same hours as a time alone', () => {
  const date = new Date(2026, 10, 24, 0, 49)
  expect(dateAndTime(date, 'en')).toBe('Nov 24, 2026, 12:49 AM')
  expect(dateAndTime(date.toISOString(), 'es')).toBe('24 nov 2026, 00:49')
})

// English is written in the order of the region. A region of Spanish would put it last, first or behind a `de`.
test.each([
  ['en-GB', '24 Nov 2026, 00:49', '24 nov 2026, 00:49'],
  ['es-PR', 'Nov 24, 2026, 00:49', '24 nov 2026, 00:49'],
  ['en-US@posix', 'Nov 24, 2026, 12:49 AM', '24 nov 2026, 00:49'],
  ['C', 'Nov 24, 2026, 00:49', '24 nov 2026, 00:49'],
  ['', 'Nov 24, 2026, 00:49', '24 nov 2026, 00:49'],
])('a day is written for a browser of "%s"', (browser, english, spanish) => {
  vi.stubGlobal('navigator', { language: browser })
  onTestFinished(() => void vi.unstubAllGlobals())
  const date = new Date(2026, 10, 24, 0, 49)
  expect([dateAndTime(date, 'en'), dateAndTime(date, 'es')]).toEqual([english, spanish])
})
