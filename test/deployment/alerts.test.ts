/**
 * The alert rules and the dashboard of deploy/, on what a real server exposes: each alert is given those series, with values that should
 * make it fire, and must be the only one that does.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { routes } from '#contract/routes.ts'
import { sharedFolder } from '#test/harness/until-end.ts'
import { startTestServer } from '../harness/mayfly/start-test-server.ts'

const promtool = process.env.PROMTOOL_PATH
const deploy = resolve(import.meta.dirname, '../../deploy')
const RULES = join(deploy, 'prometheus-alerts.yml')
const LABELS = 'job="mayfly",instance="mx.mayfly.example:8080"'
/** promtool's clock starts at 0, so that an expiry is counted from there. */
const DAY_S = 86_400

const folder = sharedFolder()
/** The metrics of a server that has live addresses and has received nothing since its start. */
let exposed: string
let fresh: Map<string, string>
beforeAll(async () => {
  await using site = await startTestServer()
  for (let made = 0; made < 21; made++) await site.createMailbox()
  const scrape = async () => (await fetch(site.url(routes.metrics))).text()
  // The store is asked twice a second. What describes the process is measured from the first scrape on.
  await vi.waitFor(async () => expect(await scrape()).toContain('mayfly_mailboxes 21'), { timeout: 10_000 })
  exposed = await scrape()
  fresh = new Map([...exposed.matchAll(/^([^#\n].*) (\S+)$/gm)].map(([, name = '', value = '']) => [name, value]))
})

/** `+0x120`: stays as it is for two hours of a sample a minute. */
const stays = (value: number | string) => `${value}+0x120`
const grows = (perMinute: number) => `0+${perMinute}x120`

const mailSeries = (name: string, more = '') => `mayfly_mail_answer_seconds_${name}{${more}outcome="delivered"}`
/** Mail that arrives, so that its absence is not what fires. */
const MAIL = { [mailSeries('count')]: grows(60), [mailSeries('bucket', 'le="0.02",')]: grows(60) }
const buckets = (from: number) =>
  Object.fromEntries(
    [0.001, 0.005, 0.02, 0.05, 0.1, 0.25, 1, 5, 30, '+Inf'].map(le => [
      mailSeries('bucket', `le="${le}",`),
      typeof le === 'string' || le >= from ? grows(60) : stays(0),
    ]),
  )
const QUIET = {
  ...MAIL,
  ...buckets(0.02),
  mayfly_disk_free_bytes: stays(50e9),
  'mayfly_certificate_expiry_seconds{use="smtp"}': stays(15 * DAY_S),
}

type Case = { alert: string; minutes: number; changes: Readonly<Record<string, string>> }
const CASES: Case[] = [
  { alert: 'MayflyDown', minutes: 5, changes: { up: stays(0) } },
  { alert: 'MayflyStoreUnhealthy', minutes: 5, changes: { mayfly_store_healthy: stays(0) } },
  {
    alert: 'MayflyMailRefused',
    minutes: 10,
    changes: { 'mayfly_mail_answer_seconds_count{outcome="unavailable"}': grows(2) },
  },
  { alert: 'MayflyDatabaseAway', minutes: 5, changes: { mayfly_database_healthy: stays(0) } },
  { alert: 'MayflyShardsUnwell', minutes: 5, changes: { 'mayfly_store_shards{state="alone"}': stays(1) } },
  { alert: 'MayflyMailLost', minutes: 5, changes: { mayfly_store_evicted_keys_total: '0+0x2 19+0x60' } },
  { alert: 'MayflyClockWrong', minutes: 5, changes: { mayfly_store_clock_ahead_seconds: stays(-2) } },
  { alert: 'MayflyDiskNearlyFull', minutes: 10, changes: { mayfly_disk_free_bytes: stays(9e8) } },
  // What the server exposed after its start, unchanged.
  { alert: 'MayflyNoMail', minutes: 90, changes: { [mailSeries('count')]: stays(0) } },
  { alert: 'MayflyMailSlow', minutes: 30, changes: buckets(5) },
  { alert: 'MayflyOutboxGrows', minutes: 40, changes: { mayfly_outbox_waiting: stays(51) } },
  { alert: 'MayflyEventLoopBlocked', minutes: 20, changes: { nodejs_eventloop_lag_p99_seconds: stays(0.6) } },
  { alert: 'MayflyBotFlood', minutes: 30, changes: { 'mayfly_bot_checks_total{verdict="failed"}': grows(120) } },
  {
    alert: 'MayflyCertificateExpires',
    minutes: 70,
    changes: { 'mayfly_certificate_expiry_seconds{use="smtp"}': stays(13 * DAY_S) },
  },
  { alert: 'MayflyMailboxesRefused', minutes: 20, changes: { mayfly_mailboxes_refused_total: '0+0x10 1+0x60' } },
  { alert: 'MayflyThreadsDie', minutes: 20, changes: { 'mayfly_thread_deaths_total{pool="mail"}': '0+0x10 1+0x60' } },
]

/** Throws promtool's words unless exactly this alert fires after so many minutes of these series; without one, none may. */
function provoke({ alert, minutes, changes }: Omit<Case, 'alert'> & { alert?: string }): void {
  const series = new Map([...fresh, ['up', '1'] as const].map(([name, value]) => [name, stays(value)]))
  for (const [name, values] of Object.entries({ ...QUIET, ...changes })) {
    expect([...series.keys()], 'the server exposes it').toContain(name)
    series.set(name, values)
  }
  const input_series = [...series]
    .filter(([, values]) => !/nan/i.test(values))
    .map(([name, values]) => ({ series: name.includes('{') ? name.replace('{', `{${LABELS},`) : `${name}{${LABELS}}`, values }))
  const fires = {
    expr: 'count by (alertname) (ALERTS{alertstate="firing"})',
    eval_time: `${minutes}m`,
    exp_samples: alert === undefined ? [] : [{ labels: `{alertname="${alert}"}`, value: 1 }],
  }
  const tests = [{ interval: '1m', input_series, promql_expr_test: [fires] }]
  const path = join(folder, 'test.yml')
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ rule_files: [RULES], evaluation_interval: '1m', tests }))
  const { status, stdout, stderr } = spawnSync(promtool ?? '', ['test', 'rules', path], { encoding: 'utf8' })
  expect(status, stdout + stderr).toBe(0)
}

describe.skipIf(promtool === undefined)('by promtool', () => {
  test('Prometheus finds nothing to complain of in the metrics and the rules', () => {
    const check = spawnSync(promtool ?? '', ['check', 'metrics'], { input: exposed, encoding: 'utf8' })
    expect(check.stdout + check.stderr).toBe('')
    expect(check.status).toBe(0)
    expect(execFileSync(promtool ?? '', ['check', 'rules', RULES]).toString()).toContain('SUCCESS')
  })

  test('no alert fires while mail arrives and nothing is wrong', () => provoke({ minutes: 90, changes: {} }))

  test.each(CASES)('$alert fires, and no other', provoke)

  test('every alert has such a test', () => {
    const alerts = [...readFileSync(RULES, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name)
    expect(CASES.map(({ alert }) => alert)).toEqual(alerts)
  })
})

test('every metric of the dashboard is exposed', () => {
  const dashboard = readFileSync(join(deploy, 'grafana-dashboard.json'), 'utf8')
  const named = new Set([...dashboard.matchAll(/\b(?:mayfly|nodejs|process)_\w+/g)].map(([name]) => name))
  expect(named.size).toBeGreaterThan(15)
  expect([...named].filter(name => !exposed.includes(`# TYPE ${name.replace(/_(?:bucket|count|sum)$/, '')} `))).toEqual([])
})
