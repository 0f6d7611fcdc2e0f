/** Time comes in as an argument: milliseconds since the epoch. `Date.now` in production, a settable one in tests. */
export type Clock = () => number
