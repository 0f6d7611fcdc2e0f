/// <reference lib="esnext.disposable" preserve="true" />
/** Engines that are older than explicit resource management have no such symbol; compilers then look for this one. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
