import type { Clock } from '#server/platform/clock.ts'

/** The time of what is under test: milliseconds since the epoch. It stands at `standsAt`, or passes by itself, and a test moves it. */
export class TestClock {
  readonly #unmoved: Clock
  #aheadMs = 0

  constructor(standsAt?: number) {
    this.#unmoved = standsAt === undefined ? Date.now : () => standsAt
  }

  /** Works without its object, as a `Clock` does. */
  readonly now: Clock = () => this.#unmoved() + this.#aheadMs

  set(ms: number): void {
    this.#aheadMs = ms - this.#unmoved()
  }

  advance(ms: number): void {
    this.#aheadMs += ms
  }
}
