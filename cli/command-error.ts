/**
 * Ends a command with plain sentences on standard error. Exit code 1: not found, or not healthy; 2: not understood, so the usage follows.
 */
export class CommandError extends Error {
  readonly exitCode: 1 | 2

  constructor(exitCode: 1 | 2, sentences: string, options?: { cause: unknown }) {
    super(sentences, options)
    this.name = 'CommandError'
    this.exitCode = exitCode
  }
}
