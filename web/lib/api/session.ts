/**
 * Requests that need the session of an account. They are out of the way before it ends: the server would refuse one that arrives later, and
 * the browser would log that as an error.
 */
const NEVER = new AbortController().signal

let reading = new AbortController()
const changes = new Set<Promise<unknown>>()
/** Resolves if the session stays. */
let closing: Promise<void> | undefined

/**
 * A read is given up when the session is about to end, and made again if it stays. A change is completed first.
 * After the end there is no response: the page that asked has been left.
 */
export async function inSession<T>(isRead: boolean, exchange: (ended: AbortSignal) => Promise<T>): Promise<T> {
  for (;;) {
    await closing
    if (!isRead) return await complete(exchange(NEVER))
    const { signal } = reading
    try {
      return await exchange(signal)
    } catch (error) {
      if (!signal.aborted) throw error
    }
  }
}

async function complete<T>(change: Promise<T>): Promise<T> {
  changes.add(change)
  try {
    return await change
  } finally {
    changes.delete(change)
  }
}

/** Ends the session by `end`. If that throws, the session stays. */
export async function closeSession(end: () => Promise<unknown>): Promise<void> {
  const stays = Promise.withResolvers<void>()
  closing = stays.promise
  reading.abort()
  try {
    await Promise.allSettled(changes)
    await end()
  } catch (error) {
    stays.resolve()
    throw error
  } finally {
    closing = undefined
    reading = new AbortController()
  }
}
