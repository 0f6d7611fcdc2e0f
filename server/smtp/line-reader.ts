import type { SmtpLimits } from './smtp-limits.ts'

const CR = 0x0d
const LF = 0x0a

/** A command line without its CR LF, one character per byte; or what is wrong with it. */
type Line = { readonly text: string } | { readonly wrong: 'bare_line_feed' | 'line_too_long' | 'endless' }

/** Splits commands into lines. Holds at most one line, whatever arrives. */
export class LineReader {
  readonly #lineBytesMax: number
  readonly #overlongBytesMax: number
  /** The start of a line that has not ended yet. */
  #held = ''
  #dropped = 0

  constructor(limits: Pick<SmtpLimits, 'commandLineBytesMax' | 'overlongLineBytesMax'>) {
    this.#lineBytesMax = limits.commandLineBytesMax
    this.#overlongBytesMax = limits.overlongLineBytesMax
  }

  /** The next line in `chunk` from index `at`, and where the line after it starts. No line if it has not ended yet. */
  read(chunk: Buffer, at: number): { line: Line | undefined; next: number } {
    const end = chunk.indexOf(LF, at)
    if (end === -1) return { line: this.#hold(chunk, at), next: chunk.length }
    const line = this.#dropped > 0 || this.#held.length + end - at > this.#lineBytesMax ? TOO_LONG : this.#finish(chunk, at, end)
    this.#held = ''
    this.#dropped = 0
    return { line, next: end + 1 }
  }

  #finish(chunk: Buffer, at: number, end: number): Line {
    if (end > at && chunk[end - 1] === CR) return { text: this.#held + chunk.toString('latin1', at, end - 1) }
    if (end === at && this.#held.endsWith('\r')) return { text: this.#held.slice(0, -1) }
    return BARE_LINE_FEED
  }

  #hold(chunk: Buffer, at: number): Line | undefined {
    const length = this.#dropped + this.#held.length + chunk.length - at
    if (length > this.#overlongBytesMax) return ENDLESS
    if (length > this.#lineBytesMax) {
      this.#dropped = length
      this.#held = ''
    } else this.#held += chunk.toString('latin1', at)
    return undefined
  }
}

const TOO_LONG: Line = { wrong: 'line_too_long' }
const BARE_LINE_FEED: Line = { wrong: 'bare_line_feed' }
const ENDLESS: Line = { wrong: 'endless' }
