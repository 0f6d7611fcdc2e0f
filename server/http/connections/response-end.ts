import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Runs `run` once, when the response is sent or its reader has disconnected; at once when that has happened already. The response's own
 * `close` is not enough: it has passed if the reader left early, and it never comes for a pipelined request whose turn never came.
 */
export function atResponseEnd({ incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }, run: () => void): void {
  const { socket } = incoming
  if (socket.destroyed || outgoing.destroyed || outgoing.writableFinished) {
    run()
    return
  }
  let hasEnded = false
  const end = () => {
    // While a socket closes, Node closes its response: the listener that is removed then is still called.
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

/** Aborts when the response is sent or its reader has disconnected: work that is still being done for it can stop. */
export function responseEndSignal(connection: { incoming: IncomingMessage; outgoing: ServerResponse }): AbortSignal {
  const ended = new AbortController()
  atResponseEnd(connection, () => ended.abort())
  return ended.signal
}
