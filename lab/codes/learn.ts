/** Learns how much each piece of evidence weighs: logistic regression over the candidates of labelled mails. */
import { writeFileSync } from 'node:fs'

/** Evidence by name, and how strong it is. */
export type Evidence = readonly (readonly [name: string, strength: number])[]
/** `value`: what would be offered. */
export type Candidate = { readonly value: string; readonly evidence: Evidence; readonly isRight: boolean }
/** `weight`: how much is learnt from it, because many bills are nearly alike, and an example stands for a rule. */
export type Mail = {
  readonly part: string
  readonly language: string
  readonly isExpected: boolean
  readonly weight: number
  readonly candidates: readonly Candidate[]
}
type Weights = ReadonlyMap<string, number>

/** How much larger weights cost: the smaller, the more is learnt from single mails. */
const COST = { codes: 0.4, links: 0.4 }
/** A wrong code is worse than none. */
const WRONG_COST = 2
const STEPS = 400
const RATE = 0.1
/** Evidence of four candidates alone says little of others. */
const SEEN_MIN = 5
const LINE_CHARS = 134
/** Hundredths below which a weight changes nothing. */
const KEPT_MIN = 7

/** Logistic regression by all mails at once, with a rate for each weight (Adam). */
export function learn(mails: readonly Mail[], subject: keyof typeof COST): Weights {
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
    const gradient = weights.map(value => value * COST[subject])
    for (const { at, strength, isRight, weight } of examples) {
      let sum = 0
      for (let part = 0; part < at.length; part++) sum += (weights[at[part] ?? 0] ?? 0) * (strength[part] ?? 0)
      const error = (1 / (1 + Math.exp(-sum)) - Number(isRight)) * weight * (isRight ? 1 : WRONG_COST)
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

/** Counts what each mail would offer at a least weight. */
export function measure(mails: readonly Mail[], weights: Weights): string {
  const best = mails.map(({ candidates }) => {
    const weighed = candidates.map(candidate => ({ isRight: candidate.isRight, weight: weightOf(candidate, weights) }))
    return weighed.sort((one, other) => other.weight - one.weight)[0]
  })
  const expected = mails.filter(({ isExpected }) => isExpected).length
  return [-1, 0, 0.5, 1, 2]
    .map(least => {
      const offered = best.filter(found => found && found.weight >= least)
      const right = offered.filter(found => found?.isRight).length
      return `from ${least}: ${right} of ${offered.length} right, ${((100 * right) / expected).toFixed(0)} % found`
    })
    .join('; ')
}

/** Keeps what changes anything, in hundredths, as lines of `name: number`. */
export function writeWeights(file: string, weights: Weights): void {
  const rounded = [...weights].map(([name, weight]) => [name, Math.round(weight * 100)] as const)
  const kept = rounded.filter(([, weight]) => Math.abs(weight) >= KEPT_MIN).map(([name, weight]) => `${name}: ${weight}`)
  const lines = kept.reduce<string[]>(
    ([line, ...lines], each) =>
      line !== undefined && line.length + each.length < LINE_CHARS
        ? [`${line}; ${each}`, ...lines]
        : [each, ...(line === undefined ? [] : [line]), ...lines],
    [],
  )
  writeFileSync(file, `${JSON.stringify(lines.reverse(), null, 2)}\n`)
}
