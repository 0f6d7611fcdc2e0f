import type { Clock } from '#server/platform/clock.ts'
import type { Config } from '#server/platform/config/config.ts'
import { type BotCheck, botCheckOff } from './bot-check.ts'
import type { PowOptions } from './pow.ts'

type BotCheckDeps = PowOptions & { readonly clock: Clock; readonly signal: AbortSignal }

/** Loads only the configured provider. */
export async function createBotCheck(config: Config, { clock, signal, ...pow }: BotCheckDeps): Promise<BotCheck> {
  if (config.botCheck === 'off') return botCheckOff
  if (config.botCheck === 'pow') return (await import('./pow.ts')).createPow(clock, pow)
  return (await import('./recaptcha.ts')).createRecaptcha({ ...config.recaptcha, signal })
}
