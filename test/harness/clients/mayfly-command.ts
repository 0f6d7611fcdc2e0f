import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { buffer, text } from 'node:stream/consumers'
import { root } from '#server/platform/installation.ts'
import { COMPILED_CODE } from '../compiled-code.ts'

/** Runs the operator's command as its own process. The server it asks may run in this one. `user`: who runs it, if not this user. */
export async function runMayfly(args: readonly string[], env: Readonly<Record<string, string>>, user: { uid?: number } = {}) {
  const { bytes, ...ended } = await mayflyBytes(args, env, user)
  return { ...ended, out: bytes.toString() }
}

export async function mayflyBytes(args: readonly string[], env: Readonly<Record<string, string>>, user: { uid?: number } = {}) {
  const child = spawn(process.execPath, [join(root, 'cli/mayfly.ts'), ...args], {
    env: { ...COMPILED_CODE, PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...user,
  })
  const [bytes, err, [code]] = await Promise.all([buffer(child.stdout), text(child.stderr), once(child, 'exit')])
  return { code, bytes, err }
}
