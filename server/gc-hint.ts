/**
 * V8 does not count shared memory among what a thread holds, so dead messages of 25 MiB would pile up until something else starts a
 * collection. Each thread says here what it no longer uses, and collects when that was much. Needs `--expose-gc` (scripts/server-process.mjs).
 */
const MIB = 1024 * 1024
/** Smaller things than this may wait for the next ordinary collection. */
export const LARGE_BYTES = MIB
/** So much may be dead before the young objects are collected, which takes a millisecond or two and finds what was short-lived. */
const DEAD_BYTES_MAX = 16 * MIB
/** So much before all objects are: what waited for a slow disk has outlived two collections and is no longer young. Takes 20 ms or so. */
const OLD_DEAD_BYTES_MAX = 96 * MIB
/** When nothing more comes, all are collected, once after a burst. */
const QUIET_MS = 2000

let deadBytes = 0
let oldDeadBytes = 0
let quiet: NodeJS.Timeout | undefined

/** Call when this thread uses these bytes of shared memory no more. */
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
