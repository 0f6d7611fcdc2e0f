import { expect, test } from 'vitest'
import { ConfigError, readConfig, variables } from './config.ts'

test('nothing configured gives working defaults', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    httpPort: 8080,
    smtpPort: 2525,
    domains: ['mayfly.test'],
    lifetimeSeconds: 600,
    botCheck: 'pow',
    messageBytesMax: 26_214_400,
  })
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ HTTP_PORT: '', MAIL_DOMAINS: '' })).toMatchObject({ httpPort: 8080, domains: ['mayfly.test'] })
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
    DATABASE_URL: 'mysql://x',
    SMTP_RELAY_URL: 'relay',
    MAIL_FROM: 'me',
    CONTACT_TO: 'you',
    SUPPORT_EMAIL: 'they',
    PARTNER_URL: 'ftp://x',
    BOT_CHECK: 'maybe',
    RECAPTCHA_VERIFY_URL: 'x',
    RECAPTCHA_SCRIPT_URL: 'x',
    MESSAGE_BYTES_MAX: '1',
    MAILBOX_MESSAGES_MAX: '0',
    MAILBOX_BYTES_MAX: '-1',
    IN_FLIGHT_BYTES_MAX: '1e3',
    DISK_RESERVE_BYTES: 'all',
    AUTHENTICATE_MAIL: 'yes',
    NETWORK_LIMIT_FACTOR: '0',
    METRICS_FROM: 'everybody',
    TRUST_PROXY: 'proxy',
    LOG_LEVEL: 'loud',
  }
  const problems = problemsOf(wrong)
  expect(problems.map(problem => problem.split(' ')[0]).sort()).toEqual(Object.keys(wrong).sort())
})

test('variables that contradict each other are named together', () => {
  expect(problemsOf({ BOT_CHECK: 'recaptcha', TLS_CERT: 'cert.pem', HTTP_PORT: '80', SMTP_PORT: '80' })).toEqual([
    'BOT_CHECK is recaptcha, so RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET must both be set',
    'TLS_CERT and TLS_KEY must be set together',
    'HTTP_PORT and SMTP_PORT must differ',
  ])
})

test('a store this version does not have is refused, not ignored', () => {
  expect(problemsOf({ MAIL_STORE_URL: 'redis://127.0.0.1:7000' })).toEqual([expect.stringContaining('leave it unset')])
})

test('names of variables are what the environment is read by', () => {
  expect(variables).toContain('LIFETIME_SECONDS')
})

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}
