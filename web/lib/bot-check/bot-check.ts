/** Gets one token for one action from the configured provider, and records success or failure in the security log. */
import type { BotCheckAction, SiteConfig } from '#contract/site.ts'
import { readChallenge } from '../api/mailbox-api.ts'
import { localStore } from '../browser/storage.ts'
import { loadConfig } from '../site/site-config.ts'
import { deviceFingerprint } from './fingerprint.ts'
import { solvePuzzle } from './proof-of-work.ts'
import { BOT_CHECK_SCORE, logSecurityEvent } from './security-log.ts'

/** Which text to show: the provider's script is missing, it returned no token, or the server refused the token. */
export type BotCheckFailure = 'script' | 'token' | 'verification'

export class BotCheckError extends Error {
  readonly failure: BotCheckFailure

  constructor(failure: BotCheckFailure, options?: ErrorOptions) {
    super(failure, options)
    this.name = 'BotCheckError'
    this.failure = failure
  }
}

/** The token to send as `botCheck`; `undefined` if the check is off. Throws `BotCheckError`. */
export async function obtainBotCheck(action: BotCheckAction): Promise<string | undefined> {
  try {
    const { botCheck } = await withDeadline(loadConfig())
    if (botCheck.provider === 'off') return undefined
    const token = await obtainFrom(botCheck, action)
    noteBotCheckPassed(action)
    return token
  } catch (error) {
    const failure = error instanceof BotCheckError ? error : new BotCheckError('token', { cause: error })
    logBotCheck('captcha_failure', { action, reason: failure.failure })
    throw failure
  }
}

/** The browser gets no real score, so a fixed one is logged. */
export function noteBotCheckPassed(action: BotCheckAction): void {
  logBotCheck('captcha_success', { action, score: BOT_CHECK_SCORE })
}

/** Another token after the first was refused; `undefined` unless the provider is the proof of work. Throws `BotCheckError`. */
export async function obtainFreshProofOfWork(action: BotCheckAction): Promise<string | undefined> {
  const { botCheck } = await withDeadline(loadConfig())
  return botCheck.provider === 'pow' ? obtainBotCheck(action) : undefined
}

/** Call when the server responded with `bot_check_failed`. The error has the text to show. */
export function botCheckRefused(action: BotCheckAction): BotCheckError {
  logBotCheck('captcha_failure', { action, reason: 'verification' })
  return new BotCheckError('verification')
}

type Configured = Exclude<SiteConfig['botCheck'], { provider: 'off' }>

async function obtainFrom(botCheck: Configured, action: BotCheckAction): Promise<string> {
  if (botCheck.provider === 'pow') {
    const left = new AbortController()
    return withDeadline(solvePuzzle(readChallenge(action, left.signal), left.signal)).finally(() => left.abort())
  }
  const { loadRecaptcha, executeRecaptcha } = await import('./recaptcha.ts')
  const recaptcha = await loadRecaptcha(botCheck).catch(cause => Promise.reject(new BotCheckError('script', { cause })))
  return withDeadline(executeRecaptcha(recaptcha, botCheck.siteKey, action))
}

/** A provider that never responds must not keep a visitor waiting. */
const DEADLINE_MS = 15_000

function withDeadline<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The bot check gave no answer within ${DEADLINE_MS} ms`)), DEADLINE_MS)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

function logBotCheck(type: 'captcha_success' | 'captcha_failure', details: Record<string, string | number>): void {
  logSecurityEvent(localStore, { type, timestamp: Date.now(), details, userIdentifier: deviceFingerprint() })
}
