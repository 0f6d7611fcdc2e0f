/** What the operator's commands share: parsing arguments, printing untrusted text, ending with an error. */
import { userInfo } from 'node:os'
import { CommandError, EXIT, EXIT_NAMES, type ExitCode } from '../client/cli/exit-codes.ts'
import { jsonLine, plain } from '../client/cli/terminal.ts'
import type { OperatorContext } from './operator-context.ts'

/**
 * Writes a result: the text for a person, or with `--json` the value as one line of JSON. Without a value the text is a remark, which a
 * program does not get.
 */
export type Write = (text: string | Uint8Array, value?: unknown) => void

export function writeTo(output: { write(text: string | Uint8Array): unknown }, isJson: boolean): Write {
  return (text, value) => {
    if (!isJson) output.write(text)
    else if (value !== undefined) output.write(jsonLine(value))
  }
}

/** Parses the arguments before any file is opened; the returned function does the work. CommandError for invalid arguments. */
export type Command = (args: readonly string[]) => (view: OperatorContext, write: Write) => Promise<void>

/** The number of a message in the list. */
export function parseId(command: string, text: string | undefined, action = 'read'): number {
  if (/^\d{1,15}$/.test(text ?? '')) return Number(text)
  throw new CommandError(EXIT.usage, `"${command} ${action}" needs the number of a message, as "${command} list" shows it.`)
}

/** Unexpected arguments are refused: they are probably a mistake. */
export function refuseMore(args: readonly string[]): void {
  const [first] = args
  if (first !== undefined) throw new CommandError(EXIT.usage, `"${plain(first)}" is one argument too many.`)
}

/** `actions`: each with what it needs. Also for an action that is known, and lacks this. */
export function unknownAction(command: string, action: string | undefined, actions: readonly string[]): CommandError {
  const known = actions.find(one => one.split(' ')[0] === action)
  if (action !== undefined && known?.includes(' '))
    return new CommandError(EXIT.usage, `"${command} ${action}" needs ${known.slice(action.length + 1)}.`)
  const wrong = action === undefined ? `"${command}" needs to know what to do` : `"${command}" cannot "${plain(action)}"`
  return new CommandError(EXIT.usage, `${wrong}: ${actions.join(', ')}.`)
}

/** One line, as the client's command writes it. */
export function errorJson(exitCode: ExitCode, message: string): string {
  return jsonLine({ error: { code: EXIT_NAMES[exitCode], message } }).trimEnd()
}

/** What went wrong with a file or folder, and the remedy: the command runs as the user of the server. `undefined` for any other error. */
export function fileRefusal(error: unknown): string | undefined {
  if (!(error instanceof Error && 'code' in error && 'path' in error && 'syscall' in error)) return undefined
  if (`${error.syscall}`.startsWith('spawn')) return `The program ${plain(`${error.path}`)} cannot be run (${error.code}): install it.`
  const place = plain('dest' in error ? `${error.dest}` : `${error.path}`)
  const remedies: Readonly<Record<string, string>> = {
    EEXIST: `${place} is not a folder: name another.`,
    ENOTDIR: `${place} cannot be used: a part of this path is a file. Correct the path.`,
    ENAMETOOLONG: `${place} is too long for a path: choose a shorter one.`,
    ENOENT: `${place} does not exist and cannot be made: correct the path.`,
    ENOSPC: `The disk of ${place} is full: make room, or use another.`,
    EROFS: `The disk of ${place} cannot be written: use /var/backups/mayfly, or another folder.`,
  }
  const mayNot = () => `The user ${userName()} may not use ${place}: use /var/backups/mayfly, or give it to that user with chown.`
  return error.code === 'EACCES' || error.code === 'EPERM'
    ? mayNot()
    : (remedies[String(error.code)] ?? `${place} cannot be used (${error.code}): name another.`)
}

/** A container may run as a user without a name. */
function userName(): string {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.())
  }
}
