import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MESSAGE_BYTES_CEILING, MESSAGE_BYTES_MAX, MIB } from '#contract/limits.ts'
import { readConfig } from '../config/config.ts'
import { divideMemory } from './memory-budget.ts'

const GIB = 1024 * MIB

describe('the memory of the process is divided', () => {
  test.each([
    [8 * GIB, { arrivingBytesMax: 192 * MIB, copiesBytesMax: 64 * MIB, responseBytesMax: 256 * MIB, wholeReadsMax: 4 }],
    [GIB, { arrivingBytesMax: 192 * MIB, copiesBytesMax: 64 * MIB, responseBytesMax: 128 * MIB, wholeReadsMax: 4 }],
    [512 * MIB, { arrivingBytesMax: 96 * MIB, copiesBytesMax: 32 * MIB, responseBytesMax: 64 * MIB, wholeReadsMax: 2 }],
    [128 * MIB, { arrivingBytesMax: 48 * MIB, copiesBytesMax: 16 * MIB, responseBytesMax: 32 * MIB, wholeReadsMax: 1 }],
  ])('of %d bytes', (limit, parts) => {
    expect(divideMemory(limit, MESSAGE_BYTES_MAX)).toEqual({ limitBytes: limit, ...parts })
  })

  test('encrypted copies are part of the memory for mail being received', () => {
    const { arrivingBytesMax, copiesBytesMax } = divideMemory(8 * GIB, MESSAGE_BYTES_MAX, 100 * MIB)
    expect([arrivingBytesMax, copiesBytesMax]).toEqual([75 * MIB, 25 * MIB])
  })

  test('one message of the largest size always fits', () => {
    for (const limit of [64 * MIB, GIB])
      expect(divideMemory(limit, MESSAGE_BYTES_CEILING).arrivingBytesMax).toBeGreaterThanOrEqual(MESSAGE_BYTES_CEILING)
    expect(divideMemory(GIB, MESSAGE_BYTES_MAX, MESSAGE_BYTES_MAX).arrivingBytesMax).toBe(MESSAGE_BYTES_MAX)
  })
})

const groups = '/sys/fs/cgroup'
const memoryRoot = [groups, join(groups, 'memory')].find(folder => existsSync(join(folder, 'cgroup.procs')))
const canLimit = process.getuid?.() === 0 && memoryRoot !== undefined && canMakeGroup(memoryRoot)

function canMakeGroup(root: string): boolean {
  const group = join(root, `mayfly-probe-${process.pid}`)
  try {
    mkdirSync(group)
    const isLimited = ['memory.max', 'memory.limit_in_bytes'].some(name => existsSync(join(group, name)))
    rmdirSync(group)
    return isLimited
  } catch {
    return false
  }
}

test.skipIf(!canLimit)('a control group of 300 MiB is noticed (needs root and a writable /sys/fs/cgroup)', () => {
  const group = join(memoryRoot ?? '', `mayfly-${process.pid}`)
  mkdirSync(group)
  try {
    const file = ['memory.max', 'memory.limit_in_bytes'].map(name => join(group, name)).find(existsSync) ?? ''
    writeFileSync(file, String(300 * MIB))
    const script = "import('./server/platform/memory/memory-budget.ts').then(({ memoryLimitBytes }) => console.log(memoryLimitBytes()))"
    const child = execFileSync('sh', ['-c', `echo $$ > ${group}/cgroup.procs && exec "${process.execPath}" -e "${script}"`], {
      encoding: 'utf8',
    })
    expect(Number(child.trim())).toBe(300 * MIB)
  } finally {
    spawnSync('sleep', ['0.2'])
    rmdirSync(group)
  }
})

test('without a control group the memory of the machine counts', () => {
  const { memory } = readConfig({})
  expect(memory.limitBytes).toBeGreaterThan(0)
  expect(memory.limitBytes).toBeLessThanOrEqual(totalmem())
})
