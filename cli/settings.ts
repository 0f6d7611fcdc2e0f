/** Settings that the operator changes while the server runs. */

import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import { DIFFICULTY } from '#server/policy/policy.ts'
import { type Command, refuseMore, unknownAction } from './command.ts'
import { CommandError } from './command-error.ts'
import { EXIT } from './exit-codes.ts'

const DONE = 'Done. Servers obey within two seconds.\n'

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

export const notice: Command = ([action, en, es, ...more]) => {
  const isSet = action === 'set' && en !== undefined && es !== undefined
  if (!isSet && (action !== 'clear' || en !== undefined)) throw unknownAction('notice', action, ['set "ENGLISH" "SPANISH"', 'clear'])
  refuseMore(more)
  return async ({ operator: { settings } }, write) => {
    const shown = isSet ? { en, es } : undefined
    await settings.setNotice(COMMAND_ACTOR, shown)
    write(DONE, { notice: shown ?? null })
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
