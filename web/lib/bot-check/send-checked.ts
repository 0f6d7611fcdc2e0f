/** Sends a form with a bot check, and once more if its proof of work is refused. */
import type { BotCheckAction } from '#contract/site.ts'
import { ProblemError } from '../api/request.ts'
import { obtainFreshProofOfWork } from './bot-check.ts'

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
