// `npm test`: everything, set-up included. Plain JavaScript for any Node from 18 on, like start.mjs.
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { installDependencies, runNode, toolEnvironment } from './bootstrap.mjs'
import { findEngines } from './engines.mjs'

await installDependencies({ development: true })
const environment = toolEnvironment()
const missing = findEngines(environment)
const reports = mkdtempSync(join(tmpdir(), 'mayfly-test-'))
const vitestReport = join(reports, 'vitest.json')
const playwrightReport = join(reports, 'playwright.json')
const tool = (name, path, ...args) => [join('node_modules', name, path), ...args]

/** Steps of one line run at the same time; the lines one after the other. What needs a browser is missing when there is none. */
const newcomer = ['Newcomer: the commands of the README in a fresh clone', ['test/newcomer.ts']]
const endToEnd = ['End to end in Chromium', [...tool('@playwright/test', 'cli.js', 'test', '--reporter=list,json')]]
const hasBrowser = Boolean(environment.CHROMIUM_PATH)
const lines = [
  hasBrowser ? [newcomer] : [],
  [
    ['Format and lint', [...tool('@biomejs/biome', 'bin/biome', 'check', '.', '--error-on-warnings')]],
    ['Types', [...tool('typescript', 'bin/tsc')]],
    ['Build', ['scripts/build.ts']],
  ],
  hasBrowser ? [['Size budget', ['scripts/size.ts']]] : [],
  [
    [
      'Unit and contract tests',
      [...tool('vitest', 'vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`)],
    ],
  ],
  hasBrowser ? [endToEnd] : [],
].filter(line => line.length > 0)
environment.PLAYWRIGHT_JSON_OUTPUT_FILE = playwrightReport

const failed = []
for (const line of lines) {
  console.log(`\n── ${line.map(([name]) => name).join(', ')} ──`)
  await Promise.all(line.map(runStep))
}

async function runStep([name, args]) {
  const startedAt = Date.now()
  const code = await runNode(args, environment)
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} after ${Math.round((Date.now() - startedAt) / 1000)} s`)
  if (code !== 0) failed.push(name)
}

/** Titles of what was skipped; a title gives its reason. */
const skipped = []
const counts = { passed: 0, failed: 0, skipped: 0 }
if (existsSync(vitestReport)) {
  const report = JSON.parse(readFileSync(vitestReport, 'utf8'))
  counts.passed += report.numPassedTests
  counts.failed += report.numFailedTests
  counts.skipped += report.numPendingTests + report.numTodoTests
  const tests = report.testResults.flatMap(file => file.assertionResults)
  skipped.push(...tests.filter(({ status }) => ['pending', 'skipped', 'todo'].includes(status)).map(({ fullName }) => fullName))
}
if (existsSync(playwrightReport)) {
  const { stats, suites } = JSON.parse(readFileSync(playwrightReport, 'utf8'))
  counts.passed += stats.expected + stats.flaky
  counts.failed += stats.unexpected
  counts.skipped += stats.skipped
  skipped.push(...skippedIn(suites))
}
rmSync(reports, { recursive: true, force: true })

console.log()
for (const sentence of missing) console.log(sentence)
for (const title of skipped) console.log(`Not run: ${title}`)
if (missing.length > 0 && process.env.CI) failed.push('engines: CI may not skip them')
// Mail of other projects is not part of this one; everything else that is skipped has no excuse where all engines are.
const unexcused = skipped.filter(title => !title.includes('beside the checkout'))
if (unexcused.length > 0 && process.env.CI) failed.push(`skipped tests: ${unexcused.join('; ')}`)
if (failed.length > 0) console.log(`Not passed: ${failed.join('; ')}`)
console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`)
process.exitCode = failed.length > 0 || counts.passed === 0 ? 1 : 0

/** Titles with reasons, of all skipped tests of a Playwright report. */
function skippedIn(suites) {
  return suites.flatMap(({ suites: inner = [], specs = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === 'skipped')
        .map(({ annotations }) => `${title} (${annotations.map(({ description }) => description).join('; ')})`),
    ),
    ...skippedIn(inner),
  ])
}
