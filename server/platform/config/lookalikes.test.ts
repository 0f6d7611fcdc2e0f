import { expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'
import { variableNames } from './settings.ts'

/** Returns, for each variable that is not the server's own, the one that it is taken for. */
function lookalikesIn(env: Record<string, string>): string[] {
  try {
    readConfig(env)
    return []
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return error.problems.flatMap(problem => /did you mean (\w+)\?/.exec(problem)?.[1] ?? [])
  }
}
const closestVariable = (name: string, value = 'x') => lookalikesIn({ [name]: value })[0]

test.for([
  ['MAIL_DOMAIN', 'MAIL_DOMAINS'],
  ['MAILDOMAINS', 'MAIL_DOMAINS'],
  ['DATADIR', 'DATA_DIR'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['HTTP_PROT', 'HTTP_PORT'],
  ['SMTP_PORTS', 'SMTP_PORT'],
  ['PUBLIC_URI', 'PUBLIC_URL'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['TRUST_PROXIES', 'TRUST_PROXY'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['RECAPTCHA_SECRET_KEY', 'RECAPTCHA_SECRET'],
  ['RECAPTCHA_SITEKEY', 'RECAPTCHA_SITE_KEY'],
  ['SMTP_RELAY', 'SMTP_RELAY_URL'],
  ['SMTP_RELAY_PASSWORD', 'SMTP_RELAY_URL'],
  ['MAILBOX_MAX_MESSAGES', 'MAILBOX_MESSAGES_MAX'],
  ['MAYFLY_HTTP_PORT', 'HTTP_PORT'],
  ['MAYFLY_API_TOKEN', 'API_TOKENS'],
  ['MAYFLY_SECRET', 'SECRET'],
  ['LIFETIME_SECOND', 'LIFETIME_SECONDS'],
  ['LIFETIME', 'LIFETIME_SECONDS'],
  ['SMTP_TRUSTED_NETWORKS', 'SMTP_TRUSTED'],
] as const)('%s is taken for %s', ([name, meant]) => {
  expect(closestVariable(name)).toBe(meant)
})

test('variables of this server and empty ones are not reported', () => {
  expect(lookalikesIn(Object.fromEntries(variableNames.map(name => [name, 'x'])))).toEqual([])
  expect(closestVariable('MAIL_DOMAIN', '')).toBeUndefined()
})

test('variables of other programs are not reported', () => {
  const others =
    'PATH HOME HOST_NAME HOSTNAME USER LOGNAME MAIL MAILCHECK SHELL LANG TERM PWD OLDPWD TMPDIR TZ EDITOR PORT NODE_ENV NODE_OPTIONS ' +
    'HTTP_PROXY HTTPS_PROXY NO_PROXY HTTPS_PORT HTTP_PORTS HTTP_HOST SMTP_HOST SMTP_USER SMTP_PASSWORD SMTP_SERVER IMAP_PORT ' +
    'SSL_CERT_FILE SSL_CERT_DIR TLS_CA SECRETS SECRET_KEY SECRET_KEY_BASE XDG_DATA_DIRS XDG_DATA_HOME DATABASE_HOST DATABASE_USER ' +
    'TEST_DATABASE_URL REDIS_URL PGHOST PGPASSWORD POSTGRES_PASSWORD LOGLEVEL LOG_FORMAT DEBUG CI GITHUB_TOKEN AWS_SECRET_ACCESS_KEY ' +
    'DNS_SUFFIX SUPPORT_URL SITE_ID SITE_URL BASE_URL APP_URL VITE_PUBLIC_URL KUBERNETES_SERVICE_HOST KUBERNETES_PORT INVOCATION_ID ' +
    'JOURNAL_STREAM NOTIFY_SOCKET CREDENTIALS_DIRECTORY STATE_DIRECTORY RUNTIME_DIRECTORY MAYFLY_SERVICE_HOST MAYFLY_VERSION MAYFLY_URL ' +
    'MAYFLY_TOKEN MAYFLY_API_KEY npm_config_cache npm_lifecycle_event'
  expect(lookalikesIn(Object.fromEntries(others.split(' ').map(name => [name, 'x'])))).toEqual([])
})

test('variables that container engines set for linked services are not reported', () => {
  expect(closestVariable('MAYFLY_SMTP_PORT', 'tcp://10.0.0.5:25')).toBeUndefined()
})
