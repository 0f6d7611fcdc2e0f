import { expect, test } from 'vitest'
import { stripMarkup } from './strip-markup.ts'

test.each([
  ['<p>Your&nbsp;code   is\n<b>48</b>15</p>', 'Your code is 4815'],
  ['<div>1 &lt; 2 &amp;&amp; 3 &gt; 2</div>', '1 < 2 && 3 > 2'],
  ['<b>&amp;lt;</b>', '&lt;'],
  ['Hello <a href="https://a.exam', 'Hello'],
  ['<p> &nbsp; </p><img src="x">', ''],
  ['no HTML:  1 < 2 &amp; two  spaces', 'no HTML:  1 < 2 &amp; two  spaces'],
])('%j is stripped to %j', (preview, shown) => {
  expect(stripMarkup(preview)).toBe(shown)
})

test('a text that is made to be slow is stripped in linear time', () => {
  expect(stripMarkup('<a '.repeat(50_000))).toHaveLength('<a '.length * 49_999 - 1)
})
