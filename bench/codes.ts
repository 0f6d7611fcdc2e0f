/** `npm run bench:codes`: precision and recall of the code and link finders on both labelled sets; lists what is wrong with `--verbose`. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from '../test/labelled-codes.ts'

const { values } = parseArgs({ options: { verbose: { type: 'boolean', default: false } } })
for (const name of ['development', 'held-out'] as const) {
  const path = resolve(import.meta.dirname, `../test/fixtures/codes/${name}.json`)
  const { mails, codes, links, wrong, milliseconds } = measure(readFileSync(path, 'utf8'))
  console.log(`${name}: ${mails} mails, ${(milliseconds / mails).toFixed(3)} ms each`)
  for (const [what, { precision, recall, found, expected }] of Object.entries({ codes, links }))
    console.log(`  ${what}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${found} found, ${expected} expected)`)
  if (values.verbose) for (const line of wrong) console.log(`  ${line}`)
}
