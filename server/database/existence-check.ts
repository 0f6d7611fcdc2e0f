import { serve } from '#server/platform/limits/clients.ts'

/** How old an answer may be. Rows that other processes write are noticed within this time. */
const VALID_MS = 2000

/**
 * Whether a table has any row, for what most deployments do not use: a mail should then cost no query. Asked at most every two seconds;
 * everybody who asks meanwhile waits for the same query. After a failed query the next one asks again.
 */
export class ExistenceCheck {
  readonly #query: () => Promise<boolean>
  #answer: boolean | undefined
  #answeredAt = Number.NEGATIVE_INFINITY
  #asking: Promise<void> | undefined

  constructor(query: () => Promise<boolean>) {
    this.#query = query
  }

  /** Call when this process wrote a row. */
  created(): void {
    this.#answer = true
    this.#answeredAt = performance.now()
  }

  /** Without waiting: `false` only after a recent answer said so. */
  get mayExist(): boolean {
    return this.#answer === true || this.#isOutdated
  }

  /** The newest answer, however old. `undefined` before the first. */
  get lastAnswer(): boolean | undefined {
    return this.#answer
  }

  async exist(): Promise<boolean> {
    if (this.#isOutdated) {
      this.#asking ??= serve([], () => this.#ask()).finally(() => {
        this.#asking = undefined
      })
      await this.#asking
    }
    return this.#answer === true
  }

  get #isOutdated(): boolean {
    return performance.now() - this.#answeredAt >= VALID_MS
  }

  async #ask(): Promise<void> {
    const askedAt = performance.now()
    const answer = await this.#query()
    // The query may have missed a row that was written meanwhile.
    if (this.#answeredAt >= askedAt) return
    this.#answeredAt = askedAt
    this.#answer = answer
  }
}
