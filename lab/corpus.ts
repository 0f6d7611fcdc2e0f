/**
 * Sends every mail file of a folder through SMTP, store and API of its own server and prints the result: `FOLDER [--json FILE]
 * [--quiet]`.
 */
import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { describe, runCorpus, summarise } from '../test/mail-corpora/corpus.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { json: { type: 'string' }, quiet: { type: 'boolean' } } })
const [folder] = positionals
if (!folder) throw new Error('Name a folder with mail files: npm run lab -- corpus FOLDER')
const outcomes = await runCorpus(folder)
for (const outcome of outcomes) if (!values.quiet || outcome.problem) console.log(describe(outcome))
console.log(summarise(outcomes))
if (values.json) writeFileSync(values.json, JSON.stringify(outcomes, null, 1))
process.exitCode = outcomes.some(outcome => outcome.problem) ? 1 : 0
