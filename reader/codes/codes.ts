/** Finds the one-time codes of a mail: weighs what its shapes, its places and the concepts around each number say of it. */

import { collectEvidence, type Whole } from './evidence.ts'
import type { Spot } from './place.ts'
import { type CodeSource, readSpots } from './spots.ts'
import weights from './weights.json' with { type: 'json' }

const CODES_MAX = 3
/** Hundredths of the logarithm of the odds that a number is a code. */
const WEIGHT_MIN = 50
/** A second code must be nearly as certain as the first. */
const WEIGHT_GAP = 100

/**
 * The one-time codes of a mail, in the languages of `concepts.json`, as the visitor has to type them, best guess first, at most three.
 * Deterministic, and linear in the length of the text. Numbers in addresses, telephone numbers, prices, dates, orders and transactions are
 * not codes.
 */
export function findCodes(source: CodeSource): string[] {
  const weighed = new Map<string, number>()
  const { spots, whole } = readSpots(source)
  for (const spot of spots) {
    const { value } = spot.candidate
    weighed.set(value, Math.max(weigh(spot, whole()), weighed.get(value) ?? Number.NEGATIVE_INFINITY))
  }
  const ranked = [...weighed].filter(([, weight]) => weight >= WEIGHT_MIN).sort(([, a], [, b]) => b - a)
  const best = ranked[0]?.[1] ?? 0
  return ranked
    .filter(([value, weight]) => weight >= best - WEIGHT_GAP && !ranked.some(([code]) => isGlued(value, code)))
    .slice(0, CODES_MAX)
    .map(([value]) => value)
}

/** Each is written as its name, a colon and its number. */
const WEIGHTS = new Map(
  weights
    .flatMap(line => line.split('; '))
    .map(each => [each.slice(0, each.lastIndexOf(':')), Number(each.slice(each.lastIndexOf(':') + 1))]),
)

/** The logarithm of the odds that it is a code, in hundredths. */
function weigh(spot: Spot, whole: Whole): number {
  let sum = 0
  collectEvidence(spot, whole, (name, strength = 1) => {
    sum += (WEIGHTS.get(name) ?? 0) * strength
  })
  return sum
}

/** `66K9P2Hello`: the code with the next word, where a text has lost the line between them. */
function isGlued(value: string, code: string): boolean {
  return value.length > code.length && value.startsWith(code) && /^\p{Lu}\p{Ll}/u.test(value.slice(code.length))
}
