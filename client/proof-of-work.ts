/** Solves the server's proof of work, as the site does: about 0.1 s. */

import { solveChallenge } from 'altcha-lib'
import { deriveKey } from 'altcha-lib/algorithms/web/pbkdf2'
import { readChallenge } from '../contract/api/site-routes.ts'
import { encodeSolution } from '../contract/bot-check-solution.ts'
import type { Api } from './api.ts'
import { MayflyError } from './errors.ts'

const SOLVE_TIMEOUT_MS = 60_000

/** The `botCheck` field of a request for a new address. */
export async function obtainProofOfWork(api: Api, signal: AbortSignal | undefined): Promise<string> {
  const challenge = await api.call(readChallenge, { query: { action: 'generate_email' }, signal })
  const solution = await solveChallenge({ challenge, deriveKey, timeout: SOLVE_TIMEOUT_MS })
  if (!solution) throw new MayflyError('bot_check_unsolvable', `The proof of work of ${api.url} could not be solved in a minute`)
  return encodeSolution(challenge, { ...solution })
}
