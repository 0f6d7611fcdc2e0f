import type { EventEmitter } from 'node:events'

/** Keeps all that comes from sockets, processes, responses. The function returns what has come so far. */
export function saidBy(...streams: EventEmitter[]): () => string {
  let said = ''
  for (const stream of streams) {
    stream.on('data', chunk => {
      said += chunk
    })
  }
  return () => said
}
