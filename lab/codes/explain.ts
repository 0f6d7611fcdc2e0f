/**
 * `npm run lab -- explain FILE.eml`: what speaks for each number and each link of a mail, and against it: the pieces of evidence with the
 * most weight, in hundredths of the logarithm of the odds. From 25 on a code is offered, and a link from 50 on.
 */
import { readFileSync } from 'node:fs'
import { collectEvidence } from '../../reader/codes/evidence.ts'
import { readSpots } from '../../reader/codes/spots.ts'
import codeWeights from '../../reader/codes/weights.json' with { type: 'json' }
import { toWeights, weigh } from '../../reader/concepts/weigh.ts'
import { linkCandidates } from '../../reader/links/evidence.ts'
import linkWeights from '../../reader/links/weights.json' with { type: 'json' }
import { readSubject } from '../../reader/mime/headers/headers.ts'
import { parseMessage } from '../../reader/mime/structure/parse.ts'
import { readMail } from '../../reader/read-mail.ts'

type Collect = (add: (name: string, strength?: number) => void) => void

const PIECES = 16

function explain(what: string, lines: readonly string[], collect: Collect): void {
  const weights = toWeights(lines)
  const pieces: { name: string; weight: number }[] = []
  collect((name, strength = 1) => pieces.push({ name, weight: Math.round((weights.get(name) ?? 0) * strength) }))
  console.log(`\n${what}: ${Math.round(weigh(weights, collect))}`)
  pieces.sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight))
  for (const { name, weight } of pieces.slice(0, PIECES)) console.log(`${String(weight).padStart(6)}  ${name}`)
}

const raw = readFileSync(process.argv[2] ?? '')
const subject = readSubject(parseMessage(raw))
const { html, text, htmlText } = readMail(raw)
const { spots, whole } = readSpots({ subject, text: text ?? htmlText })
for (const spot of spots) explain(spot.candidate.value, codeWeights, add => collectEvidence(spot, whole(), add))
for (const candidates of linkCandidates({ subject, html, text }))
  for (const { link, collect } of candidates()) explain(`${link.label} ${link.url}`.trim(), linkWeights, collect)
