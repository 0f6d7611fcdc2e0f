/** Time as a page sees it. Tests pass their own. */
export type PageClock = {
  /** Monotonic, in milliseconds. Most systems stop it while the machine sleeps. */
  now: () => number
  /** In milliseconds since 1970. May be wrong or set, but continues while the machine sleeps. */
  wall: () => number
  /** Resolves after `ms`, or never once `signal` is aborted. */
  sleep: (ms: number, signal: AbortSignal) => Promise<void>
}

export const pageClock: PageClock = {
  now: () => performance.now(),
  wall: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise(resolve => {
      const timer = setTimeout(resolve, ms)
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }),
}
