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

/** Their names in the JSON of an error. */
export const EXIT_NAMES: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'done',
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'usage',
  [EXIT.timedOut]: 'timeout',
  [EXIT.notFound]: 'not_found',
  [EXIT.unreachable]: 'unreachable',
}

/** Ends a command with plain sentences on standard error, or with a JSON object there under `--json`. A `usage` error names the help. */
export class CommandError extends Error {
  readonly exitCode: ExitCode
  readonly code: string

  constructor(exitCode: ExitCode, sentences: string, { code = EXIT_NAMES[exitCode], ...options }: { code?: string; cause?: unknown } = {}) {
    super(sentences, options)
    this.name = 'CommandError'
    this.exitCode = exitCode
    this.code = code
  }
}

export const usageError = (message: string): CommandError => new CommandError(EXIT.usage, message)

const BY_CODE: Partial<Record<MayflyErrorCode, ExitCode>> = {
  timeout: EXIT.timedOut,
  mailbox_not_found: EXIT.notFound,
  message_not_found: EXIT.notFound,
  network: EXIT.unreachable,
  unreadable_reply: EXIT.unreachable,
}

export const exitCodeFor = (code: MayflyErrorCode): ExitCode => BY_CODE[code] ?? EXIT.failed
