/** Exit codes, listed in the README of the package. */
import { EXIT } from '../../cli/exit-codes.ts'
import type { MayflyErrorCode } from '../errors.ts'

export { EXIT }

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
