// Adds up the reports of vitest and Playwright for `npm test`. Plain JavaScript for any Node from 18 on.
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const SKIPPED = ['pending', 'skipped', 'todo']

/** With more failed files than this, a second try would only delay the news. */
const SECOND_TRY_FILES_MAX = 3

/** A reporter for vitest, whose own report leaves them out: adds each error that no test caught to a file, as a line of JSON. */
export default class UncaughtErrors {
  onTestRunEnd(_files, errors) {
    const lines = errors.map(({ name, message, VITEST_TEST_NAME: test }) => ({ name, message, test }))
    if (process.env.UNCAUGHT_ERRORS_FILE)
      for (const line of lines) appendFileSync(process.env.UNCAUGHT_ERRORS_FILE, `${JSON.stringify(line)}\n`)
  }
}

/**
 * vitest tries a failed test again, but not a file that failed outside of its tests: what a server logged is judged when it stops.
 * @param {{ vitest: string, uncaught: string }} paths as for `readReports`
 * @returns {string[]} such files, to be tried again; none if there are many, if a test failed, or after an error that no test caught: the
 * exit code of the second try would hide it
 */
export function failedFiles({ vitest, uncaught }) {
  const failed = readJson(vitest)?.testResults.filter(({ status }) => status === 'failed') ?? []
  if (readLines(uncaught).length > 0) return []
  const files = failed.filter(failsOutsideOfTests)
  return files.length < failed.length || files.length > SECOND_TRY_FILES_MAX ? [] : files.map(({ name }) => name)
}

/**
 * @param {{ vitest: string, vitestAgain?: string, uncaught: string, playwright: string }} paths of the reports; one that is not there counts
 * nothing. `vitestAgain` is of the files that were tried a second time, `uncaught` the file of `UncaughtErrors`
 * @returns {{ passed: number, failedTitles: string[], skippedTitles: string[], secondTryTitles: string[] }} a title of what was skipped
 * gives its reason, one of what failed the error; what passed on its second try counts as passed
 */
export function readReports(paths) {
  const reports = [vitestReport(readJson(paths.vitest), readJson(paths.vitestAgain)), playwrightReport(readJson(paths.playwright))]
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failedTitles: [...reports.flatMap(({ failedTitles }) => failedTitles), ...readLines(paths.uncaught).map(uncaughtTitle)],
    skippedTitles: reports.flatMap(({ skippedTitles }) => skippedTitles),
    secondTryTitles: reports.flatMap(({ secondTryTitles }) => secondTryTitles),
  }
}

/**
 * What a reader of the report has to know about single tests. After an interruption most tests did not run: only their number is printed,
 * at the end.
 * @param {ReturnType<typeof readReports>} report
 * @returns {string[]}
 */
export function reportLines({ failedTitles, skippedTitles, secondTryTitles }, isInterrupted) {
  return [
    ...(isInterrupted ? [] : skippedTitles.map(title => `Not run: ${title}`)),
    ...secondTryTitles.map(title => `On the second try: ${title}`),
    ...failedTitles.map(title => `Failed: ${title}`),
  ]
}

/**
 * @param {string} path of JSON lines, one for each server under test whose log told of such deaths; none if it is not there
 * @returns {{ announced: number, unannounced: number }} over all tests
 */
export function readThreadDeaths(path) {
  const sum = { announced: 0, unannounced: 0 }
  for (const { announced, unannounced } of readLines(path)) {
    sum.announced += announced
    sum.unannounced += unannounced
  }
  return sum
}

const NOTHING = { passed: 0, failedTitles: [], skippedTitles: [], secondTryTitles: [] }

const readJson = path => (path !== undefined && existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined)

/** @param {string} path of JSON lines; none if it is not there */
function readLines(path) {
  const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []
  return lines.filter(Boolean).map(line => JSON.parse(line))
}

function uncaughtTitle({ name, message, test }) {
  return `an error that no test caught${test === undefined ? '' : `, during "${test}"`}: ${name}: ${message}`
}

function vitestReport(first, again) {
  if (!first) return NOTHING
  const repeated = new Map(again?.testResults.map(file => [file.name, file]))
  const files = first.testResults.map(file => repeated.get(file.name) ?? file)
  const tests = files.flatMap(file => file.assertionResults)
  const skippedTitles = tests.filter(({ status }) => SKIPPED.includes(status)).map(({ fullName }) => fullName)
  // The failure of the first try stays with a test that passed in the end.
  const secondTries = tests.filter(({ status, failureMessages }) => status === 'passed' && failureMessages?.length > 0)
  const failedFirst = first.testResults.filter(({ name }) => repeated.get(name)?.status === 'passed')
  const titleWithReason = ({ fullName, failureMessages }) => withReason(fullName, failureMessages?.[0])
  const secondTryTitles = [...failedFirst.map(aroundTitle), ...secondTries.map(titleWithReason)]
  const failed = tests.filter(({ status }) => status === 'failed').map(titleWithReason)
  const failedAround = files.filter(failsOutsideOfTests)
  const failedTitles = [...failed, ...failedAround.map(aroundTitle)]
  return { passed: tests.filter(({ status }) => status === 'passed').length, failedTitles, skippedTitles, secondTryTitles }
}

const REASON_CHARS_MAX = 300

/** The output of a run on another machine may be cut to its last lines. */
function withReason(title, message = '') {
  const [reason = ''] = stripVTControlCharacters(message).split(/\n\s+at /)
  return `${title}: ${reason.replaceAll(/\s+/g, ' ').trim().slice(0, REASON_CHARS_MAX)}`
}

const aroundTitle = ({ name, message }) => `${basename(name)}, outside of its tests: ${message}`.trim()

/** Before its first test, or after its last. */
function failsOutsideOfTests({ status, assertionResults }) {
  return status === 'failed' && !assertionResults.some(result => result.status === 'failed')
}

function playwrightReport(report) {
  if (!report) return NOTHING
  const { expected, flaky } = report.stats
  const skippedTitles = testsIn(report.suites, 'skipped').map(
    ({ title, annotations }) => `${title} (${annotations.map(({ description }) => description).join('; ')})`,
  )
  const titleWithReason = ({ title, results }) => withReason(title, results.find(({ error }) => error)?.error.message)
  const secondTryTitles = testsIn(report.suites, 'flaky').map(titleWithReason)
  const failedTitles = testsIn(report.suites, 'unexpected').map(titleWithReason)
  return { passed: expected + flaky, failedTitles, skippedTitles, secondTryTitles }
}

/** A title begins with the project, if it has a name, and those of the suites around the test. */
function testsIn(suites, wanted, around = []) {
  return suites.flatMap(({ title: own, suites: inner = [], specs = [] }) => [
    ...specs.flatMap(({ title, tests }) =>
      tests
        .filter(({ status }) => status === wanted)
        .map(test => ({ ...test, title: [test.projectName, ...around, own, title].filter(Boolean).join(' › ') })),
    ),
    ...testsIn(inner, wanted, [...around, own]),
  ])
}
