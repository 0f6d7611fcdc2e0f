import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { root } from './installation.ts'

/**
 * Call before anything else is loaded. By default V8 keeps up to 128 MB for young objects and lets old ones double before it collects; with
 * 1,000 senders at once, small heaps are as fast (docs/decisions/0016-memory-is-given-back.md). Threads started later inherit both.
 * The maximum comes too late for the main thread, where memory-saver mode alone keeps the space for young objects small.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--max-semi-space-size=4')
  setFlagsFromString('--memory-saver-mode')
}

/**
 * For a process of a cluster, which has cores to fill. Where heaps are small, V8 collects old objects again when they grew by a quarter:
 * with 200 senders twice a second, a fifth of the CPU of a mail.
 */
export function letHeapsDouble(): void {
  setFlagsFromString('--heap-growing-percent=100')
}

/** Inside the repository's node_modules: in a shared temporary folder another user of the machine could plant code. */
const FOLDER = join(root, 'node_modules/.cache/compiled')

/**
 * Caches stripped TypeScript and compiled JavaScript between starts, for modules imported later. It saves 30 to 40 MB when idle,
 * because no thread loads the type stripper. If the folder cannot be written, only the speed-up is lost.
 */
export function enableCompiledCodeCache(env: NodeJS.ProcessEnv): void {
  enableCompileCache(FOLDER)
  // Threads inherit the setting only through this variable.
  env.NODE_COMPILE_CACHE ??= FOLDER
}
