import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Ends with 0 as soon as one of them is found dead, with 13 when nobody looks for a minute. */
const script = `
  import { hintGarbage } from './gc-hint.ts'
  // Reachable for as long as the process lives: a registry that is itself collected tells nothing.
  const dead = (globalThis.dead = new FinalizationRegistry(() => process.exit(0)))
  for (let i = 0; i < 20; i++) {
    dead.register(new Uint8Array(new SharedArrayBuffer(2 ** 20)), i)
    hintGarbage(2 ** 20)
  }
  setTimeout(() => process.exit(13), 60_000)`

test('shared memory that was let go of is looked for', () => {
  const { status } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', script], { cwd: import.meta.dirname })
  expect(status).toBe(0)
}, 90_000)
