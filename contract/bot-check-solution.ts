import type { Challenge, Solution } from './site.ts'

/** The `botCheck` field of a form: base64 of the signed challenge and its solution. Valid once, for a few minutes. */
export function encodeSolution(challenge: Challenge, { counter, derivedKey }: Solution): string {
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
}
