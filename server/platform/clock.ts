/** Milliseconds since the epoch, passed in as an argument: `Date.now` in production, a settable clock in tests. */
export type Clock = () => number
