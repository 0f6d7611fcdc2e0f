import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readEventStream, reconnectAfterMs, type ServerSentEvent } from './event-stream.ts'

async function readAll(chunks: Uint8Array[]): Promise<ServerSentEvent[]> {
  const events: ServerSentEvent[] = []
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      controller.close()
    },
  })
  for await (const event of readEventStream(body, () => undefined)) events.push(event)
  return events
}

describe('the event stream', () => {
  test('reads id, event and data, and skips heartbeats', async () => {
    const stream = 'id: 7\nevent: gone\ndata: {"a":1}\n\n: still here\n\nid: 7\n\ndata:one\ndata: two\n\n'
    expect(await readAll([new TextEncoder().encode(stream)])).toEqual([
      { id: '7', event: 'gone', data: '{"a":1}' },
      { id: undefined, event: 'message', data: 'one\ntwo' },
    ])
  })

  test('yields the same events wherever the bytes are split, even inside a character', async () => {
    const bytes = new TextEncoder().encode(': hi\n\nid: 1\ndata: ñandú 🪰\n\nid: 2\r\ndata: two\r\n\r\nid: 3\ndata: unfinished')
    const expected = [
      { id: '1', event: 'message', data: 'ñandú 🪰' },
      { id: '2', event: 'message', data: 'two' },
    ]
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: bytes.length - 1 })), async cuts => {
        const edges = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const chunks = edges.slice(1).map((end, i) => bytes.slice(edges[i], end))
        expect(await readAll(chunks)).toEqual(expected)
      }),
    )
  })

  test('refuses an endless event', async () => {
    const chunk = new TextEncoder().encode('data: '.padEnd(600_000, 'x'))
    await expect(readAll([chunk, chunk])).rejects.toThrow('never ends')
  })
})

test('reconnects wait longer after each failure, up to half a minute, at random times', () => {
  expect([1, 2, 3, 20].map(failures => reconnectAfterMs(failures, 1))).toEqual([750, 1250, 2250, 30_250])
  expect([1, 20].map(failures => reconnectAfterMs(failures, 0))).toEqual([250, 250])
})
