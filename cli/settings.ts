/** Settings that the operator changes while the server runs. */
import { parseArgs } from 'node:util'
import { LANGUAGES, perLanguage } from '#contract/languages.ts'
import { DIFFICULTY, type Notice } from '#server/mail/policy.ts'
import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { type Command, refuseMore, unknownAction } from './command.ts'
import { CommandError } from './command-error.ts'

const DONE = 'Done. It takes effect within two seconds.\n'
/** The arguments of a notice. */
export const NOTICE_TEXTS = LANGUAGES.map(language => `--${language} "TEXT"`).join(' ')

export const registration: Command = ([action, ...more]) => {
  if (action !== 'open' && action !== 'close') throw unknownAction('registration', action, ['open', 'close'])
  refuseMore(more)
  return async ({ operator: { settings } }, write) => {
    await settings.setRegistration(COMMAND_ACTOR, action === 'open')
    write(DONE, { isRegistrationOpen: action === 'open' })
  }
}

export const difficulty: Command = ([action, given, ...more]) => {
  if (action !== 'set') throw unknownAction('difficulty', action, [`set ${DIFFICULTY.min}-${DIFFICULTY.max}`])
  refuseMore(more)
  return async ({ operator: { settings } }, write) => {
    await settings.setDifficulty(COMMAND_ACTOR, Number(given))
    write(DONE, { difficulty: Number(given) })
  }
}

export const notice: Command = ([action, ...texts]) => {
  const shown = action === 'set' ? parseNotice(texts) : undefined
  if (shown === undefined && action !== 'clear') throw unknownAction('notice', action, [`set ${NOTICE_TEXTS}`, 'clear'])
  if (shown === undefined) refuseMore(texts)
  return async ({ operator: { settings } }, write) => {
    await settings.setNotice(COMMAND_ACTOR, shown)
    write(DONE, { notice: shown ?? null })
  }
}

/** `undefined` unless there is one text for each language and nothing else. */
function parseNotice(args: readonly string[]): Notice | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options: perLanguage(() => ({ type: 'string' as const })) })
    return LANGUAGES.every(language => values[language] !== undefined) ? perLanguage(language => values[language] ?? '') : undefined
  } catch {
    return undefined
  }
}

export const operator: Command = ([action, email, ...more]) => {
  if (action !== 'reset' || email === undefined) throw unknownAction('operator', action, ['reset EMAIL'])
  refuseMore(more)
  return async ({ moderation, secondFactor, operator: { audit } }, write) => {
    const account = await moderation.find(email)
    if (!account || !(await secondFactor.remove(account.id)))
      throw new CommandError(EXIT.notFound, 'No account with this address has a second factor.')
    await audit.add(COMMAND_ACTOR, 'second-factor.reset', account.id)
    write('The second factor is gone; the next visit to /operator enrols a new one.\n', { reset: email })
  }
}
