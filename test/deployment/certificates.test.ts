/** Certificates by ACME, tested from outside: the built server, a real ACME server, real DNS, and verified TLS to both ports. */
import { readdir, stat } from 'node:fs/promises'
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http'
import { createServer as createSecureServer, request as requestHttps } from 'node:https'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { identifyServer } from '#server/operator/control.ts'
import { SmtpClient } from '#server/operator/doctor/smtp-client.ts'
import type { CertificateStatus } from '#server/platform/certificates/certificates.ts'
import { freePort } from '../harness/free-port.ts'
import { type RunningServer, startServerProcess } from '../harness/mayfly/start-server-process.ts'
import { startConnectProxy } from '../harness/servers/connect-proxy.ts'
import { startDnsServer, type Zone } from '../harness/servers/dns-server.ts'
import { type Pebble, startPebble } from '../harness/servers/pebble.ts'

const SITE = 'mayfly.example'
const MAIL = 'mx.mayfly.example'
const GOOD: Zone = { [`${SITE} A`]: ['127.0.0.1'], [`${MAIL} A`]: ['127.0.0.1'] }

type Setup = { readonly zone: Zone; readonly dns: string; readonly httpPort: number; readonly httpsPort: number }

async function setUp(zone: Zone = GOOD): Promise<Setup> {
  const own = { ...zone }
  const dns = await startDnsServer(own)
  onTestFinished(() => dns[Symbol.asyncDispose]())
  return { zone: own, dns: dns.address, httpPort: await freePort(), httpsPort: await freePort() }
}

async function pebbleFor({ httpPort, dns }: Setup, more: { validitySeconds?: number; nonceRejectPercent?: number } = {}): Promise<Pebble> {
  const pebble = await startPebble({ httpPort, dns, ...more })
  onTestFinished(() => pebble[Symbol.asyncDispose]())
  return pebble
}

type More = { readonly dataDir?: string | undefined; readonly env?: Readonly<Record<string, string>> }

async function serverWith(
  { httpPort, httpsPort }: Setup,
  { directoryUrl, caFile }: Pick<Pebble, 'directoryUrl' | 'caFile'>,
  { dataDir, env: more = {} }: More = {},
): Promise<RunningServer> {
  const env = {
    HTTP_PORT: String(httpPort),
    HTTPS_PORT: String(httpsPort),
    PUBLIC_URL: `https://${SITE}`,
    MAIL_DOMAINS: SITE,
    MAIL_HOST: MAIL,
    ACME_EMAIL: 'operator@elsewhere.example',
    ACME_DIRECTORY_URL: directoryUrl,
    NODE_EXTRA_CA_CERTS: caFile,
    BOT_CHECK: 'off',
    LOG_LEVEL: 'info',
    ...more,
  }
  const server = await startServerProcess(dataDir === undefined ? { env } : { env, dataDir })
  onTestFinished(() => server[Symbol.asyncDispose]())
  return server
}

async function statusOf({ dataDir }: RunningServer): Promise<readonly CertificateStatus[]> {
  return (await identifyServer(dataDir))?.certificates ?? []
}

/** Polls the server's certificates until `isSo` returns true for them. */
async function until(
  server: RunningServer,
  isSo: (status: readonly CertificateStatus[]) => boolean,
  secondsMax = 50,
): Promise<readonly CertificateStatus[]> {
  const endsAt = Date.now() + secondsMax * 1000
  for (;;) {
    const status = await statusOf(server)
    if (isSo(status)) return status
    if (Date.now() > endsAt) throw new Error(`still ${JSON.stringify(status)}\n${server.output()}`)
    await sleep(100)
  }
}

const FAILED_ATTEMPT = /"retryAt":"[^"]*","failures":\d/
const areObtained = (status: readonly CertificateStatus[], count = 2) =>
  status.length === count && status.every(({ validTo }) => validTo !== undefined)
const haveFailed = (status: readonly CertificateStatus[]) => status.some(({ problem }) => problem !== undefined)

type Answer = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly body: string
  readonly fingerprint?: string | undefined
}

/** Requests a path under the site's name, accepting only certificates issued by `ca`. */
function visit(
  port: number,
  path: string,
  { ca, method = 'GET', host = SITE, servername = SITE }: { ca?: string; method?: string; host?: string; servername?: string } = {},
): Promise<Answer> {
  const send = ca === undefined ? requestHttp : requestHttps
  return new Promise((resolve, reject) => {
    const asked = send({ host: '127.0.0.1', port, path, method, headers: { host }, ca, servername, agent: false }, response => {
      const { socket } = response
      const fingerprint =
        'getPeerCertificate' in socket ? (socket as import('node:tls').TLSSocket).getPeerCertificate().fingerprint256 : undefined
      text(response).then(body => resolve({ status: response.statusCode ?? 0, headers: response.headers, body, fingerprint }), reject)
    })
    asked.once('error', reject).end()
  })
}

async function startTls(port: number, ca: string, host = MAIL) {
  using client = await SmtpClient.open('127.0.0.1', port)
  await client.command('EHLO', 'EHLO sender.example', 2)
  return await client.startTls(host, ca)
}

describe('when certificates can be obtained', () => {
  test('with HTTPS_PROXY, the authority and the collector of traces are asked through it', async () => {
    const setup = await setUp()
    const pebble = await pebbleFor(setup)
    const authority = new URL(pebble.directoryUrl).host
    await using proxy = await startConnectProxy(asked => (asked === authority ? Number(new URL(pebble.directoryUrl).port) : undefined))
    const env = { HTTPS_PROXY: proxy.url, OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector.example' }
    const server = await serverWith(setup, pebble, { env })
    server.heardLog.allow(/collector of OTEL_EXPORTER_OTLP_ENDPOINT/)
    await until(server, list => areObtained(list))
    expect(proxy.asked).toContain(authority)
    await visit(setup.httpPort, '/healthz')
    await expect.poll(() => proxy.asked).toContain('collector.example:443')
    expect(new Set(proxy.asked)).toEqual(new Set([authority, 'collector.example:443']))
  })

  test('HTTPS and STARTTLS work without a restart, visitors are redirected, and only the owner can read the files', async () => {
    const setup = await setUp()
    // A quarter of all valid nonces are rejected, as authorities may do.
    const pebble = await pebbleFor(setup, { nonceRejectPercent: 25 })
    const server = await serverWith(setup, pebble)
    await until(server, list => areObtained(list))
    const { httpPort, httpsPort } = setup

    const page = await visit(httpsPort, '/api/config', { ca: pebble.root })
    expect(page.status).toBe(200)
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
    const secured = await startTls(server.smtpPort, pebble.root)
    expect(secured).toMatchObject({ isTrusted: true, certificate: { subjectaltname: `DNS:${MAIL}` } })

    expect(await visit(httpPort, '/blog?lang=es')).toMatchObject({ status: 301, headers: { location: `https://${SITE}/blog?lang=es` } })
    expect(await visit(httpPort, '//evil.example/x')).toMatchObject({
      status: 301,
      headers: { location: `https://${SITE}//evil.example/x` },
    })
    expect(await visit(httpPort, '/api/mailboxes', { method: 'POST' })).toMatchObject({
      status: 308,
      headers: { location: `https://${SITE}/api/mailboxes` },
    })
    expect(await visit(httpPort, '/.well-known/acme-challenge/unknown')).toMatchObject({ status: 404 })
    expect(await visit(httpPort, '/healthz')).toMatchObject({ status: 200 })
    expect(await visit(httpPort, '/api/config', { host: `127.0.0.1:${httpPort}` })).toMatchObject({ status: 200 })
    expect((await visit(httpPort, '/metrics', { host: 'localhost' })).body).toMatch(
      /^mayfly_certificate_expiry_seconds\{use="https"\} \d{10}$/m,
    )

    const [authority = ''] = await readdir(join(server.dataDir, 'acme'))
    const files = await readdir(join(server.dataDir, 'acme', authority))
    expect(files.toSorted()).toEqual(['account.pem', `${SITE}.pem`, `${MAIL}.pem`])
    for (const file of files) expect((await stat(join(server.dataDir, 'acme', authority, file))).mode & 0o777).toBe(0o600)
    expect(server.output()).not.toContain('PRIVATE KEY')
    expect(server.output()).not.toContain('operator@elsewhere.example')
  })

  test('several mail hosts share one certificate, a former name leads to the site, and each domain has its policy of MTA-STS', async () => {
    const [other, old, box] = ['mx.other.example', 'old.example', 'box.example']
    const policyHosts = [`mta-sts.${SITE}`, `mta-sts.${box}`]
    const setup = await setUp({
      ...Object.fromEntries([SITE, MAIL, other, old, ...policyHosts].map(name => [`${name} A`, ['127.0.0.1']])),
      // Hosted elsewhere.
      'mta-sts.elsewhere.example A': ['127.0.0.66'],
    })
    const pebble = await pebbleFor(setup)
    const env = {
      PUBLIC_URL: `https://${SITE},https://${old}`,
      MAIL_HOST: `${MAIL},${other}`,
      MAIL_DOMAINS: `${SITE},${box},elsewhere.example`,
      DNS_SERVERS: setup.dns,
    }
    const server = await serverWith(setup, pebble, { env })
    const status = await until(server, list => areObtained(list, 5))
    expect(status.map(({ name }) => name)).toEqual([SITE, MAIL, old, ...policyHosts])
    const { httpsPort } = setup
    const ca = pebble.root

    for (const host of [MAIL, other]) {
      const secured = await startTls(server.smtpPort, ca, host)
      expect(secured).toMatchObject({ isTrusted: true, certificate: { subjectaltname: `DNS:${MAIL}, DNS:${other}` } })
    }
    const asked = (host: string, path: string, method = 'GET') => visit(httpsPort, path, { ca, host, servername: host, method })
    expect(await asked(old, '/blog?lang=es')).toMatchObject({ status: 301, headers: { location: `https://${SITE}/blog?lang=es` } })
    expect(await asked(old, '//evil.example/x')).toMatchObject({ status: 301, headers: { location: `https://${SITE}//evil.example/x` } })
    expect(await asked(old, '/api/mailboxes', 'POST')).toMatchObject({
      status: 308,
      headers: { location: `https://${SITE}/api/mailboxes` },
    })
    expect(await asked(old, '/healthz')).toMatchObject({ status: 200 })
    expect(await asked(SITE, '/api/config')).toMatchObject({ status: 200 })

    const policy = `version: STSv1\r\nmode: enforce\r\nmx: ${MAIL}\r\nmx: ${other}\r\nmax_age: 604800\r\n`
    for (const host of policyHosts) {
      const served = await asked(host, '/.well-known/mta-sts.txt')
      expect(served).toMatchObject({ status: 200, body: policy, headers: { 'content-type': expect.stringMatching(/^text\/plain/) } })
    }
    expect((await asked(SITE, '/.well-known/mta-sts.txt')).status, 'the policy of no domain').toBe(404)

    const { root, caFile, directoryUrl } = pebble
    await server.kill9()
    await pebble[Symbol.asyncDispose]()
    const again = await serverWith(setup, { directoryUrl, caFile }, { env, dataDir: server.dataDir })
    await until(again, list => areObtained(list, 5))
    expect(
      (await visit(httpsPort, '/.well-known/mta-sts.txt', { ca: root, host: policyHosts[1] ?? '', servername: policyHosts[1] ?? '' }))
        .status,
    ).toBe(200)
  })

  test('a mail host that cannot be reached yet leaves HTTPS and mail with the certificate that they have', async () => {
    const policyHost = `mta-sts.${SITE}`
    const setup = await setUp({ [`${SITE} A`]: ['127.0.0.1'], [`${policyHost} A`]: ['127.0.0.1'], [`${MAIL} A`]: ['127.0.0.66'] })
    const pebble = await pebbleFor(setup)
    const env = { MAIL_HOST: SITE, DNS_SERVERS: setup.dns }
    const first = await serverWith(setup, pebble, { env })
    await until(first, list => areObtained(list))
    const asked = async (host: string, path: string) => {
      const { status, fingerprint } = await visit(setup.httpsPort, path, { ca: pebble.root, host, servername: host })
      return { status, fingerprint }
    }
    const before = await asked(SITE, '/healthz')
    expect(await asked(policyHost, '/.well-known/mta-sts.txt')).toMatchObject({ status: 200 })
    await first.kill9()
    const second = await serverWith(setup, pebble, { env: { ...env, MAIL_HOST: `${SITE},${MAIL}` }, dataDir: first.dataDir })
    second.heardLog.allow(FAILED_ATTEMPT)
    await until(second, list => haveFailed(list) && areObtained(list))
    expect(await asked(SITE, '/healthz')).toEqual(before)
    expect((await startTls(second.smtpPort, pebble.root, SITE)).isTrusted).toBe(true)
    expect(await asked(policyHost, '/.well-known/mta-sts.txt'), 'senders could not verify the new host').toMatchObject({ status: 404 })

    setup.zone[`${MAIL} A`] = ['127.0.0.1']
    process.kill(second.pid, 'SIGHUP')
    await until(second, ([{ problem } = {}]) => problem === undefined)
    expect((await startTls(second.smtpPort, pebble.root, MAIL)).isTrusted).toBe(true)
    expect(await asked(policyHost, '/.well-known/mta-sts.txt')).toMatchObject({ status: 200 })
  })

  test('a restart orders no new certificate while the old ones are valid', async () => {
    const setup = await setUp()
    const pebble = await pebbleFor(setup)
    const first = await serverWith(setup, pebble)
    await until(first, list => areObtained(list))
    const { fingerprint } = await visit(setup.httpsPort, '/healthz', { ca: pebble.root })
    const { root, caFile } = pebble
    await first.kill9()
    await pebble[Symbol.asyncDispose]()
    const second = await serverWith(setup, { directoryUrl: pebble.directoryUrl, caFile }, { dataDir: first.dataDir })
    expect((await visit(setup.httpsPort, '/healthz', { ca: root })).fingerprint).toBe(fingerprint)
    expect((await startTls(second.smtpPort, root)).isTrusted).toBe(true)
    await sleep(1500)
    expect(await statusOf(second)).toEqual([
      expect.not.objectContaining({ problem: expect.anything() }),
      expect.not.objectContaining({ problem: expect.anything() }),
    ])
  })

  // That the order is placed well before the end is a matter of server/platform/certificates/schedule.test.ts: how long it then takes here
  // depends on the machine.
  test('certificates are renewed by themselves, on both ports, without closing connections', { timeout: 120_000 }, async () => {
    const setup = await setUp()
    const pebble = await pebbleFor(setup, { validitySeconds: 30 })
    const server = await serverWith(setup, pebble)
    const first = await until(server, list => areObtained(list))
    const [web, mail] = [await visit(setup.httpsPort, '/healthz', { ca: pebble.root }), await startTls(server.smtpPort, pebble.root)]
    const isRenewed = (status: readonly CertificateStatus[]) => status.every(({ validTo = 0 }, at) => validTo > (first[at]?.validTo ?? 0))
    await until(server, isRenewed, 90)
    expect((await visit(setup.httpsPort, '/healthz', { ca: pebble.root })).fingerprint).not.toBe(web.fingerprint)
    expect((await startTls(server.smtpPort, pebble.root)).certificate.fingerprint256).not.toBe(mail.certificate.fingerprint256)
  })
})

describe('when certificates cannot be obtained, the site and mail still work', () => {
  test('a name that points elsewhere: the log says which records to correct, and a reload tries again', async () => {
    const setup = await setUp({ ...GOOD, [`${SITE} A`]: ['127.0.0.66'] })
    const pebble = await pebbleFor(setup)
    const server = await serverWith(setup, pebble)
    server.heardLog.allow(FAILED_ATTEMPT)
    const status = await until(server, list => haveFailed(list) && list.some(({ validTo }) => validTo !== undefined))
    expect(status[0]?.problem).toMatch(
      /^No certificate for mayfly\.example could be obtained: .*127\.0\.0\.66.* Let port 80 of this name arrive at HTTP_PORT of this server: correct its A and AAAA records/,
    )
    expect((status[0]?.retryAt ?? 0) - Date.now()).toBeGreaterThan(45_000)
    // The other name has its own certificate, and visitors are not redirected to a certificate that browsers reject.
    expect((await startTls(server.smtpPort, pebble.root)).isTrusted).toBe(true)
    expect(await visit(setup.httpPort, '/api/config')).toMatchObject({ status: 200 })
    expect(server.output()).toContain('Let port 80 of this name arrive at HTTP_PORT')

    setup.zone[`${SITE} A`] = ['127.0.0.1']
    process.kill(server.pid, 'SIGHUP')
    expect((await until(server, list => areObtained(list)))[0]?.problem).toBeUndefined()
    expect(await visit(setup.httpPort, '/api/config')).toMatchObject({ status: 301 })
  })

  test('a rate limit of the authority: nothing is ordered before the given time, not even after a reload or a restart', async () => {
    const setup = await setUp()
    const pebble = await pebbleFor(setup)
    const limit = await startRateLimit(pebble)
    const trusted = { directoryUrl: limit.directoryUrl, caFile: pebble.caFile }
    const server = await serverWith(setup, trusted)
    server.heardLog.allow(FAILED_ATTEMPT)
    const status = await until(server, list => list.every(({ problem }) => problem !== undefined))
    expect(status[0]?.problem).toMatch(/too many certificates.*nothing needs to be done, the server tries again by itself\.$/)
    const waitMs = (status[0]?.retryAt ?? 0) - Date.now()
    expect(waitMs).toBeGreaterThan(3500 * 1000)
    expect(waitMs).toBeLessThan(1.3 * 3600 * 1000)
    expect(limit.orders()).toBe(2)
    process.kill(server.pid, 'SIGHUP')
    await sleep(1000)
    await server.kill9()
    const restarted = await serverWith(setup, trusted, { dataDir: server.dataDir })
    restarted.heardLog.allow(FAILED_ATTEMPT)
    await sleep(1500)
    expect(limit.orders()).toBe(2)
    expect(haveFailed(await statusOf(restarted))).toBe(true)
    expect(await visit(setup.httpPort, '/api/config')).toMatchObject({ status: 200 })
  })

  test('a URL that is not a directory, does not respond, or has an untrusted certificate is reported', async () => {
    const setup = await setUp()
    const pebble = await pebbleFor(setup)
    const wrong = {
      [`https://localhost:${await freePort()}/dir`]: /ECONNREFUSED/,
      [pebble.directoryUrl.replace('/dir', '/nothing')]: /404/,
    }
    for (const [directoryUrl, reason] of Object.entries(wrong)) {
      await using server = await serverWith(setup, { directoryUrl, caFile: pebble.caFile })
      server.heardLog.allow(FAILED_ATTEMPT)
      const [status] = await until(server, haveFailed)
      expect(status?.problem).toMatch(reason)
      expect(status?.problem).toContain(`Correct ACME_DIRECTORY_URL (${directoryUrl})`)
    }
    await using server = await serverWith(setup, { directoryUrl: pebble.directoryUrl, caFile: '/dev/null' })
    server.heardLog.allow(FAILED_ATTEMPT)
    expect((await until(server, haveFailed))[0]?.problem).toMatch(/self-signed certificate.*that this machine trusts/)
  })

  test('stopping the server does not wait for an authority that does not respond', async () => {
    const setup = await setUp()
    const silent = createServer(() => undefined)
    const port = await new Promise<number>(resolve =>
      silent.listen(0, '127.0.0.1', () => resolve((silent.address() as { port: number }).port)),
    )
    onTestFinished(() => void silent.closeAllConnections())
    onTestFinished(() => void silent.close())
    const server = await serverWith(setup, { directoryUrl: `https://localhost:${port}/dir`, caFile: '/dev/null' })
    server.heardLog.allow(FAILED_ATTEMPT)
    // A stop that waits ends with another code.
    expect(await server.stop()).toBe(0)
  })
})

/** Adds a rate limit to Pebble, which has none: orders get 429 (RFC 8555 section 6.6). */
async function startRateLimit(pebble: Pebble): Promise<{ directoryUrl: string; orders(): number }> {
  let orders = 0
  const { port } = new URL(pebble.directoryUrl)
  const limit = createSecureServer({ ...pebble.tls }, (incoming, outgoing) => {
    if (incoming.url?.startsWith('/order-plz')) {
      orders += 1
      const problem = {
        type: 'urn:ietf:params:acme:error:rateLimited',
        detail: 'too many certificates (5) already issued for this name',
        status: 429,
      }
      outgoing
        .writeHead(429, { 'content-type': 'application/problem+json', 'retry-after': '3600', 'replay-nonce': 'x' })
        .end(JSON.stringify(problem))
      return
    }
    const { method, headers, url: path } = incoming
    const passed = requestHttps({ host: '127.0.0.1', port, path, method, headers, ca: pebble.ca, servername: 'localhost' }, response => {
      outgoing.writeHead(response.statusCode ?? 502, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  })
  const own = await new Promise<number>(resolve => limit.listen(0, '127.0.0.1', () => resolve((limit.address() as { port: number }).port)))
  onTestFinished(() => {
    limit.closeAllConnections()
    limit.close()
  })
  return { directoryUrl: `https://localhost:${own}/dir`, orders: () => orders }
}
