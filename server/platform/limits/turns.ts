/** Begins work network by network: requests, and sessions of SMTP. */
import { FairQueue } from './fair-queue.ts'
import type { Holder } from './share-budget.ts'

/** Some milliseconds of the thread that serves everybody. */
const BEGUN_PER_TURN = 16
/** Line of those who have no networks because they stand for many: trusted proxies and relays. Without one they would go before all. */
const TRUSTED: Holder = ['trusted']

/**
 * So many pieces of work begin in one turn of the event loop; the others wait for the next ones, in turn between networks. Otherwise one
 * client with hundreds of connections would fill each turn, and nobody else would be looked at for seconds.
 */
export class Turns {
  readonly #waiting = new FairQueue<() => void>()
  #begun = 0
  #isEnding = false

  /** Calls `begin` at once if there is room in this turn. */
  push(networks: Holder, begin: () => void): void {
    this.#endTurn()
    if (this.#begun >= BEGUN_PER_TURN || this.#waiting.size > 0) {
      this.#waiting.push(networks.length > 0 ? networks : TRUSTED, begin)
      return
    }
    this.#begun++
    begin()
  }

  #endTurn(): void {
    if (this.#isEnding) return
    this.#isEnding = true
    setImmediate(() => {
      this.#isEnding = false
      this.#begun = 0
      while (this.#begun < BEGUN_PER_TURN) {
        const begin = this.#waiting.shift()
        if (!begin) break
        this.#begun++
        begin()
      }
      if (this.#begun > 0) this.#endTurn()
    })
  }
}
