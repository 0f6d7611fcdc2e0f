import { expect, test } from 'vitest'
import { AppError, Outage } from '#server/errors.ts'
import { createLog, REQUEST_MESSAGE } from './log.ts'

function logAtTerminal(level: string) {
  const written: string[] = []
  return { log: createLog(level, { terminal: { write: text => written.push(text) } }), text: () => written.join('') }
}

test('a line for a terminal has time, level, message and fields, and no JSON', () => {
  const { log, text } = logAtTerminal('info')
  log.warn({ attempts: 2, reason: 'ECONNREFUSED' }, 'The relay did not take a mail')
  expect(text()).toMatch(/^\d\d:\d\d:\d\d warn {3}The relay did not take a mail {2}attempts=2 {2}reason=ECONNREFUSED\n$/)
})

test('an error is shown with its stack, indented', () => {
  const { log, text } = logAtTerminal('info')
  log.error({ err: new Error('disk is full') }, 'Request failed')
  expect(text()).toMatch(/ error {2}Request failed\n {2}Error: disk is full\n {2} +at /)
})

test('a terminal shows requests from LOG_LEVEL=debug on', () => {
  const info = logAtTerminal('info')
  info.log.info({ route: '/' }, REQUEST_MESSAGE)
  expect(info.text()).toBe('')
  const debug = logAtTerminal('debug')
  debug.log.info({ route: '/' }, REQUEST_MESSAGE)
  expect(debug.text()).toContain('request  route=/')
})

test('what fails in an outage, which is logged once, is left out', () => {
  const { log, text } = logAtTerminal('info')
  log.error({ err: new Outage('unavailable') }, 'Request failed')
  log.error({ err: new AppError('unavailable') }, 'Another failed')
  expect(text()).toContain('Another failed')
  expect(text()).not.toContain('Request failed')
})

test('text from elsewhere cannot control the terminal', () => {
  const { log, text } = logAtTerminal('info')
  log.warn({ reason: '550 \u001b[2Jno\u009b31m\r\nsecond line' }, 'refused')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not appear
  expect(text().trimEnd()).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  expect(text()).toContain('second line')
})
