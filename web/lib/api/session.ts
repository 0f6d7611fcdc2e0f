/** Requests that need a session, sent only before it ends: a later one would be refused, and logged by the browser as an error. */

/** One for each read under way: a signal for all of them would keep the listeners of each for as long as the page is open. */
const reads = new Set<AbortController>()
const changes = new Set<Promise<unknown>>()
/** Resolves if the session stays. */
let closing: Promise<void> | undefined

/**
 * A read is given up when the session is about to end, and made again if it stays. A change is completed first.
 * After the end there is no response: the page that asked has been left.
 */
export async function inSession<T>(isRead: boolean, exchange: (ended?: AbortSignal) => Promise<T>): Promise<T> {
  for (;;) {
    await closing
    if (!isRead) return await complete(exchange())
    const read = new AbortController()
    reads.add(read)
    try {
      return await exchange(read.signal)
    } catch (error) {
      if (!read.signal.aborted) throw error
    } finally {
      reads.delete(read)
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
  for (const read of reads) read.abort()
  try {
    await Promise.allSettled(changes)
    await end()
  } catch (error) {
    stays.resolve()
    throw error
  } finally {
    closing = undefined
  }
}
