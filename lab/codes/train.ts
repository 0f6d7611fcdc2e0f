/**
 * `npm run lab -- train-codes [--write] [--without NAME]… [FOLDER…]`: learns the weights of `reader/codes/weights.json` from the
 * labelled mails of `set/`, the examples of the tests and folders of mails without a code (the corpora, if none is named). `--write` keeps
 * them; `--without odd` first learns without the mails of a part or a language, and prints what is found in them. The same mails give the
 * same weights.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { collectEvidence } from '../../reader/codes/evidence.ts'
import { readSpots } from '../../reader/codes/spots.ts'
import { readSubject } from '../../reader/mime/headers/headers.ts'
import { shownMessage } from '../../reader/mime/structure/body-parts.ts'
import { parseMessage } from '../../reader/mime/structure/parse.ts'
import { htmlToText } from '../../reader/seen/html.ts'
import { htmlSample, textSample } from '../../reader/seen/preview.ts'
import { BILL_EXAMPLES, EXAMPLES } from '../../test/fixtures/codes/examples.ts'
import { corporaFolder, hasCorpora } from '../../test/mail-corpora/corpora-folder.ts'
import { readLabelledMails } from './labelled-mails.ts'

/** `weight`: how much is learnt from it, because the bills are nearly alike, and an example stands for a rule. */
type Candidate = { readonly evidence: readonly (readonly [name: string, strength: number])[]; readonly isRight: boolean }
type Mail = { part: string; language: string; hasCode: boolean; weight: number; candidates: Candidate[] }
type Weights = ReadonlyMap<string, number>

/** How much larger weights cost: the smaller, the more is learnt from single mails. */
const COST = 0.5
const STEPS = 400
const RATE = 0.1
const TEXT_SAMPLE_BYTES = 16 * 1024
/** Evidence of one candidate alone says nothing of others. */
const SEEN_MIN = 2
const LINE_CHARS = 128
/** Hundredths below which a weight changes nothing. */
const KEPT_MIN = 4

function toMail(written: { subject: string; text: string }, code: string | undefined, labels: Omit<Mail, 'candidates' | 'hasCode'>): Mail {
  const typed = code?.replace(/[\s-]/g, '')
  const { spots, whole } = readSpots(written)
  const candidates = spots.map(spot => {
    const evidence: [string, number][] = []
    collectEvidence(spot, whole(), (name, strength = 1) => evidence.push([name, strength]))
    return { evidence, isRight: spot.candidate.value.replaceAll('-', '') === typed }
  })
  return { ...labels, hasCode: typed !== undefined, candidates }
}

/** A temporary password teaches nothing, since it may be offered and need not be. */
function labelled(): Mail[] {
  return readLabelledMails()
    .filter(({ kind }) => kind !== 'password')
    .flatMap(({ subject, text, html, code, language, part }) =>
      [text, html && htmlToText(html)]
        .filter(body => body !== undefined)
        .map(body => toMail({ subject, text: body }, code, { part, language: language.slice(0, 2), weight: 1 })),
    )
}

function ofExamples(examples: typeof EXAMPLES, weight: number): Mail[] {
  return examples.map(({ codes, ...written }) => toMail(written, codes[0], { part: 'examples', language: '', weight }))
}

function ofFolder(folder: string): Mail[] {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => /\.(?:eml|msg|mail|raw|mbox|txt)$/i.test(file))
  return files.sort().flatMap(file => {
    const raw = readFileSync(join(folder, file))
    const parsed = parseMessage(raw)
    const shown = shownMessage(raw, parsed)
    const bodies = [textSample(shown.raw, shown.parsed, TEXT_SAMPLE_BYTES), htmlSample(shown.raw, shown.parsed)?.seen.text ?? '']
    const subject = readSubject(parsed)
    return bodies.map(body => toMail({ subject, text: body }, undefined, { part: 'folders', language: '', weight: 1 }))
  })
}

/** Logistic regression by all mails at once, with a rate for each weight (Adam). */
function learn(mails: readonly Mail[]): Weights {
  const rows = mails.flatMap(({ candidates, weight }) => candidates.map(candidate => ({ ...candidate, weight })))
  const seen = new Map<string, number>()
  for (const { evidence } of rows) for (const name of new Set(evidence.map(([name]) => name))) seen.set(name, (seen.get(name) ?? 0) + 1)
  const names = [...seen].flatMap(([name, times]) => (times >= SEEN_MIN ? [name] : [])).sort()
  const numbers = new Map(names.map((name, at) => [name, at]))
  const examples = rows.map(({ evidence, isRight, weight }) => {
    const known = evidence.flatMap(([name, strength]) => (numbers.has(name) ? [{ at: numbers.get(name) ?? 0, strength }] : []))
    return { at: Uint32Array.from(known, ({ at }) => at), strength: Float64Array.from(known, ({ strength }) => strength), isRight, weight }
  })
  const [weights, mean, variance] = [0, 1, 2].map(() => new Float64Array(names.length)) as [Float64Array, Float64Array, Float64Array]
  for (let step = 1; step <= STEPS; step++) {
    const gradient = weights.map(value => value * COST)
    for (const { at, strength, isRight, weight } of examples) {
      let sum = 0
      for (let part = 0; part < at.length; part++) sum += (weights[at[part] ?? 0] ?? 0) * (strength[part] ?? 0)
      const error = (1 / (1 + Math.exp(-sum)) - Number(isRight)) * weight
      for (let part = 0; part < at.length; part++) addTo(gradient, at[part] ?? 0, error * (strength[part] ?? 0))
    }
    const rate = RATE * (1 - step / (STEPS + 1))
    for (let at = 0; at < names.length; at++) {
      const slope = gradient[at] ?? 0
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope
      variance[at] = 0.99 * (variance[at] ?? 0) + 0.01 * slope * slope
      const scale = Math.sqrt((variance[at] ?? 0) / (1 - 0.99 ** step)) + 1e-8
      addTo(weights, at, (-rate * ((mean[at] ?? 0) / (1 - 0.9 ** step))) / scale)
    }
  }
  return new Map(names.map((name, at) => [name, weights[at] ?? 0]))
}

function addTo(numbers: Float64Array, at: number, sum: number): void {
  numbers[at] = (numbers[at] ?? 0) + sum
}

function weightOf({ evidence }: Candidate, weights: Weights): number {
  return evidence.reduce((sum, [name, strength]) => sum + (weights.get(name) ?? 0) * strength, 0)
}

/** What is offered of each mail, by the least weight. */
function measure(mails: readonly Mail[], weights: Weights): string {
  const best = mails.map(({ candidates }) => {
    const weighed = candidates.map(candidate => ({ isRight: candidate.isRight, weight: weightOf(candidate, weights) }))
    return weighed.sort((one, other) => other.weight - one.weight)[0]
  })
  const expected = mails.filter(({ hasCode }) => hasCode).length
  return [-1, 0, 0.5, 1, 2]
    .map(least => {
      const offered = best.filter(found => found && found.weight >= least)
      const right = offered.filter(found => found?.isRight).length
      return `from ${least}: ${right} of ${offered.length} right, ${((100 * right) / expected).toFixed(0)} % found`
    })
    .join('; ')
}

const { values, positionals } = parseArgs({
  options: { write: { type: 'boolean' }, without: { type: 'string', multiple: true } },
  allowPositionals: true,
})
const folders = positionals.length > 0 || !hasCorpora ? positionals : [corporaFolder]
const set = labelled()
const all = [...set, ...ofExamples(EXAMPLES, 3), ...ofExamples(BILL_EXAMPLES, 0.3), ...folders.flatMap(ofFolder)]
console.log(`${all.length} mails with ${all.flatMap(({ candidates }) => candidates).length} numbers`)
for (const held of values.without ?? []) {
  const isHeld = ({ part, language }: Mail) => part === held || language === held
  const [others, mails] = [all.filter(mail => !isHeld(mail)), set.filter(isHeld)]
  console.log(`${held}, not learnt from: ${measure(mails, learn(others))}`)
}
const weights = learn(all)
console.log(`learnt from: ${measure(all, weights)}`)
if (values.write) {
  const rounded = [...weights].map(([name, weight]) => [name, Math.round(weight * 100)] as const)
  const kept = rounded.filter(([, weight]) => Math.abs(weight) >= KEPT_MIN).map(([name, weight]) => `${name}: ${weight}`)
  const lines = kept.reduce<string[]>(
    ([line, ...lines], each) =>
      line !== undefined && line.length + each.length < LINE_CHARS
        ? [`${line}; ${each}`, ...lines]
        : [each, ...(line === undefined ? [] : [line]), ...lines],
    [],
  )
  writeFileSync(join(import.meta.dirname, '../../reader/codes/weights.json'), `${JSON.stringify(lines.reverse(), null, 2)}\n`)
}
