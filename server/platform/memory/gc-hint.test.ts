import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Exits with 0 as soon as one of them is collected, with 13 if none is for a minute. */
const script = `
  import { hintGarbage } from './gc-hint.ts'
  // Always reachable, because a registry that is itself collected reports nothing.
  const dead = (globalThis.dead = new FinalizationRegistry(() => process.exit(0)))
  for (let i = 0; i < 20; i++) {
    dead.register(new Uint8Array(new SharedArrayBuffer(2 ** 20)), i)
    hintGarbage(2 ** 20)
  }
  setTimeout(() => process.exit(13), 60_000)`

test('unused shared memory is collected', () => {
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', script], { cwd: import.meta.dirname })
  expect(status).toBe(0)
}, 90_000)

/** As above, for what has outlived the collections of young objects, while hints keep coming. */
const agedScript = `
  import { hintGarbage } from './gc-hint.ts'
  const dead = (globalThis.dead = new FinalizationRegistry(() => process.exit(0)))
  let held = Array.from({ length: 20 }, () => new Uint8Array(new SharedArrayBuffer(2 ** 20)))
  for (const bytes of held) dead.register(bytes, 0)
  for (let i = 0; i < 3; i++) gc({ type: 'minor' })
  held = undefined
  setInterval(() => hintGarbage(2 ** 22), 20)
  setTimeout(() => process.exit(13), 30_000)`

test('older unused memory is collected even if hints never pause', () => {
  const { status } = spawnSync(process.execPath, ['--expose-gc', '--input-type=module', '--eval', agedScript], { cwd: import.meta.dirname })
  expect(status).toBe(0)
}, 90_000)

/** After a burst nothing allocates any more, so only the thread itself can start a collection. */
const restScript = `
  import { getHeapStatistics } from 'node:v8'
  import { collectWhenIdle } from './gc-hint.ts'
  const heapBytes = () => getHeapStatistics().total_physical_size
  let held = Array.from({ length: 500_000 }, (_, i) => ({ i }))
  const most = heapBytes()
  held = undefined
  collectWhenIdle()
  setInterval(() => { if (heapBytes() < most / 2) process.exit(0) }, 100)
  setTimeout(() => process.exit(13), 30_000)`

test('an idle thread returns its heap without a flag', () => {
  const { status } = spawnSync(process.execPath, ['--input-type=module', '--eval', restScript], { cwd: import.meta.dirname })
  expect(status).toBe(0)
}, 90_000)
