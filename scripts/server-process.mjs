// Starts the server, for `npm start`, tests and benches. Plain JavaScript for any Node from 18 on.
import { spawn } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/**
 * About memory: docs/decisions/0016-memory-is-given-back.md; what V8 can be told once it runs is in server/platform/node-options.ts.
 * By default, after a large block was freed, glibc keeps up to 64 MB of freed memory in each of up to 16 arenas; with fixed thresholds it
 * returns it. A second arena holds 12 MB more after a burst, and saves no processor time. Other systems ignore these.
 */
const ENVIRONMENT = { MALLOC_ARENA_MAX: '1', MALLOC_MMAP_THRESHOLD_: '1048576', MALLOC_TRIM_THRESHOLD_: '1048576' }

/**
 * Runs what `scripts/build.ts` made last. The channel carries nothing: the server stops when it closes, so it never outlives who started
 * it, not even after SIGKILL.
 * @param {string} node path of the Node to run it
 * @param {{ env: Record<string, string | undefined>, stdio: ['inherit' | 'ignore', 'inherit' | 'pipe', 'inherit' | 'pipe'] }} options
 */
export function spawnServer(node, { env, stdio }) {
  return spawn(node, ['dist/server/main.js'], { cwd: root, env: { ...ENVIRONMENT, ...env }, stdio: [...stdio, 'ipc'] })
}
