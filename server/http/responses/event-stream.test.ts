/** A stream whose reader does not read, over a real socket. */
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, test } from 'vitest'
import { EventStream } from './event-stream.ts'

test('events that a slow reader can miss do not wait in memory, and it gets the others when it reads on', async () => {
  const opened = Promise.withResolvers<{ stream: EventStream; response: ServerResponse }>()
  const server = createServer((incoming, outgoing) =>
    opened.resolve({ stream: new EventStream({ incoming, outgoing }), response: outgoing }),
  )
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1')
  reader.pause().write('GET / HTTP/1.1\r\nhost: stream.test\r\n\r\n')
  try {
    const { stream, response } = await opened.promise
    const event = { event: 'delivery', data: 'x'.repeat(10_000) }
    for (let n = 0; n < 10_000; n++) {
      stream.offer(event)
      if (n % 100 === 0) await new Promise(setImmediate)
    }
    expect(response.writableNeedDrain).toBe(true)
    expect(response.writableLength).toBeLessThan(2_000_000)
    let heard = ''
    reader.on('data', chunk => {
      heard = (heard + chunk).slice(-1000)
    })
    reader.resume()
    await stream.send({ event: 'message', data: 'needed' })
    await expect.poll(() => heard).toContain('data: needed')
    stream.offer({ event: 'delivery', data: 'again' })
    await expect.poll(() => heard).toContain('data: again')
  } finally {
    reader.destroy()
    server.closeAllConnections()
    server.close()
  }
})
