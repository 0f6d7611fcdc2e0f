import type { Challenge, Solution } from './site.ts'

/** The `botCheck` of a form: base64 of the signed challenge and its solution. Single use, a few minutes valid. */
export function encodeSolution(challenge: Challenge, { counter, derivedKey }: Solution): string {
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
}
