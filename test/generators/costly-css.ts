/** Generates mails whose CSS multiplies the work of a browser: selectors that are tried long, boxes in boxes. */
import fc from 'fast-check'

/** Elements as a mail's first part may have them: in a row, in each other, and both. */
const BODIES: Readonly<Record<string, string>> = {
  row: '<div class="a">x</div><div class="b">y</div>'.repeat(1200),
  deep: `${'<div class="a">x<div class="b">'.repeat(200)}${'</div>'.repeat(400)}`.repeat(6),
  nests: `${'<div class="a">x<div class="b">'.repeat(15)}${'</div>'.repeat(30)}`.repeat(80),
  cells: `<table class="a">${`<tr class="b">${'<td class="a">x</td>'.repeat(6)}</tr>`.repeat(380)}</table>`,
  words: `<div class="a"><p class="b">${'word '.repeat(1000)}</p></div>`.repeat(20),
}
const body = fc.constantFrom(...Object.values(BODIES))

const SHEET_CHARS = 100_000
const RULES_MAX = 4900
const list = (count: number, part: (at: number) => string) => Array.from({ length: count }, (_, at) => part(at)).join()
const sheet = (rule: (at: number) => string) => {
  let css = ''
  for (let at = 0; at < RULES_MAX && css.length < SHEET_CHARS; at++) css += `${rule(at)}\n`
  return css
}
const titled = (chars: number) => `<p class="a" title="${'a'.repeat(chars)}">x</p>`.repeat(Math.floor(120_000 / (chars + 28)))
const classes = list(300, at => `k${at}`).replaceAll(',', ' ')
const words = `<p>${'wör wort '.repeat(9000)}</p>`
const rows = '<div class="a">x</div>'.repeat(2900)
const deep = `${'<div class="a">'.repeat(90)}x${'</div>'.repeat(90)}`.repeat(32)

type CostlySheet = { readonly css: string; readonly html: string; readonly rulesMax: number; readonly one: string }

/**
 * Each stops a tab for five seconds and more in Chromium or in Firefox when nothing bounds it: sheets of 100 kB at most, whose rules ask
 * for other classes or values each, so that no browser can answer two of them at once. `rulesMax` may be
 * left of them. `one` is a rule of this kind that a mail may have.
 */
export const costlySheets: Readonly<Record<string, CostlySheet>> = {
  'six hundred properties for each element': { css: sheet(() => '*{all:unset}'), html: rows, rulesMax: 1000, one: '.a{all:unset}' },
  'places among some of ten thousand siblings': {
    css: sheet(at => `:nth-child(${at + 3}n of :not(.c${at})){top:0}`),
    html: '<p>'.repeat(10_000),
    rulesMax: 10,
    one: ':nth-child(2n of .a){top:0}',
  },
  'lists of ancestors that are no class': {
    css: sheet(at => `:not(:is(${list(20, each => `.c${at * 20 + each} *`)})){top:0}`),
    html: deep,
    rulesMax: 20,
    one: ':not(:is(.c *)){top:0}',
  },
  'a long part of long attributes': {
    css: sheet(at => `[title*="${'a'.repeat(400)}b${at}"]{top:0}`),
    html: titled(3000),
    rulesMax: 20,
    one: '[title*=b]{top:0}',
  },
  'a part of attributes in any case': {
    css: sheet(at => `[title*="${'a'.repeat(15)}b${at}" i]{top:0}`),
    html: titled(3000),
    rulesMax: 100,
    one: '[title*=b i]{top:0}',
  },
  'classes of ancestors that have hundreds': {
    css: sheet(at => `.z${at} *{top:0}`),
    html: `${`<div class="${classes}">`.repeat(80)}x${'</div>'.repeat(80)}`,
    rulesMax: 500,
    one: '.z *{top:0}',
  },
  'small capitals in a long text': { css: 'p{font-variant:small-caps}', html: words, rulesMax: 1, one: 'b{font-variant:normal}' },
  'small capitals by a variable': {
    css: ':root{--c:small-caps}p{font-variant-caps:var(--c)}',
    html: words,
    rulesMax: 2,
    one: 'b{font-variant-caps:var(--d)}',
  },
  'hundreds of shadows of texts': {
    css: `p{text-shadow:${list(50, () => '0 0 9px red')}}`,
    html: '<p>x</p>'.repeat(5),
    rulesMax: 0,
    one: 'p{text-shadow:0 1px 0 #fff}',
  },
  'blurs in each other': {
    css: 'div{filter:blur(99px) drop-shadow(9px 9px 99px red)}',
    html: `${'<div>'.repeat(20)}<p style="height:9000px">x</p>${'</div>'.repeat(20)}`,
    rulesMax: 0,
    one: 'p{filter:blur(2px) drop-shadow(1px 1px red)}',
  },
  'six boxes and styles for each element': {
    css: 'p::first-letter{float:left}p::before{content:"a"}p::after{content:"b"}p::first-line{top:0}p::marker{top:0}p::selection{top:0}',
    html: '<p>x</p>'.repeat(15_000),
    rulesMax: 4,
    one: 'p::first-letter{font-size:30px}',
  },
  'quotation marks in a thousand places': {
    css: 'p::before{content:open-quote}',
    html: '<p>x</p>'.repeat(2900),
    rulesMax: 0,
    one: 'p::before{content:open-quote}',
  },
  'the first line of a long text': {
    css: 'p::first-line{font-size:30px}',
    html: words,
    rulesMax: 0,
    one: 'p::first-letter{font-size:30px}',
  },
}

const length = fc.constantFrom('1px', '0.01px', '1000000px', '1%', '1000%', '9em')
const number = fc.constantFrom('2', '10', '1000', '1000000')
const spread = (count: number, part: string) => Array.from({ length: count }, () => part).join(', ')

/** What lays out, draws or repeats a box again and again. */
const multiplying = fc.oneof(
  length.map(value => `column-width: ${value}`),
  number.map(value => `column-count: ${value}`),
  fc.tuple(number, length).map(([count, size]) => `display: grid; grid-template-columns: repeat(${count}, [a] ${size})`),
  fc.tuple(number, number).map(([start, span]) => `display: grid; grid-area: ${start} / ${start} / span ${span} / span ${span}`),
  fc
    .constantFrom('grid', 'inline-grid', 'flex', 'inline-flex', 'table', 'inline-table', 'inline-block', 'ruby', 'contents', 'list-item')
    .map(value => `display: ${value}`),
  fc.constantFrom('vertical-rl', 'horizontal-tb').map(value => `writing-mode: ${value}`),
  fc.constantFrom('scroll', 'auto', 'hidden').map(value => `overflow: ${value}; height: 90px`),
  length.map(value => `filter: blur(${value}) drop-shadow(0 0 ${value} red)`),
  fc.tuple(number, length).map(([count, size]) => `box-shadow: ${spread(Math.min(Number(count), 1000), `1px 1px ${size} red`)}`),
  fc.tuple(number, length).map(([count, size]) => `text-shadow: ${spread(Math.min(Number(count), 1000), `1px 1px ${size} red`)}`),
  number.map(count => `background: ${spread(Math.min(Number(count), 1000), 'repeating-linear-gradient(red 0 1px, blue 2px)')}`),
  number.map(count => `font-family: ${Array.from({ length: Math.min(Number(count), 20_000) }, (_, at) => `f${at}`).join()}`),
  number.map(count => `list-style-type: "${'x '.repeat(Math.min(Number(count), 100_000))}"; display: list-item`),
  fc.constantFrom('float: left', 'zoom: 1.3', 'aspect-ratio: 1', 'container-type: inline-size', 'position: absolute', 'text-wrap: balance'),
  fc.constantFrom('will-change: transform', '-webkit-box-reflect: below', 'transform: rotate3d(1, 1, 1, 3deg)', 'mix-blend-mode: multiply'),
  fc.constantFrom(
    'text-decoration: underline wavy',
    'opacity: 0.9',
    'min-width: min-content',
    'grid-template-rows: minmax(min-content, 1fr)',
  ),
  fc.constantFrom(
    `--a: ${'x'.repeat(100)}; --b: var(--a) var(--a); --c: var(--b) var(--b); --d: var(--c) var(--c); --e: var(--d) var(--d); --f: var(--e) var(--e); --g: var(--f) var(--f); --h: var(--g) var(--g); --i: var(--h) var(--h); --j: var(--i) var(--i); --k: var(--j) var(--j); --l: var(--k) var(--k); color: var(--l)`,
  ),
)
const block = fc.array(multiplying, { minLength: 1, maxLength: 3 }).map(list => list.join('; '))
const generated = fc.tuple(block, number).map(([set, count]) => `content: "${'x '.repeat(Math.min(Number(count), 100_000))}"; ${set}`)

export const costlyBoxes = fc
  .tuple(block, block, fc.option(generated), body)
  .map(([a, b, before, html]) => `<style>.a { ${a} } .b { ${b} } ${before === null ? '' : `.a::before { ${before} }`}</style>${html}`)
