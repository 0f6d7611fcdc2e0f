import { expect, test } from 'vitest'
import { asShown } from './terminal.ts'

test("a stranger's bytes are shown to a terminal without what it would obey, and given to all else as they are", () => {
  const raw = Buffer.from('Subject: \x1b]0;title\x07\r\n\r\n\x1b[2J\u009b31mred\u202e\ttab\rover', 'utf8')
  expect(asShown(raw, false)).toBe(raw)
  expect(asShown(raw, true)).toBe('Subject: \uFFFD]0;title\uFFFD\n\n\uFFFD[2J\uFFFD31mred\uFFFD\ttab\uFFFDover')
})
