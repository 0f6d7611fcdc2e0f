/**
 * V8 does not count shared memory as part of a thread's heap, so unused messages of 25 MiB would pile up until something else starts a
 * garbage collection. Threads report here what they no longer use, and collect once it adds up. Needs `--expose-gc`
 * (scripts/server-process.mjs).
 */
const MIB = 1024 * 1024
/** Smaller buffers can wait for the next ordinary collection. */
export const LARGE_BYTES = MIB
/** Unused bytes before the young generation is collected, which takes a millisecond or two. */
const DEAD_BYTES_MAX = 16 * MIB
/** Unused bytes before all generations are collected: buffers that waited for a slow disk have left the young one. Takes about 20 ms. */
const OLD_DEAD_BYTES_MAX = 96 * MIB
/** Everything is collected once after a burst, when this long passed without more. */
const QUIET_MS = 2000

let deadBytes = 0
let oldDeadBytes = 0
let quiet: NodeJS.Timeout | undefined

/** Call when this thread no longer uses this many bytes of shared memory. */
export function hintGarbage(bytes: number): void {
  if (bytes < LARGE_BYTES || !globalThis.gc) return
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

function collect(type: 'major' | 'minor'): void {
  void globalThis.gc?.({ type, execution: 'async' })
}
