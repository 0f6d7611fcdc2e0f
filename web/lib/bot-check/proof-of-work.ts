/** The self-hosted bot check: an ALTCHA challenge from the server, solved in about 0.1 s without the visitor noticing. */
import { encodeSolution } from '#contract/challenge.ts'
import type { Challenge, Solution } from '#contract/site.ts'
import { type Derive, findCounter, fromHex } from './find-counter.ts'

/**
 * This many derivations run at once, and the browser distributes them over its threads. A slow phone's main thread lays out the page
 * meanwhile, for longer than they take, so it should not be needed often (lab/docs/measurements.md, a first visit on a phone).
 */
const AT_ONCE = 100

/** The token our server verifies, for a puzzle that may still be on its way. `signal` stops the work. */
export async function solveProofOfWork(puzzle: Promise<Challenge>, signal: AbortSignal): Promise<string> {
  const solving = globalThis.crypto?.subtle ? solveNatively(puzzle, signal) : solveInJavaScript(puzzle, signal)
  const [challenge, solution] = await Promise.all([puzzle, solving])
  return encodeSolution(challenge, solution)
}

/** `crypto.subtle` derives keys in threads of its own, so a worker would only cost its start and another file. */
async function solveNatively(puzzle: Promise<Challenge>, signal: AbortSignal): Promise<Solution> {
  const challenge = await puzzle
  const { salt, cost, keyLength } = challenge.parameters
  const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt: fromHex(salt), iterations: cost }
  const derive: Derive = async password => {
    const key = await crypto.subtle.importKey('raw', password, 'PBKDF2', false, ['deriveBits'])
    return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, keyLength * 8))
  }
  return findCounter(challenge, { first: 0, step: 1, atOnce: AT_ONCE }, derive, signal)
}

async function solveInJavaScript(puzzle: Promise<Challenge>, signal: AbortSignal): Promise<Solution> {
  return (await import('./solve-in-workers.ts')).solveInWorkers(puzzle, signal)
}
