import { TIMER_MS_MAX } from '#contract/limits.ts'

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
      let timer: ReturnType<typeof setTimeout>
      const wait = (leftMs: number) => {
        const stepMs = Math.min(leftMs, TIMER_MS_MAX)
        timer = setTimeout(() => (leftMs > stepMs ? wait(leftMs - stepMs) : resolve()), stepMs)
      }
      wait(ms)
      signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }),
}
