/** Each thing that a deployment gets wrong, done wrong once: what the doctor says of it. Real DNS, real SMTP, real HTTP. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DAY_MS } from '#contract/limits.ts'
import { createMtaSts } from '#server/mail/mta-sts.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { type Config, readConfig } from '#server/platform/config/config.ts'
import { variableNames } from '#server/platform/config/settings.ts'
import { divideMemory } from '#server/platform/memory/memory-budget.ts'
import { createNameServer } from '#server/platform/net/name-server.ts'
import { freePort } from '#test/harness/free-port.ts'
import { startTestServer, type TestServer } from '#test/harness/mayfly/start-test-server.ts'
import { startConnectProxy } from '#test/harness/servers/connect-proxy.ts'
import { healthyZone, startDnsServer, type Zone } from '#test/harness/servers/dns-server.ts'
import { startTimeServer } from '#test/harness/servers/time-server.ts'
import { sharedFolder } from '#test/harness/until-end.ts'
import { type DoctorContext, exitCodeFor, type Finding } from './context.ts'
import { examine } from './doctor.ts'
import { freePort as checkPort, checkPorts } from './host-checks.ts'
import { checkPublicLists, DomainLists } from './list-checks.ts'
import { checkMtaSts } from './mta-sts-check.ts'

const DOMAIN = 'mayfly.example'
const HOST = `mx.${DOMAIN}`
const GOOD = healthyZone(DOMAIN, HOST)

const OTHER = { 'other.example TXT': ['v=spf1 -all'], '_dmarc.other.example TXT': ['v=DMARC1; p=reject'] }

const zone: Zone = {}
const folder = sharedFolder()
let stack: AsyncDisposableStack
let site: TestServer
let context: DoctorContext
let ntpOffsetMs = 0

beforeAll(async () => {
  stack = new AsyncDisposableStack()
  const dns = stack.use(await startDnsServer(zone))
  const ntp = stack.use(await startTimeServer(() => ntpOffsetMs))
  const files = { TLS_CERT: join(folder, 'cert.pem'), TLS_KEY: join(folder, 'key.pem') }
  const certificate = selfSign(HOST, Date.now())
  await Promise.all([writeFile(files.TLS_CERT, certificate.cert), writeFile(files.TLS_KEY, certificate.key)])
  const env = { ...files, MAIL_DOMAINS: DOMAIN, OPERATORS: 'op@example.com' }
  site = stack.use(await startTestServer({ env, isClockRunning: true, allowLog: [/sends X-Forwarded-For and is not trusted/] }))
  const config = readConfig({
    MAIL_DOMAINS: DOMAIN,
    DATA_DIR: site.folder,
    HTTP_PORT: String(site.app.httpPort),
    SMTP_PORT: String(site.app.smtpPort),
    PUBLIC_URL: `http://${DOMAIN}:${site.app.httpPort}`,
    SMTP_RELAY_URL: site.recorder.url,
    OPERATORS: 'op@example.com',
    DNS_SERVERS: dns.address,
    HOST: '127.0.0.1',
  })
  const { askServer, identifyServer } = await import('../control.ts')
  context = {
    config,
    names: createNameServer(config.dnsServers),
    identify: () => identifyServer(site.folder),
    createProbe: async () => (await askServer(site.folder, { createProbe: true }))?.probe,
    mailPort: site.app.smtpPort,
    timeServer: `127.0.0.1:${ntp.port}`,
    clock: Date.now,
    ca: certificate.cert,
  }
})
afterAll(() => stack.disposeAsync())

type Wrong = { readonly names?: Zone; readonly config?: Partial<Config>; readonly context?: Partial<DoctorContext> }

/** What the doctor says that is not well, with this one thing wrong. The site is on plain HTTP here, which it says each time. */
const complaints = async (wrong: Wrong = {}) => inWords(await examine(madeWrong(wrong)))

function madeWrong({ names = {}, config = {}, context: other = {} }: Wrong): DoctorContext {
  for (const key of Object.keys(zone)) delete zone[key]
  Object.assign(zone, GOOD, names)
  return { ...context, ...other, config: { ...context.config, ...config } }
}

const inWords = (findings: readonly Finding[]) =>
  findings.filter(isWrong).map(({ check, status, sentence, remedy }) => `${check} ${status}: ${sentence} ${remedy}`)

/** The tests change settings that the server was not started with, which the doctor says too. */
const isWrong = ({ check, status, sentence }: Finding) =>
  status !== 'ok' && check !== 'settings' && !(check === 'PUBLIC_URL' && sentence.includes('not encrypted'))

test('a mail to itself arrives by the MX record, and the time of each hop is shown', async () => {
  Object.assign(zone, GOOD)
  const findings = await examine(context)
  expect(findings.filter(isWrong)).toEqual([])
  expect(findings.find(({ check }) => check === 'own mail')?.sentence).toMatch(
    /^A mail to ourselves arrived: DNS \d+ ms, connected \d+ ms, greeted \d+ ms, EHLO \d+ ms, STARTTLS \d+ ms, encrypted \d+ ms, .*accepted \d+ ms, readable \d+ ms\.$/,
  )
})

test('a mail to itself is read at PUBLIC_URL where the site does not listen on this machine by itself', async () => {
  // Nobody listens at 127.0.0.9.
  expect(await complaints({ config: { httpHost: '127.0.0.9' } })).toEqual([])
  const publicUrl = 'http://localhost:9'
  const said = await complaints({ config: { httpHost: '127.0.0.9', publicUrl } })
  expect(said.filter(complaint => complaint.startsWith('own mail'))).toEqual([
    expect.stringMatching(
      /^own mail failure: .* did not arrive: it cannot be read \(http:\/\/127\.0\.0\.9:\d+: .*ECONNREFUSED.*; http:\/\/localhost:9: .*\)\. See/,
    ),
  ])
})

test('every setting that takes effect at a start is named when it is newer than the process, without its value', async () => {
  const password = 'pass-of-the-relay'
  const relay = `smtp://user:${password}@relay.example`
  const changed = {
    ...{ HTTP_PORT: '127.0.0.1:8088', SMTP_PORT: '2626', HOST: '127.0.0.1', PUBLIC_URL: 'https://mayfly.example', SITE_NAME: 'Dayfly' },
    ...{ MAIL_HOST: HOST, SUPPORT_EMAIL: 'a@b.example', OPERATORS: 'a@b.example', PARTNER_URL: 'off', OPERATOR_NAME: 'A' },
    ...{ SOURCE_URL: 'https://b.example', LOG_LEVEL: 'warn', SECRET: password.repeat(3), LIFETIME_SECONDS: '60' },
    ...{ DATABASE_URL: `postgres://user:${password}@b.example/db`, MESSAGE_BYTES_MAX: '2048', MAILBOX_MESSAGES_MAX: '7' },
    ...{ MAIL_STORE_URL: `redis://:${password}@b.example`, MAIL_STORE_REPLICAS: '1', SHUTDOWN_DELAY_SECONDS: '1', SMTP_TRUSTED: '::2' },
    ...{ SMTP_RELAY_URL: relay, MAIL_FROM: 'a@b.example', CONTACT_TO: 'a@b.example', OPERATOR_WEBHOOK_URL: 'https://b.example/x' },
    ...{ CONTACT_DAYS: '30', BOT_CHECK: 'recaptcha', RECAPTCHA_SITE_KEY: 'site', RECAPTCHA_SECRET: password, TRUST_PROXY: '::2' },
    ...{ PROXY_PROTOCOL_FROM: '::2', NETWORK_LIMIT_FACTOR: '2', API_TOKENS: `ci:${'0'.repeat(64)}`, API_MAILBOXES_MAX: '3', MCP: 'on' },
    ...{ WEBHOOK_ALLOW_PRIVATE: '::2', PUSH_SERVICES: 'off', DNS_SERVERS: '127.0.0.9', DNS_BLOCKLISTS: 'b.example', METRICS_FROM: '::2' },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://b.example', TLS_CERT: '/a', TLS_KEY: '/b', SMTP_STARTTLS: 'always' },
  }
  const acme = { ACME_EMAIL: 'a@b.example', ACME_DIRECTORY_URL: 'https://b.example', HTTPS_PORT: '443', PUBLIC_URL: 'https://b.example' }
  const identity = await context.identify()
  if (!identity) throw new Error('the server runs')
  const said = async (env: Readonly<Record<string, string>>) => {
    const { fingerprints } = readConfig(env)
    const findings = await checkPorts({ ...context, config: { ...context.config, fingerprints } })
    return findings.filter(({ check }) => check === 'settings').map(({ sentence }) => sentence)
  }
  const named = [...(await said(changed)), ...(await said(acme))].join()
  const isLater = (name: string) => !['MAIL_DOMAINS', 'DATA_DIR'].includes(name)
  expect(variableNames.filter(name => !new RegExp(`\\b${name}\\b`).test(named))).toEqual(variableNames.filter(name => !isLater(name)))
  expect(named + JSON.stringify(identity)).not.toContain(password)
})

test('settings newer than the process: the site is still recognised as this server', async () => {
  Object.assign(zone, GOOD)
  const { fingerprints } = readConfig({ CONTACT_TO: 'op@example.com', SMTP_RELAY_URL: site.recorder.url })
  const contact = { ...site.app.config.fingerprints, CONTACT_TO: fingerprints.CONTACT_TO ?? '' }
  const config = { ...context.config, domains: [DOMAIN, 'two.example'], contactTo: 'op@example.com', fingerprints: contact }
  const findings = await examine({ ...context, config })
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'domains', sentence: expect.stringMatching(/^MAIL_DOMAINS names two\.example, for which no mail/) }),
  )
  expect(findings.filter(({ check }) => check === 'settings')).toEqual([
    expect.objectContaining({
      sentence: 'These settings have changed since the start: CONTACT_TO.',
      remedy: expect.stringContaining('systemctl restart mayfly'),
    }),
  ])
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'PUBLIC_URL', sentence: expect.stringContaining('leads to this server') }),
  )
})

test('a cluster of which no node answers', async () => {
  const said = await complaints({ config: { cluster: { urls: ['redis://127.0.0.1:1'], replicas: 0, isSynced: false } } })
  expect(said.filter(complaint => complaint.startsWith('cluster'))).toEqual([
    'cluster failure: No server can start on the cluster of MAIL_STORE_URL. ' +
      'No node of the mail store answers: 127.0.0.1:1 (connect ECONNREFUSED). Start Valkey there, or correct MAIL_STORE_URL.',
  ])
})

test('a mail host that several domains share is examined once', async () => {
  const shared = { ...GOOD, 'two.example MX': GOOD[`${DOMAIN} MX`] ?? [] }
  Object.assign(zone, shared)
  const receiving = [DOMAIN, 'two.example', '*.three.example']
  const identify = async () => {
    const identity = await context.identify()
    return identity && { ...identity, domains: { offered: receiving, receiving } }
  }
  const findings = await examine({ ...context, config: { ...context.config, mailHost: HOST, mailHosts: [HOST] }, identify })
  delete zone['two.example MX']
  const count = (name: string) => findings.filter(({ check }) => check === name).length
  expect([count('MX'), count('port 25'), count('STARTTLS'), count('PTR')]).toEqual([3, 1, 1, 1])
  expect(findings).toContainEqual(expect.objectContaining({ sentence: `Mail for two.example goes to ${HOST} (127.0.0.1).` }))
  expect(findings).toContainEqual(expect.objectContaining({ remedy: expect.stringContaining(`Add *.three.example. MX 10 ${HOST}. and`) }))
})

test('a further mail host or a former name of the site without an address', async () => {
  const config = { mailHost: HOST, mailHosts: [HOST, 'mx.two.example'], fromFirstDomain: {}, formerHosts: ['old.example'] }
  const records = { 'mx.two.example A': ['127.0.0.1'], 'old.example A': ['127.0.0.1'] }
  expect(await complaints({ config, names: records })).toEqual([])
  expect(await complaints({ config })).toEqual([
    expect.stringMatching(/^PUBLIC_URL warning: old\.example, a name that the site had before, has no address/),
    expect.stringMatching(/^MX warning: MAIL_HOST names mx\.two\.example, which has no address/),
  ])
})

test('MTA-STS: the policy as senders fetch it', async () => {
  const policyHost = `mta-sts.${DOMAIN}`
  const { record, policy } = createMtaSts([HOST])
  const tls = selfSign(policyHost, Date.now())
  let served: { status?: number; type?: string; location?: string; text?: string } = {}
  const policies = createSecureServer(tls, (request, response) => {
    const { status = 200, type = 'text/plain; charset=utf-8', location, text = policy } = served
    const isAsked = request.url === '/.well-known/mta-sts.txt' && request.headers.host?.startsWith(`${policyHost}:`)
    response.writeHead(isAsked ? status : 400, { 'content-type': type, ...(location && { location }) }).end(text)
  })
  await once(policies.listen(0, '127.0.0.1'), 'listening')
  onTestFinished(() => void policies.close().closeAllConnections())
  const policyPort = (policies.address() as AddressInfo).port
  const trusted = { policyPort, ca: `${context.ca}\n${tls.cert}` }
  const prepare = (answer: typeof served, more: Wrong = {}): Wrong => {
    served = answer
    const names = { [`_mta-sts.${DOMAIN} TXT`]: [`${record};`], [`${policyHost} A`]: ['127.0.0.1'], ...more.names }
    const config = { mailHost: HOST, mailHosts: [HOST], ...more.config }
    return { names, config, context: { ...trusted, ...more.context } }
  }
  const said = (answer: typeof served, more?: Wrong) => complaints(prepare(answer, more))
  const saidAlone = async (answer: typeof served, more?: Wrong) =>
    inWords(await checkMtaSts(madeWrong(prepare(answer, more)), DOMAIN, [HOST]))
  const lines = (...changed: string[]) => ({ text: ['version: STSv1', ...changed, ''].join('\n') })
  const good = ['mode: enforce', 'max_age: 86400']
  expect(await said({})).toEqual([])
  expect(await saidAlone(lines(...good, 'mx: *.mayfly.example'))).toEqual([])
  expect(await saidAlone(lines('mode: none', 'max_age: 86400'))).toEqual([])

  const wrong: [answer: typeof served, complaint: RegExp, more?: Wrong][] = [
    [{}, /^warning: Senders cannot fetch .*mta-sts\.mayfly\.example has no address\. Let https:/, { names: { [`${policyHost} A`]: [] } }],
    [{}, /^warning: Senders cannot fetch .*ECONNREFUSED/, { context: { policyPort: 9 } }],
    [{}, /^warning: Senders cannot fetch .*self-signed certificate/, { context: { ca: context.ca } }],
    [{ status: 301, location: `https://${DOMAIN}/` }, /^warning: Senders cannot fetch .*redirects \(301\)/],
    [{ status: 404 }, /^warning: Senders cannot fetch .*answers 404/],
    [{ type: 'text/html' }, /^warning: Senders cannot fetch .*text\/html instead of text\/plain/],
    [{ text: 'x'.repeat(300_000) }, /^warning: Senders cannot fetch .*too long/],
    [{ text: '<html>' }, /^warning: Senders ignore .*no line "version: STSv1"/],
    [lines('mode: strict', 'max_age: 86400', `mx: ${HOST}`), /^warning: Senders ignore .*mode is "strict"/],
    [lines('mode: enforce', 'max_age: 99999999', `mx: ${HOST}`), /^warning: Senders ignore .*max_age is "99999999"/],
    [lines(...good), /^warning: Senders ignore .*names no mx/],
    [lines(...good, 'mx: mx.other.example'), /^failure: .*does not name mx\.mayfly\.example.*deliver nothing/],
    [lines(...good, 'mx: *.example'), /^failure: .*does not name mx\.mayfly\.example/],
    [lines('mode: testing', 'max_age: 86400', 'mx: mx.other.example'), /^warning: .*only report it/],
    [{}, /^warning: The record of _mta-sts.* names another policy/, { names: { [`_mta-sts.${DOMAIN} TXT`]: ['v=STSv1; id=1'] } }],
    [{}, /^warning: .*has 2 records/, { names: { [`_mta-sts.${DOMAIN} TXT`]: [record, 'v=STSv1; id=1'] } }],
  ]
  for (const [answer, complaint, more] of wrong)
    expect(await saidAlone(answer, more), String(complaint)).toEqual([
      expect.stringMatching(new RegExp(complaint.source.replace('^', '^MTA-STS '))),
    ])

  // Names are known to the proxy alone.
  const isRefused = { now: false }
  await using proxy = await startConnectProxy(() => (isRefused.now ? undefined : policyPort))
  const unknown = { [`${policyHost} A`]: [] }
  const byProxy = (noProxy: string) => saidAlone({}, { names: unknown, config: { proxy: { url: proxy.url, noProxy } } })
  expect(await byProxy('')).toEqual([])
  expect(proxy.asked).toEqual([`${policyHost}:${policyPort}`])
  expect(await byProxy(DOMAIN)).toEqual([expect.stringContaining('has no address')])
  isRefused.now = true
  expect(await byProxy('')).toEqual([expect.stringContaining('the proxy refused to connect')])

  const identify = async () => {
    const identity = await context.identify()
    return identity && { ...identity, domains: { offered: [DOMAIN], receiving: [`*.${DOMAIN}`] } }
  }
  const elsewhere = ['mx.other.example']
  const below = async (names: Zone) => {
    const host = { 'mx.other.example A': ['127.0.0.1'], [`a-subdomain.${DOMAIN} MX`]: elsewhere }
    return (await said({}, { names: { ...host, ...names }, context: { identify } })).filter(complaint => complaint.startsWith('MTA-STS'))
  }
  expect(await below({}), 'a policy says nothing of the domains below its own').toEqual([])
  expect(await below({ [`${DOMAIN} MX`]: elsewhere })).toEqual([expect.stringMatching(/does not name mx\.other\.example/)])
  expect(await below({ [`${DOMAIN} MX`]: [] }), 'it needs an MX record first').toEqual([])
})

test.each<[list: string, answers: readonly string[], isListed: boolean]>([
  ['dbl.spamhaus.org', ['127.0.1.2'], true],
  ['dbl.spamhaus.org', ['127.0.1.4'], true],
  ['dbl.spamhaus.org', ['127.0.1.102'], true],
  ['dbl.spamhaus.org', ['127.255.255.252'], false],
  ['dbl.spamhaus.org', ['127.255.255.255'], false],
  ['multi.surbl.org', ['127.0.0.8'], true],
  ['multi.surbl.org', ['127.0.0.80'], true],
  ['multi.surbl.org', ['127.0.0.1'], false],
  ['multi.surbl.org', ['203.0.113.80'], false],
])('lists: %s replies %j of a domain', async (list, answers, isListed) => {
  const said = inWords(await checkPublicLists(madeWrong({ names: { [`${DOMAIN}.${list} A`]: answers } })))
  expect(said).toEqual(isListed ? [expect.stringContaining(`lists warning: ${DOMAIN} is on ${list}: sites`)] : [])
})

test.each<[list: string, answers: readonly string[], isListed: boolean]>([
  ['zen.spamhaus.org', ['127.0.0.2'], true],
  ['zen.spamhaus.org', ['127.0.0.9', '127.0.0.2'], true],
  ['zen.spamhaus.org', ['127.0.0.4', '127.0.0.11'], true],
  ['zen.spamhaus.org', ['127.0.0.10'], false],
  ['zen.spamhaus.org', ['127.0.0.11'], false],
  ['zen.spamhaus.org', ['127.255.255.254'], false],
  ['bl.spamcop.net', ['127.0.0.2'], true],
  ['psbl.surriel.com', ['127.0.0.2'], true],
])('lists: %s replies %j of the address of this machine', async (list, answers, isListed) => {
  // Nothing connects to the second address.
  const names = { [`${HOST} A`]: ['127.0.0.1', '8.0.113.9'], [`9.113.0.8.${list} A`]: answers }
  const said = inWords(await checkPublicLists(madeWrong({ names, config: { mailHost: HOST } })))
  expect(said).toEqual(isListed ? [expect.stringContaining(`lists warning: 8.0.113.9, the address of this machine, is on ${list}.`)] : [])
})

test('lists: the page asks once an hour, after a minute where a list did not answer, and for a domain that was not there', async () => {
  for (const key of Object.keys(zone)) delete zone[key]
  Object.assign(zone, GOOD)
  let now = Date.UTC(2026, 10, 23)
  const lists = new DomainLists({ names: context.names, clock: () => now })
  const [answered, first] = [['dbl.spamhaus.org', 'multi.surbl.org'], '2026-11-23T00:00:00.000Z']
  expect(await lists.of([DOMAIN, 'mayfly.test', 'in.example.com'])).toEqual(new Map([[DOMAIN, { at: first, naming: [], answered }]]))
  zone[`${DOMAIN}.dbl.spamhaus.org A`] = ['127.0.1.2']
  zone['2.example.dbl.spamhaus.org A'] = ['127.0.1.2']
  zone['surbl-org-permanent-test-point.com.multi.surbl.org A'] = ['127.0.0.1']
  now += 3_599_999
  const after = await lists.of([DOMAIN, '2.example'])
  expect(after.get(DOMAIN)).toEqual({ at: first, naming: [], answered })
  expect(after.get('2.example')).toMatchObject({ naming: ['dbl.spamhaus.org'], answered: ['dbl.spamhaus.org'] })
  now += 1
  const naming = ['dbl.spamhaus.org']
  expect((await lists.of([DOMAIN])).get(DOMAIN)).toEqual({ at: '2026-11-23T01:00:00.000Z', naming, answered: naming })
  for (const test of ['dbltest.com.dbl.spamhaus.org', 'surbl-org-permanent-test-point.com.multi.surbl.org']) zone[`${test} A`] = []
  now += 3_600_000
  expect((await lists.of([DOMAIN])).get(DOMAIN)).toMatchObject({ naming: [], answered: [] })
  Object.assign(zone, GOOD)
  now += 59_999
  expect((await lists.of([DOMAIN])).get(DOMAIN)).toMatchObject({ answered: [] })
  now += 1
  expect((await lists.of([DOMAIN])).get(DOMAIN)).toMatchObject({ naming, answered })
})

test('lists: a resolver that sends every unknown name to a page of its own', async () => {
  const own = ['203.0.113.80']
  const names = ['dbltest.com.dbl.spamhaus.org', `${DOMAIN}.dbl.spamhaus.org`].map(name => [`${name} A`, own])
  expect(inWords(await checkPublicLists(madeWrong({ names: Object.fromEntries(names) })))).toEqual([
    expect.stringMatching(/^lists warning: dbl\.spamhaus\.org did not answer, not even for what they always list/),
  ])
  Object.assign(zone, { 'surbl-org-permanent-test-point.com.multi.surbl.org A': [] })
  expect((await checkPublicLists(context)).map(({ sentence }) => sentence)).toContainEqual(
    expect.stringMatching(/^No list names mayfly\.example: only this one was asked, the public list of disposable domains [^,]*\.$/),
  )
})

test('DNS: no MX and no address, no MX, a wrong A record, no reverse name, no SPF and DMARC, no response', async () => {
  const none = { [`${DOMAIN} MX`]: [], [`${DOMAIN} A`]: [] }
  const nowhere = await complaints({ names: none })
  expect(nowhere).toContainEqual(expect.stringMatching(/^MX failure: .*there is no MX record.* Add .*MX 10 mx\./))
  expect(nowhere).toContainEqual(expect.stringMatching(/^PUBLIC_URL failure: .*mayfly\.example has no address/))
  expect(await complaints({ names: { [`${DOMAIN} MX`]: [] } })).toContainEqual(
    expect.stringMatching(/^MX warning: .*no MX record; senders fall back/),
  )
  expect(await complaints({ names: { [`${HOST} A`]: ['127.0.0.66'] } })).toContainEqual(
    expect.stringMatching(
      /^port 25 failure: Nobody answers at mx\.mayfly\.example \(127\.0\.0\.66\).*Check that 127\.0\.0\.66 is this machine/,
    ),
  )
  const reverse = '1.0.0.127.in-addr.arpa PTR'
  expect(
    await complaints({
      names: { [`${DOMAIN} MX`]: ['MX.Mayfly.Example'], [reverse]: ['mx.MAYFLY.example'] },
      config: { mailHosts: ['other.example'] },
    }),
  ).toEqual([])
  expect(await complaints({ names: { [reverse]: [] } })).toEqual([
    expect.stringMatching(/^PTR warning: 127\.0\.0\.1 has no reverse name.*Set the reverse name to mx/),
  ])
  expect(await complaints({ names: { [`${DOMAIN} TXT`]: [], [`_dmarc.${DOMAIN} TXT`]: [] } })).toEqual([
    expect.stringMatching(/^SPF warning: .*Add mayfly\.example\. TXT "v=spf1/),
    expect.stringMatching(/^DMARC warning: .*Add _dmarc\.mayfly\.example\. TXT "v=DMARC1/),
  ])
  expect(await complaints({ config: { mailFrom: 'no-reply@other.example' }, names: OTHER })).toEqual([
    expect.stringMatching(
      /^DKIM warning: other\.example has no DKIM key.* sign as d=other\.example, .* SELECTOR\._domainkey\.other\.example/,
    ),
  ])
  const silent = createNameServer(['127.0.0.1:9'])
  const config = { mailHosts: [HOST, 'mx.two.example'], fromFirstDomain: {} }
  const said = await complaints({ config, context: { names: silent } })
  expect(said).toContainEqual(expect.stringMatching(/^MX failure: DNS did not answer/))
  // It may have one.
  expect(said.join('\n')).not.toContain('mx.two.example, which has no address')
})

test('an A record of another mail server is noticed because our address is unknown there', async () => {
  const other = stack.use(await startTestServer({ env: { MAIL_DOMAINS: DOMAIN } }))
  expect(await complaints({ context: { mailPort: other.app.smtpPort } })).toContainEqual(
    expect.stringMatching(/^own mail failure: .*550 5\.1\.1.*Another server than this one takes mail for mayfly\.example/),
  )
})

test('a domain whose mail goes to others is not to be taken from them', async () => {
  const names = { [`${DOMAIN} MX`]: ['mx.others.example'], 'mx.others.example A': ['127.0.0.66'] }
  expect(await complaints({ names, config: { mailHosts: [HOST], fromFirstDomain: { MAIL_HOST: HOST } } })).toEqual([
    expect.stringMatching(
      /^MX failure: Mail for \S+ goes to mx\.others\.example \(127\.0\.0\.66\), which is not this server\. If people have mailboxes there/,
    ),
  ])
})

test('port 25 is closed, or does not respond', async () => {
  const closed = createServer()
  closed.listen(0, '127.0.0.1')
  await once(closed, 'listening')
  const { port } = closed.address() as { port: number }
  closed.close()
  await once(closed, 'close')
  expect(await complaints({ context: { mailPort: port } })).toEqual([
    expect.stringMatching(/^port 25 failure: .*ECONNREFUSED.*firewall lets port 25 in/),
  ])
})

test('the certificate has expired, expires soon, or cannot be verified by senders', async () => {
  const at = (days: number) => ({ clock: () => Date.now() + days * DAY_MS })
  // The certificate is valid for 825 days, so the test moves the doctor's clock.
  const quiet = (list: string[]) => list.filter(complaint => complaint.startsWith('STARTTLS'))
  expect(quiet(await complaints({ context: at(826) }))).toEqual([
    expect.stringMatching(/^STARTTLS failure: .*expired on \d{4}-\d\d-\d\d\. Renew it/),
  ])
  expect(quiet(await complaints({ context: at(820) }))).toEqual([expect.stringMatching(/^STARTTLS warning: .*expires in \d+ days/)])
  const other = { names: { [`${DOMAIN} MX`]: ['mx.two.example'], 'mx.two.example A': ['127.0.0.1'] } }
  const foreign = expect.stringMatching(
    /^STARTTLS warning: .*DNS:mx\.mayfly\.example that senders cannot verify \(it is not for mx\.two\.example\)/,
  )
  expect(quiet(await complaints(other))).toEqual([foreign])
  expect(quiet(await complaints({ ...other, context: at(820) }))).toEqual([expect.stringMatching(/expires in \d+ days/), foreign])
  expect(quiet(await complaints({ ...other, context: at(826) })), 'both at once').toEqual([
    expect.stringMatching(/^STARTTLS failure: The certificate of mx\.two\.example expired on/),
    foreign,
  ])
  expect(await complaints({ context: { ca: undefined } })).toEqual([
    expect.stringMatching(/^STARTTLS warning: .*senders cannot verify.*TLS_CERT/),
  ])
})

test('the relay is down', async () => {
  expect(await complaints({ config: { smtpRelayUrl: 'smtp://127.0.0.1:9' } })).toEqual([
    expect.stringMatching(/^relay failure: .*ECONNREFUSED.*Check host, port, user and password/),
  ])
})

test('the disk is full, memory is short, or the data folder is missing', async () => {
  expect(await complaints({ config: { diskReserveBytes: Number.MAX_SAFE_INTEGER } })).toEqual([
    expect.stringMatching(/^disk failure: Only \d+ MiB are free.*Make room/),
  ])
  expect(await complaints({ config: { memory: divideMemory(2 ** 30, 2 ** 20, 2 ** 50) } })).toEqual([
    expect.stringMatching(/^memory warning: .*MemoryMax of the unit/),
  ])
  const gone = await complaints({ config: { dataDir: '/nowhere' }, context: { identify: async () => undefined } })
  expect(gone).toContainEqual(expect.stringMatching(/^data folder failure: .*\/nowhere is not there yet/))
  expect(gone).toContainEqual(expect.stringMatching(/^server warning: No server runs/))
  expect(gone).toContainEqual(
    expect.stringMatching(/^port failure: HTTP_PORT \d+ is taken by (?:.+ \(process \d+\)\. Choose another HTTP_PORT\.|another program)/),
  )
})

test.skipIf(spawnSync('ss', ['-V']).status !== 0)('a port: only who listens at the same address holds it (needs ss)', async () => {
  const port = await freePort()
  const listen = (host: string) => `require('net').createServer().listen(${port}, '${host}', () => console.log('listens'))`
  const hold = async (host: string) => {
    const child = spawn(process.execPath, ['-e', listen(host)], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill())
    await once(child.stdout, 'data')
    return child.pid
  }
  const said = async (host: string) => (await checkPort({ name: 'SMTP_PORT', host, port })).sentence
  const pids = [await hold('127.0.0.2'), await hold('127.0.0.3')]
  expect(await said('127.0.0.3')).toContain(`(process ${pids[1]})`)
  expect(await said('127.0.0.4')).toBe(`SMTP_PORT ${port} is free: the server can take it.`)
  expect(await said('0.0.0.0')).toContain('is taken by')
  const loopback = await hold('::1')
  expect(await said('::1')).toContain(`(process ${loopback})`)
})

test('the clock is wrong, or no time server responds', async () => {
  ntpOffsetMs = 90_000
  expect(await complaints()).toEqual([
    expect.stringMatching(/^clock failure: The clock is (?:89|90|91) seconds behind.*timedatectl set-ntp true/),
  ])
  ntpOffsetMs = 0
  expect(await complaints({ context: { timeServer: '127.0.0.1:9' } })).toEqual([expect.stringMatching(/^clock warning: .*UDP port 123/)])
})

test('HTTP is open to all although its proxy is on this machine', async () => {
  const behind = (httpHost: string, ...trustedProxies: string[]) => complaints({ config: { httpHost, httpPort: 8080, trustedProxies } })
  const open = expect.stringMatching(
    /^public warning: HTTP_PORT listens at all addresses.* Set HTTP_PORT=127\.0\.0\.1:8080 and run: mayfly setup$/,
  )
  expect(await behind('0.0.0.0', '127.0.0.1', '::1')).toEqual([open])
  expect(await behind('::', '127.0.0.0/8')).toEqual([open])
  expect(await behind('127.0.0.1', '127.0.0.1', '::1')).toEqual([])
  expect(await behind('0.0.0.0', '127.0.0.1', '10.0.0.0/8'), 'one of them is elsewhere').toEqual([])
  expect(await behind('0.0.0.0')).toEqual([])
})

test('PUBLIC_URL: nobody responds, another server responds, plain HTTP', async () => {
  expect(await complaints({ config: { publicUrl: `http://${DOMAIN}:9` } })).toEqual([
    expect.stringMatching(/^PUBLIC_URL failure: .*cannot be reached: .*ECONNREFUSED/),
  ])
  const other = stack.use(await startTestServer({ env: { MAIL_DOMAINS: 'other.example' } }))
  expect(await complaints({ config: { publicUrl: `http://${DOMAIN}:${other.app.httpPort}` } })).toEqual([
    expect.stringMatching(/^PUBLIC_URL failure: .*it is not this server\. Let the proxy pass requests/),
  ])
  const findings = await examine(context)
  expect(findings).toContainEqual(
    expect.objectContaining({ check: 'PUBLIC_URL', status: 'failure', sentence: expect.stringContaining('not encrypted') }),
  )
})

test('only a failure is an error for who calls the command', () => {
  const found = (status: Finding['status']): Finding => ({ check: 'MX', status, sentence: '' })
  expect(exitCodeFor([found('ok'), found('warning')])).toBe(0)
  expect(exitCodeFor([found('warning'), found('failure'), found('ok')])).toBe(1)
})

test('ACME: obtained, being obtained, failed while the old certificate is valid, failed without one', async () => {
  const acme = { email: 'op@example.com', directoryUrl: 'https://ca.example/dir', httpsPort: 0, siteHost: DOMAIN, certificates: [[DOMAIN]] }
  const problem = `No certificate for ${DOMAIN} could be obtained: refused. Correct it.`
  const retryAt = Date.UTC(2026, 10, 22)
  const said = async (status: object) => {
    const server = await context.identify()
    if (!server) throw new Error('the server runs')
    const identify = async () => ({ ...server, certificates: [{ name: DOMAIN, ...status }] })
    const findings = await examine({ ...context, identify, config: { ...context.config, acme } })
    return findings.filter(({ check }) => check === 'ACME').map(({ status, sentence, remedy }) => `${status}: ${sentence} ${remedy ?? ''}`)
  }
  const validTo = Date.now() + 86_400_000
  expect(await said({ validTo })).toEqual([expect.stringMatching(/^ok: .*obtained by ACME/)])
  expect(await said({})).toEqual([expect.stringMatching(/^warning: .*being obtained/)])
  expect(await said({ validTo, problem, retryAt })).toEqual([
    `warning: ${problem} The next attempt is at 2026-11-22T00:00:00.000Z; after a correction "systemctl reload mayfly" tries at once.`,
  ])
  expect(await said({ problem, retryAt })).toEqual([expect.stringMatching(/^failure: No certificate for mayfly\.example/)])
})

test('a public instance has no operator or no bot check', async () => {
  expect(await complaints({ config: { operators: [], botCheck: 'off', networkLimitFactor: 100 } })).toEqual([
    expect.stringMatching(/^public warning: Nobody can open the operator’s page/),
    expect.stringMatching(/^public warning: BOT_CHECK is off/),
    expect.stringMatching(/^public warning: Contact messages/),
    expect.stringMatching(/^public warning: NETWORK_LIMIT_FACTOR/),
  ])
  const said = async (config: Partial<Config>) =>
    (await examine({ ...context, config: { ...context.config, ...config } })).filter(({ check }) => check === 'public')
  expect(await said({})).toEqual([expect.objectContaining({ sentence: 'Everything a public instance should set is set.' })])
  expect(await said({ smtpRelayUrl: undefined })).toEqual([])
})

test('a proxy that forwards visitors is not trusted', async () => {
  expect((await fetch(site.url('/healthz'), { headers: { 'x-forwarded-for': '192.0.2.1' } })).status).toBe(200)
  expect(await complaints()).toEqual([expect.stringMatching(/^proxy failure: A proxy at 127\.0\.0\.1 .*set TRUST_PROXY=127\.0\.0\.1/)])
})
