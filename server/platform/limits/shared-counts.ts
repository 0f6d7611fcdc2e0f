/** What several processes count together, besides rate limits. Without a shared store each process counts on its own. */

/** A bucket of `capacity` tokens, refilled with `perSecond`. `name` separates the buckets of different limits. */
export type Bucket = { readonly name: string; readonly capacity: number; readonly perSecond: number }

export interface SharedCounts {
  /**
   * `true` for the first call among all processes, then `false` until `lifetimeMs` have passed. AppError `unavailable` if the shared store
   * cannot be reached.
   */
  once(name: string, key: string, lifetimeMs: number): Promise<boolean>
  /** Takes `tokens`; a negative number returns some. Resolves to what is left, below 0 if there were too few. AppError `unavailable`. */
  takeTokens(bucket: Bucket, key: string, tokens: number): Promise<number>
}
