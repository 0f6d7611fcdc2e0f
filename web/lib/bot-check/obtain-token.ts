/** Asks the configured provider for a token. Loaded with the first check that web/lib/mailbox/first-address.ts has not made already. */
import type { BotCheckAction, SiteConfig } from '#contract/site.ts'
import { readChallenge } from '../api/mailbox-routes.ts'
import { request } from '../api/request.ts'
import { loadConfig } from '../site/site-config.ts'
import { BotCheckError } from './bot-check.ts'
import { solveProofOfWork } from './proof-of-work.ts'

/** `undefined` if the check is off. `waitedMs`: how long the visitor has already waited, which counts. */
export async function obtainToken(action: BotCheckAction, waitedMs: number): Promise<string | undefined> {
  const { botCheck } = await withDeadline(loadConfig())
  return botCheck.provider === 'off' ? undefined : obtainFrom(botCheck, action, Math.max(0, DEADLINE_MS - waitedMs))
}

export async function isProofOfWork(): Promise<boolean> {
  const { botCheck } = await withDeadline(loadConfig())
  return botCheck.provider === 'pow'
}

type Configured = Exclude<SiteConfig['botCheck'], { provider: 'off' }>

async function obtainFrom(botCheck: Configured, action: BotCheckAction, deadlineMs: number): Promise<string> {
  if (botCheck.provider === 'pow') {
    const left = new AbortController()
    const challenge = request(readChallenge, { query: { action }, signal: left.signal })
    return withDeadline(solveProofOfWork(challenge, left.signal), deadlineMs).finally(() => left.abort())
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
