/** One of the mail threads: see mail-workers.ts for what it hears and says. */
import { parentPort, workerData } from 'node:worker_threads'
import { fill, type Parcel, type ParcelReply, sizeOf, type WorkerSettings } from './parcel.ts'
import type { Pieces } from './seal.ts'
import { createWork } from './work.ts'

const { messageIdKey, progress } = workerData as WorkerSettings
const work = createWork(messageIdKey)

parentPort?.on('message', (parcel: Parcel) => {
  const outcomes = parcel.jobs.map(({ task, args, spans }, index) => {
    // The main thread reads here which job a thread hangs in or died of.
    Atomics.store(progress, 0, index)
    try {
      const run = work[task] as (args: unknown, bytes: readonly Uint8Array[]) => { value: unknown; bytes: readonly Pieces[] }
      return run(
        args,
        spans.map(([offset, length]) => Buffer.from(parcel.memory, offset, length)),
      )
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  })
  parentPort?.postMessage(pack(outcomes))
})

function pack(outcomes: readonly ({ value: unknown; bytes: readonly Pieces[] } | { error: string })[]): ParcelReply {
  const pieces = outcomes.flatMap(outcome => ('error' in outcome ? [] : outcome.bytes))
  const memory = new SharedArrayBuffer(sizeOf(pieces.flat()))
  let offset = 0
  const results = outcomes.map(outcome => {
    if ('error' in outcome) return outcome
    const spans = outcome.bytes.map(parts => {
      const start = offset
      offset = fill(memory, start, parts)
      return [start, offset - start] as const
    })
    return { value: outcome.value, spans }
  })
  return { memory, results }
}
