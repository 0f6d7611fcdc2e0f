import { execFileSync, spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

/** Prints how small the space for young objects is made again while many of them survive for a while. */
const script = `
  import { getHeapSpaceStatistics } from 'node:v8'
  import { keepHeapsSmall } from './node-options.ts'
  if (process.argv[1] === 'small') keepHeapsSmall()
  const recent = []
  let smallest = Infinity
  for (let i = 0; i < 5_000_000; i++) {
    recent[i % 200_000] = { i, text: [i] }
    if (i < 1_000_000 || i % 50_000 > 0) continue
    const { space_size } = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space')
    smallest = Math.min(smallest, space_size)
  }
  console.log(smallest)`

function youngBytes(...args: string[]): number {
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '--eval', script, ...args], { cwd: import.meta.dirname })
  return Number(String(stdout))
}

test('young objects get a fraction of what V8 gives them by itself, without a flag of the command line', () => {
  const small = youngBytes('small')
  expect(small).toBeGreaterThan(0)
  expect(small).toBeLessThan(youngBytes() / 2)
}, 60_000)

/** Counts collections of all objects, while a heap of 20 MB gets new objects that die old. */
const churn = `
  import { GCProfiler } from 'node:v8'
  import { keepHeapsSmall, letHeapsDouble } from './node-options.ts'
  keepHeapsSmall()
  if (process.argv[1] === 'double') letHeapsDouble()
  const kept = Array.from({ length: 300_000 }, (_, i) => ({ i, text: [i] }))
  const profiler = new GCProfiler()
  profiler.start()
  for (let i = 0; i < 6_000_000; i++) kept[i % 100_000] = { i, text: [i] }
  console.log(profiler.stop().statistics.filter(({ gcType }) => gcType === 'MarkSweepCompact').length)`

test('where heaps may double, all objects are collected less than half as often', () => {
  const count = (...args: string[]) =>
    Number(
      execFileSync(process.execPath, ['--input-type=module', '--eval', churn, ...args], { cwd: import.meta.dirname, encoding: 'utf8' }),
    )
  const often = count()
  expect(often).toBeGreaterThan(0)
  expect(count('double')).toBeLessThan(often / 2)
}, 60_000)
