/** What the operator's commands have in common: how they read their arguments and how they show what strangers wrote. */
import { CommandError } from './command-error.ts'
import type { OperatorView } from './operator-view.ts'
import { plain } from './terminal.ts'

export type Write = (text: string | Uint8Array) => void
/** Reads the arguments at once, before any file is opened; what it returns does the work. CommandError for arguments it does not understand. */
export type Command = (args: readonly string[]) => (view: OperatorView, write: Write) => Promise<void>

/** The number a message has in the list. */
export function parseId(command: string, given: string | undefined, action = 'read'): number {
  if (/^\d{1,15}$/.test(given ?? '')) return Number(given)
  throw new CommandError(2, `"${command} ${action}" needs the number of a message, as "${command} list" shows it.`)
}

/** Nothing is done with arguments that nobody asked about: they are more likely a mistake than a wish. */
export function refuseMore(args: readonly string[]): void {
  const [first] = args
  if (first !== undefined) throw new CommandError(2, `"${plain(first)}" is one argument too many.`)
}

export function unknownAction(command: string, action: string | undefined, actions: readonly string[]): CommandError {
  const wrong = action === undefined ? `"${command}" needs to know what to do` : `"${command}" cannot "${plain(action)}"`
  return new CommandError(2, `${wrong}: ${actions.join(', ')}.`)
}

export const formatTime = (millis: number) => new Date(millis).toISOString()
