import { expect, test } from 'vitest'
import { htmlToText } from './html.ts'
import { taggedText } from './tagged-text.ts'

test.each([
  ['<p>Your code:</p><p>481516</p><p>Thanks</p>', 'Your code:\n\n481516\n\nThanks'],
  ['<p>Your&nbsp;code   is\n<b>48</b>15</p>', 'Your code is 4815'],
  ['<div>1 &lt; 2 &amp;&amp; 3 &gt; 2</div>', '1 < 2 && 3 > 2'],
  ['<b>&amp;lt;</b>', '&lt;'],
  ['Hi <b>Ada</b>,\nif a<b and c>d then stop', 'Hi Ada,\nif a<b and c>d then stop'],
  ['<a href="https://a.example/x">Open</a> <ada@example.com>', 'Open <ada@example.com>'],
])('%j sent as plain text is read as %j', (text, read) => {
  expect(htmlToText(taggedText(text) ?? '')).toBe(read)
})

test.each(['if a<b and c>d then stop', 'Ada <ada@example.com>', '#include <stdio.h>', '1 < 2 &amp; two', '<a '.repeat(100_000)])(
  '%.40j holds no tag',
  text => {
    expect(taggedText(text)).toBeUndefined()
  },
)
