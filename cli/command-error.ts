import { EXIT, type ExitCode } from '../client/cli/exit-codes.ts'

const NAMES: Readonly<Record<ExitCode, string>> = {
  [EXIT.done]: 'done',
  [EXIT.failed]: 'failed',
  [EXIT.usage]: 'usage',
  [EXIT.timedOut]: 'timeout',
  [EXIT.notFound]: 'not_found',
  [EXIT.unreachable]: 'unreachable',
}

/** Ends a command with plain sentences on standard error, or with a JSON object there under `--json`. The usage follows a `usage` error. */
export class CommandError extends Error {
  readonly exitCode: ExitCode

  constructor(exitCode: ExitCode, sentences: string, options?: { cause: unknown }) {
    super(sentences, options)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}

/** One line, as the client's command writes it. */
export function errorJson(exitCode: ExitCode, message: string): string {
  return JSON.stringify({ error: { code: NAMES[exitCode], message } })
}
