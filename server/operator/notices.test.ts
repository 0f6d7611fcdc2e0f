/** What the operator hears of by mail, through a real relay, and by webhook, at a real receiver. */

import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { startApp } from '#server/app.ts'
import { openDatabase } from '#server/database/database.ts'
import { createMailOut } from '#server/outbound/mail-out.ts'
import { createForwarding, Outbox } from '#server/outbound/outbox.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { createMemoryLimits } from '#server/platform/limits/limiter.ts'
import type { KnownHealth } from '#server/store/health-watch.ts'
import type { StoreProblem } from '#server/store/store.ts'
import { HeardLog } from '#test/harness/heard-log.ts'
import { startTestServer } from '#test/harness/mayfly/start-test-server.ts'
import { testDatabaseAccess } from '#test/harness/mayfly/test-database-access.ts'
import { testTelemetry } from '#test/harness/mayfly/test-telemetry.ts'
import { startMailRecorder } from '#test/harness/servers/mail-recorder.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { findConditions, OperatorNotices } from './notices.ts'

const OPERATOR = 'operator@elsewhere.test'
const RESTARTED = {
  MAIL_DOMAINS: 'worn.test,good.test',
  CONTACT_TO: OPERATOR,
  HTTP_PORT: '0',
  SMTP_PORT: '0',
  HOST: '127.0.0.1',
  BOT_CHECK: 'off',
  DNS_SERVERS: 'off',
}

/** A receiver of the operator's own, which refuses the first posts with 503. */
async function startReceiver(refusals = 0) {
  const bodies: unknown[] = []
  let left = refusals
  const server = createServer(async (request, response) => {
    const body = await json(request)
    if (left-- > 0) return response.writeHead(503).end()
    bodies.push(body)
    response.end()
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    bodies,
    [Symbol.asyncDispose]: async () => void server.close(),
  }
}

test('a full disk is told once by mail and, after a failed try, by webhook', async () => {
  await using receiver = await startReceiver(1)
  await using site = await startTestServer({
    env: { CONTACT_TO: OPERATOR, OPERATOR_WEBHOOK_URL: receiver.url },
    config: { diskReserveBytes: 2 ** 40 },
    allowLog: [/The disk of .* is full/, /receiver of OPERATOR_WEBHOOK_URL did not take a notice/],
  })
  const mail = await site.recorder.next(OPERATOR)
  expect(mail.subject).toBe('[Mayfly] The disk is full: mail is refused for now.')
  expect(mail.text).toContain('docs/operations.md#disk-full')
  await expect.poll(() => receiver.bodies).toHaveLength(1)
  expect(receiver.bodies[0]).toEqual({
    kind: 'store_full',
    text: `[Mayfly] The disk is full: mail is refused for now. ${site.app.config.publicUrl}/operator`,
    at: expect.stringMatching(/^20.*Z$/),
  })
  expect(site.recorder.mails).toHaveLength(1)
})

test('a certificate that ends within 14 days is told', async () => {
  const folder = newFolder()
  const lifetimeMs = 825 * DAY_MS
  await using receiver = await startReceiver()
  for (const daysLeft of [15, 13]) {
    const { cert, key } = selfSign('mx.mayfly.test', Date.now() - lifetimeMs + (daysLeft + 0.5) * DAY_MS)
    const [TLS_CERT, TLS_KEY] = [join(folder, 'cert.pem'), join(folder, 'key.pem')]
    writeFileSync(TLS_CERT, cert)
    writeFileSync(TLS_KEY, key)
    await using site = await startTestServer({ env: { CONTACT_TO: OPERATOR, OPERATOR_WEBHOOK_URL: receiver.url, TLS_CERT, TLS_KEY } })
    // The server looks for faults when it starts; a mail would be under way after a second.
    if (daysLeft >= 14) await new Promise(resolve => setTimeout(resolve, 1000))
    await expect.poll(() => site.recorder.mails.length).toBe(daysLeft < 14 ? 1 : 0)
    await expect.poll(() => receiver.bodies.length).toBe(daysLeft < 14 ? 1 : 0)
  }
  expect(receiver.bodies).toEqual([
    expect.objectContaining({
      kind: 'certificate',
      text: expect.stringContaining('The certificate of mx.mayfly.test was not renewed. It expires in 13 days.'),
    }),
  ])
})

test('a domain that wears out is told, and is not once it is paused', async () => {
  await using receiver = await startReceiver()
  await using site = await startTestServer({ env: { MAIL_DOMAINS: 'worn.test,good.test', CONTACT_TO: OPERATOR } })
  for (let i = 0; i < 5; i++) await site.post(routes.mailboxes, JSON.stringify({ insteadOf: 'worn.test' }))
  // The counts of a running minute are written when the server stops.
  await site.app[Symbol.asyncDispose]()
  const env = { ...RESTARTED, DATA_DIR: site.folder, SMTP_RELAY_URL: site.recorder.url, OPERATOR_WEBHOOK_URL: receiver.url }
  const heardLog = new HeardLog()
  const told = {
    kind: 'domain_worn',
    text: expect.stringContaining('Sites refuse addresses at worn.test: 5 visitors said so within a day.'),
  }
  for (const state of ['offered', 'paused']) {
    await site.withDatabase(({ db }) => db.updateTable('mail_domains').set({ state }).where('name', '=', 'worn.test').execute())
    await using again = await startApp(readConfig(env), { log: heardLog.log })
    if (state === 'offered') {
      await expect.poll(() => receiver.bodies).toEqual([expect.objectContaining(told)])
      expect((await site.recorder.next(OPERATOR)).text).toContain('docs/operations.md#domains')
    } else await again.mail.createAddress({ lifetimeSeconds: 1 })
  }
  expect(receiver.bodies).toHaveLength(1)
  heardLog.check()
})

test('a report of abuse is told with its words by mail and without them by webhook; a flood of them is not', async () => {
  await using receiver = await startReceiver()
  await using site = await startTestServer({ env: { CONTACT_TO: OPERATOR, OPERATOR_WEBHOOK_URL: receiver.url, TRUST_PROXY: '127.0.0.1' } })
  const report = { kind: 'phishing', address: 'bad@mayfly.test', message: 'It asks for my password.', email: 'ann@elsewhere.test' }
  const send = async (address: string, kind = report.kind) =>
    expect((await site.visitor({ 'x-forwarded-for': address }).post(routes.reports, { ...report, kind })).status).toBe(202)
  await send('2001:db8::1')
  const mail = await site.recorder.next(OPERATOR)
  expect(mail).toMatchObject({ subject: '[Mayfly] Report of abuse: phishing', replyTo: 'ann@elsewhere.test' })
  expect(mail.text).toContain('It asks for my password.')
  await expect.poll(() => receiver.bodies).toHaveLength(1)
  expect(receiver.bodies[0]).toMatchObject({
    kind: 'abuse_report',
    text: expect.stringMatching(/^\[Mayfly\] Report of abuse: phishing http/),
  })
  for (let line = 0; line < 30; line++) await send(`2001:db8:0:${line.toString(16)}::1`)
  await send('192.0.2.77', 'spam')
  const about = () => site.recorder.mails.map(({ subject }) => subject.replace('[Mayfly] Report of abuse: ', '')).toSorted()
  await expect.poll(about).toEqual(['phishing', 'phishing', 'phishing', 'spam'])
  for (let network = 0; network < 30; network++) await send(`203.0.${network}.1`)
  await expect.poll(() => site.recorder.mails.length).toBe(20)
  await expect.poll(() => receiver.bodies.length).toBe(20)
  site.advance(3_600_000)
  await send('2001:db8::1')
  await expect.poll(() => site.recorder.mails.length).toBe(21)
})

test('what was repaired and breaks again is told again, an hour later at the earliest', async () => {
  await using recorder = await startMailRecorder()
  const folder = newFolder()
  let now = Date.UTC(2026, 0, 1)
  const heardLog = new HeardLog()
  const config = readConfig({ SMTP_RELAY_URL: recorder.url, CONTACT_TO: OPERATOR, DATA_DIR: folder })
  await using features = new AsyncDisposableStack()
  const clock = () => now
  const database = features.use(await openDatabase({ ...config, log: heardLog.log }))
  const access = testDatabaseAccess(database, { clock, log: heardLog.log })
  const outbox = features.use(new Outbox({ ...access, mailOut: createMailOut(config), telemetry: testTelemetry() }))
  const forwarding = createForwarding(outbox, { to: OPERATOR, siteName: 'Mayfly' })
  const notices = features.use(
    new OperatorNotices({ config, clock, log: heardLog.log, forwarding, sharedLimits: createMemoryLimits(clock) }),
  )
  let health: KnownHealth = { ok: false, isFull: true }
  notices.watch(async () => findConditions(health, [], now))
  const subjects = () => recorder.mails.map(({ subject }) => subject)
  await expect.poll(subjects).toEqual(['[Mayfly] The disk is full: mail is refused for now.'])
  const look = async (next: KnownHealth, laterMs: number) => {
    health = next
    now += laterMs
    await notices.check()
    await outbox.flush()
  }
  await look({ ok: false, isFull: true }, 7_200_000)
  expect(subjects(), 'it lasts').toHaveLength(1)
  await look({ ok: true, isFull: false }, 60_000)
  await look({ ok: false, isFull: true }, 60_000)
  expect(subjects(), 'again').toHaveLength(2)
  await look({ ok: true, isFull: false }, 60_000)
  await look({ ok: false, isFull: true }, 60_000)
  expect(subjects(), 'it comes and goes').toHaveLength(2)
  await look({ ok: false, isFull: true }, 3_600_000)
  expect(subjects(), 'it stays').toHaveLength(3)
  await look({ ok: true, isFull: false }, 60_000)
  const problem = (kind: StoreProblem['kind'], fact: string) => ({ kind, where: ['10.0.0.1:6379'], fact, remedy: 'start it' })
  const problems = [problem('full', 'A master is full'), problem('away', '1 of 3 shards do not reply (10.0.0.1:6379: timeout)')]
  await look({ ok: true, isFull: true, problems }, 90_000_000)
  expect(subjects().slice(3), 'on a cluster, both').toEqual([
    '[Mayfly] A master is full.',
    '[Mayfly] 1 of 3 shards do not reply (10.0.0.1:6379: timeout).',
  ])
  heardLog.check()
})
