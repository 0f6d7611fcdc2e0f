/** Results of unsigned mail: the next one of this author over this connection has the same, while the answers of DNS hold. */
import type { Authentication } from '#contract/mailbox.ts'
import { BoundedMap } from '#server/platform/bounded-map.ts'
import type { AuthenticatedConnection } from './authentication-results.ts'
import type { UnsignedMail } from './shown-authors.ts'

/** Results that every unsigned mail of this author alone has, over one connection. */
export type HeldResults = { readonly author: string; readonly results: Authentication }
type Held = HeldResults & { readonly untilMs: number }
type Results = Promise<Authentication | undefined>

/** Envelopes whose results are kept, and authors of each: most programs send for one. */
const ENVELOPES_MAX = 1000
const AUTHORS_MAX = 4
/** Mails that wait for the results of one check. */
const JOINED_MAX = 1000

export class UnsignedResults {
  readonly #held = new BoundedMap<string, BoundedMap<string, Held>>(ENVELOPES_MAX)
  readonly #running = new Map<string, { readonly results: Results; joined: number }>()
  readonly #nowMs: () => number

  constructor(nowMs = () => performance.now()) {
    this.#nowMs = nowMs
  }

  keep(connection: AuthenticatedConnection, { author, areSeveral }: UnsignedMail, results: Authentication, heldMs: number): void {
    if (areSeveral || heldMs <= 0) return
    const key = envelopeKey(connection)
    const authors = this.#held.get(key) ?? new BoundedMap<string, Held>(AUTHORS_MAX)
    authors.set(author, { author, results, untilMs: this.#nowMs() + heldMs })
    this.#held.set(key, authors)
  }

  find(connection: AuthenticatedConnection): HeldResults[] {
    const nowMs = this.#nowMs()
    const authors = [...(this.#held.get(envelopeKey(connection))?.values() ?? [])]
    return authors.filter(({ untilMs }) => untilMs > nowMs).map(({ author, results }) => ({ author, results }))
  }

  /** The results of a check of the same mail that is running, or of the one that `start` starts. */
  join({ clientAddress, helo, from }: AuthenticatedConnection, { author, areSeveral }: UnsignedMail, start: () => Results): Results {
    const key = JSON.stringify([clientAddress, helo, from, author, areSeveral])
    const same = this.#running.get(key)
    if (same && same.joined < JOINED_MAX) {
      same.joined++
      return same.results
    }
    const started = { results: start(), joined: 0 }
    this.#running.set(key, started)
    void started.results.finally(() => {
      if (this.#running.get(key) === started) this.#running.delete(key)
    })
    return started.results
  }
}

/** SPF's results depend on this, unless a record has macros. An unusual address counts whole: where its domain begins is unclear. */
function envelopeKey({ clientAddress, helo, from }: AuthenticatedConnection): string {
  const domain = /^[^@"\s]+@(?<domain>[^@"\s]+)$/.exec(from)?.groups?.domain
  return JSON.stringify([clientAddress, helo, domain === undefined ? from : `@${domain.toLowerCase()}`])
}
