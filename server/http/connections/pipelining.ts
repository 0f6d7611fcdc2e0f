/**
 * Handles pipelined requests (RFC 9112 section 9.3.2). Node emits all of them at once; here they are handled one after the other, as their
 * responses must be sent in order anyway, and only a few may wait. No browser pipelines.
 */
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { problemResponse } from '../responses/problem.ts'
import { onResponseEnd } from './response-end.ts'

const WAITING_MAX = 16
const RETRY_SECONDS = 1

type Exchange = { readonly incoming: IncomingMessage; readonly outgoing: ServerResponse }
type Line = { readonly waiting: Exchange[]; isBusy: boolean; isRefused: boolean }

export function handleInOrder(handle: RequestListener): RequestListener {
  const lines = new WeakMap<object, Line>()

  function start(line: Line, { incoming, outgoing }: Exchange): void {
    line.isBusy = true
    onResponseEnd({ incoming, outgoing }, () => {
      line.isBusy = false
      const next = line.waiting.shift()
      if (next && !incoming.socket.destroyed) start(line, next)
    })
    void handle(incoming, outgoing)
  }

  return (incoming, outgoing) => {
    const line = lines.get(incoming.socket) ?? { waiting: [], isBusy: false, isRefused: false }
    lines.set(incoming.socket, line)
    // The refusal closes the connection after the responses before it; later requests are never answered.
    if (line.isRefused) return
    if (!line.isBusy) return start(line, { incoming, outgoing })
    if (line.waiting.length < WAITING_MAX) {
      line.waiting.push({ incoming, outgoing })
      return
    }
    line.isRefused = true
    void refuse(outgoing)
  }
}

async function refuse(outgoing: ServerResponse): Promise<void> {
  const response = problemResponse('rate_limited', { retryAfterSeconds: RETRY_SECONDS }, { connection: 'close' })
  outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
}
