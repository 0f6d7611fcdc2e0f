/** Commands that destroy an address or suspend an account. */

import { COMMAND_ACTOR } from '#server/operator/audit-log.ts'
import type { ControlRequest } from '#server/operator/control/protocol.ts'
import { EXIT } from '../client/cli/exit-codes.ts'
import { type Command, refuseMore, unknownAction, type Write } from './command.ts'
import { CommandError } from './command-error.ts'
import type { OperatorContext } from './operator-context.ts'
import { askServer } from './running-server.ts'

export const address: Command = ([action, given, ...more]) => {
  if (action !== 'destroy' || given === undefined) throw unknownAction('address', action, ['destroy ADDRESS'])
  refuseMore(more)
  return (view, write) => askToDestroy(view, write, { destroyAddress: given }, 'No live address is called so.')
}

export const account: Command = ([action, email, ...more]) => {
  const isKnown = action === 'suspend' || action === 'resume' || action === 'destroy'
  if (!isKnown || email === undefined) throw unknownAction('account', action, ['suspend EMAIL', 'resume EMAIL', 'destroy EMAIL'])
  refuseMore(more)
  if (action === 'destroy') return (view, write) => askToDestroy(view, write, { destroyAccount: email }, 'There is no such account.')
  return async ({ moderation }, write) => {
    const isDone = action === 'suspend' ? await moderation.suspend(COMMAND_ACTOR, email) : await moderation.resume(COMMAND_ACTOR, email)
    if (!isDone)
      throw new CommandError(EXIT.notFound, action === 'suspend' ? 'There is no such account.' : 'No suspended account has this address.')
    write(action === 'suspend' ? 'Suspended.\n' : 'The suspension has ended.\n', { email, isSuspended: action === 'suspend' })
  }
}

async function askToDestroy(
  { config }: OperatorContext,
  write: Write,
  request: Omit<ControlRequest, 'key'>,
  absent: string,
): Promise<void> {
  const reply = await askServer(config.dataDir, request)
  if (!reply)
    throw new CommandError(
      EXIT.unreachable,
      'The server does not run on this data folder: only it can open the mail database. Start it first.',
    )
  if (reply.failure !== undefined) throw new CommandError(EXIT.failed, reply.failure)
  if (!reply.isDone) throw new CommandError(EXIT.notFound, absent)
  write('Destroyed.\n', { destroyed: request.destroyAddress ?? request.destroyAccount })
}
