/** The sums of `npm test`, from reports that vitest and Playwright write of tests that pass, pass on their second try, or are skipped. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { readReports } from './test-report.mjs'

const root = resolve(import.meta.dirname, '..')

/** Playwright tries again in another process, vitest in the same. */
const testsOf = (name: string) => `import { test } from '${name}'
let tries = Number(process.env.TEST_WORKER_INDEX ?? 0)
test('passes', () => {})
test('passes the second time', () => {
  if (tries++ === 0) throw new Error('the first time')
})
`

test('what passed on its second try counts as passed and is named, and so is what was skipped', { timeout: 120_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'mayfly-report-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['unit', 'browser']) mkdirSync(join(folder, name))
  writeFileSync(join(folder, 'unit/a.test.mjs'), `${testsOf('vitest')}test.skip('is skipped', () => {})\n`)
  writeFileSync(join(folder, 'browser/a.spec.mjs'), `${testsOf('@playwright/test')}test('is skipped', () => test.skip(true, 'a reason'))\n`)
  const paths = { vitest: join(folder, 'vitest.json'), playwright: join(folder, 'playwright.json') }
  const run = (args: readonly string[], env = {}) => {
    const { PATH } = process.env
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', env: { PATH, ...env } })
    expect(status, stdout + stderr).toBe(0)
  }
  run(['node_modules/vitest/vitest.mjs', 'run', '--dir', 'unit', '--retry', '1', '--reporter', 'json', '--outputFile', paths.vitest])
  run(['node_modules/@playwright/test/cli.js', 'test', 'browser', '--retries', '1', '--reporter', 'json'], {
    PLAYWRIGHT_JSON_OUTPUT_FILE: paths.playwright,
  })
  expect(readReports(paths)).toEqual({
    passed: 4,
    failed: 0,
    skippedTitles: ['is skipped', 'browser/a.spec.mjs › is skipped (a reason)'],
    secondTryTitles: ['passes the second time', 'browser/a.spec.mjs › passes the second time'],
  })
})
