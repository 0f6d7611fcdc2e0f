/**
 * Aborted with the first of these signals. WebKit forgets the one of `AbortSignal.any` while only a request waits for it: the abort then
 * reaches no request, and a stream keeps its connection for good, of which a browser has six.
 */
export function anySignal(...signals: readonly (AbortSignal | undefined)[]): AbortSignal {
  const any = new AbortController()
  for (const signal of signals) {
    if (signal?.aborted) any.abort()
    else signal?.addEventListener('abort', () => any.abort(), { signal: any.signal })
  }
  return any.signal
}
