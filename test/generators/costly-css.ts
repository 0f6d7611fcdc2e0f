/** Generates mails whose CSS multiplies the work of a browser: selectors in selectors, rules in rules, boxes in boxes. */
import fc from 'fast-check'

/** Each rule asks for another class that no element has, so that no browser can answer two of them at once. */
const ABSENT = '.absent'

const simple = fc.constantFrom('*', 'div', '.a', '.b', '[class]', ':not(b)', ':nth-child(odd)', ABSENT, ABSENT)

const { complex } = fc.letrec<{ complex: string; compound: string; call: string }>(tie => ({
  call: fc
    .tuple(
      fc.constantFrom('is', 'where', 'not', 'has', 'nth-child', '-webkit-any'),
      fc.array(tie('complex'), { minLength: 1, maxLength: 3 }),
    )
    .map(([name, list]) => `:${name}(${name === 'nth-child' ? '2n of ' : ''}${list.join(', ')})`),
  compound: fc.oneof({ weight: 2, arbitrary: simple }, { weight: 1, arbitrary: tie('call') }),
  complex: fc
    .array(fc.tuple(tie('compound'), fc.constantFrom(' ', ' ', ' > ', ' ~ ', ' + ')), { minLength: 1, maxLength: 5 })
    .map(parts => parts.map(([compound, combinator], at) => (at === 0 ? compound : `${combinator}${compound}`)).join('')),
}))

const declaration = fc.constantFrom('color: red', 'top: 0', 'all: unset', 'border: 0', 'font: 1px a')

/** One rule, three deep at most, in which `&` stands for what is around it. */
const { rule } = fc.letrec<{ rule: string }>(tie => ({
  rule: fc
    .tuple(fc.array(complex, { minLength: 1, maxLength: 3 }), declaration, fc.option(tie('rule'), { maxDepth: 3 }), fc.boolean())
    .map(([list, set, inner, isTwice]) => {
      const nested = inner === null ? '' : `; ${isTwice ? `& &, & ~ &, & { ${inner} }` : inner}`
      return `${list.join(', ')} { ${set}${nested} }`
    }),
}))

/** Elements as a mail's first part may have them: in a row, in each other, and both. */
const BODIES: Readonly<Record<string, string>> = {
  row: '<div class="a">x</div><div class="b">y</div>'.repeat(1200),
  deep: `${'<div class="a">x<div class="b">'.repeat(200)}${'</div>'.repeat(400)}`.repeat(6),
  nests: `${'<div class="a">x<div class="b">'.repeat(15)}${'</div>'.repeat(30)}`.repeat(80),
  cells: `<table class="a">${`<tr class="b">${'<td class="a">x</td>'.repeat(6)}</tr>`.repeat(380)}</table>`,
  words: `<div class="a"><p class="b">${'word '.repeat(1000)}</p></div>`.repeat(20),
}
const body = fc.constantFrom(...Object.values(BODIES))

const SHEET_CHARS = 200_000

/** As many rules of a few forms as such a sheet holds, each with classes of its own. */
export const costlySelectors = fc.tuple(fc.array(rule, { minLength: 3, maxLength: 8 }), body).map(([rules, html]) => {
  let absent = 0
  const rulesMax = Math.floor((SHEET_CHARS / rules.join().length) * rules.length)
  const sheet = Array.from({ length: rulesMax }, (_, at) =>
    (rules[at % rules.length] ?? '').replaceAll(ABSENT, () => `${ABSENT}${absent++}`),
  )
  return `<style>${sheet.join('\n')}</style>${html}`
})

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
