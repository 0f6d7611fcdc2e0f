import type { Counts, DomainCounts } from '#contract/operator.ts'

export const noCounts = (): Counts => ({ delivered: 0, bytes: 0, addresses: 0, botCheckFailures: 0, refused: {}, listed: {}, domains: {} })
export const noDomainCounts = (): DomainCounts => ({ addresses: 0, mails: 0, refusals: 0, unwelcome: 0 })

/** Counts in memory until the minute is written. Exists before the database is open. */
export class StatisticsCounter {
  #counts = noCounts()

  count(name: Exclude<keyof Counts, 'refused' | 'listed' | 'domains'>, by = 1): void {
    this.#counts[name] += by
  }

  refuse(reason: string): void {
    this.#counts.refused[reason] = (this.#counts.refused[reason] ?? 0) + 1
  }

  list(blocklist: string): void {
    this.#counts.listed[blocklist] = (this.#counts.listed[blocklist] ?? 0) + 1
  }

  /** `domain`: one of our own. */
  countAt(domain: string, event: keyof DomainCounts): void {
    const counts = this.#counts.domains[domain] ?? noDomainCounts()
    counts[event] += 1
    this.#counts.domains[domain] = counts
  }

  get current(): Counts {
    return this.#counts
  }

  /** Returns the counts and starts again. */
  take(): Counts {
    const counts = this.#counts
    this.#counts = noCounts()
    return counts
  }
}
