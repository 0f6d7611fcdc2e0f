/**
 * Runs Lighthouse (mobile, simulated slow 4G, CPU slowed four times) on every page as shipped, in every language: `npm run lab --
 * lighthouse`, or with part of a path and a number of runs, e.g. `npm run lab -- lighthouse /blog 3`. Prints the median of the runs. npx
 * fetches Lighthouse in the version named here, because its hundred packages are used by nothing else.
 */
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { LANGUAGES } from '../contract/languages.ts'
import { launchOptions } from '../scripts/chromium.ts'
import { startServerProcess } from '../test/harness/mayfly/start-server-process.ts'
import { pagePaths, privatePaths } from '../web/page-paths.ts'

const LIGHTHOUSE = 'lighthouse@13.5.0'
/** The private ones are hidden from search engines, which costs them points for SEO. */
const PATHS = [...pagePaths, ...privatePaths, '/api/docs']
/** Lighthouse misses the start of a page now and then on a busy machine. */
const TRIES = 3
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const
const METRICS = ['first-contentful-paint', 'largest-contentful-paint', 'total-blocking-time', 'cumulative-layout-shift'] as const

const reportSchema = z.object({
  categories: z.record(z.string(), z.object({ score: z.number().nullable() })),
  audits: z.record(
    z.string(),
    z.object({ score: z.number().nullable(), numericValue: z.number().optional(), title: z.string(), displayValue: z.string().optional() }),
  ),
})
type Report = z.infer<typeof reportSchema>

const [part = '', runs = '1'] = process.argv.slice(2)
// Each visit creates an address: without limits that one visitor would reach.
await using server = await startServerProcess({ env: { NETWORK_LIMIT_FACTOR: '1000' } })
await using stack = new AsyncDisposableStack()
const folder = stack.adopt(await mkdtemp(join(tmpdir(), 'lighthouse-')), path => rm(path, { recursive: true, force: true }))

console.log(`${LIGHTHOUSE}, median of ${runs}, load average ${loadavg()[0]?.toFixed(1)}`)
console.log(['page'.padEnd(38), 'perf', 'a11y', 'best', ' seo', '  FCP ms', '  LCP ms', '  TBT ms', '   CLS'].join(' '))
for (const path of PATHS.filter(one => (part === '/' ? one === '/' : one.includes(part)))) {
  for (const language of path === '/api/docs' ? LANGUAGES.slice(0, 1) : LANGUAGES) {
    const reports: Report[] = []
    for (let run = 0; run < Number(runs); run += 1) reports.push(await measure(`${path}?lang=${language}`))
    print(`${path} ${language}`, reports)
  }
}

async function measure(path: string, tries = TRIES): Promise<Report> {
  try {
    return await runLighthouse(path)
  } catch (error) {
    if (tries === 1 || !String(error).includes('NO_NAVSTART')) throw error
    return await measure(path, tries - 1)
  }
}

async function runLighthouse(path: string): Promise<Report> {
  const output = join(folder, 'report.json')
  const flags = ['--quiet', '--output=json', `--output-path=${output}`, `--only-categories=${CATEGORIES.join(',')}`]
  const chrome = `--chrome-flags=--headless=new ${launchOptions.args?.join(' ')}`
  await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, `http://localhost:${server.httpPort}${path}`, ...flags, chrome], {
    env: { ...process.env, CHROME_PATH: launchOptions.executablePath },
  })
  return reportSchema.parse(JSON.parse(await readFile(output, 'utf8')))
}

function print(name: string, reports: readonly Report[]): void {
  const scores = CATEGORIES.map(category => Math.round(median(reports.map(report => report.categories[category]?.score ?? 0)) * 100))
  const values = METRICS.map(metric => median(reports.map(report => report.audits[metric]?.numericValue ?? Number.NaN)))
  const columns = [
    ...scores.map(score => String(score).padStart(4)),
    ...values.map((value, index) => (index < 3 ? value.toFixed(0).padStart(8) : value.toFixed(3).padStart(6))),
  ]
  console.log([name.padEnd(38), ...columns].join(' '))
  const [last] = reports.slice(-1)
  const lacking = Object.values(last?.audits ?? {}).filter(audit => audit.score !== null && audit.score < 0.9)
  for (const audit of lacking) console.log(`    ${audit.title} ${audit.displayValue ?? ''}`)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
