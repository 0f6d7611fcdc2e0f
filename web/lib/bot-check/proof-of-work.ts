/** The self-hosted bot check: an ALTCHA v2 challenge from the server, solved in a worker (about 0.1 s, invisible). */
import { encodeSolution } from '#contract/bot-check-solution.ts'
import type { Challenge, Solution } from '#contract/site.ts'
import { solution as solutionShape } from '../api/replies.ts'

/** The message to a worker: try every counter from `first` in steps of `step`. */
export type Work = { readonly challenge: Challenge; readonly first: number; readonly step: number }

/** Several workers share the work only where it is done in JavaScript, one thread each; `crypto.subtle` has its own threads. */
const WORKERS_MAX = 4

/** The token our server verifies, for a puzzle that may still be on its way. `signal` stops the work. */
export async function solvePuzzle(puzzle: Promise<Challenge>, signal: AbortSignal): Promise<string> {
  const count = isSecureContext ? 1 : Math.min(WORKERS_MAX, navigator.hardwareConcurrency || 1)
  // The workers' code is fetched while the puzzle is.
  const workers = Array.from({ length: count }, () => new Worker(new URL('./proof-of-work.worker.ts', import.meta.url), { type: 'module' }))
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const onAbort = () => stop(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    const challenge = await puzzle
    const shares = workers.map((worker, first) => solve(worker, { challenge, first, step: count }))
    const solution = await Promise.race([stopped, ...shares])
    return encodeSolution(challenge, solution)
  } finally {
    signal.removeEventListener('abort', onAbort)
    for (const worker of workers) worker.terminate()
  }
}

function solve(worker: Worker, work: Work): Promise<Solution> {
  return new Promise<Solution>((resolve, reject) => {
    worker.onmessage = ({ data }) => {
      if (solutionShape(data)) resolve(data)
      else reject(new Error('The worker found no solution', { cause: data }))
    }
    worker.onerror = event => reject(new Error(event.message))
    worker.postMessage(work)
  })
}
