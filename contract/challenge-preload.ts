import { visitorRoutes } from './visitor-routes.ts'

/** The challenge for a first address; the link and the request that uses it must be the same to the letter. */
export const FIRST_CHALLENGE = `${visitorRoutes.botCheckChallenge}?action=generate_email`

/** Written into the home page when it is built; the server removes it where there is no challenge. */
export const CHALLENGE_PRELOAD = `<link rel="preload" as="fetch" crossorigin href="${FIRST_CHALLENGE}">`
