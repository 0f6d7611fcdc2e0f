/// <reference lib="esnext.disposable" preserve="true" />
/** Older engines have no such symbol; compilers then use this one. */
export const asyncDispose: typeof Symbol.asyncDispose = Symbol.asyncDispose ?? Symbol.for('Symbol.asyncDispose')
