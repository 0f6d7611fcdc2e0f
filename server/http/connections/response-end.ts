import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Calls `run` once when the response was sent or its reader disconnected, or at once if that already happened. The response's own `close`
 * event is not enough: it is over if the reader left early, and never comes for a pipelined request that was not reached.
 */
export function onResponseEnd({ incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }, run: () => void): void {
  const { socket } = incoming
  if (socket.destroyed || outgoing.destroyed || outgoing.writableFinished) {
    run()
    return
  }
  let hasEnded = false
  const end = () => {
    // While a socket closes, Node closes its response: a listener removed then is still called.
    if (hasEnded) return
    hasEnded = true
    outgoing.off('close', end)
    socket.off('close', end)
    run()
  }
  // One listener per pipelined request; each removes its own.
  socket.setMaxListeners(0)
  outgoing.once('close', end)
  socket.once('close', end)
}

/** Aborts when the response was sent or its reader disconnected, so that work for it can stop. */
export function responseEndSignal(connection: { incoming: IncomingMessage; outgoing: ServerResponse }): AbortSignal {
  const ended = new AbortController()
  onResponseEnd(connection, () => ended.abort())
  return ended.signal
}
