/** The challenge that the home page brings along, so that a visitor's first address takes one request less. */
import { toServerTiming } from '#contract/first-challenge.ts'
import type { BotCheck } from '#server/bot-check/bot-check.ts'
import type { Limit, Limiter } from '#server/limiter/limiter.ts'
import type { Log } from '#server/log.ts'

/** A page does not wait longer for a limiter or a thread that is slow: its script then requests a challenge, which takes longer. */
const PATIENCE_MS = 250

type Deps = {
  readonly botCheck: BotCheck
  readonly limiter: Limiter
  readonly limits: { readonly pageChallenges: Limit }
  readonly log: Log
}

/** The value of `Server-Timing` for one visitor; `undefined` where there is no challenge, or too many were sent to this network. */
export type FirstChallenge = (network: string) => Promise<string | undefined>

export function createFirstChallenge({ botCheck, limiter, limits, log }: Deps): FirstChallenge {
  if (botCheck.provider.provider !== 'pow') return async () => undefined
  async function create(network: string): Promise<string | undefined> {
    try {
      if (!(await limiter.take(limits.pageChallenges, network))) return undefined
      const challenge = await botCheck.challenge('generate_email', network)
      return challenge && toServerTiming(challenge)
    } catch (error) {
      log.warn({ err: error }, 'No challenge was made for a page')
      return undefined
    }
  }
  return network => withinPatience(create(network))
}

function withinPatience<T>(value: Promise<T>): Promise<T | undefined> {
  return new Promise(resolve => {
    const timer = setTimeout(() => resolve(undefined), PATIENCE_MS)
    value.then(resolve, () => resolve(undefined)).finally(() => clearTimeout(timer))
  })
}
