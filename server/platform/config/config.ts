/** Reads and validates the environment; no other file reads it. Every variable is optional, and one message names all invalid ones. */
import { MIB } from '#contract/limits.ts'
import { divideMemory, memoryLimitBytes } from '../memory/memory-budget.ts'
import { diskReserveMin, findContradictions } from './contradictions.ts'
import { findLookalikes } from './lookalikes.ts'
import { type Environment, environment, variableNames } from './settings.ts'

const DISK_RESERVE_BYTES = 64 * MIB

/** The configuration that the rest of the server uses. The unit of a number is in its name. */
export type Config = Readonly<ReturnType<typeof configFrom>>

/** Thrown for an invalid environment. The message lists every invalid variable with its remedy. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`The configuration cannot be used:\n${problems.map(problem => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/**
 * Reads the whole configuration. An empty variable counts as not set.
 * @throws ConfigError that names every problem, not only the first: invalid values, names that look like ours but are not, contradictions.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const values = Object.fromEntries(variableNames.flatMap(name => (env[name] ? [[name, env[name]]] : [])))
  const parsed = environment.safeParse(values)
  const issues = parsed.success ? [] : parsed.error.issues.map(issue => ({ name: String(issue.path[0]), sentence: issue.message }))
  const wrong = new Set(issues.map(({ name }) => name))
  // Invalid variables get their defaults, so that contradictions between the others are reported in the same message.
  const rest = parsed.success
    ? parsed.data
    : environment.parse(Object.fromEntries(Object.entries(values).filter(([name]) => !wrong.has(name))))
  const problems = [
    ...issues.map(({ name, sentence }) => `${name} ${sentence}`),
    ...findLookalikes(env, variableNames).map(({ name, meant }) => `${name} is not a variable of this server: did you mean ${meant}?`),
    ...findContradictions(rest, new Set(Object.keys(values)), wrong),
  ]
  if (problems.length > 0) throw new ConfigError([...new Set(problems)])
  return configFrom(rest)
}

function configFrom(env: Environment) {
  const domain = env.MAIL_DOMAINS[0] ?? 'mayfly.test'
  const mailHost = env.MAIL_HOST ?? domain
  return {
    httpPort: env.HTTP_PORT,
    smtpPort: env.SMTP_PORT,
    host: env.HOST,
    /** Without a trailing slash. Links in outgoing mail start with it. */
    publicUrl: (env.PUBLIC_URL ?? `http://localhost:${env.HTTP_PORT}`).replace(/\/+$/, ''),
    siteName: env.SITE_NAME,
    domains: env.MAIL_DOMAINS,
    mailHost,
    dataDir: env.DATA_DIR,
    secret: env.SECRET ?? env.SECRET_FILE,
    lifetimeSeconds: env.LIFETIME_SECONDS,
    mailStoreUrls: env.MAIL_STORE_URL,
    mailStoreReplicas: env.MAIL_STORE_REPLICAS,
    mailStoreSync: env.MAIL_STORE_SYNC === 'on',
    databaseUrl: env.DATABASE_URL,
    databaseConnectionsMax: env.DATABASE_CONNECTIONS_MAX,
    smtpRelayUrl: env.SMTP_RELAY_URL,
    mailFrom: env.MAIL_FROM ?? `no-reply@${domain}`,
    contactTo: env.CONTACT_TO,
    operatorWebhookUrl: env.OPERATOR_WEBHOOK_URL,
    contactDays: env.CONTACT_DAYS,
    supportEmail: env.SUPPORT_EMAIL ?? `support@${domain}`,
    /** Accounts that may open the operator's page. */
    operators: env.OPERATORS,
    /** Where vulnerabilities are reported, for security.txt. */
    securityContact: env.SECURITY_CONTACT ?? `mailto:security@${domain}`,
    partnerUrl: env.PARTNER_URL,
    operatorName: env.OPERATOR_NAME,
    sourceUrl: env.SOURCE_URL,
    botCheck: env.BOT_CHECK,
    recaptcha: {
      siteKey: env.RECAPTCHA_SITE_KEY ?? '',
      secret: env.RECAPTCHA_SECRET ?? '',
      verifyUrl: env.RECAPTCHA_VERIFY_URL,
      scriptUrl: env.RECAPTCHA_SCRIPT_URL,
    },
    tlsCertFile: env.TLS_CERT,
    tlsKeyFile: env.TLS_KEY,
    acme: acmeFrom(env, mailHost),
    /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
    trustedProxies: env.TRUST_PROXY,
    messageBytesMax: env.MESSAGE_BYTES_MAX,
    quota: { messagesMax: env.MAILBOX_MESSAGES_MAX, bytesMax: env.MAILBOX_BYTES_MAX },
    memory: divideMemory(memoryLimitBytes(), env.MESSAGE_BYTES_MAX, env.IN_FLIGHT_BYTES_MAX),
    recipientsMax: env.RECIPIENTS_MAX,
    shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
    shutdownDrainMs: env.SHUTDOWN_DRAIN_SECONDS * 1000,
    smtpConnectionsMax: env.SMTP_CONNECTIONS_MAX,
    smtpConnectionsPerClientMax: env.SMTP_CONNECTIONS_PER_CLIENT_MAX,
    smtpTrusted: env.SMTP_TRUSTED,
    proxyProtocolFrom: env.PROXY_PROTOCOL_FROM,
    httpConnectionsPerClientMax: env.HTTP_CONNECTIONS_PER_CLIENT_MAX,
    diskReserveBytes: env.DISK_RESERVE_BYTES ?? Math.max(DISK_RESERVE_BYTES, diskReserveMin(env.MESSAGE_BYTES_MAX)),
    authenticateMail: env.AUTHENTICATE_MAIL === 'on',
    dnsServers: env.DNS_SERVERS,
    /** Zones that are asked whether they list a sender's address. */
    dnsBlocklists: env.DNS_BLOCKLISTS,
    networkLimitFactor: env.NETWORK_LIMIT_FACTOR,
    apiTokens: env.API_TOKENS.map(pair => {
      const [name = '', sha256 = ''] = pair.split(':')
      return { name, sha256 }
    }),
    mcp: env.MCP === 'on',
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    /** Without any, no browser is notified while no page is open. */
    pushServices: env.PUSH_SERVICES,
    apiMailboxesMax: env.API_MAILBOXES_MAX,
    apiCreationsPerHour: env.API_CREATIONS_PER_HOUR,
    metricsFrom: env.METRICS_FROM,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
  }
}

function acmeFrom({ ACME_EMAIL, ACME_DIRECTORY_URL, HTTPS_PORT, PUBLIC_URL }: Environment, mailHost: string) {
  if (ACME_EMAIL === undefined || PUBLIC_URL === undefined) return undefined
  const siteHost = new URL(PUBLIC_URL).hostname
  return {
    email: ACME_EMAIL,
    directoryUrl: ACME_DIRECTORY_URL,
    httpsPort: HTTPS_PORT,
    siteHost,
    /** One certificate each, so that a mistake in one name does not affect the other. */
    names: [...new Set([siteHost, mailHost])],
  }
}
