/**
 * The sums of `npm test`, from reports that vitest and Playwright write of tests that pass, fail, pass on their second try, or do not run.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '#test/harness/until-end.ts'
import { failedFiles, readReports, reportLines } from './test-report.mjs'

const root = resolve(import.meta.dirname, '..')
const { PATH } = process.env

/** A folder with a test for vitest and one for Playwright; runs each of them with a report. */
function makeTests({ unit, browser }: { unit: string; browser: string }) {
  const folder = newFolder()
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['unit', 'browser']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'unit/a.test.mjs'), `import { test } from 'vitest'\n${unit}`)
  writeFileSync(join(folder, 'browser/a.spec.mjs'), `import { test } from '@playwright/test'\n${browser}`)
  const paths = {
    vitest: join(folder, 'vitest.json'),
    vitestAgain: join(folder, 'vitest-again.json'),
    uncaught: join(folder, 'uncaught.jsonl'),
    playwright: join(folder, 'playwright.json'),
  }
  const env = { PATH, PLAYWRIGHT_JSON_OUTPUT_FILE: paths.playwright, UNCAUGHT_ERRORS_FILE: paths.uncaught }
  const options = { cwd: folder, encoding: 'utf8', env } as const
  const ours = join(root, 'scripts/test-report.mjs')
  const reporters = ['--reporter', 'default', '--reporter', 'json', '--reporter', ours, '--outputFile.json', paths.vitest]
  const commands = [
    ['node_modules/vitest/vitest.mjs', 'run', '--dir', 'unit', '--retry', '1', ...reporters],
    ['node_modules/@playwright/test/cli.js', 'test', 'browser', '--retries', '1', '--reporter', 'line,json'],
  ]
  return { paths, commands, options }
}

/** Playwright tries again in another process, vitest in the same. */
const PASSING = `let tries = Number(process.env.TEST_WORKER_INDEX ?? 0)
test('passes', () => {})
test('passes the second time', () => {
  if (tries++ === 0) throw new Error('the first time')
})
`

test('what passed on its second try counts as passed and is named, and so is what was skipped', { timeout: 120_000 }, () => {
  const { paths, commands, options } = makeTests({
    unit: `${PASSING}test.skip('is skipped', () => {})\n`,
    browser: `${PASSING}test('is skipped', () => test.skip(true, 'a reason'))\n`,
  })
  for (const args of commands) {
    const { status, stdout, stderr } = spawnSync(process.execPath, args, options)
    expect(status, stdout + stderr).toBe(0)
  }
  const report = readReports(paths)
  expect(report).toEqual({
    passed: 4,
    failedTitles: [],
    skippedTitles: ['is skipped', 'browser/a.spec.mjs › is skipped (a reason)'],
    secondTryTitles: [
      'passes the second time: Error: the first time',
      'browser/a.spec.mjs › passes the second time: Error: the first time',
    ],
  })
  expect(reportLines(report, false)).toEqual([
    ...report.skippedTitles.map(title => `Not run: ${title}`),
    ...report.secondTryTitles.map(title => `On the second try: ${title}`),
  ])
})

const FAILS_ONCE_AROUND = `import { existsSync, writeFileSync } from 'node:fs'
import { afterAll, expect } from 'vitest'
afterAll(() => {
  const isSecond = existsSync('tried')
  writeFileSync('tried', '')
  expect(isSecond, 'the log').toBe(true)
})
test('passes', () => {})
`
const OUTSIDE = expect.stringMatching(/^a\.test\.mjs, outside of its tests: the log/)

test('a file that fails outside of its tests is named, and tried again as a whole', { timeout: 120_000 }, () => {
  const { paths, commands, options } = makeTests({ unit: FAILS_ONCE_AROUND, browser: '' })
  const [unit = []] = commands
  expect(spawnSync(process.execPath, unit, options).status).toBe(1)
  expect(readReports(paths)).toMatchObject({ passed: 1, failedTitles: [OUTSIDE] })
  const files = failedFiles(paths)
  expect(files).toEqual([expect.stringMatching(/a\.test\.mjs$/)])
  const again = unit.map(part => (part === paths.vitest ? paths.vitestAgain : part))
  expect(spawnSync(process.execPath, [...again, ...files], options).status).toBe(0)
  expect(readReports(paths)).toEqual({ passed: 1, failedTitles: [], skippedTitles: [], secondTryTitles: [OUTSIDE] })
})

test('an error that no test caught is named and counted, and no second try hides it', { timeout: 120_000 }, () => {
  const uncaught = `test('leaves a promise behind', async () => {
  void Promise.reject(new TypeError('nobody waits'))
  await new Promise(resolve => setTimeout(resolve, 50))
})
`
  const { paths, commands, options } = makeTests({ unit: FAILS_ONCE_AROUND + uncaught, browser: '' })
  const [unit = []] = commands
  expect(spawnSync(process.execPath, unit, options).status).toBe(1)
  expect(failedFiles(paths)).toEqual([])
  const left = 'an error that no test caught, during "leaves a promise behind": TypeError: nobody waits'
  expect(readReports(paths)).toMatchObject({ passed: 2, failedTitles: [OUTSIDE, left] })
})

const LASTING = `test('fails', () => {
  throw new Error('always')
})
test('lasts', async () => {
  console.log('it lasts')
  await new Promise(resolve => setTimeout(resolve, 600_000))
})
test('comes after it', () => {})
`

test('after an interruption what failed is named, and what did not run is only counted', { timeout: 120_000 }, async () => {
  const { paths, commands, options } = makeTests({ unit: LASTING, browser: LASTING })
  for (const args of commands) {
    const child = spawn(process.execPath, args, options)
    child.stdout.on('data', chunk => String(chunk).includes('it lasts') && child.kill('SIGINT'))
    await once(child, 'exit')
  }
  const report = readReports(paths)
  // vitest writes no report then; what failed is in its output.
  expect(report).toMatchObject({ passed: 0, failedTitles: ['browser/a.spec.mjs › fails: Error: always'] })
  expect(report.skippedTitles).toHaveLength(2)
  expect(reportLines(report, true)).toEqual(['Failed: browser/a.spec.mjs › fails: Error: always'])
})
