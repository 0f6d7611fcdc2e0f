/** Milliseconds since the epoch, passed in as an argument: `Date.now` in production, a settable clock in tests. */
export type Clock = () => number

/** The form in which API, webhooks and commands write a time (ISO 8601). */
export const toIso = (ms: number) => new Date(ms).toISOString()
