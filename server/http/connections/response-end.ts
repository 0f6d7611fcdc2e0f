import type { IncomingMessage, ServerResponse } from 'node:http'

/**
 * Runs `run` once, when the answer is sent or its reader has gone; at once when that was so already. The answer's own `close` is not
 * enough: it came before anybody listened if the reader left early, and never comes for a pipelined request whose turn never came.
 */
export function atConnectionEnd({ incoming, outgoing }: { incoming: IncomingMessage; outgoing: ServerResponse }, run: () => void): void {
  const { socket } = incoming
  if (socket.destroyed || outgoing.destroyed || outgoing.writableFinished) {
    run()
    return
  }
  const end = () => {
    outgoing.off('close', end)
    socket.off('close', end)
    run()
  }
  // As many as there are pipelined requests; each takes its listener away again.
  socket.setMaxListeners(0)
  outgoing.once('close', end)
  socket.once('close', end)
}

/** Aborts when the reader of this answer has gone, or has it: whatever is still being made for it can be left. */
export function readerGone(connection: { incoming: IncomingMessage; outgoing: ServerResponse }): AbortSignal {
  const gone = new AbortController()
  atConnectionEnd(connection, () => gone.abort())
  return gone.signal
}
