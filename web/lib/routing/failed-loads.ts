/**
 * What could not be fetched. A component that waits for code is rendered anew when the fetch ends; without this memory a failed fetch would
 * simply start again, for ever, and no boundary would hear of it.
 */
const failed = new Map<unknown, unknown>()

/** Throws what the fetch under this key failed with, if it did. */
export function throwIfFailed(key: unknown): void {
  if (failed.has(key)) throw failed.get(key)
}

export function rememberFailure(key: unknown, error: unknown): void {
  failed.set(key, error)
}

/** Everything may be tried again: the visitor went elsewhere. */
export function forgetFailures(): void {
  failed.clear()
}
