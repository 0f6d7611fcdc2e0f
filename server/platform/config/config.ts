/** Reads and validates the environment, as no other file but main.ts does. All is optional; one message names all that is invalid. */
import { createHash } from 'node:crypto'
import { MIB } from '#contract/limits.ts'
import { quotaBytes } from '#contract/quota.ts'
import type { Clock } from '../clock.ts'
import type { Log } from '../log.ts'
import { divideMemory, memoryLimitBytes } from '../memory/memory-budget.ts'
import { bareDomain } from '../net/domain-names.ts'
import { inheritedSockets } from '../net/inherited-sockets.ts'
import { type OutgoingProxy, outgoingProxy } from '../net/outgoing-proxy.ts'
import { findContradictions } from './contradictions.ts'
import { DEFAULT_DOMAIN, type Environment, environment, ownBeginnings, variableNames } from './settings.ts'

const DISK_RESERVE_BYTES = 64 * MIB
const SMTP_CONNECTIONS_MAX = 2000
const SMTP_CONNECTIONS_PER_CLIENT_MAX = 50
/** Twice the event streams that one network may hold. */
const HTTP_CONNECTIONS_PER_CLIENT_MAX = 400

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
  const inherited = inheritedSockets(env, port => [rest.HTTP_PORT, rest.SMTP_PORT].find(one => one.port === port)?.address ?? rest.HOST)
  const outgoing = outgoingProxy(env)
  const config = configFrom(rest, { inheritedSockets: inherited.sockets, proxy: outgoing.proxy })
  const problems = [
    ...issues.map(({ name, sentence }) => `${name} ${sentence}`),
    ...findLookalikes(env).map(({ name, meant }) => `${name} is not a variable of this server: did you mean ${meant}?`),
    ...findContradictions(rest, new Set(Object.keys(values)), wrong),
    ...findSharedPorts(config, wrong),
    ...inherited.problems,
    ...outgoing.problems,
  ]
  if (problems.length > 0) throw new ConfigError([...new Set(problems)])
  return config
}

/** Half of the reserve is for removals on a full disk. Removing a message overwrites it, which is written to the log as well. */
const diskReserveMin = (messageBytesMax: number): number => 2 * (messageBytesMax + 4 * MIB)

type FromSystem = {
  /** Port to descriptor of sockets that stay open between two processes. */
  readonly inheritedSockets: ReadonlyMap<number, number>
  /** By which servers on the internet are asked over https. */
  readonly proxy: OutgoingProxy | undefined
}

function configFrom(env: Environment, fromSystem: FromSystem) {
  const names = mailNames(env)
  const { mailHosts, mailFrom } = names
  const { publicUrl, siteHost, formerHosts } = siteNames(env)
  return {
    httpPort: env.HTTP_PORT.port,
    httpHost: env.HTTP_PORT.address ?? env.HOST,
    smtpPort: env.SMTP_PORT.port,
    smtpHost: env.SMTP_PORT.address ?? env.HOST,
    /** The address at which ports listen that name none. */
    host: env.HOST,
    ...fromSystem,
    /** Without a trailing slash. Links in outgoing mail start with it. */
    publicUrl,
    /** Names that the site had before: visitors are redirected. */
    formerHosts,
    siteName: env.SITE_NAME,
    ...names,
    dataDir: env.DATA_DIR,
    secret: env.SECRET,
    lifetimeSeconds: env.LIFETIME_SECONDS,
    /** Where mail is kept, unless it is in a file of the data folder. */
    cluster: env.MAIL_STORE_URL && { urls: env.MAIL_STORE_URL, ...env.MAIL_STORE_REPLICAS },
    databaseUrl: env.DATABASE_URL,
    smtpRelayUrl: env.SMTP_RELAY_URL,
    contactTo: env.CONTACT_TO,
    operatorWebhookUrl: env.OPERATOR_WEBHOOK_URL,
    contactDays: env.CONTACT_DAYS,
    /** Without it, `MailDomains` has one. */
    supportEmail: env.SUPPORT_EMAIL,
    /** Accounts that may open the operator's page. */
    operators: env.OPERATORS,
    /** Empty: no link. */
    partnerUrl: env.PARTNER_URL === 'off' ? '' : env.PARTNER_URL,
    operatorName: env.OPERATOR_NAME,
    sourceUrl: env.SOURCE_URL,
    botCheck: env.BOT_CHECK,
    recaptcha: { siteKey: env.RECAPTCHA_SITE_KEY ?? '', secret: env.RECAPTCHA_SECRET ?? '' },
    smtpStarttls: env.SMTP_STARTTLS,
    tlsCertFile: env.TLS_CERT,
    tlsKeyFile: env.TLS_KEY,
    acme: acmeFrom(env, { siteHost, formerHosts, mailHosts }),
    /** Addresses or CIDR ranges whose `X-Forwarded-For` is believed. */
    trustedProxies: env.TRUST_PROXY,
    messageBytesMax: env.MESSAGE_BYTES_MAX,
    quota: { messagesMax: env.MAILBOX_MESSAGES_MAX, bytesMax: quotaBytes(env.MAILBOX_MESSAGES_MAX, env.MESSAGE_BYTES_MAX) },
    memory: divideMemory(memoryLimitBytes(), env.MESSAGE_BYTES_MAX),
    shutdownDelayMs: env.SHUTDOWN_DELAY_SECONDS * 1000,
    /** How long messages and requests in progress may take at a stop. Supervisors kill after 10 s, and the store still has to close. */
    shutdownDrainMs: 6000,
    smtpConnectionsMax: SMTP_CONNECTIONS_MAX,
    smtpConnectionsPerClientMax: SMTP_CONNECTIONS_PER_CLIENT_MAX * env.NETWORK_LIMIT_FACTOR,
    smtpTrusted: env.SMTP_TRUSTED,
    proxyProtocolFrom: env.PROXY_PROTOCOL_FROM,
    httpConnectionsPerClientMax: HTTP_CONNECTIONS_PER_CLIENT_MAX * env.NETWORK_LIMIT_FACTOR,
    diskReserveBytes: Math.max(DISK_RESERVE_BYTES, diskReserveMin(env.MESSAGE_BYTES_MAX)),
    authenticateMail: env.DNS_SERVERS !== 'off',
    /** None: the system's. */
    dnsServers: env.DNS_SERVERS === 'off' ? [] : env.DNS_SERVERS,
    /** Zones that are asked whether they list a sender's address. */
    dnsBlocklists: env.DNS_BLOCKLISTS,
    networkLimitFactor: env.NETWORK_LIMIT_FACTOR,
    apiTokens: env.API_TOKENS.map(pair => pair.split(':')).map(([name = '', sha256 = '']) => ({ name, sha256 })),
    mcp: env.MCP === 'on',
    webhookAllowPrivate: env.WEBHOOK_ALLOW_PRIVATE,
    /** Without any, no browser is notified while no page is open. */
    pushServices: env.PUSH_SERVICES,
    apiMailboxesMax: env.API_MAILBOXES_MAX,
    apiCreationsPerHour: 2 * env.API_MAILBOXES_MAX,
    metricsFrom: env.METRICS_FROM,
    otlpEndpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
    logLevel: env.LOG_LEVEL,
    /** Hashes of the settings that take effect at a start: they tell of a server that was not restarted since they changed. */
    fingerprints: fingerprintSettings({ ...env, MAIL_HOST: mailHosts, MAIL_FROM: mailFrom }),
  }
}

type Listener = { readonly name: 'SMTP_PORT' | 'HTTP_PORT' | 'HTTPS_PORT'; readonly host: string; readonly port: number }

/** Where the server listens, by variable. A socket that systemd holds is taken from `inheritedSockets`. */
export const listenersOf = ({ host, smtpHost, smtpPort, httpHost, httpPort, acme }: Config): Listener[] => [
  { name: 'SMTP_PORT', host: smtpHost, port: smtpPort },
  { name: 'HTTP_PORT', host: httpHost, port: httpPort },
  ...(acme ? [{ name: 'HTTPS_PORT' as const, host, port: acme.httpsPort }] : []),
]

/** `wrong`: variables that are refused on their own. With port 0 the system chooses. */
function findSharedPorts(config: Config, wrong: ReadonlySet<string>): string[] {
  const known = listenersOf(config).filter(({ name, port }) => port !== 0 && !wrong.has(name))
  return known.flatMap(({ name, port }, i) =>
    known.slice(0, i).flatMap(other => (other.port === port ? `${other.name} and ${name} must differ` : [])),
  )
}

/** MAIL_DOMAINS counts at the first start only, and DATA_DIR is where the server is asked. */
const NOT_COMPARED = new Set(['MAIL_DOMAINS', 'DATA_DIR'])

/** Hashes, because some settings contain passwords. */
function fingerprintSettings(env: Environment): Readonly<Record<string, string>> {
  const fingerprint = (value: unknown) =>
    createHash('sha256')
      .update(JSON.stringify(value) ?? '')
      .digest('hex')
      .slice(0, 16)
  return Object.fromEntries(variableNames.filter(name => !NOT_COMPARED.has(name)).map(name => [name, fingerprint(env[name])]))
}

function mailNames({ MAIL_DOMAINS: domains, MAIL_HOST, MAIL_FROM, SMTP_RELAY_URL }: Environment) {
  const domain = bareDomain(domains[0] ?? DEFAULT_DOMAIN)
  const mailHosts = [...new Set(MAIL_HOST ?? [domain])]
  const [mailHost = domain] = mailHosts
  const mailFrom = MAIL_FROM ?? `no-reply@${domain}`
  return {
    domains,
    /** The server greets with it. */
    mailHost,
    /** All names in MX records, which one certificate has. */
    mailHosts,
    mailFrom,
    /** Values that follow from the first name of MAIL_DOMAINS, by variable: the operator did not set them. */
    fromFirstDomain: {
      ...(MAIL_HOST === undefined && { MAIL_HOST: mailHost }),
      ...(MAIL_FROM === undefined && SMTP_RELAY_URL !== undefined && { MAIL_FROM: mailFrom }),
    },
  }
}

function siteNames({ PUBLIC_URL = [], HTTP_PORT }: Environment) {
  const [url = `http://localhost:${HTTP_PORT.port}`, ...former] = PUBLIC_URL
  const siteHost = new URL(url).hostname
  const formerHosts = [...new Set(former.map(one => new URL(one).hostname))].filter(host => host !== siteHost)
  return { publicUrl: new URL(url).origin, siteHost, formerHosts }
}

type Hosts = { readonly siteHost: string; readonly formerHosts: readonly string[]; readonly mailHosts: readonly string[] }

function acmeFrom({ ACME_EMAIL, ACME_DIRECTORY_URL, HTTPS_PORT, PUBLIC_URL }: Environment, { siteHost, formerHosts, mailHosts }: Hosts) {
  if (ACME_EMAIL === undefined || PUBLIC_URL === undefined) return undefined
  const [mailHost] = mailHosts
  return {
    email: ACME_EMAIL,
    directoryUrl: ACME_DIRECTORY_URL,
    httpsPort: HTTPS_PORT,
    siteHost,
    /**
     * The names of each certificate: the site's, that of all mail hosts, and one for each former name. A mistake in a name delays only its
     * own; the site's has the mail hosts too where its name is the first of them.
     */
    certificates: [
      ...(siteHost === mailHost ? [] : [[siteHost]]),
      mailHosts,
      ...formerHosts.filter(host => !mailHosts.includes(host)).map(host => [host]),
    ],
  }
}

/** Prefixes that people add to a variable of this server. */
const ADDED_PREFIX = 'MAYFLY_'
/** Variables of other programs that look similar. */
const FOREIGN_VARIABLES = new Set(['API_TOKEN', 'HTTP_PORTS', 'LOGLEVEL', 'SSL_CERT', 'SSL_KEY'])
/** Shorter names are one letter away from too many others: HOST from HOME, TLS_KEY from SSL_KEY. */
const JUDGED_CHARS_MIN = 8
/** Names of at least this length may have two wrong letters. */
const LONG_CHARS_MIN = 12
/** Container engines describe linked containers in variables like `MAYFLY_SMTP_PORT=tcp://10.0.0.5:25`. */
const NEIGHBOUR = /^(?:tcp|udp):\/\//

const variables: readonly string[] = variableNames

/** The names in `env` that resemble a variable without being one. */
function findLookalikes(env: Readonly<Record<string, string | undefined>>): { readonly name: string; readonly meant: string }[] {
  return Object.entries(env).flatMap(([name, value]) => {
    if (!value || variables.includes(name) || FOREIGN_VARIABLES.has(name) || NEIGHBOUR.test(value) || !/^[A-Z][A-Z0-9_]*$/.test(name))
      return []
    const meant = closestVariable(name)
    return meant === undefined ? [] : [{ name, meant }]
  })
}

function closestVariable(name: string): string | undefined {
  const bare = name.startsWith(ADDED_PREFIX) ? name.slice(ADDED_PREFIX.length) : name
  if (bare !== name && variables.includes(bare)) return bare
  const nearest = variables
    .map(variable => ({ variable, distance: editDistance(bare, variable) }))
    .reduce((best, next) => (next.distance < best.distance ? next : best))
  if (nearest.distance <= editsAllowed(bare, nearest.variable)) return nearest.variable
  const beginning = ownBeginnings.find(own => bare.startsWith(own))
  if (beginning === undefined) return undefined
  const sameBeginning = variables.filter(variable => variable.startsWith(beginning))
  return sameBeginning.toSorted((one, other) => editDistance(bare, one) - editDistance(bare, other))[0] ?? nearest.variable
}

function editsAllowed(name: string, variable: string): number {
  const chars = Math.min(name.length, variable.length)
  return chars < JUDGED_CHARS_MIN ? 0 : chars < LONG_CHARS_MIN ? 1 : 2
}

/** Letters removed, added, replaced or swapped with a neighbour (optimal string alignment distance). Underscores are ignored. */
function editDistance(one: string, other: string): number {
  const [a, b] = [one.replaceAll('_', ''), other.replaceAll('_', '')]
  const rows = [Array.from({ length: b.length + 1 }, (_, column) => column)]
  for (let i = 1; i <= a.length; i++) {
    const [row, above, twoAbove] = [[i], rows[i - 1] ?? [], rows[i - 2] ?? []]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const isExchange = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const exchanged = isExchange ? (twoAbove[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(replaced, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, exchanged))
    }
    rows.push(row)
  }
  return rows[a.length]?.[b.length] ?? 0
}

/** Needed everywhere. `secret`: see `loadSecret`. `config` has the real HTTP port. */
export type Basics = { readonly config: Config; readonly secret: string; readonly clock: Clock; readonly log: Log }
