// Adds up the reports of vitest and Playwright for `npm test`. Plain JavaScript for any Node from 18 on.
import { existsSync, readFileSync } from 'node:fs'

const SKIPPED = ['pending', 'skipped', 'todo']

/**
 * @param {{ vitest: string, playwright: string }} paths of the reports; one that is not there counts nothing
 * @returns {{ passed: number, failed: number, skippedTitles: string[] }} a title of what was skipped gives its reason
 */
export function readReports(paths) {
  const reports = [vitestReport(readJson(paths.vitest)), playwrightReport(readJson(paths.playwright))]
  return {
    passed: reports.reduce((sum, { passed }) => sum + passed, 0),
    failed: reports.reduce((sum, { failed }) => sum + failed, 0),
    skippedTitles: reports.flatMap(({ skippedTitles }) => skippedTitles),
  }
}

const NOTHING = { passed: 0, failed: 0, skippedTitles: [] }

function readJson(path) {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : undefined
}

function vitestReport(report) {
  if (!report) return NOTHING
  const tests = report.testResults.flatMap(file => file.assertionResults)
  const skippedTitles = tests.filter(({ status }) => SKIPPED.includes(status)).map(({ fullName }) => fullName)
  return { passed: report.numPassedTests, failed: report.numFailedTests, skippedTitles }
}

function playwrightReport(report) {
  if (!report) return NOTHING
  const { expected, flaky, unexpected } = report.stats
  return { passed: expected + flaky, failed: unexpected, skippedTitles: skippedIn(report.suites) }
}

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
