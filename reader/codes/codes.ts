/** Finds the one-time codes of a mail: weighs what its shapes, its places and the concepts around each number say of it. */

import { toWeights, weigh } from '../concepts/weigh.ts'
import { collectEvidence } from './evidence.ts'
import { type CodeSource, readSpots } from './spots.ts'
import weights from './weights.json' with { type: 'json' }

const CODES_MAX = 3
/** Hundredths of the logarithm of the odds that a number is a code. */
const WEIGHT_MIN = 0
/** A second code must be nearly as certain as the first. */
const WEIGHT_GAP = 100
const WEIGHTS = toWeights(weights)

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
    weighed.set(
      value,
      Math.max(
        weigh(WEIGHTS, add => collectEvidence(spot, whole(), add)),
        weighed.get(value) ?? Number.NEGATIVE_INFINITY,
      ),
    )
  }
  const ranked = [...weighed].filter(([, weight]) => weight >= WEIGHT_MIN).sort(([, a], [, b]) => b - a)
  const best = ranked[0]?.[1] ?? 0
  return ranked
    .filter(([value, weight]) => weight >= best - WEIGHT_GAP && !ranked.some(([code]) => isGlued(value, code)))
    .slice(0, CODES_MAX)
    .map(([value]) => value)
}

/** `66K9P2Hello`: the code with the next word, where a text has lost the line between them. */
function isGlued(value: string, code: string): boolean {
  return value.length > code.length && value.startsWith(code) && /^\p{Lu}\p{Ll}/u.test(value.slice(code.length))
}
