/** Bot checks: what each does, and which one is configured. `network`: see `middleNetwork`. */
import type { BotCheckAction, Challenge, SiteConfig } from '#contract/site.ts'
import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import type { BotCheckVerdict } from '#server/platform/telemetry/labels.ts'
import type { PowOptions } from './pow.ts'

export interface BotCheck {
  /** What `GET /api/config` tells the page. */
  readonly provider: SiteConfig['botCheck']
  /** A new challenge for one action; `undefined` if this provider has none of its own. */
  challenge(action: BotCheckAction, network: string): Promise<Challenge | undefined>
  /** Whether `token` is a valid, unused solution for `action`; uses it up. AppError `unavailable` if that cannot be decided. */
  verify(token: string | undefined, action: BotCheckAction, network: string): Promise<BotCheckVerdict>
}

const botCheckOff: BotCheck = { provider: { provider: 'off' }, challenge: async () => undefined, verify: async () => 'passed' }

/** Loads only the configured provider. */
export async function createBotCheck(
  config: Config,
  { clock, signal, ...pow }: PowOptions & { clock: Clock; signal: AbortSignal },
): Promise<BotCheck> {
  if (config.botCheck === 'off') return botCheckOff
  if (config.botCheck === 'pow') return (await import('./pow.ts')).createPow(clock, pow)
  return (await import('./recaptcha.ts')).createRecaptcha({ ...config.recaptcha, signal })
}
