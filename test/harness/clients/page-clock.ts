import type { PageClock } from '#web/lib/browser/clock.ts'

/** A page's clocks, which only `pass` moves. `asleepMs`: how long the machine slept, which only the wall clock has counted. */
export function createPageClock() {
  const time = { now: 0, asleepMs: 0 }
  const sleepers = new Set<{ at: number; wake: () => void }>()
  const clock: PageClock = {
    now: () => time.now,
    wall: () => time.now + time.asleepMs,
    sleep: (ms, signal) =>
      new Promise(resolve => {
        const sleeper = { at: time.now + ms, wake: resolve }
        sleepers.add(sleeper)
        signal.addEventListener('abort', () => sleepers.delete(sleeper))
      }),
  }
  /** Wakes every timer that is due, in order. */
  async function pass(ms: number): Promise<void> {
    const until = time.now + ms
    await settle()
    for (;;) {
      const next = [...sleepers].filter(sleeper => sleeper.at <= until).sort((a, b) => a.at - b.at)[0]
      if (!next) break
      time.now = Math.max(time.now, next.at)
      sleepers.delete(next)
      next.wake()
      await settle()
    }
    time.now = until
  }
  return { time, clock, pass, timers: () => sleepers.size }
}

/** Runs all pending microtasks. */
function settle(): Promise<void> {
  return new Promise(resolve => setImmediate(resolve))
}
