/**
 * Runs loops beside the work of a test, until that has ended. What fails in a loop fails the test, yet only then: as a rejection that
 * nobody awaits meanwhile it would fail all tests, on a second try as well.
 * @returns what `work` resolved to
 */
export async function beside<T>(
  loops: readonly ((signal: AbortSignal) => Promise<unknown>)[],
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController()
  const running = Promise.all(loops.map(loop => loop(ended.signal)))
  const [done, loopsDone] = await Promise.allSettled([work(ended.signal).finally(() => ended.abort()), running])
  // Work that waits for a loop fails after it, and says less.
  if (loopsDone.status === 'rejected') throw loopsDone.reason
  if (done.status === 'rejected') throw done.reason
  return done.value
}
