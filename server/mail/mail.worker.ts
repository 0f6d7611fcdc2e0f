/** One of the mail threads: see mail-workers.ts for what it hears and says. */
import { parentPort, workerData } from 'node:worker_threads'
import { hintGarbage, LARGE_BYTES } from '#server/gc-hint.ts'
import { NO_JOB, type Parcel, type ParcelReply, pack, unpack, type WorkerSettings } from './batch.ts'
import type { Pieces } from './keys/seal.ts'
import { createWork } from './work.ts'

type Result = { value: unknown; bytes: readonly Pieces[]; spent?: Uint8Array }

const NOTHING = new Uint8Array(0)
const { messageIdKey, progress } = workerData as WorkerSettings
const work = createWork(messageIdKey)
Atomics.store(progress, 0, NO_JOB)

parentPort?.on('message', (parcel: Parcel) => {
  const outcomes = parcel.jobs.map(({ task, args, spans }, index) => {
    // The main thread reads here which job a thread hangs in or died of.
    Atomics.store(progress, 0, index)
    try {
      const run = work[task] as (
        args: unknown,
        bytes: readonly Uint8Array[],
      ) => { value: unknown; bytes: readonly Pieces[]; spent?: Uint8Array }
      return run(args, unpack(parcel.memory, spans))
    } catch (error) {
      return { error: error instanceof Error ? error.message : String(error) }
    }
  })
  const done = reply(outcomes)
  // Packing may be what a thread dies of: only then is the last job done.
  Atomics.store(progress, 0, NO_JOB)
  parentPort?.postMessage(done)
  for (const outcome of outcomes) if ('bytes' in outcome) [...outcome.bytes.flat(), outcome.spent ?? NOTHING].forEach(free)
  const spans = [...parcel.jobs, ...done.results].flatMap(given => ('spans' in given ? given.spans : []))
  for (const [, length, memory] of spans) if (memory) hintGarbage(length)
})

/** Gives back now what was read and copied into the reply: the collector would let 64 MB of it gather. */
function free({ buffer, byteLength }: Uint8Array): void {
  if (byteLength >= LARGE_BYTES && buffer instanceof ArrayBuffer && !buffer.detached) buffer.transfer(0)
}

function reply(outcomes: readonly (Result | { error: string })[]): ParcelReply {
  const { memory, spans } = pack(outcomes.flatMap(outcome => ('error' in outcome ? [] : outcome.bytes)))
  const results = outcomes.map(outcome => {
    if ('error' in outcome) return outcome
    return { value: outcome.value, spans: spans.splice(0, outcome.bytes.length) }
  })
  return { memory, results }
}
