import { describe, expect, test } from 'vitest'
import { joinSeen, readHtml } from './html.ts'

const urls = (html: string) => readHtml(html).links.map(({ url }) => url)

describe('the links of HTML', () => {
  test.each([
    ['<a title="a>b" href="https://a.example/x">x</a>', 'https://a.example/x'],
    ['<a href=" https://a.example/very/\r\n\tlong?x=1&amp;y=2&#38;z=3&quot; ">x</a>', 'https://a.example/very/long?x=1&y=2&z=3"'],
    ['<a href="https://a.example/?x=1&copy=2&copy;3">x</a>', 'https://a.example/?x=1&copy=2©3'],
    ['<A HREF=HTTPS://A.example/X>x</A>', 'HTTPS://A.example/X'],
    ['<a href="//a.example/x">x</a>', 'https://a.example/x'],
    ['<a href="\\\\a.example/x">x</a>', 'https://a.example/x'],
    ['<a href="mailto:ada@a.example">x</a>', 'mailto:ada@a.example'],
    ['<a href="tel:+34600000000">x</a>', 'tel:+34600000000'],
    ['<head><base href="https://a.example/news/"></head><a href="../x?y">x</a>', 'https://a.example/x?y'],
    ['<a href="x">x</a><base target="_top"><base href="https://a.example/"><base href="https://b.example/">', 'https://a.example/x'],
    ['<base href="https://a.example/"><a href="https://b.example/x">x</a>', 'https://b.example/x'],
    ['<base href=" //a.example/\n"><a href="x">x</a>', 'https://a.example/x'],
    ['<base href="https://a.example/"><img src="b.png" usemap="#m"><map name="m"><area href="x" alt="x"></map>', 'https://a.example/x'],
  ])('%s', (html, url) => {
    expect(urls(html)).toEqual([url])
  })

  test.each([
    '<a href="x">x</a>',
    '<a href="/x">x</a>',
    '<a href="#x">x</a>',
    '<base href="https://a.example/"><a href="#x">x</a>',
    '<a href="javascript:alert(1)">x</a>',
    '<base href="/news/"><a href="x">x</a>',
    '<base href="javascript:1"><base href="https://a.example/"><a href="x">x</a>',
    '<template><base href="https://a.example/"></template><base href="https://b.example/"><a href="x">x</a>',
  ])('%s opens nothing', html => {
    expect(urls(html)).toEqual([])
  })
})

test.each([
  ['<p>Log</p><pre>\none\ntwo  x\n\n\nthree</pre>end', 'Log\n\none\ntwo x\n\nthree\nend'],
  ['<pre>a<b>\nb</b> c\r\nd</pre>', 'a\nb c\nd'],
  [
    '<div style="color:red; white-space:pre-wrap">one<div>two\nthree</div>four\nfive</div>six\nseven',
    'one\ntwo\nthree\nfour\nfive\nsix seven',
  ],
  ['<span style="white-space: pre-line !important">a\nb</span>\nc', 'a\nb c'],
  ['<td style="white-space:nowrap">a\nb</td><div style="white-space:normal">c\nd</div>', ' a b\nc d'],
])('line breaks are kept where they are shown: %j', (html, text) => {
  expect(readHtml(html).text).toBe(text)
})

test('a cell makes hidden words seen in a table only, outside of which a browser ignores it', () => {
  const cell = '<td style="font-size:14px">word'
  const seen = (html: string) => readHtml(html).text.trim()
  expect(seen(`<div style="font-size:0"><table><tr>${cell}</table></div>`)).toBe('word')
  expect(seen(`<div style="font-size:0">${cell}</div>`)).toBe('')
})

test('a picture at the end of the upper of two HTMLs ends before the lower one', () => {
  const above = readHtml('<p>Above</p><br><br><a href="https://a.example/"><img src="cid:a"></a>')
  const { links } = joinSeen(above, readHtml('<a href="https://b.example/">Below</a>'))
  expect(links.map(({ start, end }) => [start, end])).toEqual([
    [5, 5],
    [6, 11],
  ])
})

test('of elements that look alike, those are hidden that stand behind what their rule asks for', () => {
  const hidden = '<style>.box p { display: none }</style>'
  expect(readHtml(`${hidden}<p>one</p><p>two</p><div class="box"></div><p>three</p>`).text).toBe('one\n\ntwo')
  const chosen = '<style>p[lang] { font-size: 0 }</style>'
  expect(readHtml(`${chosen}<p>one</p><p lang="de">two</p><p>three</p>`).text).toBe('one\n\nthree')
})
