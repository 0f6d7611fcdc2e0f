import { expect, test } from 'vitest'
import { readMail } from '../../test/harness/read-mail.ts'

const readPreview = (text: string, type = 'text/plain') => readMail(`Content-Type: ${type}\r\n\r\n${text}`).preview

test.each([
  ['p { margin: 0; }\n.a, .b { color: red }\n\nHello Jane', 'Hello Jane'],
  ['@media only screen and (max-width: 600px) {\n .x { width: 100% !important; }\n}\nHello Jane', 'Hello Jane'],
  ['h1,\nh2 {\n  font-size: 2em;\n}\nHello Jane', 'Hello Jane'],
  ['@import url(x.css);\n/* sheet */ body { /* all */ }\nHello Jane', '@import url(x.css); Hello Jane'],
  ['Hello {{name}}, use {this} or { that }', 'Hello {{name}}, use {this} or { that }'],
  ['function f() { return 1 }', 'function f() { return 1 }'],
  ['{ "json": 1 }', '{ "json": 1 }'],
  ['----------\nHello Jane\n==========\nBye', 'Hello Jane Bye'],
  ['* * * --- Hello -- Jane ---', '* * * --- Hello -- Jane ---'],
  ['──────────────── Hello', 'Hello'],
  ['* * * * *\n- - - - - -\nHello * * *', 'Hello * * *'],
])('the preview of %j is %j', (text, preview) => {
  expect(readPreview(text)).toBe(preview)
})

test('a text that starts late is found', () => {
  const sheet = `<style>${'p { color: red; }\n'.repeat(20_000)}</style>`
  expect(sheet.length).toBeGreaterThan(131_072)
  expect(readPreview(`<html>${sheet}<p>Hello Jane</p>`, 'text/html')).toBe('Hello Jane')
  expect(readPreview(`${'p { color: red; }\n'.repeat(20_000)}Hello Jane`)).toBe('Hello Jane')
})

test('a text behind more tags or blanks than any mail has is not searched for', () => {
  expect(readPreview(`${'<br>'.repeat(4000)}Hello Jane`, 'text/html')).toBe('Hello Jane')
  expect(readPreview(`${'<br>'.repeat(20_000)}Hello Jane`, 'text/html')).toBe('')
  expect(readPreview(`${'\n'.repeat(60_000)}Hello Jane`)).toBe('Hello Jane')
  expect(readPreview(`${'\n'.repeat(70_000)}Hello Jane`)).toBe('')
})
