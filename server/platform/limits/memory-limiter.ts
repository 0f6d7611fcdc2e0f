/** Rate limits counted in the memory of this process, with a bounded size. */
import type { Clock } from '../clock.ts'
import type { Allowance, Limit, Limiter } from './limiter.ts'

/** About 20 MB when full: an attacker who owns an IPv6 /32 has four billion keys to choose from. */
const KEYS_MAX = 100_000
/** Share of the oldest counters removed when all are live, so that making room happens once in a thousand attempts. */
const EVICTED_SHARE = 0.01

type Window = { count: number; readonly endsAt: number }

export function createMemoryLimiter(clock: Clock, keysMax = KEYS_MAX): Limiter & { readonly size: number } {
  const windows = new Map<string, Window>()

  function findWindow(limit: Limit, key: string): Window | undefined {
    const window = windows.get(`${limit.name} ${key}`)
    return window && window.endsAt > clock() ? window : undefined
  }

  function open(limit: Limit, key: string): Window {
    if (windows.size >= keysMax) makeRoom()
    const window = { count: 0, endsAt: clock() + limit.windowSeconds * 1000 }
    windows.delete(`${limit.name} ${key}`)
    windows.set(`${limit.name} ${key}`, window)
    return window
  }

  function makeRoom(): void {
    const now = clock()
    for (const [key, window] of windows) if (window.endsAt <= now) windows.delete(key)
    const surplus = windows.size - Math.floor(keysMax * (1 - EVICTED_SHARE))
    for (const key of [...windows.keys()].slice(0, Math.max(0, surplus))) windows.delete(key)
  }

  function allowance(limit: Limit, window: Window | undefined, attempts: number): Allowance {
    const remaining = Math.max(0, limit.attempts - (window?.count ?? 0))
    return { remaining, retryAfterSeconds: window && remaining < attempts ? Math.max(1, Math.ceil((window.endsAt - clock()) / 1000)) : 0 }
  }

  return {
    async take(limit, key, attempts = 1) {
      if (attempts > limit.attempts) return undefined
      const window = findWindow(limit, key) ?? open(limit, key)
      if (window.count + attempts > limit.attempts) return undefined
      window.count += attempts
      return allowance(limit, window, 1)
    },
    async peek(limit, key, attempts = 1) {
      return allowance(limit, findWindow(limit, key), attempts)
    },
    get size() {
      return windows.size
    },
  }
}
