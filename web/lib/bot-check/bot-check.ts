/** Gets one token for one action from the configured provider, and records success or failure in the security log. */
import type { BotCheckAction, SiteConfig } from '#contract/site.ts'
import { readChallenge } from '../api/address-routes.ts'
import { ProblemError, request } from '../api/request.ts'
import { loadConfig } from '../site/site-config.ts'
import { logBotCheckPassed, logSecurityEvent } from './security-log.ts'

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
 * `waitedMs`: how long the visitor has already waited, which counts.
 */
export async function obtainBotCheck(action: BotCheckAction, waitedMs = 0): Promise<string | undefined> {
  try {
    const { botCheck } = await withDeadline(loadConfig())
    if (botCheck.provider === 'off') return undefined
    const token = await obtainFrom(botCheck, action, Math.max(0, DEADLINE_MS - waitedMs))
    logBotCheckPassed(action)
    return token
  } catch (error) {
    // Nothing was checked, so nothing failed, and the visitor's clicks are not suspicious.
    if (error instanceof ProblemError && error.code === 'network') throw error
    const failure = error instanceof BotCheckError ? error : new BotCheckError('token', { cause: error })
    logSecurityEvent('captcha_failure', { action, reason: failure.failure })
    throw failure
  }
}

type Configured = Exclude<SiteConfig['botCheck'], { provider: 'off' }>

async function obtainFrom(botCheck: Configured, action: BotCheckAction, deadlineMs: number): Promise<string> {
  if (botCheck.provider === 'pow') {
    const left = new AbortController()
    const challenge = request(readChallenge, { query: { action }, signal: left.signal })
    // The solver is fetched meanwhile.
    challenge.catch(() => undefined)
    const solver = import('./proof-of-work.ts').catch(cause => Promise.reject(new ProblemError('network', { cause })))
    const solved = solver.then(({ solveProofOfWork }) => solveProofOfWork(challenge, left.signal))
    return withDeadline(solved, deadlineMs).finally(() => left.abort())
  }
  const { loadRecaptcha, executeRecaptcha } = await import('./recaptcha.ts')
  const recaptcha = await loadRecaptcha(botCheck).catch(cause => Promise.reject(new BotCheckError('script', { cause })))
  return withDeadline(executeRecaptcha(recaptcha, botCheck.siteKey, action), deadlineMs)
}

/** A provider that never responds must not keep a visitor waiting. */
const DEADLINE_MS = 15_000

function withDeadline<T>(answer: Promise<T>, deadlineMs = DEADLINE_MS): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`The bot check gave no answer within ${deadlineMs} ms`)), deadlineMs)
    answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Another token after the first was refused; `undefined` unless the provider is the proof of work. Throws `BotCheckError`. */
async function obtainFreshProofOfWork(action: BotCheckAction): Promise<string | undefined> {
  const { botCheck } = await withDeadline(loadConfig())
  return botCheck.provider === 'pow' ? obtainBotCheck(action) : undefined
}

/** Call when the server responded with `bot_check_failed`. The error has the text to show. */
export function botCheckRefused(action: BotCheckAction): BotCheckError {
  logSecurityEvent('captcha_failure', { action, reason: 'verification' })
  return new BotCheckError('verification')
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
