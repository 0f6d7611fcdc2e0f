import { createHash } from 'node:crypto'

/** A Lua script that the engine keeps and runs as one step. Every key it touches is in the slot of its first. */
export type Script = { readonly lua: string; readonly sha1: string }

export function defineScript(lua: string): Script {
  return { lua, sha1: createHash('sha1').update(lua).digest('hex') }
}
