import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MIB } from '#contract/limits.ts'
import { newFolder } from '#test/harness/until-end.ts'
import { ConfigError, readConfig } from './config.ts'
import { variableNames } from './settings.ts'

test('without settings the defaults work', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    httpPort: 8080,
    smtpPort: 2525,
    domains: ['in.example.com'],
    lifetimeSeconds: 600,
    botCheck: 'pow',
    messageBytesMax: 26_214_400,
  })
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ HTTP_PORT: '', MAIL_DOMAINS: '' })).toMatchObject({ httpPort: 8080, domains: ['in.example.com'] })
})

test('SMTP_PORT may name an address of its own, too', () => {
  const at = (SMTP_PORT: string) => readConfig({ SMTP_PORT, HOST: '::' })
  expect(at('127.0.0.1:25')).toMatchObject({ host: '::', httpHost: '::', smtpHost: '127.0.0.1', smtpPort: 25 })
  expect(at('25')).toMatchObject({ smtpHost: '::', smtpPort: 25 })
  expect(configProblems({ SMTP_PORT: 'localhost:25' })).toEqual([expect.stringMatching(/^SMTP_PORT must be/)])
})

test('each setting that a sample in deploy/ asks for is taken', () => {
  const folder = join(import.meta.dirname, '../../../deploy')
  const samples = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => /Caddyfile$|\.(?:conf|vcl|cfg)$/.test(name))
  const text = samples.map(name => readFileSync(join(folder, name), 'utf8')).join('\n')
  const found = [...text.matchAll(/\b([A-Z]+(?:_[A-Z]+)+)=([^\s`]*[^\s`.,:;])/g)].filter(([, name = '']) =>
    (variableNames as readonly string[]).includes(name),
  )
  expect(found.length).toBeGreaterThan(5)
  // What another setting is missing for is no fault of the value.
  const problems = found.flatMap(([, name = '', value = '']) =>
    configProblems({ [name]: value }).filter(problem => problem.startsWith(`${name} must`)),
  )
  expect(problems).toEqual([])
})

test('HTTP_PORT may name an address of its own, which is no other port', () => {
  const at = (HTTP_PORT: string) => readConfig({ HTTP_PORT, HOST: '::' })
  expect(at('127.0.0.1:8080')).toMatchObject({ host: '::', httpHost: '127.0.0.1', httpPort: 8080, publicUrl: 'http://localhost:8080' })
  expect(at('[::1]:8080')).toMatchObject({ httpHost: '::1', httpPort: 8080 })
  expect(at('8080')).toMatchObject({ httpHost: '::', httpPort: 8080 })
  for (const HTTP_PORT of ['localhost:80', '::1:80', '[127.0.0.1]:80', '127.0.0.1:', '127.0.0.1:65536', ':80', '256.0.0.1:80'])
    expect(configProblems({ HTTP_PORT })).toEqual([expect.stringMatching(/^HTTP_PORT must be/)])
  expect(configProblems({ HTTP_PORT: '127.0.0.1:2525' })).toEqual(['SMTP_PORT and HTTP_PORT must differ'])
})

test.each(['pa#ss', 'pa/ss', 'pa?ss', '12#3', '12/3', '12?3'])('the relay’s password %s is asked for percent-encoded', password => {
  const relay = (encoded: string) => configProblems({ SMTP_RELAY_URL: `smtp://user:${encoded}@relay.example:587` })
  expect(relay(password)).toEqual([expect.stringMatching(/^SMTP_RELAY_URL must have .* percent-encoded: %23 for #/)])
  expect(relay(encodeURIComponent(password))).toEqual([])
})

test('one message lists every variable that is wrong', () => {
  const wrong: Record<string, string> = {
    HTTP_PORT: 'http',
    SMTP_PORT: '70000',
    PUBLIC_URL: 'mayfly',
    MAIL_DOMAINS: 'not a domain',
    SECRET: 'short',
    LIFETIME_SECONDS: '0',
    MAIL_STORE_URL: 'http://x',
    MAIL_STORE_REPLICAS: 'all',
    DATABASE_URL: 'mysql://x',
    SMTP_RELAY_URL: 'relay',
    MAIL_FROM: 'me',
    CONTACT_TO: 'you',
    CONTACT_DAYS: '13',
    SUPPORT_EMAIL: 'they',
    PARTNER_URL: 'ftp://x',
    SOURCE_URL: 'ftp://x',
    BOT_CHECK: 'maybe',
    SMTP_STARTTLS: 'off',
    MESSAGE_BYTES_MAX: '1',
    MAILBOX_MESSAGES_MAX: '0',
    NETWORK_LIMIT_FACTOR: '0',
    API_TOKENS: 'ci:secret',
    WEBHOOK_ALLOW_PRIVATE: 'lan',
    API_MAILBOXES_MAX: '0',
    METRICS_FROM: 'everybody',
    TRUST_PROXY: 'proxy',
    LOG_LEVEL: 'loud',
  }
  const problems = configProblems(wrong)
  expect(problems.map(problem => problem.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort())
})

const NONSENSE =
  'foo example.com/hook :// https:// http:// smtp:// smtps:///x postgres:// redis:// https:foo https://% https://a:%zz@b.example smtp://a:%zz@b.example ' +
  'postgres://a:%zz@b.example postgres://b.example/%zz redis://a:%zz@b.example file:/ file:/nowhere a@b@c % %zz , ,, [ [::1 [::1]:x ::1:99999 127.0.0.300 ' +
  '127.0.0.1:0x35 127.0.0.1:0 dns.example *. *.* .. -1 1e9 0x10 99999999999999999999 NaN off on auto+ é\u0000 {} null'

test('whatever a setting is set to, it is accepted or refused by its name', () => {
  const values = [...NONSENSE.split(' '), ' ', 'x'.repeat(100_000), 'a,'.repeat(10_000)]
  for (const name of [...variableNames, 'HTTPS_PROXY', 'https_proxy']) {
    for (const value of values) {
      const problems = configProblems({ [name]: value })
      for (const problem of problems) expect(problem, `${name}=${value.slice(0, 60)}`).toContain(name.toUpperCase())
    }
  }
})

test.for([
  ['OPERATOR_WEBHOOK_URL', 'must be a URL that starts with https:// or http://', 'foo example.com/hook https:// https:foo'],
  ['ACME_DIRECTORY_URL', 'must be a URL that starts with https://', 'foo http://ca.example'],
  ['SMTP_RELAY_URL', 'must name a host after ://', 'smtp:// smtps:///x'],
  ['SMTP_RELAY_URL', 'must have %25 for each % that stands for itself', 'smtp://a:%zz@relay.example'],
  ['DATABASE_URL', 'must name a host after ://', 'postgres:// postgresql:///'],
  ['DATABASE_URL', 'must have %25 for each % that stands for itself', 'postgres://a:%@db.example/x postgres://db.example/%zz'],
  ['MAIL_STORE_URL', 'must be redis:// or rediss:// URLs', 'redis://a:%zz@node.example'],
  ['HTTPS_PROXY', 'must be the URL of a proxy that starts with http:// or https://', 'foo'],
  [
    'DNS_SERVERS',
    'must be off, or IP addresses separated by commas',
    'dns.example 127.0.0.300 127.0.0.1:0 127.0.0.1:65536 [127.0.0.1]:53 127.0.0.1,x',
  ],
  ['HOST', 'must be an IP address, or localhost', '127.0.0.300 example.org * 127.0.0.1:80'],
] as const)('%s %s: %s', ([name, sentence, values]) => {
  for (const value of values.split(' '))
    expect(
      configProblems({ [name]: value }).filter(problem => problem.startsWith(`${name} ${sentence}`)),
      value,
    ).toHaveLength(1)
})

test.for([
  ['DATABASE_URL', 'postgres://db.example postgres:///mayfly postgresql://?host=/run/postgresql postgres://a:%25@db.example/x'],
  ['DNS_SERVERS', 'off 127.0.0.1 127.0.0.1:5353,::1,[::1]:53,[::1]'],
  ['HOST', '127.0.0.1 :: ::1 localhost'],
  ['OPERATOR_WEBHOOK_URL', 'https://chat.example/100%?of=50% http://10.0.0.5/hook'],
  ['HTTPS_PROXY', 'proxy:3128 proxy.lan http://proxy'],
] as const)('%s may be each of %s', ([name, values]) => {
  for (const value of values.split(' ')) expect(configProblems({ [name]: value }), value).toEqual([])
})

test('a URL for notices with a password is refused: nothing could ever be sent there', () => {
  expect(configProblems({ OPERATOR_WEBHOOK_URL: 'https://user:password@chat.example/hook' })).toEqual([
    'OPERATOR_WEBHOOK_URL must not hold a user or a password: put a secret into its path or query',
  ])
  expect(readConfig({ OPERATOR_WEBHOOK_URL: 'https://chat.example/hook?key=x' }).operatorWebhookUrl).toBe('https://chat.example/hook?key=x')
})

test.for([
  [{ RECAPTCHA_SECRET: 'x' }, /^RECAPTCHA_SITE_KEY or RECAPTCHA_SECRET is set but not used/],
  [{ PUBLIC_URL: 'http://mayfly.example:2525' }, /^PUBLIC_URL names the port of SMTP_PORT/],
  [{ CONTACT_TO: 'me@elsewhere.example' }, /^CONTACT_TO is set, but without SMTP_RELAY_URL/],
  [{ MAIL_FROM: 'me@elsewhere.example' }, /^MAIL_FROM is set, but without SMTP_RELAY_URL/],
  [{ SMTP_STARTTLS: 'never', TLS_CERT: '/a', TLS_KEY: '/b' }, /^SMTP_STARTTLS is never, so TLS_CERT and TLS_KEY are not used/],
  [{ CONTACT_TO: 'me@In.example.com', SMTP_RELAY_URL: 'smtp://relay' }, /^CONTACT_TO is an address at one of MAIL_DOMAINS/],
  [{ CONTACT_TO: 'me@box.test', MAIL_DOMAINS: '*.box.test', SMTP_RELAY_URL: 'smtp://relay' }, /^CONTACT_TO is an address at one of/],
  [{ CONTACT_TO: 'me@a.box.test', MAIL_DOMAINS: '*.box.test', SMTP_RELAY_URL: 'smtp://relay' }, /^CONTACT_TO is an address at one of/],
  [{ OPERATORS: 'me@elsewhere.example,you@In.example.com' }, /^OPERATORS names you@In\.example\.com, an address at one of MAIL_DOMAINS/],
] as const)('%o is a contradiction', ([env, sentence]) => {
  expect(configProblems(env)).toEqual([expect.stringMatching(sentence)])
})

test.for([
  { BOT_CHECK: 'pow', RECAPTCHA_SITE_KEY: 'x', RECAPTCHA_SECRET: 'x' },
  { PUBLIC_URL: 'http://localhost:9090', HTTP_PORT: '8080' },
  { OPERATORS: 'me@a.box.test,you@elsewhere.example', MAIL_DOMAINS: 'box.test' },
  { CONTACT_TO: 'me@a.box.test', MAIL_DOMAINS: 'box.test', SMTP_RELAY_URL: 'smtp://relay' },
  { CONTACT_TO: 'me@elsewhere.example', MAIL_FROM: 'no-reply@elsewhere.example', SMTP_RELAY_URL: 'smtp://relay' },
])('%o is not a contradiction', env => {
  expect(configProblems(env)).toEqual([])
})

test('invalid values, misspelt names and contradictions are in one list, and an invalid value contradicts nothing', () => {
  expect(configProblems({ HTTP_PORT: 'x', SMTP_PORT: '8080', MAIL_DOMAIN: 'a.example', TLS_KEY: 'key.pem' })).toEqual([
    expect.stringMatching(/^HTTP_PORT must be a whole number from 0 to 65535, or an address/),
    'MAIL_DOMAIN is not a variable of this server: did you mean MAIL_DOMAINS?',
    'TLS_KEY is set, but without TLS_CERT there is no certificate for it: set both, or leave it out',
  ])
})

test('a public URL is a host with an optional port and final slash', () => {
  for (const PUBLIC_URL of ['https://a.example', 'https://a.example/', 'http://a.example:8080', 'https://a.example:443']) {
    expect(configProblems({ PUBLIC_URL })).toEqual([])
  }
  for (const PUBLIC_URL of ['https://a.example/mail', 'https://a.example/?x', 'https://a.example/#x', 'https://me:pw@a.example']) {
    expect(configProblems({ PUBLIC_URL })).toEqual([expect.stringMatching(/^PUBLIC_URL must be only a scheme, a host and a port/)])
  }
})

test('PUBLIC_URL is kept as browsers write it', () => {
  for (const PUBLIC_URL of ['HTTPS://MÜNCHEN.example/', 'https://xn--mnchen-3ya.example:443'])
    expect(readConfig({ PUBLIC_URL }).publicUrl).toBe('https://xn--mnchen-3ya.example')
})

test('a domain is kept as it stands in DNS, and an IP address is none', () => {
  const env = { MAIL_DOMAINS: 'MÜNCHEN.example., *.Box.example.', MAIL_HOST: 'MX.Mayfly.Example.' }
  expect(readConfig(env)).toMatchObject({ domains: ['xn--mnchen-3ya.example', '*.box.example'], mailHosts: ['mx.mayfly.example'] })
  for (const name of ['192.0.2.1', '[::1]', 'a..b', 'a b.example', 'ü', '.', `${'a.'.repeat(130)}b`])
    expect(configProblems({ MAIL_DOMAINS: name, MAIL_HOST: name })).toEqual([
      expect.stringMatching(/^MAIL_DOMAINS must (?:be domain names|name at least)/),
      expect.stringMatching(/^MAIL_HOST must (?:be a domain name|name at least)/),
    ])
})

test('the nodes of a mail store must belong to one cluster', () => {
  for (const MAIL_STORE_URL of ['redis://127.0.0.1:7000', 'rediss://u:p@a.example,rediss://b.example:7001/', 'valkey://[::1]:7000/0']) {
    expect(configProblems({ MAIL_STORE_URL, MAIL_STORE_REPLICAS: '1+sync' })).toEqual([])
  }
  for (const MAIL_STORE_URL of ['redis://', 'a.example:7000', 'redis://a.example/3', 'redis://a.example,http://b.example']) {
    expect(configProblems({ MAIL_STORE_URL })).toEqual([expect.stringMatching(/^MAIL_STORE_URL must be redis:\/\/ or rediss:\/\/ URLs/)])
  }
  for (const MAIL_STORE_URL of ['redis://a.example,rediss://b.example', 'redis://:one@a.example,redis://:two@b.example']) {
    expect(configProblems({ MAIL_STORE_URL })).toEqual([expect.stringMatching(/^MAIL_STORE_URL must name one cluster/)])
  }
  expect(configProblems({ MAIL_STORE_REPLICAS: '1' })).toEqual([expect.stringContaining('without MAIL_STORE_URL')])
})

test('what follows from other settings', () => {
  expect(readConfig({ MESSAGE_BYTES_MAX: String(40 * MIB), API_MAILBOXES_MAX: '3' })).toMatchObject({
    diskReserveBytes: 88 * MIB,
    quota: { messagesMax: 100, bytesMax: 80 * MIB },
    apiCreationsPerHour: 6,
    smtpConnectionsPerClientMax: 50,
    httpConnectionsPerClientMax: 400,
  })
  expect(readConfig({})).toMatchObject({ diskReserveBytes: 64 * MIB, quota: { messagesMax: 100, bytesMax: 50 * MIB } })
  expect(readConfig({ MAILBOX_MESSAGES_MAX: '1000' }).quota.bytesMax).toBe(500 * MIB)
  expect(readConfig({ NETWORK_LIMIT_FACTOR: '3' })).toMatchObject({ smtpConnectionsPerClientMax: 150, httpConnectionsPerClientMax: 1200 })
  expect(readConfig({ DNS_SERVERS: 'off' })).toMatchObject({ authenticateMail: false, dnsServers: [] })
})

test('the secret can be in a file', () => {
  const path = join(newFolder(), 'secret')
  writeFileSync(path, `${'s'.repeat(32)}\n`)
  expect(readConfig({ SECRET: `file:${path}` }).secret).toBe('s'.repeat(32))
  expect(configProblems({ SECRET: 'file:/nowhere' })).toEqual([expect.stringMatching(/^SECRET must have .* or name a readable file/)])
})

test('the list of variables contains what is read from the environment', () => {
  expect(variableNames).toContain('LIFETIME_SECONDS')
})

function configProblems(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

const ACME = { ACME_EMAIL: 'operator@elsewhere.example', PUBLIC_URL: 'https://mayfly.example', MAIL_DOMAINS: 'mayfly.example' }

test('with ACME there is one certificate for the site and one for the mail host', () => {
  expect(readConfig({ ...ACME, MAIL_HOST: 'MX.mayfly.example' })).toMatchObject({
    mailHost: 'mx.mayfly.example',
    acme: {
      directoryUrl: 'https://acme-v02.api.letsencrypt.org/directory',
      httpsPort: 8443,
      certificates: [['mayfly.example'], ['mx.mayfly.example']],
    },
  })
  expect(readConfig(ACME).acme?.certificates).toEqual([['mayfly.example']])
  expect(readConfig({}).acme).toBeUndefined()
  expect(readConfig({ ...ACME, TRUST_PROXY: '203.0.113.0/24' }).acme, 'behind a proxy that speaks HTTPS with it').toBeDefined()
  const moved = {
    PUBLIC_URL: 'https://mayfly.example, https://old.example/,http://mayfly.example',
    MAIL_HOST: 'mx.mayfly.example,mx.two.example',
  }
  expect(readConfig({ ...ACME, ...moved })).toMatchObject({
    publicUrl: 'https://mayfly.example',
    formerHosts: ['old.example'],
    mailHost: 'mx.mayfly.example',
    mailHosts: ['mx.mayfly.example', 'mx.two.example'],
    acme: { certificates: [['mayfly.example'], ['mx.mayfly.example', 'mx.two.example'], ['old.example']] },
  })
  const again = { ...moved, MAIL_HOST: 'mx.mayfly.example,old.example,MX.mayfly.example' }
  expect(readConfig({ ...ACME, ...again })).toMatchObject({
    mailHosts: ['mx.mayfly.example', 'old.example'],
    acme: { certificates: [['mayfly.example'], ['mx.mayfly.example', 'old.example']] },
  })
  const shared = { ...moved, MAIL_HOST: 'mayfly.example,mx.two.example' }
  expect(readConfig({ ...ACME, ...shared }).acme?.certificates).toEqual([['mayfly.example', 'mx.two.example'], ['old.example']])
})

test.each<[Record<string, string>, RegExp]>([
  [{ HTTPS_PORT: '443' }, /without ACME_EMAIL the server obtains no certificate/],
  [{ ACME_DIRECTORY_URL: 'https://ca.example/dir' }, /without ACME_EMAIL/],
  [{ ...ACME, PUBLIC_URL: 'http://mayfly.example' }, /PUBLIC_URL must be the https:\/\/ address/],
  [{ ...ACME, PUBLIC_URL: '' }, /PUBLIC_URL must be the https:\/\/ address/],
  [{ ...ACME, PUBLIC_URL: 'https://203.0.113.5' }, /PUBLIC_URL is no name of the internet/],
  [{ ...ACME, MAIL_DOMAINS: 'mayfly.test' }, /MAIL_HOST \(or the first of MAIL_DOMAINS\) is no name of the internet/],
  [{ ...ACME, MAIL_DOMAINS: '' }, /MAIL_HOST \(or the first of MAIL_DOMAINS\) is no name of the internet/],
  [{ ...ACME, TLS_CERT: 'a', TLS_KEY: 'b' }, /both give the certificate of the mail port/],
  [{ ...ACME, MAIL_STORE_URL: 'redis://127.0.0.1:6379' }, /one process on one machine/],
  [{ ...ACME, HTTPS_PORT: '8080' }, /HTTP_PORT and HTTPS_PORT must differ/],
  [{ ...ACME, TRUST_PROXY: '127.0.0.1,::1' }, /redirected to https:\/\/ without end/],
  [{ ...ACME, TRUST_PROXY: '10.0.0.0/8', HTTP_PORT: '127.0.0.1:8080' }, /redirected to https:\/\/ without end/],
  [{ ...ACME, ACME_DIRECTORY_URL: 'http://ca.example/dir' }, /ACME_DIRECTORY_URL must be a URL that starts with https/],
  [{ ...ACME, PUBLIC_URL: 'https://mayfly.example,https://old.test' }, /PUBLIC_URL is no name of the internet/],
  [{ ...ACME, MAIL_HOST: 'mx.mayfly.example,mx.two.local' }, /MAIL_HOST .* is no name of the internet/],
  [{ ...ACME, MAIL_HOST: 'not a host' }, /MAIL_HOST must be a domain name/],
])('contradictory settings of ACME are refused: %j', (env, sentence) => {
  expect(() => readConfig(env)).toThrow(sentence)
})

test('DNS blocklists need look-ups', () => {
  expect(readConfig({ DNS_BLOCKLISTS: 'Zen.example.org, other.example' }).dnsBlocklists).toEqual(['zen.example.org', 'other.example'])
  expect(() => readConfig({ DNS_BLOCKLISTS: 'zen.example.org', DNS_SERVERS: 'off' })).toThrow(/nothing is looked up/)
})

test('PARTNER_URL=off leaves the link out', () => {
  expect(readConfig({ PARTNER_URL: 'off' }).partnerUrl).toBe('')
  expect(readConfig({}).partnerUrl).toMatch(/^https:/)
})
