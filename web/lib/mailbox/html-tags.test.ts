import { expect, test } from 'vitest'
import { containsTag, plainPreview } from './html-tags.ts'

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

test.each([
  ['<p>Your&nbsp;code   is\n<b>48</b>15</p>', 'Your code is 4815'],
  ['<div>1 &lt; 2 &amp;&amp; 3 &gt; 2</div>', '1 < 2 && 3 > 2'],
  ['<b>&amp;lt;</b>', '&lt;'],
  ['Hello <a href="https://a.exam', 'Hello'],
  ['<p> &nbsp; </p><img src="x">', ''],
  ['no HTML:  1 < 2 &amp; two  spaces', 'no HTML:  1 < 2 &amp; two  spaces'],
])('the preview %j reads %j', (preview, shown) => {
  expect(plainPreview(preview)).toBe(shown)
})

test('a preview made to be slow is not', () => {
  expect(plainPreview('<a '.repeat(50_000))).toHaveLength('<a '.length * 49_999 - 1)
})
