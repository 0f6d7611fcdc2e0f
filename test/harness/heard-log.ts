/**
 * Listens to the log of a server under test. A warning or an error that the test did not announce fails it when the server stops: what a
 * server survives, such as the death of a thread, is seen nowhere else.
 */

type Line = { readonly level: number; readonly msg?: string; readonly reason?: string; readonly err?: { readonly message?: string } }

const WARN = 40

export class HeardLog {
  readonly #allowed: RegExp[]
  readonly #warnings: string[] = []

  constructor(allowed: readonly RegExp[] = []) {
    this.#allowed = [...allowed]
  }

  /** Announces a line that the test provokes. Each pattern is matched against the whole JSON line. */
  allow(...patterns: readonly RegExp[]): void {
    this.#allowed.push(...patterns)
  }

  /** Takes one line of output; what is not a JSON log line is ignored. */
  readonly write = (line: string): void => {
    if (isWarning(line)) this.#warnings.push(line.trim())
  }

  /** Throws if the server logged a warning or an error that no pattern allows. */
  check(): void {
    const unexpected = this.#warnings.filter(line => !this.#allowed.some(pattern => pattern.test(line)))
    if (unexpected.length === 0) return
    throw new Error(`the server under test logged what the test did not announce (allow it, or fix the cause):\n${unexpected.join('\n')}`)
  }
}

function isWarning(line: string): boolean {
  if (!line.startsWith('{"level":')) return false
  const { level } = JSON.parse(line) as Line
  return level >= WARN
}
