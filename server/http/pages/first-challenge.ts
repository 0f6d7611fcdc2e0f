/** The challenge that the home page brings along, so that a visitor's first address takes one request less. */
import { toServerTiming } from '#contract/challenge.ts'
import { type Limit, type SharedLimits, takeFromLimit } from '#server/platform/limits/limiter.ts'
import { createLogInterval, type Log } from '#server/platform/log.ts'
import { middleNetwork, type Networks } from '#server/platform/net/ip-address.ts'
import type { BotCheck } from '../bot-check/bot-check.ts'

/** A page does not wait longer for a store or a thread that is slow: its script then requests a challenge, which takes longer. */
const TIMEOUT_MS = 250
/** After a time-out pages come without a challenge for this long, so that not each of them waits. */
const PAUSE_MS = 5000
const LOG_EVERY_MS = 60_000

type Deps = {
  readonly botCheck: BotCheck
  readonly sharedLimits: Pick<SharedLimits, 'take' | 'peek'>
  readonly limits: { readonly pageChallenges: Limit }
  readonly log: Log
  /** For tests. */
  readonly challengeTimeoutMs?: number
}

/** The value of `Server-Timing` for one visitor; `undefined` where there is no challenge, or too many were sent to this network. */
export type ChallengeHeader = (networks: Networks) => Promise<string | undefined>

export function createChallengeHeader({ botCheck, sharedLimits, limits, log, challengeTimeoutMs = TIMEOUT_MS }: Deps): ChallengeHeader {
  if (botCheck.provider.provider !== 'pow') return async () => undefined
  let pausedUntilMs = 0
  const atIntervals = createLogInterval(LOG_EVERY_MS)
  async function create(networks: Networks): Promise<string | undefined> {
    if (await takeFromLimit(sharedLimits, limits.pageChallenges, networks)) return undefined
    const challenge = await botCheck.challenge('generate_email', middleNetwork(networks))
    return challenge && toServerTiming(challenge)
  }
  return async networks => {
    if (performance.now() < pausedUntilMs) return undefined
    try {
      return await withTimeout(create(networks), challengeTimeoutMs)
    } catch (error) {
      if (error instanceof ChallengeTimeout) pausedUntilMs = performance.now() + PAUSE_MS
      atIntervals(() => log.warn({ err: error }, 'No challenge was made for a page'))
      return undefined
    }
  }
}

class ChallengeTimeout extends Error {}

function withTimeout<T>(value: Promise<T>, timeoutMs: number): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new ChallengeTimeout(`It took more than ${timeoutMs} ms`)), timeoutMs)
    value.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
