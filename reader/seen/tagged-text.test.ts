import { expect, test } from 'vitest'
import { readMail } from '../read-mail.ts'
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

test.each([
  ['one\n1 &lt; 2 &amp; a&nbsp;b', 'one\n1 < 2 & a b'],
  ['Ada <ada@example.com>,\r\nif a<b then stop', 'Ada <ada@example.com>,\nif a<b then stop'],
  ['one<!-- not seen -->\ntwo', 'one\ntwo'],
  ['#include <stdio.h>\n<int>', '#include <stdio.h>\n<int>'],
  ['one <template><template> two', 'one'],
  ['<select><option>one', ''],
  ['one <o:p style="display:none">two</o:p> three', 'one three'],
])('%j sent as HTML is read as %j', (html, read) => {
  expect(htmlToText(html)).toBe(read)
})

test.each(['if a<b and c>d then stop', 'Ada <ada@example.com>', '#include <stdio.h>', '1 < 2 &amp; two', '<a '.repeat(100_000)])(
  '%.40j holds no tag',
  text => {
    expect(taggedText(text)).toBeUndefined()
  },
)

test.each([
  ['plain', 'Hi <b>Ada</b>,\nyour code is 481516.', 'Hi Ada,\nyour code is 481516.'],
  ['html', 'Hi Ada,\nyour code is 481516. 1 &lt; 2', 'Hi Ada,\nyour code is 481516. 1 < 2'],
])('a mail that is one text/%s says how it is read', (type, body, htmlText) => {
  const raw = Buffer.from(`Content-Type: text/${type}\r\n\r\n${body}`)
  expect(readMail(raw).htmlText).toBe(htmlText)
})
