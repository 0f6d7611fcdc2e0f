// `npm test`: the quick proof, including set-up. `npm test -- --all`: everything, on real engines. Which tests are quick is decided in
// test/long-tests.ts. Plain JavaScript for any Node from 18 on, like start.mjs.
import { spawn } from 'node:child_process'
import { rmSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fail, installDependencies, requireNode, root, toolEnvironment } from './bootstrap.mjs'
import { findEngines } from './engines.mjs'
import { ownNetwork } from './own-network.mjs'
import { runUntilEnd } from './run-until-end.mjs'
import { makeTestFolder } from './test-folder.mjs'
import { failedFiles, readReports, readThreadDeaths, reportLines } from './test-report.mjs'

const OPTIONS = ['--all', '--install']
const options = process.argv.slice(2)
const unknown = options.find(option => !OPTIONS.includes(option))
if (unknown !== undefined) fail(`npm test has no option "${unknown}". It has ${OPTIONS.join(' and ')}.`)
const isAll = options.includes('--all')

await installDependencies({ development: true })
const environment = toolEnvironment()
const missing = findEngines(environment, { all: isAll, install: Boolean(process.env.CI) || options.includes('--install') })
const folder = makeTestFolder()
const reportPaths = {
  vitest: join(folder, 'vitest.json'),
  vitestAgain: join(folder, 'vitest-again.json'),
  uncaught: join(folder, 'uncaught.jsonl'),
  playwright: join(folder, 'playwright.json'),
}
if (isAll) environment.BROWSER_ENGINES = 'all'
environment.PLAYWRIGHT_JSON_OUTPUT_FILE = reportPaths.playwright
environment.UNCAUGHT_ERRORS_FILE = reportPaths.uncaught
environment.TMPDIR = folder
// Each server under test adds its own here: test/harness/heard-log.ts.
environment.THREAD_DEATHS_FILE = join(folder, 'thread-deaths.jsonl')
// What Playwright has transformed is kept for the next run: measured, 5 s of processor time.
environment.PWTEST_CACHE_DIR ??= join(root, 'node_modules/.cache/playwright')
const tool = (name, path, ...args) => [join('node_modules', name, path), ...args]
// Half of these tests wait for a disk, a socket or a child process, so two run at once even on two cores, where vitest would run one.
const vitestWorkers = `--maxWorkers=${Math.max(2, cpus().length - 1)}`
const vitest = (path, ...args) =>
  tool(
    'vitest',
    'vitest.mjs',
    'run',
    vitestWorkers,
    '--reporter=default',
    '--reporter=json',
    '--reporter=./scripts/test-report.mjs',
    `--outputFile.json=${path}`,
    ...args,
  )

/**
 * Two lanes run in parallel, the steps of a lane one after the other, with two workers in each. That is more than two cores can run at
 * once, on purpose: the tests wait a lot (for a disk, a socket, a clock, a process, the browser's next frame), and with one lane at a time
 * the cores would idle meanwhile. The price is patience, which the tests have: each may take a minute or more. The site is built first,
 * because the longest tests need it.
 */
const build = ['Build', 'build', ['scripts/build.ts']]
const checks = [
  ['Format and lint', 'lint', tool('@biomejs/biome', 'bin/biome', 'check', '.', '--error-on-warnings')],
  // Several checkers look at the same types several times: with one it takes half the processor time. What has not changed since the last
  // run is not checked again: measured, 3 s of processor time instead of 12.
  [
    'Types',
    'types',
    tool('typescript', 'bin/tsc', '--checkers', '1', '--incremental', '--tsBuildInfoFile', 'node_modules/.cache/types.json'),
  ],
]
const quickProjects = isAll ? [] : ['--project=server', '--project=web']
const unit = ['Unit and contract tests', 'unit', vitest(reportPaths.vitest, ...quickProjects), tryFilesAgain]
const newcomer = ['Newcomer: the commands of the README in a fresh clone', 'newcomer', ['test/documentation/newcomer.ts']]
const quickTests = isAll ? [] : ['--project=quick']
const browser = [
  ['Size budget', 'size', ['scripts/size.ts']],
  [
    'End to end in browsers',
    'e2e',
    tool('@playwright/test', 'cli.js', 'test', ...quickTests, '--reporter=list,json'),
    undefined,
    ownNetwork(),
  ],
]
const hasBrowser = Boolean(environment.CHROMIUM_PATH)
const lanes = isAll
  ? [
      [build, ...checks, ...(hasBrowser ? browser : [])],
      [...(hasBrowser ? [newcomer] : []), unit],
    ]
  : [
      [build, ...(hasBrowser ? browser : [])],
      [...checks, unit],
    ]

const failed = []
/** The last lines of failed steps that write no report. */
const reasons = []
const LAST_LINES = 12
const lastLines = new Map()
let isInterrupted = false
for (const signal of ['SIGINT', 'SIGTERM']) {
  process.on(signal, () => {
    isInterrupted = true
  })
}
await Promise.all(lanes.map(runLane))

async function runLane(steps) {
  for (const step of steps) if (!isInterrupted) await runStep(step)
}

async function runStep([name, label, args, again, before]) {
  const startedAt = Date.now()
  console.log(`── ${name} …`)
  let code = await runLabelled(label, args, before)
  if (code !== 0 && again && !isInterrupted) code = await again(label, code)
  console.log(`── ${name}: ${code === 0 ? 'ok' : 'FAILED'} after ${Math.round((Date.now() - startedAt) / 1000)} s`)
  if (code === 0) return
  failed.push(name)
  // The reports say why single tests failed.
  if (label !== 'unit' && label !== 'e2e') reasons.push(...lastLines.get(label))
}

/** The same goes for single tests: on a machine of CI a second try tells a flaky wait, which is named, from a fault. */
async function tryFilesAgain(label, code) {
  const files = process.env.CI ? failedFiles(reportPaths) : []
  return files.length > 0 ? await runLabelled(label, vitest(reportPaths.vitestAgain, ...files)) : code
}

/** Two steps print at the same time, so every line names its step. `before` the command may stand the words of another one. */
function runLabelled(label, args, before = []) {
  const [command, ...words] = [...before, requireNode(), ...args]
  const child = spawn(command, words, { cwd: root, stdio: ['inherit', 'pipe', 'pipe'], env: environment })
  lastLines.set(label, [])
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', line => {
      const labelled = `${label.padEnd(8)} │ ${line}`
      lastLines.set(label, [...lastLines.get(label).slice(1 - LAST_LINES), labelled])
      console.log(labelled)
    })
  }
  return runUntilEnd(child)
}

const report = readReports(reportPaths)
const { passed, failedTitles, skippedTitles, secondTryTitles } = report
const threadDeaths = readThreadDeaths(environment.THREAD_DEATHS_FILE)
rmSync(folder, { recursive: true, force: true, maxRetries: 5 })

console.log()
for (const line of [...reasons, ...missing]) console.log(line)
for (const line of reportLines(report, isInterrupted)) console.log(line)
console.log(`Threads that died in servers under test: ${threadDeaths.announced} announced, ${threadDeaths.unannounced} not`)
if (failedTitles.length > 0 && failed.length === 0) failed.push('tests')
if (threadDeaths.unannounced > 0) failed.push('threads died that no test announced')
if (isInterrupted) failed.push('interrupted')
if (!isAll) console.log('The tests that take long or need other engines did not run: npm test -- --all')
if (process.env.CI && isAll && !isInterrupted) {
  if (missing.length > 0) failed.push('engines: CI may not skip them')
  // These mails belong to other projects and are not included; without them the report must say so.
  const unexcused = skippedTitles.filter(title => process.env.CORPORA !== 'none' || !title.includes('beside the checkout'))
  if (unexcused.length > 0)
    failed.push(`skipped tests, which CI may not have (CORPORA=none: none are beside the checkout): ${unexcused.join('; ')}`)
}
if (failed.length > 0) console.log(`Not passed: ${failed.join('; ')}`)
if (secondTryTitles.length > 0) console.log(`${secondTryTitles.length} only on the second try`)
console.log(`${passed} passed, ${failedTitles.length} failed, ${skippedTitles.length} ${isInterrupted ? 'not run' : 'skipped'}`)
process.exitCode = failed.length > 0 || passed === 0 ? 1 : 0
