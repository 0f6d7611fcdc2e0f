import { expect, test } from 'vitest'
import { createLog } from '../log.ts'
import type { TaskResult } from './batch.ts'
import { type PoolOptions, ThreadPool } from './thread-pool.ts'

/** Takes so much CPU time, or none when it is tried again. */
type Tasks = { work(args: { readonly cpuMs: number; readonly isAgain?: boolean }): TaskResult<undefined> }

const serve = new URL('./serve.ts', import.meta.url)
const code = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { serveTasks } from '${serve}'
  serveTasks(() => ({
    work({ cpuMs, isAgain }) {
      const start = process.threadCpuUsage()
      for (let used = 0; !isAgain && used < cpuMs; ) {
        const { user, system } = process.threadCpuUsage(start)
        used = (user + system) / 1000
      }
      return { value: undefined }
    },
  }))`)}`,
)

function startPool(options: Partial<PoolOptions> = {}) {
  return new ThreadPool<Tasks>({
    name: 'test',
    log: createLog('silent'),
    code,
    settings: undefined,
    resourceLimits: {},
    threadsMax: 1,
    limits: { wallMsMax: 60_000 },
    ...options,
  })
}

test('who comes later is answered before the rest of a batch that takes long', async () => {
  await using pool = startPool()
  let answered = 0
  const jobs = Array.from({ length: 20 }, () => pool.run('work', { cpuMs: 60 }, [], ['attacker']).then(() => ++answered))
  await jobs[0]
  await pool.run('work', { cpuMs: 0 }, [], ['victim'])
  expect(answered).toBeLessThan(5)
  await Promise.all(jobs)
  expect(answered).toBe(20)
})

test('jobs that cost their threads are tried again behind those of others', async () => {
  let deaths = 0
  const metrics = { threadDied: () => void deaths++, jobsRetried: () => undefined }
  const limits = { cpuMsMax: () => 250, wallMsMax: 60_000 }
  await using pool = startPool({ metrics, limits, retryArgs: args => ({ ...(args as object), isAgain: true }) })
  const jobs = Array.from({ length: 4 }, () => pool.run('work', { cpuMs: 60_000 }, [], ['attacker']))
  await pool.run('work', { cpuMs: 0 }, [], ['victim'])
  expect(deaths).toBe(1)
  await Promise.all(jobs)
  expect(deaths).toBe(4)
})
