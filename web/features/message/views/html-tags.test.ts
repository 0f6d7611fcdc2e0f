import { expect, test } from 'vitest'
import { containsTag } from './html-tags.ts'

test.each([
  ['<p>Hello</p>', true],
  ['first line<br>second line', true],
  ['<A HREF="https://a.example">x</A>', true],
  ['Hello\nWorld', false],
  ['1 < 2 and 3 > 2', false],
  ['Ada <ada@example.com>', false],
  ['#include <stdio.h> vector<int>', false],
])('%s contains a tag: %s', (text, expected) => {
  expect(containsTag(text)).toBe(expected)
})
