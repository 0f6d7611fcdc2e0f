/** Contrast of the palette, day and night, computed from the tokens themselves (WCAG 2.2, 1.4.3 and 1.4.11). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'

type Oklch = [lightness: number, chroma: number, hue: number]
const [css = ''] = /@theme \{.*?\n\}/s.exec(readFileSync(join(import.meta.dirname, 'styles.css'), 'utf8')) ?? []
const OKLCH = String.raw`oklch\(([\d.]+) ([\d.]+) ([\d.]+)\)`
const tokens = new Map(
  [...css.matchAll(new RegExp(`--color-([\\w-]+): light-dark\\(${OKLCH}, ${OKLCH}\\)`, 'g'))].map(([, name = '', ...numbers]) => {
    const [a, b, c, d, e, f] = numbers.map(Number)
    return [name, { light: [a, b, c] as Oklch, dark: [d, e, f] as Oklch }]
  }),
)

/** Björn Ottosson's OKLab to linear sRGB, then the luminance of WCAG. Out-of-gamut channels are clipped, as browsers do. */
function luminance([lightness, chroma, hue]: Oklch): number {
  const a = chroma * Math.cos((hue * Math.PI) / 180)
  const b = chroma * Math.sin((hue * Math.PI) / 180)
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  const clip = (channel: number) => Math.min(1, Math.max(0, channel))
  const red = clip(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s)
  const green = clip(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s)
  const blue = clip(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

for (const [, name = '', other = ''] of css.matchAll(/--color-([\w-]+): var\(--color-([\w-]+)\)/g)) {
  const token = tokens.get(other)
  if (token) tokens.set(name, token)
}

function contrast(one: string, other: string, theme: 'light' | 'dark'): number {
  const [high = 0, low = 0] = [one, other]
    .map(name => {
      const token = tokens.get(name)
      if (!token) throw new Error(`styles.css has no token --color-${name}`)
      return luminance(token[theme])
    })
    .toSorted((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

const TEXT: [text: string, ground: string][] = [
  ...['ink', 'muted', 'dusk-ink', 'river-ink', 'ember-ink', 'last-seconds-ink'].flatMap(text =>
    ['paper', 'raised', 'sunken'].map((ground): [string, string] => [text, ground]),
  ),
  ['ink', 'dusk-wash'],
  ['dusk-ink', 'dusk-wash'],
  ['river-ink', 'river-wash'],
  ['ember-ink', 'ember-wash'],
  ['on-dusk', 'dusk'],
  ['on-dusk', 'glow'],
  ['on-dusk', 'glow-strong'],
  ['on-ember', 'ember'],
  ['on-ember', 'last-seconds'],
  // The clock, with its leading zeros, and the clock of the extension.
  ...['ink', 'muted', 'last-seconds-ink'].flatMap(text => ['sky', 'sky-low'].map((ground): [string, string] => [text, ground])),
]
const CONTROLS: [control: string, ground: string][] = [
  // The edge of the Copy button is dusk.
  ...['edge', 'dusk', 'river', 'ember', 'last-seconds'].flatMap(control =>
    ['paper', 'raised'].map((ground): [string, string] => [control, ground]),
  ),
  ['last-seconds', 'sky'],
  ['last-seconds', 'sky-low'],
]

describe.each(['light', 'dark'] as const)('by %s', theme => {
  test.each(TEXT)('%s on %s has a contrast of 4.5 to 1', (text, ground) => {
    expect(contrast(text, ground, theme)).toBeGreaterThanOrEqual(4.5)
  })

  test.each(CONTROLS)('%s on %s has a contrast of 3 to 1', (control, ground) => {
    expect(contrast(control, ground, theme)).toBeGreaterThanOrEqual(3)
  })
})
