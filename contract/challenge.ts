/** How challenges of the proof of work and their solutions travel. Without schemas: the script inside the page imports it. */
import type { routes } from './routes.ts'
import type { Challenge, Solution } from './site.ts'

/** Where a page that came without one gets it. */
export const FIRST_CHALLENGE_PATH: `${typeof routes.botCheckChallenge}?action=generate_email` =
  '/api/bot-check/challenge?action=generate_email'

/**
 * The challenge for a visitor's first address comes with the home page, in the `Server-Timing` header: the only one of a page's own headers
 * that its scripts can read (https://www.w3.org/TR/server-timing/).
 */
export const CHALLENGE_TIMING = 'challenge'

/** The value of the header. A string of JSON is a quoted string of a header too, as long as all of it is ASCII. */
export const toServerTiming = (challenge: Challenge): string => `${CHALLENGE_TIMING};desc=${JSON.stringify(JSON.stringify(challenge))}`

/** The `botCheck` field of a form: base64 of the signed challenge and its solution. Valid once, for a few minutes. */
export function encodeSolution(challenge: Challenge, { counter, derivedKey }: Solution): string {
  return btoa(JSON.stringify({ challenge, solution: { counter, derivedKey } }))
}
