/** What several processes must count together, beside the limiter itself. Without a shared store each count belongs to one process. */

/** A bucket of `capacity` tokens that fills by `perSecond`; `name` keeps the buckets of different things apart. */
export type Bucket = { readonly name: string; readonly capacity: number; readonly perSecond: number }

export interface SharedCounts {
  /** `true` for the first who says so, of all processes; then `false` until `lifetimeMs` have passed. AppError `unavailable` when nobody can tell. */
  once(name: string, key: string, lifetimeMs: number): Promise<boolean>
  /** Takes `tokens` (a negative number gives back); resolves to what is left, below 0 when there were too few. AppError `unavailable`. */
  takeTokens(bucket: Bucket, key: string, tokens: number): Promise<number>
}
