import fc from 'fast-check'
import { transform } from 'lightningcss'
import { expect, test } from 'vitest'
import { HOSTILE_HOST, hostileProperty, hostileValue } from '#test/generators/hostile-css.ts'
import { isSafeCondition, selectorTokens, valueTokens } from './css-tokens.ts'
import { safeValue } from './safe-css.ts'

/** What another reader of CSS finds in a sheet of one rule: the addresses, the functions, and how many rules and declarations there are. */
function read(css: string) {
  const urls: string[] = []
  const functions: string[] = []
  let rules = 0
  let declarations = 0
  transform({
    filename: 'mail.css',
    code: Buffer.from(css),
    errorRecovery: true,
    visitor: {
      Url: url => void urls.push(url.url),
      Function: called => void functions.push(called.name),
      Rule: () => void rules++,
      Declaration: () => void declarations++,
    },
  })
  return { urls, functions, rules, declarations }
}

function filter(property: string, value: string) {
  const counted: string[] = []
  const safe = safeValue(property, value, url => {
    counted.push(url)
    return `url("${url}")`
  })
  return { counted, safe }
}

/** The beginning of a square PNG, which states its size. */
function pngUrl(side: number): string {
  const header = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAAAAAAA', 'base64')
  header.writeUInt32BE(side, 16)
  header.writeUInt32BE(side, 20)
  return `data:image/png;base64,${header.toString('base64')}`
}

test('an independent parser finds what hostile values would load', () => {
  const values = fc.sample(hostileValue, { numRuns: 500, seed: 11 })
  const loading = values.filter(value => read(`a { background-image: ${value} }`).urls.some(url => url.includes(HOSTILE_HOST)))
  expect(loading.length).toBeGreaterThan(50)
})

test('generated hostile CSS keeps no URL except counted pictures, and stays inside its declaration', () => {
  let survivors = 0
  fc.assert(
    fc.property(hostileProperty, hostileValue, (property, value) => {
      const { counted, safe } = filter(property, value)
      if (safe === undefined) return
      survivors++
      const { urls, rules } = read(`a { ${property}: ${safe} } b { color: red }`)
      expect(urls.every(url => counted.includes(url))).toBe(true)
      expect(rules).toBe(2)
      // Checks without a parser: without pictures and plain strings, nothing is left that could contain a URL.
      const rest = counted.reduce((text, url) => text.replaceAll(`url("${url}")`, ''), safe).replace(/"[^"]*"|'[^']*'/g, '""')
      expect(rest).not.toContain(HOSTILE_HOST)
      expect(rest).not.toMatch(/\/\*|\\|[{};!@]|(?:url|src|image|image-set|cross-fade|attr|if|paint|element)\(/i)
      if (!property.startsWith('background')) expect(counted).toEqual([])
    }),
    { numRuns: 20_000, seed: 3 },
  )
  expect(survivors).toBeGreaterThan(500)
})

test.each([
  ['--x', 'a /*"*/, url(http://127.0.0.1/) /*"*/'],
  ['--x', '"/*", url("http://a.example/")'],
  ['--x', "'\\', url(http://a.example/)"],
  ['--x', 'u\\72l(http://a.example/)'],
  ['--x', 'image-set("http://a.example/" 1x)'],
  ['--x', '{ } b { background: url(http://a.example/) }'],
  ['--x', '"open'],
  ['color', 'red; background: url(http://a.example/)'],
  ['cursor', 'url("http://a.example/"), auto'],
  ['border-image-source', 'url("http://a.example/a.png")'],
  ['border-image-source', 'url("data:image/svg+xml;base64,AAAA")'],
  ['border-image-source', `url("${pngUrl(60_000)}")`],
  ['list-style-image', 'url("data:text/html,x")'],
  ['cursor', 'url("data:image/png;base64,AAAA"), auto'],
  ['font-family', '"a\nb"'],
  ['width', 'calc((1px)'],
  ['position', 'fixed'],
  ['position', 'var(--x)'],
  ['content', '"https://bank.example"'],
  ['content', '"p"'],
  ['content', 'counter(x) "\u00a0" "1"'],
  ['content', 'counter(x, lower-alpha)'],
  ['content', 'counter(x, none) "."'],
  ['content', 'counters(x, ".", Upper-Latin)'],
  ['content', 'var(--x)'],
  ['content', 'env(x, "\u2022")'],
  ['quotes', '"www." ""'],
  ['list-style', 'inside "www."'],
  ['list-style-type', '"www."'],
  ['text-overflow', '"bank.com"'],
  ['hyphenate-character', '"a"'],
  ['-webkit-hyphenate-character', '"a"'],
  ['text-emphasis-style', '"a"'],
])('%s: %s is dropped', (property, value) => {
  expect(filter(property, value)).toEqual({ counted: [], safe: undefined })
})

test.each([
  ['color', 'rgb(1, 2, 3)'],
  ['font-family', '"Font (old)", \'微软雅黑\', 微软雅黑, serif'],
  ['background', 'var(--brand, #fff) no-repeat'],
  ['--brand', ' #1a2b3c'],
  ['width', 'calc((100% - 2px) * 0.5)'],
  ['margin', '-1.5em auto 1e3px'],
  ['content', '"/* */"'],
  ['content', '"\u2192 "'],
  ['content', 'counter(x) ". "'],
  ['content', '"..."'],
  ['list-style-type', '"\u2022 "'],
  ['list-style-type', 'lower-alpha'],
  ['quotes', '"\u00ab" "\u00bb"'],
  ['--font', '"Open Sans"'],
  ['border-image-source', `url("${pngUrl(100)}")`],
  ['position', 'relative'],
])('%s: %s is kept unchanged', (property, value) => {
  expect(filter(property, value)).toEqual({ counted: [], safe: value })
})

test.each([
  ['content', '"."', '" "'],
  ['content', '"\uff0e"', '" "'],
  ['quotes', '"." "\u3002"', '" " " "'],
  ['list-style', 'inside "."', 'inside " "'],
])('%s: %s generates no dot', (property, value, safe) => {
  expect(filter(property, value)).toEqual({ counted: [], safe })
})

test('a name is one declaration for another parser as well, whatever letters its escapes stood for', () => {
  let survivors = 0
  const letters = fc.constantFrom(...'abZ09-_:;{}()/*\\"\'@!#,.<>= \t\n\f\0\u00a0é变\u2028\ud83d\ude00')
  fc.assert(
    fc.property(fc.string({ unit: letters, minLength: 1, maxLength: 6 }), rest => {
      const safe = safeValue(`--${rest}`, '1px', () => undefined)
      if (safe === undefined) return
      survivors++
      expect(read(`a { color: red; --${rest}: ${safe}; width: 1px } b { color: red }`)).toMatchObject({ rules: 2, declarations: 4 })
    }),
    { numRuns: 20_000, seed: 5 },
  )
  expect(survivors).toBeGreaterThan(500)
  for (const name of ['--x:1;position:fixed;--y', '--x/*', '--x}b{--y', '--x\\', '--x y', '--x\n', 'position:fixed;--y'])
    expect(safeValue(name, '1', () => undefined)).toBeUndefined()
  for (const name of ['--tw-bg-opacity', '--1', '--', '--größe', '-webkit-text-size-adjust'])
    expect(safeValue(name, '1', () => undefined)).toBe('1')
})

test('removing forbidden pictures of a value keeps the others in place', () => {
  const value = 'linear-gradient(red, blue), url("https://a.example/a.png"), url("https://a.example/b.png")'
  const shown = safeValue('background-image', value, url => (url.endsWith('a.png') ? `url("${url}")` : undefined))
  expect(shown).toBe('linear-gradient(red, blue), url("https://a.example/a.png"), none')
  expect(safeValue('background-image', 'url("https://a.example/b.png"), url(https://a.example/c.png)', () => undefined)).toBeUndefined()
})

test('heights of the window are those of the screen, and a mask may be a picture that is written into it', () => {
  expect(safeValue('height', 'calc(100vh - 20px)', () => undefined)).toBe('calc(calc(100 * var(--screen-vh, 1vh)) - 20px)')
  expect(safeValue('min-height', '.5dvh', () => undefined)).toBe('calc(.5 * var(--screen-vh, 1vh))')
  expect(safeValue('width', '50vw', () => undefined)).toBe('50vw')
  const mask = `url("${pngUrl(9)}")`
  expect(safeValue('mask-image', mask, () => undefined)).toBe(mask)
  expect(safeValue('mask-image', 'url("https://a.example/m.png")', () => undefined)).toBeUndefined()
})

test('selectors may contain escapes and strings, and end at the right place', () => {
  for (const plain of ['.sm\\:w-full > a', '#\\31 23', 'a[title="a \\" b"]:not(.x)', 'u + .body .gmail', '& > td'])
    expect(selectorTokens(plain)).toBeDefined()
  for (const odd of ['a { b', 'a } b', 'a /* " */', 'a[title="x', 'a:is(b', 'a; b', '@import "x"', 'a\\\n'])
    expect(selectorTokens(odd)).toBeUndefined()
})

test('conditions accept only plain media features', () => {
  for (const plain of [
    'screen and (max-width: 600px)',
    '(400px <= width <= 700px)',
    '(prefers-color-scheme: dark)',
    'not all and (monochrome)',
  ])
    expect(isSafeCondition(plain)).toBe(true)
  for (const odd of ['(x: url(http://a.example/))', '(x: "}) { a', 'all { } b', '(x: /*"*/ 1)', 'selector(a)'])
    expect(isSafeCondition(odd)).toBe(false)
})

test('an empty URL is recognised, and an unreasonably long value is dropped', () => {
  for (const empty of ['url()', 'url(  )', 'url("")', 'url( "" )'])
    expect(valueTokens(empty)).toEqual([{ kind: 'url', text: empty, name: '' }])
  expect(valueTokens('url( a.png )')).toEqual([{ kind: 'url', text: 'url( a.png )', name: 'a.png' }])
  expect(safeValue('color', `red ${'a'.repeat(262_140)}`, () => undefined)).toBeDefined()
  expect(safeValue('color', `red ${'a'.repeat(262_141)}`, () => undefined)).toBeUndefined()
})

test('a long value is split in linear time', () => {
  const long = `${'a-'.repeat(100_000)} ${'"x" '.repeat(50_000)} ${'calc('.repeat(1000)}${')'.repeat(1000)}`
  const before = performance.now()
  expect(valueTokens(long)?.length).toBeGreaterThan(100_000)
  expect(performance.now() - before).toBeLessThan(2000)
})
