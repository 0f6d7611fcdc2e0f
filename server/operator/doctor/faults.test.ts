/**
 * What `mayfly doctor` and the operator's page say together of a real deployment behind HTTPS, and the faults that need one: certificates,
 * a full disk, blocklists. doctor.test.ts has all others.
 */
import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { request as requestHttp } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { DAY_MS, MIB } from '#contract/limits.ts'
import { type DnsLists, listDomains, type OperatorOverview, readChecks, readOverview } from '#contract/operator.ts'
import { routes } from '#contract/routes.ts'
import { identifyServer } from '#server/operator/control.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { enrolOperator } from '#test/harness/clients/operator.ts'
import { SmtpClient } from '#test/harness/clients/smtp-client.ts'
import { freePort } from '#test/harness/free-port.ts'
import { receive } from '#test/harness/mayfly/start-mail.ts'
import { startTestServer, type TestServer } from '#test/harness/mayfly/start-test-server.ts'
import { healthyZone, startDnsServer, type Zone } from '#test/harness/servers/dns-server.ts'
import { startTimeServer, type TimeServer } from '#test/harness/servers/time-server.ts'
import { canMount, mountSmallDisk } from '#test/harness/small-disk.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { doctor } from '../../../cli/doctor.ts'
import type { Finding } from './context.ts'

const DOMAIN = 'mayfly.example'
const HOST = `mx.${DOMAIN}`
const OPERATOR = 'op@example.com'
const GOOD = healthyZone(DOMAIN, HOST)

let ntp: TimeServer
const mailCertificate = selfSign(HOST, Date.now())
const siteCertificate = selfSign(DOMAIN, Date.now())
const ca = mailCertificate.cert + siteCertificate.cert

beforeAll(async () => {
  ntp = await startTimeServer(() => 0)
})
afterAll(() => ntp[Symbol.dispose]())

type Options = {
  readonly env?: Readonly<Record<string, string>>
  /** The certificate and key of the HTTPS proxy in front. */
  readonly sitePair?: { readonly cert: string; readonly key: string }
}

type Deployment = {
  readonly zone: Zone
  readonly site: TestServer
  /** The address of the site, over the proxy. */
  readonly publicUrl: string
  /** Every problem that the command and the page report. They must agree. */
  complaints(): Promise<string[]>
  /** What the page shows of DNS lists, by domain. */
  dnsLists(): Promise<ReadonlyMap<string, DnsLists | null>>
  overview(): Promise<OperatorOverview>
}

/** A healthy deployment: a mail server with a certificate, a site behind an HTTPS proxy, an operator with a second factor. */
async function deploy({ env = {}, sitePair = siteCertificate }: Options = {}): Promise<Deployment> {
  const zone: Zone = { ...GOOD }
  const dns = await startDnsServer(zone)
  onTestFinished(() => dns[Symbol.asyncDispose]())
  const own = newFolder()
  const files = { TLS_CERT: join(own, 'cert.pem'), TLS_KEY: join(own, 'key.pem') }
  await Promise.all([writeFile(files.TLS_CERT, mailCertificate.cert), writeFile(files.TLS_KEY, mailCertificate.key)])
  const [httpPort, smtpPort, proxyPort] = [await freePort(), await freePort(), await freePort()]
  const publicUrl = `https://${DOMAIN}:${proxyPort}`
  const settings = {
    ...files,
    HTTP_PORT: String(httpPort),
    SMTP_PORT: String(smtpPort),
    HOST: '127.0.0.1',
    PUBLIC_URL: publicUrl,
    MAIL_DOMAINS: DOMAIN,
    MAIL_HOST: HOST,
    DNS_SERVERS: dns.address,
    OPERATORS: OPERATOR,
    CONTACT_TO: 'operator@example.com',
    TRUST_PROXY: '127.0.0.1',
    BOT_CHECK: 'off',
    NETWORK_LIMIT_FACTOR: '10',
    ...env,
  }
  const outside = {
    mailPort: smtpPort,
    timeServer: `127.0.0.1:${ntp.port}`,
    ca,
  }
  const site = await startTestServer({ env: settings, outside, isClockRunning: true })
  onTestFinished(() => site[Symbol.asyncDispose]())
  const proxy = createSecureServer(sitePair, (incoming, outgoing) => {
    const headers = { ...incoming.headers, 'x-forwarded-for': incoming.socket.remoteAddress }
    const passed = requestHttp({ host: '127.0.0.1', port: httpPort, path: incoming.url, method: incoming.method, headers }, response => {
      outgoing.writeHead(response.statusCode ?? 0, response.headers)
      response.pipe(outgoing)
    })
    incoming.pipe(passed)
  }).listen(proxyPort, '127.0.0.1')
  await once(proxy, 'listening')
  onTestFinished(() => void proxy.close())
  const { visitor } = await enrolOperator(site, OPERATOR)
  const commandEnv = { DATA_DIR: site.folder, SMTP_RELAY_URL: site.recorder.url, ...settings }

  return {
    zone,
    site,
    publicUrl,
    async complaints() {
      let text = ''
      await doctor(commandEnv, { isJson: true, outside }, line => {
        text += line
      })
      const command: Finding[] = JSON.parse(text).findings
      const answer = await visitor.ask('GET', routes.operatorChecks)
      expect(answer.status, answer.text).toBe(200)
      const page = readChecks.response.parse(JSON.parse(answer.text)).findings
      const shown = await visitor.ask('GET', routes.operatorOverview)
      expect(readOverview.response.parse(JSON.parse(shown.text)).lastLook?.findings, 'kept for the overview').toEqual(page)
      // Only the command reads settings and certificate files, which the server has read at its start. Times and free bytes differ.
      const shared = command.filter(({ check }) => check !== 'configuration' && check !== 'certificate')
      expect(page.map(withoutNumbers)).toEqual(shared.map(withoutNumbers))
      return (
        command
          // The test signs up without solving the check.
          .filter(({ status, sentence }) => status !== 'ok' && !sentence.startsWith('BOT_CHECK is off'))
          .map(({ check, status, sentence, remedy }) => `${check} ${status}: ${sentence} ${remedy}`)
      )
    },
    async dnsLists() {
      const { domains } = listDomains.response.parse(JSON.parse((await visitor.ask('GET', routes.operatorDomains)).text))
      return new Map(domains.map(({ name, dnsLists }) => [name, dnsLists]))
    },
    async overview() {
      const answer = await visitor.ask('GET', routes.operatorOverview)
      return readOverview.response.parse(JSON.parse(answer.text))
    },
  }
}

type Said = Pick<Finding, 'check' | 'status' | 'sentence'> & { readonly remedy?: string | undefined }
const withoutNumbers = ({ check, status, sentence, remedy }: Said) => `${check} ${status}: ${sentence} ${remedy}`.replace(/\d+/g, 'N')

test('an expired certificate of the site', async () => {
  const { complaints } = await deploy({ sitePair: selfSign(DOMAIN, Date.now() - 826 * DAY_MS) })
  expect(await complaints()).toEqual([
    expect.stringMatching(/^PUBLIC_URL failure: https:\S+ cannot be reached: .*(?:expired|self-signed).* the certificate/i),
  ])
})

test('a healthy deployment has no findings, and a renewal with an unusable file is told', async () => {
  const { site, complaints, overview } = await deploy()
  expect(await complaints()).toEqual([])
  expect((await overview()).certificates).toEqual([
    expect.objectContaining({
      use: 'mail',
      name: HOST,
      isSelfSigned: true,
      validTo: expect.stringMatching(/^20/),
      problem: null,
      retryAt: null,
    }),
  ])
  site.heardLog.allow(/Certificate cannot be used, the old one stays/)
  await writeFile(site.app.config.tlsCertFile ?? '', 'half a file')
  await site.app.reloadCertificate()
  const [certificate] = (await overview()).certificates
  expect(certificate).toMatchObject({ use: 'mail', name: HOST, problem: expect.stringMatching(/^TLS_CERT and TLS_KEY are no certificate/) })
  await writeFile(site.app.config.tlsCertFile ?? '', siteCertificate.cert)
  expect(await complaints()).toContainEqual(
    expect.stringMatching(/^certificate failure: TLS_CERT and TLS_KEY are no certificate .*mismatch/),
  )
  // The old one is still presented.
  expect((await complaints()).filter(complaint => !complaint.startsWith('certificate'))).toEqual([])
})

test.skipIf(!canMount)('a full disk (needs root that may mount)', async () => {
  const disk = join(newFolder(), 'disk')
  const mounted = mountSmallDisk(disk, 224 * MIB)
  onTestFinished(() => mounted[Symbol.dispose]())
  const { site, complaints, overview } = await deploy({
    env: { DATA_DIR: join(disk, 'data'), MESSAGE_BYTES_MAX: '1048576' },
  })
  expect(await complaints()).toEqual([])
  site.heardLog.allow(/"msg":"The disk of \S+ is full: /, /"message":"database or disk is full".*"msg":"Statistics could not be kept"/)
  const { email } = await site.app.mail.createAddress({ lifetimeSeconds: 600 })
  // `dd` ends with "No space left on device".
  expect(spawnSync('dd', ['if=/dev/zero', `of=${join(disk, 'filler')}`, 'bs=64k']).status).toBe(1)
  await expect.poll(() => replyTo(site, email)).toMatch(/^452 4\.3\.1/)
  // The filler took everything; what is free since is the ballast that site.db gave up for its own writes, and an emptied log.
  expect((await overview()).now.diskFreeBytes).toBeLessThan(10 * MIB)
  expect(await complaints()).toEqual([
    expect.stringMatching(/^disk failure: Only \d MiB are free: mail is refused below \d+ MiB\. Make room/),
    expect.stringMatching(/^own mail failure: .*\(storage_full\)\. See the other findings, disk/),
  ])
})

/** The reply that a sender gets for a mail to this address. */
async function replyTo({ app }: TestServer, email: string): Promise<string> {
  await using client = await SmtpClient.connect(app.smtpPort)
  let reply = ''
  for (const bytes of ['EHLO me\r\n', 'MAIL FROM:<>\r\n', `RCPT TO:<${email}>\r\n`, 'DATA\r\n', 'Subject: x\r\n\r\nx\r\n.\r\n']) {
    client.send(bytes)
    reply = await client.reply()
    if (!/^[23]/.test(reply)) break
  }
  return reply
}

test('public lists: a domain of theirs, one below it, an address, a list that refuses this resolver, and one that is silent', async () => {
  const { zone, site, complaints, dnsLists } = await deploy()
  const names = ['fine.example', 'mailinator.com', '*.deep.mailinator.com', 'blocked.example']
  await site.withDatabase(async ({ db }) => {
    for (const [position, name] of names.entries()) {
      const row = { name: name.replace('*.', ''), state: 'paused', has_subdomains: name.startsWith('*') ? 1 : 0, position: position + 9 }
      await db
        .insertInto('mail_domains')
        .values({ ...row, ends_at: null, living_until: 0, created_at: 0 })
        .execute()
      zone[`${row.name} MX`] = [HOST]
      zone[`a-subdomain.${row.name} MX`] = [HOST]
    }
    await db.updateTable('settings').set({ value: '99' }).where('name', '=', 'revision').execute()
  })
  await expect.poll(async () => (await identifyServer(site.folder))?.domains?.receiving.length).toBe(5)
  zone['blocked.example.dbl.spamhaus.org A'] = ['127.0.1.2']
  zone[`${HOST} A`] = ['127.0.0.1', '8.0.113.9']
  zone['9.113.0.8.bl.spamcop.net A'] = ['127.0.0.2']
  const list = 'the public list of disposable domains of 2026-09-21 (disposable-email-domains-js 1.26.0)'
  const listed = [
    expect.stringContaining(`lists warning: mailinator.com is on ${list}: sites that look there`),
    expect.stringContaining(`lists warning: deep.mailinator.com is on ${list}: sites`),
    expect.stringMatching(/^lists warning: blocked\.example is on dbl\.spamhaus\.org: sites that look there refuse/),
    expect.stringMatching(/^lists warning: 8\.0\.113\.9, the address of this machine, is on bl\.spamcop\.net\. Ask the list why/),
  ]
  expect(await complaints()).toEqual(listed)
  const answered = ['dbl.spamhaus.org', 'multi.surbl.org']
  const shown = await dnsLists()
  expect(shown.get('blocked.example')).toEqual({ at: expect.any(String), naming: ['dbl.spamhaus.org'], answered })
  expect(shown.get('fine.example')).toEqual({ at: expect.any(String), naming: [], answered })

  zone['dbltest.com.dbl.spamhaus.org A'] = ['127.255.255.254']
  zone['blocked.example.dbl.spamhaus.org A'] = ['127.255.255.254']
  zone['surbl-org-permanent-test-point.com.multi.surbl.org A'] = ['127.0.0.1']
  zone['fine.example.multi.surbl.org A'] = ['127.0.0.1']
  delete zone['2.0.0.127.psbl.surriel.com A']
  expect(await complaints()).toEqual([
    ...listed.slice(0, 2),
    listed[3],
    expect.stringMatching(
      /^lists warning: dbl\.spamhaus\.org, multi\.surbl\.org refuse to answer your resolver.*unbound.*DNS_SERVERS.*free key/,
    ),
    expect.stringMatching(/^lists warning: psbl\.surriel\.com did not answer/),
  ])
})

test('DNS blocklists: one that works, one that refuses this resolver, one that lists everybody, a misspelt one, and one that lists this machine', async () => {
  const lists = ['good.example', 'refusing.example', 'sold.example', 'misspelt.example']
  const { zone, site, complaints, overview } = await deploy({ env: { DNS_BLOCKLISTS: lists.join(',') } })
  zone['2.0.0.127.good.example A'] = ['127.0.0.2']
  zone['2.0.0.127.refusing.example A'] = ['127.255.255.254']
  for (const ip of ['1.0.0.127', '2.0.0.127']) zone[`${ip}.sold.example A`] = ['127.0.0.2']
  expect(await complaints()).toEqual([
    expect.stringMatching(/^blocklist failure: refusing\.example refuses to answer this resolver.*DNS_SERVERS/),
    expect.stringMatching(/^blocklist failure: sold\.example lists every address.*Leave it out/),
    expect.stringMatching(/^blocklist failure: misspelt\.example does not list its own test address/),
  ])
  expect((await overview()).blocklists).toEqual(lists.map(list => ({ list, mails: 0 })))
  const { email } = await site.app.mail.createAddress({ lifetimeSeconds: 600 })
  zone['7.113.0.8.good.example A'] = ['127.0.0.2']
  const envelope = { from: 'ann@sender.test', recipients: [email], clientAddress: '8.0.113.7', helo: 'sender.test', isEncrypted: false }
  expect(await receive(site.app.mail, envelope, Buffer.from('Subject: Listed\r\n\r\nx\r\n'))).toBe('delivered')
  const mailsOf = async (list: string) => (await overview()).blocklists.find(each => each.list === list)?.mails
  await expect.poll(() => mailsOf('good.example')).toBe(1)
  expect(await mailsOf('misspelt.example')).toBe(0)
  expect(await (await fetch(site.url(routes.metrics))).text()).toContain('mayfly_senders_listed_total{list="good.example"} 1')
  // The second address is elsewhere; nothing connects to it.
  zone[`${HOST} A`] = ['127.0.0.1', '8.0.113.9']
  zone['9.113.0.8.good.example A'] = ['127.0.0.4']
  expect(await complaints()).toContainEqual(
    expect.stringMatching(/^blocklist warning: 8\.0\.113\.9, the address of this machine, is on good\.example\. Ask the list why/),
  )
})
