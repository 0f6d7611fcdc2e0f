import type { MayflyErrorCode } from '../errors.ts'

/** Exit codes of every command, this project's and the client's: docs/operations.md and the client's README list them. */
export const EXIT = {
  done: 0,
  /** Refused, or not healthy. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
  timedOut: 3,
  notFound: 4,
  /** The server, or what it needs, cannot be reached. */
  unreachable: 5,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** An error whose message is shown at the terminal. */
export class CommandError extends Error {
  readonly exitCode: number
  readonly code: string

  constructor(exitCode: number, code: string, message: string) {
    super(message)
    this.exitCode = exitCode
    this.code = code
  }
}

export function usageError(message: string): CommandError {
  return new CommandError(EXIT.usage, 'usage', message)
}

const BY_CODE: Partial<Record<MayflyErrorCode, number>> = {
  timeout: EXIT.timedOut,
  mailbox_not_found: EXIT.notFound,
  message_not_found: EXIT.notFound,
  network: EXIT.unreachable,
  unreadable_reply: EXIT.unreachable,
}

export const exitCodeFor = (code: MayflyErrorCode): number => BY_CODE[code] ?? EXIT.failed
