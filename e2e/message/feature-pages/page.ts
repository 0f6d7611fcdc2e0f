/**
 * Small mails of our own, each about one feature of HTML or CSS, built as pages that test mail programs are: a table of samples beside
 * their names.
 */

export type Pages = Readonly<Record<string, string>>
type Row = readonly [label: string, sample: string]

const CELL = 'vertical-align:top;border-top:1px solid #cccccc;'
const WORDS = 'The quick brown fox jumps over the lazy dog, and the dog does not mind. '

/** A text of about this many sentences. */
export const words = (sentences = 2) => WORDS.repeat(sentences)

/** A mail with one row for each sample; `rules` go into a style sheet. */
export function page(title: string, rows: readonly Row[], rules = ''): string {
  const cells = rows.map(
    ([label, sample]) =>
      `<tr><td style="${CELL}width:25%;padding:8px 16px 8px 0;border-right:1px solid #cccccc;font:16px monospace">${label}</td><td style="${CELL}width:75%;padding:6px 0 6px 12px;font:20px serif">${sample}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${rules}</style></head><body><div style="max-width:600px;margin:0 auto"><h1 style="margin:0 0 1em;font:38px serif;color:#000000">${title}</h1><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;table-layout:fixed;border-bottom:1px solid #cccccc"><tbody>${cells.join('')}</tbody></table><p style="margin-top:1.6em;font:20px serif">A note on how to read this.</p></div></body></html>`
}

/** One row for each value of a property, on a box that shows the difference; `around` holds the box where it needs surroundings. */
export function property(name: string, values: readonly string[], base = '', sample = words(1), around = (box: string) => box): Pages {
  const rows = values.map(
    (value, at) => [value.length > 14 ? `value ${at + 1}` : value, around(`<div style="${base}${name}:${value}">${sample}</div>`)] as const,
  )
  return { [name]: page(name, rows) }
}

/** One row for each rule, whose `.x` (and `.y`) are in the sample. */
export function rules(title: string, samples: readonly (readonly [rule: string, sample: string])[]): Pages {
  // Each sample has a box of its own, so that the rule of one row does not reach another.
  const scoped = samples.map(([rule], at) => rule.replaceAll('&', `.r${at}`)).join('\n')
  return {
    [title]: page(
      title,
      samples.map(([, sample], at) => [`rule ${at + 1}`, `<div class="r${at}">${sample}</div>`] as const),
      scoped,
    ),
  }
}
