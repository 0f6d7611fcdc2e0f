/** Reads and validates the environment; no other file reads it. Every variable is optional, and one message names all invalid ones. */
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { LIFETIME_SECONDS, MESSAGE_BYTES_CEILING, MESSAGE_BYTES_MAX, MIB } from '#contract/limits.ts'
import { divideMemory, memoryLimitBytes } from '../memory/memory-budget.ts'
import { diskReserveMin, findContradictions } from './contradictions.ts'
import { findLookalikes } from './lookalikes.ts'
import {
  addressRanges,
  apiTokens,
  csv,
  domain,
  domains,
  email,
  emails,
  integer,
  mailStoreUrls,
  oneOf,
  port,
  publicUrl,
  pushServices,
  secretFile,
  text,
  url,
} from './value-types.ts'

const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
/** Those of Chrome and its kin, Firefox, Edge and Safari. */
const PUSH_SERVICES = ['fcm.googleapis.com', 'push.services.mozilla.com', 'notify.windows.com', 'push.apple.com']
const DISK_RESERVE_BYTES = 64 * MIB

const environment = z.object({
  HTTP_PORT: z._default(port, 8080),
  SMTP_PORT: z._default(port, 2525),
  HOST: z._default(text, '0.0.0.0'),
  HTTPS_PORT: z._default(port, 8443),
  /** What MX records name; senders are greeted with it, and verify the certificate against it. */
  MAIL_HOST: z.optional(domain),
  /** Turns on certificates by ACME. */
  ACME_EMAIL: z.optional(email),
  ACME_DIRECTORY_URL: z._default(url('https:'), LETS_ENCRYPT),
  PUBLIC_URL: z.optional(publicUrl),
  SITE_NAME: z._default(text, 'Mayfly'),
  MAIL_DOMAINS: z._default(domains, ['mayfly.test']),
  DATA_DIR: z._default(
    z.pipe(
      text,
      z.transform(path => resolve(path)),
    ),
    resolve('data'),
  ),
  SECRET: z.optional(z.string().check(z.minLength(32, 'must have at least 32 characters, e.g. the output of: openssl rand -hex 32'))),
  /** A file with the secret, as container engines provide it. */
  SECRET_FILE: z.optional(secretFile),
  LIFETIME_SECONDS: z._default(integer(1, 604_800), LIFETIME_SECONDS),
  MAIL_STORE_URL: z.optional(mailStoreUrls),
  /** Replicas that must have a message before its sender gets 250. */
  MAIL_STORE_REPLICAS: z._default(z.union([z.literal('auto'), integer(0, 5)], 'must be auto or a whole number from 0 to 5'), 'auto'),
  MAIL_STORE_SYNC: z._default(oneOf('on', 'off'), 'off'),
  DATABASE_URL: z.optional(url('postgres:', 'postgresql:')),
  /** Accounts and messages to the operator need few connections compared to mail. Periodic jobs use two. */
  DATABASE_CONNECTIONS_MAX: z._default(integer(2, 1000), 10),
  SMTP_RELAY_URL: z.optional(url('smtp:', 'smtps:')),
  MAIL_FROM: z.optional(email),
  CONTACT_TO: z.optional(email),
  /** For mail to postmaster and reports of abuse too. At least the two weeks for which a message waits to be forwarded. */
  CONTACT_DAYS: z._default(integer(14, 3650), 365),
  SUPPORT_EMAIL: z.optional(email),
  OPERATORS: z._default(emails, []),
  SECURITY_CONTACT: z.optional(url('mailto:', 'https:')),
  PARTNER_URL: z._default(url('https:', 'http:'), 'https://www.privacyguides.org/'),
  OPERATOR_NAME: z._default(text, ''),
  SOURCE_URL: z.optional(url('https:', 'http:')),
  BOT_CHECK: z._default(oneOf('pow', 'recaptcha', 'off'), 'pow'),
  RECAPTCHA_SITE_KEY: z.optional(text),
  RECAPTCHA_SECRET: z.optional(text),
  /** Where reCAPTCHA tokens are verified; tests name a server of their own. */
  RECAPTCHA_VERIFY_URL: z._default(url('https:', 'http:'), 'https://www.google.com/recaptcha/api/siteverify'),
  RECAPTCHA_SCRIPT_URL: z._default(url('https:', 'http:'), 'https://www.google.com/recaptcha/api.js'),
  TLS_CERT: z.optional(text),
  TLS_KEY: z.optional(text),
  TRUST_PROXY: z._default(addressRanges, []),
  MESSAGE_BYTES_MAX: z._default(integer(1024, MESSAGE_BYTES_CEILING), MESSAGE_BYTES_MAX),
  MAILBOX_MESSAGES_MAX: z._default(integer(1, 10_000), 100),
  MAILBOX_BYTES_MAX: z._default(integer(1024, 1024 * MIB), 50 * MIB),
  /** Derived from the memory of the process if not set. */
  IN_FLIGHT_BYTES_MAX: z.optional(integer(1024, 16_384 * MIB)),
  /** At least twice what removing the largest message writes: see `diskReserveMin`. */
  DISK_RESERVE_BYTES: z.optional(integer(0, 1_048_576 * MIB)),
  /** Recipients per transaction. The sender brings the others in further transactions. */
  RECIPIENTS_MAX: z._default(integer(1, 1000), 50),
  /** How long `/readyz` fails before the server stops, so that load balancers stop sending requests here. */
  SHUTDOWN_DELAY_SECONDS: z._default(integer(0, 300), 0),
  /** How long messages and requests under way may take at a stop. Supervisors kill after 10 s, and the store still has to close. */
  SHUTDOWN_DRAIN_SECONDS: z._default(integer(1, 600), 6),
  SMTP_CONNECTIONS_MAX: z._default(integer(1, 100_000), 2000),
  SMTP_CONNECTIONS_PER_CLIENT_MAX: z._default(integer(1, 100_000), 50),
  /** Twice the event streams that one network may hold. */
  HTTP_CONNECTIONS_PER_CLIENT_MAX: z._default(integer(1, 100_000), 400),
  /** Addresses or CIDR ranges without limits per client: this machine, a relay, a load test. */
  SMTP_TRUSTED: z._default(addressRanges, ['127.0.0.0/8', '::1']),
  /** Addresses or CIDR ranges of proxies that put a PROXY header in front of each connection. */
  PROXY_PROTOCOL_FROM: z._default(addressRanges, []),
  AUTHENTICATE_MAIL: z._default(oneOf('on', 'off'), 'on'),
  DNS_SERVERS: z._default(z.pipe(z.string(), z.transform(csv)), []),
  DNS_BLOCKLISTS: z._default(domains, []),
  /** Multiplies every limit per network, for visitors who share one address: a school, a proxy, a load test. */
  NETWORK_LIMIT_FACTOR: z._default(integer(1, 1_000_000), 1),
  /** Private networks that webhooks may be sent to. */
  WEBHOOK_ALLOW_PRIVATE: z._default(addressRanges, []),
  /** Push services that browsers may be notified by. */
  PUSH_SERVICES: z._default(pushServices, PUSH_SERVICES),
  API_TOKENS: z._default(apiTokens, []),
  /** Whether agents may use `/mcp`. */
  MCP: z._default(oneOf('on', 'off'), 'off'),
  /** Live mailboxes of one API token, or of all API keys of one account. */
  API_MAILBOXES_MAX: z._default(integer(1, 100_000), 2500),
  /** Mailboxes that they may create per hour. */
  API_CREATIONS_PER_HOUR: z._default(integer(1, 1_000_000), 5000),
  /** Addresses or CIDR ranges that may read /metrics. */
  METRICS_FROM: z._default(addressRanges, ['127.0.0.0/8', '::1']),
  /** Where traces go, without `/v1/traces`. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.optional(url('http:', 'https:')),
  LOG_LEVEL: z._default(oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'),
})

export type Environment = z.infer<typeof environment>

/** The configuration that the rest of the server uses. The unit of a number is in its name. */
export type Config = Readonly<ReturnType<typeof configFrom>>

/** Every variable of this server; a test compares them with the documentation. */
export const variableNames = Object.keys(environment.shape)

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
