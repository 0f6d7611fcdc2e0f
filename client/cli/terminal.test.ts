import { expect, test } from 'vitest'
import { asShown } from './terminal.ts'

test('control characters are removed for a terminal, and kept elsewhere', () => {
  const raw = Buffer.from('Subject: \x1b]0;title\x07\r\n\r\n\x1b[2J\u009b31mred\u202e\ttab\rover', 'utf8')
  expect(asShown(raw, false)).toBe(raw)
  expect(asShown(raw, true)).toBe('Subject: \uFFFD]0;title\uFFFD\n\n\uFFFD[2J\uFFFD31mred\uFFFD\ttab\uFFFDover')
})
