/** The server's own limits; the numbers of the specification stand in contract/limits.ts. */
import { API_LIMIT, AUTH_LIMIT, CAPTCHA_LIMIT, GENERATION_LIMIT, GENERATION_LIMIT_PRO } from '#contract/limits.ts'
import type { Config } from '#server/config.ts'
import type { Limit } from './limiter.ts'

/** Event streams and long polls of one network: an office behind one address with a tab open each. */
const STREAMS_PER_NETWORK_MAX = 200
/** Wrong tokens of one network before it is told to wait; a page whose address has expired asks a few times. */
const TOKEN_MISSES = { attempts: 20, windowSeconds: 60 } as const

/** Challenges of one network: a page asks for one before each thing it may do, and making one costs us half a millisecond of a thread. */
const CHALLENGES = { attempts: 60, windowSeconds: 60 } as const

export type Limits = ReturnType<typeof limitsFor>

/**
 * `factor` widens what is counted per network, for a deployment whose visitors share one address (a school, a proxy, a load test).
 * What is counted per account stays as it is.
 */
export function limitsFor({ networkLimitFactor: factor, apiCreationsPerHour }: Pick<Config, 'networkLimitFactor' | 'apiCreationsPerHour'>) {
  const perNetwork = (name: string, limit: Omit<Limit, 'name'>): Limit => ({
    ...limit,
    name,
    attempts: limit.attempts * factor,
    isPerNetwork: true,
  })
  return {
    generation: perNetwork('generation', GENERATION_LIMIT),
    generationPro: { ...GENERATION_LIMIT_PRO, name: 'generation-pro' },
    webhookTests: { name: 'webhook-tests', attempts: 20, windowSeconds: 60 },
    apiCreations: { name: 'api-creations', attempts: apiCreationsPerHour, windowSeconds: 3600 },
    captcha: perNetwork('captcha', CAPTCHA_LIMIT),
    api: perNetwork('api', API_LIMIT),
    auth: perNetwork('auth', AUTH_LIMIT),
    tokenMisses: perNetwork('token-misses', TOKEN_MISSES),
    challenges: perNetwork('challenges', CHALLENGES),
    streamsPerNetworkMax: STREAMS_PER_NETWORK_MAX * factor,
  }
}
