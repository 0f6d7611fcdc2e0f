/** The variables of the environment: what each may be, its default, and which combinations cannot work although each value is valid. */
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { LIFETIME_SECONDS, MESSAGE_BYTES_CEILING, MESSAGE_BYTES_MAX, MIB } from '#contract/limits.ts'
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

export const environment = z.object({
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

/** Every variable of this server; a test compares them with the documentation. */
export const variableNames = Object.keys(environment.shape)

type Names = readonly (keyof Environment)[]
type Rule = {
  /** The rule is skipped if one of these variables is invalid. */
  readonly names: Names
  /** `isSet`: whether the operator set the variable, rather than using the default. */
  check(env: Environment, isSet: (name: keyof Environment) => boolean): string | undefined
}

const when = (isWrong: boolean, sentence: string) => (isWrong ? sentence : undefined)

/** Half of the reserve is for removals on a full disk. Removing a message overwrites it, which is written to the log as well. */
export function diskReserveMin(messageBytesMax: number): number {
  return 2 * (messageBytesMax + 4 * MIB)
}

const RULES: readonly Rule[] = [
  {
    names: ['MAIL_STORE_URL', 'MAIL_STORE_REPLICAS', 'MAIL_STORE_SYNC'],
    check: (env, isSet) =>
      when(
        !env.MAIL_STORE_URL && (isSet('MAIL_STORE_REPLICAS') || isSet('MAIL_STORE_SYNC')),
        'MAIL_STORE_REPLICAS or MAIL_STORE_SYNC is set, but without MAIL_STORE_URL mail is kept in DATA_DIR: set that too, or leave them out',
      ),
  },
  {
    names: ['BOT_CHECK', 'RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET'],
    check: env =>
      when(
        env.BOT_CHECK === 'recaptcha' && !(env.RECAPTCHA_SITE_KEY && env.RECAPTCHA_SECRET),
        'BOT_CHECK is recaptcha, so RECAPTCHA_SITE_KEY and RECAPTCHA_SECRET must both be set',
      ),
  },
  {
    names: ['BOT_CHECK', 'RECAPTCHA_SITE_KEY', 'RECAPTCHA_SECRET'],
    check: (env, isSet) =>
      when(
        Boolean(env.RECAPTCHA_SITE_KEY || env.RECAPTCHA_SECRET) && !isSet('BOT_CHECK'),
        'RECAPTCHA_SITE_KEY or RECAPTCHA_SECRET is set but not used: set BOT_CHECK to recaptcha, or leave them out',
      ),
  },
  {
    names: ['SECRET', 'SECRET_FILE'],
    check: env => when(Boolean(env.SECRET && env.SECRET_FILE), 'SECRET and SECRET_FILE both give the secret: set only one of them'),
  },
  {
    names: ['TLS_CERT', 'TLS_KEY'],
    check: env => when(Boolean(env.TLS_CERT) !== Boolean(env.TLS_KEY), 'TLS_CERT and TLS_KEY must be set together'),
  },
  ...acmeRules(),
  {
    names: ['DNS_BLOCKLISTS', 'AUTHENTICATE_MAIL'],
    check: env =>
      when(
        env.DNS_BLOCKLISTS.length > 0 && env.AUTHENTICATE_MAIL === 'off',
        'DNS_BLOCKLISTS is set, but AUTHENTICATE_MAIL is off, so nothing is looked up: leave one of them out',
      ),
  },
  {
    names: ['HTTP_PORT', 'SMTP_PORT'],
    check: env => when(env.HTTP_PORT === env.SMTP_PORT && env.HTTP_PORT !== 0, 'HTTP_PORT and SMTP_PORT must differ'),
  },
  {
    names: ['PUBLIC_URL', 'SMTP_PORT'],
    check: env =>
      when(
        env.PUBLIC_URL !== undefined && env.SMTP_PORT !== 0 && new URL(env.PUBLIC_URL).port === String(env.SMTP_PORT),
        'PUBLIC_URL names the port of SMTP_PORT, where mail comes in: it must name the port of the site',
      ),
  },
  {
    names: ['CONTACT_TO', 'SMTP_RELAY_URL'],
    check: env =>
      when(
        Boolean(env.CONTACT_TO) && !env.SMTP_RELAY_URL,
        'CONTACT_TO is set, but without SMTP_RELAY_URL nothing can be sent there: set both or neither',
      ),
  },
  {
    names: ['CONTACT_TO', 'MAIL_DOMAINS'],
    check: env =>
      when(
        env.MAIL_DOMAINS.includes(domainPart(env.CONTACT_TO)),
        'CONTACT_TO is an address at one of MAIL_DOMAINS, so what is sent there comes back here: name a mailbox elsewhere',
      ),
  },
  {
    names: ['DATABASE_CONNECTIONS_MAX', 'DATABASE_URL'],
    check: (env, isSet) =>
      when(
        isSet('DATABASE_CONNECTIONS_MAX') && !env.DATABASE_URL,
        'DATABASE_CONNECTIONS_MAX is set, but without DATABASE_URL there is nothing to connect to: set both or leave it out',
      ),
  },
  {
    names: ['MAIL_FROM', 'SMTP_RELAY_URL'],
    check: env =>
      when(
        Boolean(env.MAIL_FROM) && !env.SMTP_RELAY_URL,
        'MAIL_FROM is set, but without SMTP_RELAY_URL no mail is sent: set both or neither',
      ),
  },
  {
    names: ['MAILBOX_BYTES_MAX', 'MESSAGE_BYTES_MAX'],
    check: env => when(env.MAILBOX_BYTES_MAX < env.MESSAGE_BYTES_MAX, 'MAILBOX_BYTES_MAX must be at least MESSAGE_BYTES_MAX'),
  },
  {
    names: ['DISK_RESERVE_BYTES', 'MESSAGE_BYTES_MAX'],
    check: env =>
      when(
        env.DISK_RESERVE_BYTES !== undefined && env.DISK_RESERVE_BYTES < diskReserveMin(env.MESSAGE_BYTES_MAX),
        `DISK_RESERVE_BYTES must be at least ${diskReserveMin(env.MESSAGE_BYTES_MAX)}, twice MESSAGE_BYTES_MAX and 8 MiB, or nothing could be removed on a full disk`,
      ),
  },
  {
    names: ['IN_FLIGHT_BYTES_MAX', 'MESSAGE_BYTES_MAX'],
    check: env =>
      when(
        env.IN_FLIGHT_BYTES_MAX !== undefined && env.IN_FLIGHT_BYTES_MAX < env.MESSAGE_BYTES_MAX,
        'IN_FLIGHT_BYTES_MAX must be at least MESSAGE_BYTES_MAX',
      ),
  },
  {
    names: ['SMTP_CONNECTIONS_MAX', 'SMTP_CONNECTIONS_PER_CLIENT_MAX'],
    check: (env, isSet) =>
      when(
        isSet('SMTP_CONNECTIONS_PER_CLIENT_MAX') && env.SMTP_CONNECTIONS_PER_CLIENT_MAX > env.SMTP_CONNECTIONS_MAX,
        'SMTP_CONNECTIONS_PER_CLIENT_MAX must be at most SMTP_CONNECTIONS_MAX',
      ),
  },
]

/** `wrong`: variables already refused on their own; `env` has their defaults. */
export function findContradictions(env: Environment, setNames: ReadonlySet<string>, wrong: ReadonlySet<string>): string[] {
  const rules = RULES.filter(({ names }) => names.every(name => !wrong.has(name)))
  return rules.flatMap(rule => rule.check(env, name => setNames.has(name)) ?? [])
}

function domainPart(email: string | undefined): string {
  return email?.slice(email.lastIndexOf('@') + 1).toLowerCase() ?? ''
}

function acmeRules(): Rule[] {
  return [
    {
      names: ['ACME_EMAIL', 'ACME_DIRECTORY_URL', 'HTTPS_PORT'],
      check: (env, isSet) =>
        when(
          !env.ACME_EMAIL && (isSet('ACME_DIRECTORY_URL') || isSet('HTTPS_PORT')),
          'ACME_DIRECTORY_URL or HTTPS_PORT is set, but without ACME_EMAIL the server obtains no certificate and serves no HTTPS: set that too, or leave them out',
        ),
    },
    {
      names: ['ACME_EMAIL', 'PUBLIC_URL'],
      check: env =>
        when(
          Boolean(env.ACME_EMAIL) && !env.PUBLIC_URL?.startsWith('https:'),
          'ACME_EMAIL is set, so PUBLIC_URL must be the https:// address that the certificate is for',
        ),
    },
    {
      names: ['ACME_EMAIL', 'ACME_DIRECTORY_URL', 'PUBLIC_URL', 'MAIL_HOST', 'MAIL_DOMAINS'],
      check: (env, isSet) => {
        if (!env.ACME_EMAIL || !env.PUBLIC_URL || isSet('ACME_DIRECTORY_URL')) return undefined
        const names = {
          PUBLIC_URL: new URL(env.PUBLIC_URL).hostname,
          'MAIL_HOST (or the first of MAIL_DOMAINS)': env.MAIL_HOST ?? env.MAIL_DOMAINS[0],
        }
        const [found] = Object.entries(names).find(([, name]) => name === undefined || isUncertifiable(name)) ?? []
        return found && `ACME_EMAIL is set, but ${found} is no name of the internet: no public authority issues a certificate for it`
      },
    },
    {
      names: ['ACME_EMAIL', 'TLS_CERT', 'TLS_KEY'],
      check: env =>
        when(
          Boolean(env.ACME_EMAIL && env.TLS_CERT),
          'ACME_EMAIL and TLS_CERT both give the certificate of the mail port: set only one of them',
        ),
    },
    {
      names: ['ACME_EMAIL', 'MAIL_STORE_URL'],
      check: env =>
        when(
          Boolean(env.ACME_EMAIL && env.MAIL_STORE_URL),
          'ACME_EMAIL is for one process on one machine, and MAIL_STORE_URL is for many: the challenge would reach any of them. Let the load balancer obtain certificates, and set TLS_CERT and TLS_KEY',
        ),
    },
    {
      names: ['ACME_EMAIL', 'HTTPS_PORT', 'HTTP_PORT', 'SMTP_PORT'],
      check: env =>
        when(
          Boolean(env.ACME_EMAIL) && env.HTTPS_PORT !== 0 && [env.HTTP_PORT, env.SMTP_PORT].includes(env.HTTPS_PORT),
          'HTTPS_PORT must differ from HTTP_PORT and SMTP_PORT',
        ),
    },
  ]
}

/** Addresses, and names that are reserved for trying out (RFC 6761) or that have no dot. */
function isUncertifiable(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) > 0 || !name.includes('.') || /\.(?:test|localhost|invalid|local|internal)$/.test(name)
}
