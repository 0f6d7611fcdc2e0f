/** Begins requests network by network. */
import { FairQueue } from '#server/platform/limits/fair-queue.ts'
import type { Holder } from '#server/platform/limits/share-budget.ts'

/** Some milliseconds of this thread, which also has the mail's connections. */
const BEGUN_PER_TURN = 16

/**
 * So many requests begin in one turn of the event loop; the others wait for the next ones, in turn between networks. Otherwise one client
 * with hundreds of connections would fill each turn, and nobody else's request or mail would be looked at for seconds.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>()
  #begun = 0
  #isEnding = false

  /** Calls `begin` at once if there is room in this turn. */
  push(networks: Holder, begin: () => void): void {
    if (this.#begun < BEGUN_PER_TURN && this.#waiting.size === 0) this.#begin(begin)
    else this.#waiting.push(networks, begin)
    this.#endTurn()
  }

  #begin(begin: () => void): void {
    this.#begun++
    begin()
  }

  #endTurn(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    setImmediate(() => {
      this.#isEnding = false
      this.#begun = 0
      while (this.#begun < BEGUN_PER_TURN && this.#waiting.size > 0) this.#begin(this.#waiting.shift() ?? (() => undefined))
      if (this.#begun > 0) this.#endTurn()
    })
  }
}
