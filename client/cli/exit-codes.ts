/** Exit codes, listed in the README of the package. */
import type { MayflyErrorCode } from '../errors.ts'

export const EXIT = { done: 0, failed: 1, notUnderstood: 2, nothingCame: 3, notThere: 4, unreachable: 5 } as const

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

export function misunderstood(message: string): CommandError {
  return new CommandError(EXIT.notUnderstood, 'usage', message)
}

const BY_CODE: Partial<Record<MayflyErrorCode, number>> = {
  timeout: EXIT.nothingCame,
  mailbox_not_found: EXIT.notThere,
  message_not_found: EXIT.notThere,
  network: EXIT.unreachable,
  unreadable_reply: EXIT.unreachable,
}

export const exitCodeOf = (code: MayflyErrorCode): number => BY_CODE[code] ?? EXIT.failed
