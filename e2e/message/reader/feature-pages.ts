/** Small mails of our own, each about one feature of HTML or CSS: pages as test mail programs are, and boxes that newsletters draw. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** A whole page, or a table of samples beside their names; `rules` are its style sheet. */
type FeaturePage = { title: string } & ({ html: string } | { rules?: string; rows: readonly (readonly [label: string, sample: string])[] })

const CELL = 'vertical-align:top;border-top:1px solid #cccccc;'
/** The placeholders of the files. */
const PARTS: Readonly<Record<string, string>> = {
  '{words}': 'The quick brown fox jumps over the lazy dog, and the dog does not mind. ',
  '{picture}':
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAYAAACNMs+9AAAAFUlEQVR42mNk+M9Qz0AEYBxVSF+FAAhKDveksOjmAAAAAElFTkSuQmCC',
  '{boxes}': '<div class="a">first</div><div class="b">second</div><div class="c">third <span class="x">inside</span></div>',
}

export const FEATURE_PAGES = read('feature-pages')
export const NEWSLETTER_FEATURES = read('newsletter-features')

function read(name: string): (readonly [title: string, html: string])[] {
  const file = readFileSync(resolve(import.meta.dirname, `../../../test/fixtures/html/${name}.jsonl`), 'utf8')
  return file
    .trimEnd()
    .split('\n')
    .map(line => {
      const page: FeaturePage = JSON.parse(line)
      return [page.title, draw(page).replace(/\{(?:words|picture|boxes)\}/g, part => PARTS[part] ?? part)] as const
    })
}

function draw(page: FeaturePage): string {
  if ('html' in page) return page.html
  const { title, rules = '', rows } = page
  const cells = rows.map(
    ([label, sample]) =>
      `<tr><td style="${CELL}width:25%;padding:8px 16px 8px 0;border-right:1px solid #cccccc;font:16px monospace">${label}</td><td style="${CELL}width:75%;padding:6px 0 6px 12px;font:20px serif">${sample}</td></tr>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${title}</title><style>${rules}</style></head><body><div style="max-width:600px;margin:0 auto"><h1 style="margin:0 0 1em;font:38px serif;color:#000000">${title}</h1><table border="0" cellpadding="0" cellspacing="0" role="presentation" style="width:100%;table-layout:fixed;border-bottom:1px solid #cccccc"><tbody>${cells.join('')}</tbody></table><p style="margin-top:1.6em;font:20px serif">A note on how to read this.</p></div></body></html>`
}
