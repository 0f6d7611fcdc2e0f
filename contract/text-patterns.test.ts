import { expect, test } from 'vitest'
import { isChoosable } from './text-patterns.ts'

test.each(['ada', 'Ada.Lovelace', 'a-b_c.d', '123', `a${'-b'.repeat(15)}c`])('%s may be chosen', name => {
  expect(isChoosable(name)).toBe(true)
})

test.each(['', 'ab', 'a'.repeat(33), '.ada', 'ada.', '-ada', 'a..b', 'a--b', 'a._b', 'a+b', 'a b', 'a@b', 'añb', 'a"b', 'ada\n', 'аdа'])(
  '%j may not be chosen',
  name => {
    expect(isChoosable(name)).toBe(false)
  },
)
