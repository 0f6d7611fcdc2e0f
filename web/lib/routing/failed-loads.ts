/**
 * Remembers failed fetches of code. A component that waits for code renders again when the fetch ends; without this memory it would start
 * the same fetch again forever, and no error boundary would ever see the error.
 */
const failed = new Map<unknown, unknown>()

/** Throws the error of the fetch with this key, if it failed. */
export function throwIfFailed(key: unknown): void {
  if (failed.has(key)) throw failed.get(key)
}

export function rememberFailure(key: unknown, error: unknown): void {
  failed.set(key, error)
}

/** Allows new tries, because the visitor went to another page. */
export function forgetFailures(): void {
  failed.clear()
}
