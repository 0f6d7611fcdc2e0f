import { createHash } from 'node:crypto'

/** A Lua script that the engine caches and runs atomically. All its keys are in the slot of the first. */
export type Script = { readonly lua: string; readonly sha1: string }

export function defineScript(lua: string): Script {
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') }
}
