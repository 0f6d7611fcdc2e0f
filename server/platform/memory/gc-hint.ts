/**
 * Starts garbage collections in two cases in which V8 would do so too late. V8 does not count shared memory as part of a thread's heap, so
 * large unused messages would accumulate until something else starts a collection: each thread reports here what it no longer uses. And
 * an idle thread starts none, so it would keep the memory of its start or of the last burst.
 */
import { performance } from 'node:perf_hooks'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { KIB, MIB } from '#contract/limits.ts'

/** A thread that handled such a buffer should return its memory soon. */
export const LARGE_BYTES = MIB
/** Smaller buffers are copied and left to ordinary collections. */
export const SHARED_BYTES_MIN = 16 * KIB
/** Unused bytes before the young generation is collected, which takes a millisecond or two. */
const DEAD_BYTES_MAX = 16 * MIB
/** Unused bytes before all generations are collected: buffers that waited for a slow disk have left the young one. Takes about 20 ms. */
const OLD_DEAD_BYTES_MAX = 96 * MIB
/** Everything is collected once after a burst, when this long passed without more. */
const QUIET_MS = 2000

/** How often a thread checks whether it is idle. */
const REST_CHECK_MS = 2000
/** Share of that time in which an idle thread's event loop may be busy. The checks of the store and for expired mail take less. */
const REST_UTILIZATION_MAX = 0.1
/** Returning memory at rest takes 20 to 40 ms of processor time, so it must have grown by this since the last time. */
const REST_GROWTH_BYTES_MIN = 3 * MIB

type Collect = NonNullable<typeof globalThis.gc>

let deadBytes = 0
let oldDeadBytes = 0
/** The size of the heap when memory was returned last. */
let bytesAfterRest = 0
let quiet: NodeJS.Timeout | undefined

/** Call when this thread no longer uses this many bytes of shared memory. */
export function hintGarbage(bytes: number): void {
  if (bytes < SHARED_BYTES_MIN) return
  deadBytes += bytes
  oldDeadBytes += bytes
  clearTimeout(quiet)
  quiet = setTimeout(() => collect('major'), QUIET_MS).unref()
  if (deadBytes < DEAD_BYTES_MAX) return
  deadBytes = 0
  const type = oldDeadBytes < OLD_DEAD_BYTES_MAX ? 'minor' : 'major'
  if (type === 'major') oldDeadBytes = 0
  setImmediate(() => collect(type))
}

/** Resets what the next rest compares with: V8 pools the pages of a heap that ended, and only a collection in another one releases them. */
export function noteThreadEnded(): void {
  bytesAfterRest = 0
}

/** Returns the memory of this thread's heap to the system whenever the thread becomes idle. */
export function collectWhenIdle(): void {
  let seen = performance.eventLoopUtilization()
  setInterval(() => {
    const { utilization } = performance.eventLoopUtilization(seen)
    seen = performance.eventLoopUtilization()
    if (utilization > REST_UTILIZATION_MAX || heapBytes() - bytesAfterRest < REST_GROWTH_BYTES_MIN) return
    // The only one that shrinks the space for young objects too.
    collector()({ type: 'major', execution: 'sync', flavor: 'last-resort' })
    bytesAfterRest = heapBytes()
  }, REST_CHECK_MS).unref()
}

const heapBytes = (): number => getHeapStatistics().total_physical_size

function collect(type: 'major' | 'minor'): void {
  void collector()({ type, execution: 'async' })
}

let found: Collect | undefined

/** Only contexts made after the flag have it. */
function collector(): Collect {
  if (found) return found
  setFlagsFromString('--expose-gc')
  found = runInNewContext('gc') as Collect
  return found
}
