import { WARNING_CHARS_MAX, WARNINGS_MAX } from './mime-limits.ts'
import { toPrintableLine } from './text/printable.ts'

/** Collects fixed words with an optional detail. Drops repetitions and everything after the fiftieth. */
export class Warnings {
  readonly #seen = new Set<string>()

  add(word: string, detail?: string): void {
    if (this.#seen.size >= WARNINGS_MAX) return
    this.#seen.add(detail === undefined ? word : `${word}: ${toPrintableLine(detail.slice(0, WARNING_CHARS_MAX))}`)
  }

  get any(): boolean {
    return this.#seen.size > 0
  }

  list(): string[] {
    return [...this.#seen]
  }
}
