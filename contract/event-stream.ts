/** Reads server-sent events from a `fetch` body (WHATWG HTML 9.2.6), so that the token can be sent in a header instead of a URL. */

/** The server sends at least a comment this often. Shorter than the 30 s after which common proxies close a silent stream. */
export const HEARTBEAT_MS = 20_000
/** A reader gives up a stream that has missed two heartbeats, whatever TCP says. */
export const SILENCE_MS = 2 * HEARTBEAT_MS + 5000

const BACKOFF_MS = { first: 500, max: 30_000 } as const

/** How long a page waits after this many failures in a row. Full jitter, so that a restarted server does not get all reconnects at once. */
export function reconnectAfterMs(failures: number, random: number): number {
  return BACKOFF_MS.first / 2 + random * Math.min(BACKOFF_MS.max, BACKOFF_MS.first * 2 ** (failures - 1))
}

export type ServerSentEvent = { readonly id: string | undefined; readonly event: string; readonly data: string }

/** An event carries one message summary; 1 MiB without the end of an event means a broken or hostile server. */
const EVENT_CHARS_MAX = 1_048_576

/** Yields each event once it is complete. `onBytes` is called for every chunk, including heartbeat comments. */
export async function* readEventStream(body: ReadableStream<Uint8Array>, onBytes: () => void): AsyncGenerator<ServerSentEvent> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      onBytes()
      rest += decoder.decode(value, { stream: true })
      const blocks = rest.split(/\r\n\r\n|\n\n|\r\r/)
      rest = blocks.pop() ?? ''
      if (rest.length > EVENT_CHARS_MAX) throw new Error('An event of the stream never ends')
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** `undefined` for a block without data: heartbeats and comments. */
function parseBlock(block: string): ServerSentEvent | undefined {
  let id: string | undefined
  let event = 'message'
  const data: string[] = []
  for (const line of block.split(/\r\n|\n|\r/)) {
    const [, name, value = ''] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? []
    if (name === 'id' && !value.includes('\0')) id = value
    else if (name === 'event') event = value
    else if (name === 'data') data.push(value)
  }
  return data.length > 0 ? { id, event, data: data.join('\n') } : undefined
}
