/** Gets one token for one action from the configured provider, and records success or failure in the security log. */
import type { BotCheckAction } from '#contract/site.ts'
import { ProblemError } from '../api/request.ts'
import { localStore } from '../browser/storage.ts'
import { deviceFingerprint } from './fingerprint.ts'
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

/**
 * The token to send as `botCheck`; `undefined` if the check is off. Throws `BotCheckError`, or `ProblemError` without a network.
 * `waitedMs`: how long the visitor has already waited.
 */
export async function obtainBotCheck(action: BotCheckAction, waitedMs = 0): Promise<string | undefined> {
  try {
    const { obtainToken } = await import('./obtain-token.ts').catch(cause => Promise.reject(new ProblemError('network', { cause })))
    const token = await obtainToken(action, waitedMs)
    if (token !== undefined) logBotCheckPassed(action)
    return token
  } catch (error) {
    // Nothing was checked, so nothing failed, and the visitor's clicks are not suspicious.
    if (error instanceof ProblemError && error.code === 'network') throw error
    const failure = error instanceof BotCheckError ? error : new BotCheckError('token', { cause: error })
    logBotCheck('captcha_failure', { action, reason: failure.failure })
    throw failure
  }
}

/** The browser gets no real score, so a fixed one is logged. */
export function logBotCheckPassed(action: BotCheckAction): void {
  logBotCheck('captcha_success', { action, score: BOT_CHECK_SCORE })
}

/** Another token after the first was refused; `undefined` unless the provider is the proof of work. Throws `BotCheckError`. */
async function obtainFreshProofOfWork(action: BotCheckAction): Promise<string | undefined> {
  const { isProofOfWork } = await import('./obtain-token.ts')
  return (await isProofOfWork()) ? obtainBotCheck(action) : undefined
}

/** Call when the server responded with `bot_check_failed`. The error has the text to show. */
export function botCheckRefused(action: BotCheckAction): BotCheckError {
  logBotCheck('captcha_failure', { action, reason: 'verification' })
  return new BotCheckError('verification')
}

function logBotCheck(type: 'captcha_success' | 'captcha_failure', details: Record<string, string | number>): void {
  logSecurityEvent(localStore, { type, timestamp: Date.now(), details, userIdentifier: deviceFingerprint() })
}

/**
 * A valid solution becomes invalid if a phone changes networks or the server restarts before the form is sent. The visitor cannot help
 * that, so one new challenge is solved silently, and only a second refusal is shown.
 */
export async function sendChecked<Body extends { botCheck?: string | undefined }, Answer>(
  action: BotCheckAction,
  body: Body,
  send: (body: Body) => Promise<Answer>,
  obtainFresh = obtainFreshProofOfWork,
): Promise<Answer> {
  try {
    return await send(body)
  } catch (error) {
    if (!(error instanceof ProblemError && error.code === 'bot_check_failed')) throw error
    const botCheck = await obtainFresh(action).catch(() => undefined)
    if (botCheck === undefined) throw error
    return send({ ...body, botCheck })
  }
}
