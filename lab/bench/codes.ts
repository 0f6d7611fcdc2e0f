/**
 * `npm run lab -- codes [--part odd|even|third] [--verbose FOLDER…]`: precision and recall of the search for codes and links, per language
 * and part, on the labelled mails of `lab/codes/set/`, with every miss (of one part, if chosen); then what it finds in folders of real mail
 * (the corpora, if available). Real mail has no labels, so `--verbose` lists what was found.
 */
import { parseArgs } from 'node:util'
import { corporaFolder, hasCorpora } from '../../test/mail-corpora/corpora-folder.ts'
import { PARTS } from '../codes/labelled-mails.ts'
import { measureFolder } from '../codes/measure-folder.ts'
import { measureSet, type Result, sum, type Tally } from '../codes/measure-set.ts'

const { values, positionals } = parseArgs({
  options: { verbose: { type: 'boolean', default: false }, part: { type: 'string' } },
  allowPositionals: true,
})

const results = measureSet()
console.log('language   mails   codes: precision  recall   links: precision  recall   text like HTML')
for (const [language, group] of Map.groupBy(results, ({ mail }) => mail.language)) printRow(language, group)
for (const part of PARTS)
  printRow(
    part,
    results.filter(({ mail }) => mail.part === part),
  )
printRow('all', results)
const passwords = results.filter(({ password }) => password)
console.log(
  `temporary passwords: ${passwords.length}, ${passwords.filter(({ password }) => password === 'found').length} of them offered\n`,
)
for (const { mail, misses } of results)
  if (!values.part || mail.part === values.part)
    for (const miss of misses) console.log(`  ${mail.language} ${mail.part}, ${mail.name}: ${miss}`)

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
