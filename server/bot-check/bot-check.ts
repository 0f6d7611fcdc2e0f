/** What every bot check offers: proof of work, reCAPTCHA, or none. `network` is the network prefix that a request comes from. */
import type { BotCheckAction, Challenge, SiteConfig } from '#contract/site.ts'
import { AppError } from '#server/errors.ts'
import { enforce, type Limit, type Limiter, refuseWhenSpent } from '#server/limiter/limiter.ts'

/** `'elsewhere'`: solved, but for another network, as when a phone leaves the Wi-Fi in between. */
export type Verdict = 'passed' | 'failed' | 'elsewhere'

export interface BotCheck {
  /** What `GET /api/config` tells the page. */
  readonly provider: SiteConfig['botCheck']
  /** A fresh challenge for one action; `undefined` when this provider has none of its own. */
  challenge(action: BotCheckAction, network: string): Promise<Challenge | undefined>
  /** Whether `token` is a fresh, unused solution for `action`; using it up is part of the step. AppError `unavailable` when nobody can tell. */
  verify(token: string | undefined, action: BotCheckAction, network: string): Promise<Verdict>
}

type BotCheckGuard = { readonly botCheck: BotCheck; readonly limiter: Limiter; readonly captcha: Limit }

/**
 * Lets a request pass that solved the check; failures are counted per network. A solution for another network is refused
 * but not counted: it cost its work, and the page of a visitor who changed networks solves a new one.
 * @throws AppError `bot_check_failed`, or `rate_limited` after too many failures.
 */
export async function passBotCheck(guard: BotCheckGuard, network: string, token: string | undefined, action: BotCheckAction) {
  await refuseWhenSpent(guard.limiter, guard.captcha, network)
  const verdict = await guard.botCheck.verify(token, action, network)
  if (verdict === 'passed') return
  if (verdict === 'failed') await enforce(guard.limiter, guard.captcha, network)
  throw new AppError('bot_check_failed')
}

export const botCheckOff: BotCheck = {
  provider: { provider: 'off' },
  challenge: async () => undefined,
  verify: async () => 'passed',
}
