/** Exit codes of every command, this project's and the client's: docs/operations.md and the client's README list them. */
export const EXIT = {
  done: 0,
  /** Refused, or not healthy. */
  failed: 1,
  /** Invalid arguments. */
  usage: 2,
  timedOut: 3,
  notFound: 4,
  /** The server, or what it needs, cannot be reached. */
  unreachable: 5,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]
