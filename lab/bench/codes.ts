/**
 * `npm run lab -- codes [-- --verbose FOLDER…]`: precision and recall of the search for codes and links on the labelled sets, then what it
 * finds in folders of real mail (the corpora, if available). Real mail has no labels, so `--verbose` lists everything found for inspection.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from '../../test/codes/labelled-codes.ts'
import { measureFolder } from '../../test/codes/real-mail-codes.ts'
import { corporaFolder, hasCorpora } from '../../test/mail-corpora/corpora-folder.ts'

const { values, positionals } = parseArgs({ options: { verbose: { type: 'boolean', default: false } }, allowPositionals: true })
for (const name of ['development', 'held-out', 'languages'] as const) {
  const path = resolve(import.meta.dirname, `../../test/fixtures/codes/${name}.json`)
  const { mails, codes, links, wrong, milliseconds } = measure(readFileSync(path, 'utf8'))
  console.log(`${name}: ${mails} mails, ${(milliseconds / mails).toFixed(3)} ms each`)
  for (const [what, { precision, recall, found, expected }] of Object.entries({ codes, links }))
    console.log(`  ${what}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)} (${found} found, ${expected} expected)`)
  if (values.verbose) for (const line of wrong) console.log(`  ${line}`)
}

const folders = positionals.length > 0 ? positionals : hasCorpora ? [corporaFolder] : []
for (const folder of folders) {
  const { mails, milliseconds, finds } = measureFolder(folder)
  console.log(`${folder}: ${mails} mails, ${(milliseconds / mails).toFixed(3)} ms each`)
  for (const [what, found] of Object.entries(finds)) {
    console.log(`  ${what}: in ${found.length} mails`)
    if (values.verbose) for (const line of found) console.log(`    ${line}`)
  }
}
