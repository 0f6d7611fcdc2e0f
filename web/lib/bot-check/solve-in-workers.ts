/**
 * The proof of work where browsers have no `crypto.subtle`: on plain-http origins. Several workers share it, one thread each. Imports no
 * code, because the home page's inline script loads this file before the application's are there.
 */
import type { Challenge, Solution } from '#contract/site.ts'

/** The message to a worker: try every counter from `first` in steps of `step`. */
export type Work = { readonly challenge: Challenge; readonly first: number; readonly step: number }
/** The message from a worker. */
export type Worked = { readonly solution: Solution } | { readonly error: string }

const WORKERS_MAX = 4

/** `signal` stops the work. */
export async function solveInWorkers(puzzle: Promise<Challenge>, signal: AbortSignal): Promise<Solution> {
  const count = Math.min(WORKERS_MAX, navigator.hardwareConcurrency || 1)
  // The workers' code is fetched while the puzzle is.
  const workers = Array.from({ length: count }, () => new Worker(new URL('./solve-share.worker.ts', import.meta.url), { type: 'module' }))
  const { promise: stopped, reject: stop } = Promise.withResolvers<never>()
  const onAbort = () => stop(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    const challenge = await puzzle
    return await Promise.race([stopped, ...workers.map((worker, first) => solve(worker, { challenge, first, step: count }))])
  } finally {
    signal.removeEventListener('abort', onAbort)
    for (const worker of workers) worker.terminate()
  }
}

function solve(worker: Worker, work: Work): Promise<Solution> {
  return new Promise<Solution>((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<Worked>) => {
      if ('solution' in data) resolve(data.solution)
      else reject(new Error(data.error))
    }
    worker.onerror = event => reject(new Error(event.message))
    worker.postMessage(work)
  })
}
