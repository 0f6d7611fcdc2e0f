/** The operator's commands share what they are given, how they print a result, and how they end with an error. */
import { userInfo } from 'node:os'
import { CommandError, EXIT, EXIT_NAMES, type ExitCode } from '../client/cli/exit-codes.ts'
import { jsonLine, plain } from '../client/cli/terminal.ts'
import type { OperatorContext } from './operator-context.ts'

/** Writes a result: its text, or with `--json` the value as one line of JSON. A text without a value is a remark for people only. */
export type Write = (text: string | Uint8Array, value?: unknown) => void

export function writeTo(output: { write(text: string | Uint8Array): unknown }, isJson: boolean): Write {
  return (text, value) => {
    if (!isJson) output.write(text)
    else if (value !== undefined) output.write(jsonLine(value))
  }
}

export type Given<V = object> = { readonly args: readonly string[]; readonly values: V }

/** Parses the arguments before any file is opened; the returned function does the work. CommandError for invalid arguments. */
export type Command<V = object> = (given: Given<V>) => (view: OperatorContext, write: Write) => Promise<void>

/** Completes "needs" where a number of the list is missing or is none. */
export const messageNumber = (command: string) => `the number of a message, as "${command} list" shows it`

export function parseId(command: string, action: string, { args: [text = ''] }: Given): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new CommandError(EXIT.usage, `"${command} ${action}" needs ${messageNumber(command)}.`)
}

/** One line, as the client's command writes it. */
export function errorJson(exitCode: ExitCode, message: string): string {
  return jsonLine({ error: { code: EXIT_NAMES[exitCode], message } }).trimEnd()
}

/** The fault of a file or folder, with its remedy: the command runs as the user of the server. `undefined` for any other error. */
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
