import { setTimeout as sleep } from 'node:timers/promises'

/** Stops the server in two steps, each an abort signal for HTTP; SMTP is disposed of after them. */
export class Shutdown {
  readonly #stopping = new AbortController()
  readonly #closing = new AbortController()

  /** Aborts first: `/readyz` fails and HTTP connections are no longer kept alive, but everything still works. */
  get stopping(): AbortSignal {
    return this.#stopping.signal
  }

  /** Aborts after the delay: event streams and long polls end, and new connections are refused. */
  get closing(): AbortSignal {
    return this.#closing.signal
  }

  /** `delayMs`: how long load balancers need to notice that `/readyz` fails. */
  async begin(delayMs: number): Promise<void> {
    this.#stopping.abort()
    if (delayMs > 0) await sleep(delayMs)
    this.#closing.abort()
  }
}
