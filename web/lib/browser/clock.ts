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

/**
 * Reports that time may have passed unnoticed: the laptop slept, the tab was hidden or frozen, the network came back, the clock was set.
 */
const TICK_MS = 1000
/**
 * Background tabs are throttled to one tick per minute. If the two clocks differ by more than this, the machine slept or the clock was set.
 */
const DRIFT_MS = 2000
/** A visible tab never misses this many ticks unless the machine slept with its monotonic clock running. */
const GAP_MS = 5000

/** Calls `onWake` until `signal` aborts. A false alarm costs one small request; a missed one shows a wrong countdown. */
export function watchWake(onWake: () => void, signal: AbortSignal): void {
  let monotonic = performance.now()
  let wall = Date.now()
  const timer = setInterval(() => {
    const monotonicStep = performance.now() - monotonic
    const drift = Math.abs(Date.now() - wall - monotonicStep)
    monotonic = performance.now()
    wall = Date.now()
    if (drift > DRIFT_MS || (monotonicStep > GAP_MS && document.visibilityState === 'visible')) onWake()
  }, TICK_MS)
  signal.addEventListener('abort', () => clearInterval(timer), { once: true })
  document.addEventListener('visibilitychange', () => document.visibilityState === 'visible' && onWake(), { signal })
  window.addEventListener('online', onWake, { signal })
  window.addEventListener('pageshow', event => event.persisted && onWake(), { signal })
}
