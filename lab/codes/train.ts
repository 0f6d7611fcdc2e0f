/**
 * `npm run lab -- train [--write] [--without NAME]… codes|links [FOLDER…]`: learns the weights of `reader/codes/weights.json` or
 * `reader/links/weights.json` from the labelled mails of `set/`, the examples of the tests and folders of mails without either (the
 * corpora, if none is named). `--write` keeps them; `--without odd` first learns without the mails of a part or a language, and prints what
 * is found in them; `--folds` does so with each eighth of the mails. The same mails give the same weights.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectEvidence } from '../../reader/codes/evidence.ts'
import { readSpots } from '../../reader/codes/spots.ts'
import { linkCandidates } from '../../reader/links/evidence.ts'
import { readSubject } from '../../reader/mime/headers/headers.ts'
import { shownMessage } from '../../reader/mime/structure/body-parts.ts'
import { parseMessage } from '../../reader/mime/structure/parse.ts'
import { htmlToText } from '../../reader/seen/html.ts'
import { htmlSample, textSample } from '../../reader/seen/preview.ts'
import { BILL_EXAMPLES, EXAMPLES, PLAIN_EXAMPLES, TEMPTING_EXAMPLES } from '../../test/fixtures/codes/examples.ts'
import linkExamples from '../../test/fixtures/links/examples.json' with { type: 'json' }
import { corporaFolder, hasCorpora } from '../../test/mail-corpora/corpora-folder.ts'
import { linkFamilies } from './families.ts'
import { readLabelledMails } from './labelled-mails.ts'
import { type Candidate, type Evidence, learn, type Mail, measure, writeWeights } from './learn.ts'

type Labels = Pick<Mail, 'part' | 'language' | 'weight'>
type Shown = { readonly subject: string; readonly text?: string | undefined; readonly html?: string | undefined }

const TEXT_SAMPLE_BYTES = 16 * 1024
const FOLDS = 8

function evidenceOf(collect: (add: (name: string, strength?: number) => void) => void): Evidence {
  const evidence: [string, number][] = []
  collect((name, strength = 1) => evidence.push([name, strength]))
  return evidence
}

function withCode(written: { subject: string; text: string }, code: string | undefined, labels: Labels): Mail {
  const typed = code?.replace(/[\s-]/g, '')
  const { spots, whole } = readSpots(written)
  const candidates = spots.map(spot => {
    const { value } = spot.candidate
    return { value, evidence: evidenceOf(add => collectEvidence(spot, whole(), add)), isRight: value.replaceAll('-', '') === typed }
  })
  return { ...labels, isExpected: typed !== undefined, candidates }
}

function withLink(shown: Shown, urls: readonly string[], labels: Labels): Mail {
  const candidates: Candidate[] = linkCandidates(shown).flatMap(list =>
    list().map(({ link: { url }, collect }) => ({ value: url, evidence: evidenceOf(collect), isRight: urls.includes(url) })),
  )
  return { ...labels, isExpected: urls.length > 0, candidates }
}

/** A temporary password teaches nothing, since it may be offered and need not be. */
function labelledCodes(): Mail[] {
  return readLabelledMails()
    .filter(({ kind }) => kind !== 'password')
    .flatMap(({ subject, text, html, code, language, part }) =>
      [text, html && htmlToText(html)]
        .filter(body => body !== undefined)
        .map(body => withCode({ subject, text: body }, code, { part, language: language.slice(0, 2), weight: 1 })),
    )
}

function labelledLinks(): Mail[] {
  return readLabelledMails()
    .filter(({ part }) => part !== 'eleventh' && part !== 'twelfth')
    .flatMap(({ subject, text, html, link, language, part }) =>
      [text && { text }, html && { html }]
        .filter(body => typeof body === 'object')
        .map(body => withLink({ subject, ...body }, link === undefined ? [] : [link], { part, language: language.slice(0, 2), weight: 1 })),
    )
}

function ofExamples(examples: typeof EXAMPLES, weight: number): Mail[] {
  return examples.map(({ codes, ...written }) => withCode(written, codes[0], { part: 'examples', language: '', weight }))
}

function ofFolder(folder: string, isOfLinks: boolean): Mail[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /\.(?:eml|msg|mail|raw|mbox|txt)$/i.test(file))
  const labels = { part: 'folders', language: '', weight: 3 }
  return files.sort().flatMap(file => {
    const raw = readFileSync(join(folder, file))
    const parsed = parseMessage(raw)
    const shown = shownMessage(raw, parsed)
    const text = textSample(shown.raw, shown.parsed, TEXT_SAMPLE_BYTES)
    const html = htmlSample(shown.raw, shown.parsed)
    const subject = readSubject(parsed)
    return isOfLinks
      ? [withLink({ subject, text, ...html }, [], labels)]
      : [text, html?.seen.text ?? ''].map(body => withCode({ subject, text: body }, undefined, labels))
  })
}

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, folds: { type: 'boolean' }, without: { type: 'string', multiple: true } },
  allowPositionals: true,
})
const [subject = '', ...named] = positionals
if (subject !== 'codes' && subject !== 'links') throw new Error('Name what is to be learnt: codes or links.')
const isOfLinks = subject === 'links'
const folders = (named.length > 0 || !hasCorpora ? named : [corporaFolder]).flatMap(folder => ofFolder(folder, isOfLinks))
const set = isOfLinks ? labelledLinks() : labelledCodes()
const ofRules = isOfLinks
  ? [
      ...linkExamples.map(({ links, ...shown }) =>
        withLink(
          shown,
          links.map(({ url }) => url),
          { part: 'examples', language: '', weight: 4 },
        ),
      ),
      ...linkFamilies().map(({ link, ...shown }) => withLink(shown, link ? [link] : [], { part: 'families', language: '', weight: 0.4 })),
    ]
  : [...ofExamples(EXAMPLES, 8), ...ofExamples(PLAIN_EXAMPLES, 1), ...ofExamples([...BILL_EXAMPLES, ...TEMPTING_EXAMPLES], 0.5)]
const all = [...set, ...ofRules, ...folders]
console.log(`${all.length} mails with ${all.flatMap(({ candidates }) => candidates).length} candidates`)
for (const held of values.without ?? []) {
  const isHeld = ({ part, language }: Mail) => part === held || language === held
  const [others, mails] = [all.filter(mail => !isHeld(mail)), set.filter(isHeld)]
  console.log(`${held}, not learnt from: ${measure(mails, learn(others, subject))}`)
}
if (values.folds) {
  const found = Array.from({ length: FOLDS }, (_, fold) => {
    const weights = learn(
      all.filter((_, at) => at % FOLDS !== fold),
      subject,
    )
    return { mails: set.filter((_, at) => at % FOLDS === fold), weights }
  })
  for (const { mails, weights } of found) console.log(`an eighth, not learnt from: ${measure(mails, weights)}`)
}
const weights = learn(all, subject)
console.log(`learnt from: ${measure(all, weights)}`)
if (values.write) writeWeights(join(import.meta.dirname, `../../reader/${subject}/weights.json`), weights)
