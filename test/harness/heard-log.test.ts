import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { ThreadPool } from '#server/platform/threads/thread-pool.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { readThreadDeaths } from '../../scripts/test-report.mjs'
import { HeardLog } from './heard-log.ts'

test('a warning fails the test that did not announce it, once, and information does not', () => {
  const heard = new HeardLog([/expected always/])
  heard.log.info('nothing')
  heard.log.warn('expected always')
  heard.allow(/expected now/)
  heard.log.error({ err: new Error('x') }, 'expected now')
  heard.check()
  heard.log.error('expected now')
  expect(() => heard.check()).toThrow(/did not announce.*\n.*expected now/)
  heard.check()
})

test('the death of a real thread is counted, as announced or not', async () => {
  const folder = newFolder()
  const path = join(folder, 'deaths.jsonl')
  vi.stubEnv('THREAD_DEATHS_FILE', path)
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(readThreadDeaths(path)).toEqual({ announced: 0, unannounced: 0 })
  const announced = await hearThreadDie()
  announced.allow(/A thread of test/)
  announced.check()
  expect(readThreadDeaths(path)).toEqual({ announced: expect.toSatisfy((deaths: number) => deaths > 0), unannounced: 0 })
  const unannounced = await hearThreadDie()
  expect(() => unannounced.check()).toThrow(/A thread of test/)
  expect(readThreadDeaths(path).unannounced).toBeGreaterThan(0)
})

async function hearThreadDie(): Promise<HeardLog> {
  const heard = new HeardLog()
  await using pool = new ThreadPool<object>({
    name: 'test',
    log: heard.log,
    code: new URL('./no-such-module.ts', import.meta.url),
    settings: undefined,
    resourceLimits: {},
    threadsMax: 1,
    limits: { wallMsMax: 1000 },
    startPauseMs: 60_000,
  })
  pool.expectWork()
  await expect.poll(() => heard.warnings.join()).toContain('does not start')
  return heard
}
