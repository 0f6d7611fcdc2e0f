/** Generates hostile CSS: pieces that load, pieces that hide others, and brackets and quotes that two parsers may pair differently. */
import fc from 'fast-check'

/** The URLs in it lead here, each with its own number. */
export const HOSTILE_HOST = 'css.leak.test'

const address = fc.nat(9999).map(n => `http://${HOSTILE_HOST}/${n}`)
const fetching = address.chain(url =>
  fc.constantFrom(
    `url("${url}")`,
    `url('${url}')`,
    `url(${url})`,
    `url( ${url} )`,
    `URL("${url}")`,
    `u\\72l("${url}")`,
    `\\75 rl(${url})`,
    `url(${url}`,
    `src("${url}")`,
    `image("${url}")`,
    `image-set("${url}" 1x)`,
    `-webkit-image-set(url(${url}) 1x)`,
    `cross-fade(url(${url}), red)`,
    `var(--a, url(${url}))`,
    `attr(title type(<url>), url(${url}))`,
    `if(else: url(${url}))`,
    `paint(p, url(${url}))`,
    `element(#a) url(${url})`,
    `url(${url.replace('http:', '')})`,
  ),
)
const hiding = fc.constantFrom(
  '/*',
  '*/',
  '/*"*/',
  "/*'*/",
  '"',
  "'",
  '"/*"',
  '"*/"',
  '\\"',
  "\\'",
  '\\',
  '\\\n',
  '\n',
  '\f',
  '<!--',
  '-->',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ';',
  '!important',
  '@import',
  '\0',
  '"\n"',
  'a\\',
)
const harmless = fc.constantFrom(
  'red',
  '1px',
  ',',
  ' ',
  'none',
  'var(--a)',
  'rgb(1, 2, 3)',
  'linear-gradient(red, blue)',
  '"a font"',
  '#fff',
  'calc(1px + 2%)',
)

export const hostileValue = fc
  .array(fc.oneof(fetching, hiding, harmless), { minLength: 1, maxLength: 8 })
  .chain(pieces => fc.constantFrom(pieces.join(' '), pieces.join('')))

export const hostileProperty = fc.constantFrom(
  '--a',
  'background-image',
  'background',
  'list-style-image',
  'content',
  'cursor',
  'filter',
  'mask-image',
  'border-image-source',
  'font-family',
  'color',
  'position',
)
