/** reCAPTCHA v3 with the operator's keys: https://developers.google.com/recaptcha/docs/v3. */
import * as z from 'zod/mini'
import { AppError } from '#server/errors.ts'
import type { BotCheck } from './bot-check.ts'

const VERIFY_URL = 'https://www.google.com/recaptcha/api/siteverify'
const SCRIPT_URL = 'https://www.google.com/recaptcha/api.js'
/** Google's suggested first threshold; 1.0 is very likely a person, 0.0 a bot. */
const SCORE_MIN = 0.5
const VERIFY_TIMEOUT_MS = 5_000
/** Tokens have about 2 kB; longer ones are not worth a request. */
const TOKEN_CHARS_MAX = 8_192

const replySchema = z.object({ success: z.boolean(), score: z.optional(z.number()), action: z.optional(z.string()) })

type RecaptchaOptions = {
  readonly siteKey: string
  readonly secret: string
  readonly signal: AbortSignal
  /** For tests. */
  readonly verifyUrl?: string
}

/** Sends Google the token and the secret, but not the visitor's address. Google makes tokens single-use and short-lived (2 min). */
export function createRecaptcha({ siteKey, secret, signal, verifyUrl = VERIFY_URL }: RecaptchaOptions): BotCheck {
  return {
    provider: { provider: 'recaptcha', siteKey, scriptUrl: SCRIPT_URL },
    challenge: async () => undefined,
    async verify(token, action) {
      if (!token || token.length > TOKEN_CHARS_MAX) return 'failed'
      const reply = await ask(verifyUrl, new URLSearchParams({ secret, response: token }), signal)
      return reply.success && reply.action === action && (reply.score ?? 0) >= SCORE_MIN ? 'passed' : 'failed'
    },
  }
}

async function ask(url: string, body: URLSearchParams, signal: AbortSignal) {
  try {
    const timeout = AbortSignal.any([signal, AbortSignal.timeout(VERIFY_TIMEOUT_MS)])
    const response = await fetch(url, { method: 'POST', body, signal: timeout, redirect: 'error' })
    if (!response.ok) throw new Error(`status ${response.status}`)
    return replySchema.parse(await response.json())
  } catch (cause) {
    throw new AppError('unavailable', { cause, detail: 'The bot check cannot be verified right now.' })
  }
}
