/** A form that carries a bot check, sent once more when its proof of work is refused. */
import type { BotCheckAction } from '#contract/site.ts'
import { ProblemError } from '../api/request.ts'
import { obtainFreshProofOfWork } from './bot-check.ts'

/**
 * A phone that changes networks, or a server that restarts, between the puzzle and the form makes a good solution void. The visitor
 * can do nothing about that, so one fresh puzzle is solved silently; only a second refusal is told.
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
