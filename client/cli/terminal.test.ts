import { expect, test } from 'vitest'
import { asShown, jsonLine } from './terminal.ts'

test('control characters are removed for a terminal, and kept elsewhere', () => {
  const raw = Buffer.from('Subject: \x1b]0;title\x07\r\n\r\n\x1b[2J\u009b31mred\u202e\ttab\rover', 'utf8')
  expect(asShown(raw, false)).toBe(raw)
  expect(asShown(raw, true)).toBe('Subject: \uFFFD]0;title\uFFFD\n\n\uFFFD[2J\uFFFD31mred\uFFFD\ttab\uFFFDover')
})

test('JSON has no character that controls a terminal, and is read as it was', () => {
  const value = { subject: '\x1b[2J\x7f\u009b31mred\u202etxt\u2066.exe ñ' }
  const line = jsonLine(value)
  expect(line).toBe('{"subject":"\\u001b[2J\\u007f\\u009b31mred\\u202etxt\\u2066.exe ñ"}\n')
  expect(JSON.parse(line)).toEqual(value)
})
