import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { setFlagsFromString } from 'node:v8'
import { root } from './installation.ts'

/**
 * Call before anything else is loaded. By default V8 keeps up to 128 MB for young objects and lets old ones double before it collects
 * (docs/decisions/0016-memory-is-given-back.md). Young objects keep the 2 MB that they start with: these stay in the processor's cache,
 * and a mail takes a tenth less (lab/docs/experiments.md). A maximum would come too late for the main thread. Threads started later
 * inherit both.
 */
export function keepHeapsSmall(): void {
  setFlagsFromString('--semi-space-growth-factor=1')
  setFlagsFromString('--memory-saver-mode')
}

/** Inside the repository's node_modules: in a shared temporary folder another user of the machine could plant code. */
const FOLDER = join(root, 'node_modules/.cache/compiled')

/**
 * Caches stripped TypeScript and compiled JavaScript between starts, for modules imported later. Measured: 30 to 40 MB less when idle,
 * because no thread loads the type stripper. If the folder cannot be written, only the speed-up is lost.
 */
export function enableCompiledCodeCache(env: NodeJS.ProcessEnv): void {
  enableCompileCache(FOLDER)
  // Threads inherit the setting only through this variable.
  env.NODE_COMPILE_CACHE ??= FOLDER
}
