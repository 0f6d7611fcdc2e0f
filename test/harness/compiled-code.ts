import { resolve } from 'node:path'

/** Cache of compiled code for programs that tests start often. It saves a third of the CPU time of a short command. */
export const COMPILED_CODE = { NODE_COMPILE_CACHE: resolve(import.meta.dirname, '../../node_modules/.cache/compiled') }
