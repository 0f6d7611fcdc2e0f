/**
 * `npm run lab -- codes [--part odd|even|third] [--verbose FOLDER…]`: precision and recall of the search for codes and links, per language,
 * on the labelled mails of `lab/codes/set/`, with every miss (of one part, if chosen); then on the labelled fixtures of the tests, and what
 * it finds in folders of real mail (the corpora, if available). Real mail has no labels, so `--verbose` lists what was found.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { measure } from '../../test/codes/labelled-codes.ts'
import { measureFolder } from '../../test/codes/real-mail-codes.ts'
import { corporaFolder, hasCorpora } from '../../test/mail-corpora/corpora-folder.ts'
import { measureSet, type Result, sum, type Tally } from '../codes/measure-set.ts'

const { values, positionals } = parseArgs({
  options: { verbose: { type: 'boolean', default: false }, part: { type: 'string' } },
  allowPositionals: true,
})

const results = measureSet()
console.log('language   mails   codes: precision  recall   links: precision  recall   text like HTML')
for (const [language, group] of Map.groupBy(results, result => result.language)) printRow(language, group)
for (const part of ['odd', 'even', 'third', 'fourth', 'fifth', 'sixth', 'seventh'])
  printRow(
    part,
    results.filter(result => result.part === part),
  )
printRow('all', results)
const passwords = results.filter(({ password }) => password)
console.log(
  `temporary passwords: ${passwords.length}, ${passwords.filter(({ password }) => password === 'found').length} of them offered\n`,
)
for (const { language, part, name, misses } of results)
  if (!values.part || part === values.part) for (const miss of misses) console.log(`  ${language} ${part}, ${name}: ${miss}`)

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

function printRow(name: string, group: readonly Result[]): void {
  const ratio = (part: number, whole: number) => (whole === 0 ? '–' : (part / whole).toFixed(3)).padStart(7)
  const rates = ({ found, right, expected, hit }: Tally) =>
    `${ratio(right, found)} of ${String(found).padEnd(4)} ${ratio(hit, expected)} of ${String(expected).padEnd(4)}`
  const same = group.filter(({ isSame }) => isSame).length
  const [codes, links] = [sum(group.map(result => result.codes)), sum(group.map(result => result.links))]
  console.log(`${name.padEnd(9)} ${String(group.length).padStart(6)}  ${rates(codes)}  ${rates(links)}  ${same}`)
}
