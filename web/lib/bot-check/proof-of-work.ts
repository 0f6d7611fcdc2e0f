/** The self-hosted bot check: an ALTCHA v2 challenge from the server, solved in a worker (about 0.1 s, invisible). */
import { encodeSolution } from '#contract/bot-check-solution.ts'
import type { BotCheckAction, Challenge, Solution } from '#contract/site.ts'
import { readChallenge } from '../api/mailbox-api.ts'
import { solution as solutionShape } from '../api/replies.ts'

/** Time limit of the worker; the caller has a shorter one. */
const SOLVE_TIMEOUT_MS = 60_000

/** The token that the server verifies. `signal` cancels the work. */
export async function obtainProofOfWork(action: BotCheckAction, signal: AbortSignal): Promise<string> {
  // Starts the worker first, so that its code loads while the challenge is fetched.
  const worker = new Worker(new URL('./proof-of-work.worker.ts', import.meta.url), { type: 'module' })
  signal.addEventListener('abort', () => worker.terminate())
  try {
    const challenge = await readChallenge(action, signal)
    const solution = await solve(worker, challenge)
    return encodeSolution(challenge, solution)
  } finally {
    worker.terminate()
  }
}

function solve(worker: Worker, challenge: Challenge): Promise<Solution> {
  return new Promise<Solution>((resolve, reject) => {
    worker.onmessage = message => {
      if (solutionShape(message.data)) resolve(message.data)
      else reject(new Error('The worker found no solution', { cause: message.data }))
    }
    worker.onerror = event => reject(new Error(event.message))
    worker.postMessage({ type: 'work', challenge, counterMode: 'uint32', counterStart: 0, counterStep: 1, timeout: SOLVE_TIMEOUT_MS })
  })
}
