/**
 * V8 does not count shared memory among what a thread holds, so dead messages of 25 MiB would pile up until something else makes it look:
 * each thread says here what it has let go of, and is collected when that was much. Needs `--expose-gc` (scripts/server-process.mjs).
 */
const MIB = 1024 * 1024
/** Smaller things than this may wait for the next ordinary collection. */
export const LARGE_BYTES = MIB
/** So much may be dead before it is looked for: among the young objects only, which takes a millisecond or two and finds what was short-lived. */
const DEAD_BYTES_MAX = 16 * MIB
/** When nothing more comes, all are looked at: 20 ms or so, once after a burst. */
const QUIET_MS = 2000

let deadBytes = 0
let quiet: NodeJS.Timeout | undefined

/** Call when this thread uses these bytes of shared memory no more. */
export function hintGarbage(bytes: number): void {
  if (bytes < LARGE_BYTES || !globalThis.gc) return
  deadBytes += bytes
  clearTimeout(quiet)
  quiet = setTimeout(() => collect('major'), QUIET_MS).unref()
  if (deadBytes < DEAD_BYTES_MAX) return
  deadBytes = 0
  setImmediate(() => collect('minor'))
}

function collect(type: 'major' | 'minor'): void {
  void globalThis.gc?.({ type, execution: 'async' })
}
