import { setTimeout as sleep } from 'node:timers/promises'

/** How the server stops, in two steps. The edges listen to both; nothing else of the server needs to know. */
export class Shutdown {
  readonly #announced = new AbortController()
  readonly #closing = new AbortController()

  /** Aborts first: `/readyz` fails and HTTP connections are not kept alive, but everything is still served. */
  get announced(): AbortSignal {
    return this.#announced.signal
  }

  /** Aborts after the delay: streams and long polls end, and nobody new is let in. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** `delayMs`: how long load balancers need to notice that `/readyz` fails and to send nobody any more. */
  async begin(delayMs: number): Promise<void> {
    this.#announced.abort()
    if (delayMs > 0) await sleep(delayMs)
    this.#closing.abort()
  }
}
