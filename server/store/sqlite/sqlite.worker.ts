/** The thread that owns the database. See protocol.ts for what it hears and says. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { hintGarbage } from '#server/gc-hint.ts'
import type { SealedMessage } from '../store.ts'
import { Engine } from './engine.ts'
import type { CopyReply, CopyRequest, Opened, Reply, Request, Settings } from './protocol.ts'

/** Quiet for this long: time to empty the log. */
const REST_MS = 500
/** From this size on bytes are handed over instead of copied. */
const TRANSFER_BYTES_MIN = 16_384

const port = parentPort
if (!port) throw new Error('sqlite.worker.ts runs as a worker thread only')

try {
  const engine = new Engine(workerData as Settings)
  port.postMessage({ opened: true, storeId: engine.storeId } satisfies Opened)
  serve(engine)
} catch (error) {
  port.postMessage({ opened: false, reason: error instanceof Error ? error.message : String(error) } satisfies Opened)
  port.close()
}

type Asked = Request[] | CopyRequest | 'close'

function serve(engine: Engine): void {
  let resting: NodeJS.Timeout | undefined
  port?.on('message', (first: Asked) => {
    clearTimeout(resting)
    const batches = [first, ...waiting()]
    const requests = batches.flatMap(batch => (Array.isArray(batch) ? batch : []))
    engine.run(requests, answer)
    for (const request of requests) if (request.verb === 'deliver') hintGarbage((request.args[1] as SealedMessage).sealedRaw.byteLength)
    for (const batch of batches) if (typeof batch === 'object' && 'copyTo' in batch) void copy(engine, batch)
    if (batches.includes('close')) {
      engine.close()
      port?.close()
    } else {
      resting = setTimeout(() => engine.rest(), REST_MS)
    }
  })
}

async function copy(engine: Engine, { copyTo, reply }: CopyRequest): Promise<void> {
  const failed = await engine.copyTo(copyTo).then(
    () => undefined,
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  )
  reply.postMessage((failed === undefined ? {} : { failure: failed }) satisfies CopyReply)
  reply.close()
}

/** What arrived while the last group was being committed: the next group. */
function waiting(): Asked[] {
  const batches: Asked[] = []
  for (let next = port && receiveMessageOnPort(port); next; next = port && receiveMessageOnPort(port)) batches.push(next.message)
  return batches
}

function answer(replies: Reply[]): void {
  port?.postMessage(replies, replies.flatMap(buffersOf))
  for (const reply of replies) hintGarbage(rawOf(reply)?.byteLength ?? 0)
}

function buffersOf(reply: Reply): ArrayBuffer[] {
  const raw = rawOf(reply)
  if (!raw || raw.byteLength < TRANSFER_BYTES_MIN) return []
  return raw.buffer instanceof ArrayBuffer && raw.byteLength === raw.buffer.byteLength ? [raw.buffer] : []
}

function rawOf(reply: Reply): Uint8Array | undefined {
  const raw = 'value' in reply && reply.value && typeof reply.value === 'object' && 'sealedRaw' in reply.value && reply.value.sealedRaw
  return raw instanceof Uint8Array ? raw : undefined
}
