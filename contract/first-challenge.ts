/**
 * The challenge for a visitor's first address. The server sends it with the home page, in the `Server-Timing` header: the only one of a
 * page's own headers that its scripts can read (https://www.w3.org/TR/server-timing/).
 */
import type { Challenge } from './site.ts'
import type { visitorRoutes } from './visitor-routes.ts'

/** Where a page that came without one gets it. */
export const FIRST_CHALLENGE: `${typeof visitorRoutes.botCheckChallenge}?action=generate_email` =
  '/api/bot-check/challenge?action=generate_email'

export const CHALLENGE_TIMING = 'challenge'

/** The value of the header. Base64 needs no escapes inside the quotes. */
export function encodeChallenge(challenge: Challenge): string {
  return `${CHALLENGE_TIMING};desc="${btoa(JSON.stringify(challenge))}"`
}

/** `description`: what the browser made of `desc`. It may be from anywhere, so the result has to be checked. */
export function decodeChallenge(description: string): unknown {
  return JSON.parse(atob(description))
}
