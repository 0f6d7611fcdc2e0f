/**
 * The table of settings: each variable of the environment with its type, its default and the sentence that documents it. The rows of
 * docs/configuration.md are written from it (`npm run unit -- server/platform/config/documentation.test.ts -u`).
 */
import { resolve } from 'node:path'
import * as z from 'zod/mini'
import { LIFETIME_SECONDS, MAILBOX_MESSAGES_MAX, MESSAGE_BYTES_CEILING, MESSAGE_BYTES_MAX, MIB } from '#contract/limits.ts'
import {
  addressRanges,
  apiTokens,
  dnsServers,
  domains,
  email,
  emails,
  integer,
  listenAddress,
  listener,
  mailDomains,
  mailHosts,
  mailStoreUrls,
  oneOf,
  port,
  postgresUrl,
  publicUrls,
  pushServices,
  relayUrl,
  replicas,
  secret,
  text,
  url,
} from './value-types.ts'

/** For trying out: nobody can own it, and validators of addresses accept it (docs/decisions/0037-the-default-domain.md). */
export const DEFAULT_DOMAIN = 'in.example.com'
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory'
/** The push services of Chromium and the browsers based on it, Firefox, Edge and Safari. */
const PUSH_SERVICES = ['fcm.googleapis.com', 'push.services.mozilla.com', 'notify.windows.com', 'push.apple.com']

type About = {
  /** Describes the default where it is not a plain value. Markdown. */
  readonly shown?: string
  /** The variable that must be set too, and what happens without it: the rest of "is set, but without it". */
  readonly needs?: readonly [name: string, why: string]
}

/** `meaning`: Markdown, for docs/configuration.md. */
const setting = <Type extends z.ZodMiniType>(type: Type, meaning: string, about: About = {}) => ({ type, meaning, ...about })

const portsAndNames = {
  HTTP_PORT: setting(
    z._default(listener, { address: undefined, port: 8080 }),
    'Port of the site and the API. `0` means any free port. Behind a proxy on this machine: `127.0.0.1:8080` is out of reach for others.',
    { shown: '`8080`' },
  ),
  SMTP_PORT: setting(
    z._default(listener, { address: undefined, port: 2525 }),
    'Port for incoming mail. Port 25 must reach it: redirect it, or set 25 here and give the process `CAP_NET_BIND_SERVICE`.',
    { shown: '`2525`' },
  ),
  HOST: setting(z._default(listenAddress, '0.0.0.0'), 'Address on which the ports listen. `127.0.0.1`: for this machine only.'),
  PUBLIC_URL: setting(
    z.optional(publicUrls),
    "The site's address as visitors see it: `https://`, a host, and a port if needed. Links in mail and cookies depend on it. Former names may follow, separated by commas: they are redirected to it.",
    { shown: '`http://localhost:HTTP_PORT`' },
  ),
  SITE_NAME: setting(z._default(text, 'Mayfly'), 'Name shown on the site and in outgoing mail.'),
  MAIL_DOMAINS: setting(
    z._default(mailDomains, [DEFAULT_DOMAIN]),
    'Domains for which mail is accepted from the first start on, separated by commas; later they are changed [while the server runs](operations.md#domains). Each needs an MX record that points here. `*.box.example`: each address gets a subdomain.',
  ),
  MAIL_HOST: setting(
    z.optional(mailHosts),
    'The name in your MX records, e.g. `mx.mayfly.example`, or several separated by commas. The server greets senders with the first, and one certificate has them all.',
    { shown: 'first domain' },
  ),
  SUPPORT_EMAIL: setting(
    z.optional(email),
    'Shown on the contact page for urgent issues, on `/privacy` and `/terms`, and in `/.well-known/security.txt`.',
    {
      shown: '`support@` first offered domain',
    },
  ),
  OPERATORS: setting(
    z._default(emails, []),
    "E-mail addresses of the accounts that may open [the operator's page](operations.md#the-operators-page), separated by commas.",
  ),
  PARTNER_URL: setting(
    z._default(
      z.union([z.literal('off'), url('https:', 'http:')], 'must be off, or an https:// or http:// URL'),
      'https://www.privacyguides.org/',
    ),
    'The partner link in the footer; `off` for none.',
    {
      shown: 'a privacy guide',
    },
  ),
  OPERATOR_NAME: setting(
    z._default(text, ''),
    'The person, club or company that runs the service, e.g. `Example Ltd, Bristol, UK`. Named on `/privacy` and `/terms`.',
  ),
  SOURCE_URL: setting(z.optional(url('https:', 'http:')), 'Where the source code of your installation is. Linked in the footer.'),
  LOG_LEVEL: setting(
    z._default(oneOf('trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'), 'info'),
    '`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`. See [operations.md](operations.md#watching) for the format.',
  ),
}

const storage = {
  DATA_DIR: setting(
    z._default(
      z.pipe(
        text,
        z.transform(path => resolve(path)),
      ),
      resolve('data'),
    ),
    "The folder with the embedded databases, the server's secret and its TLS certificate. Back it up with `npm run mayfly -- backup`, see [upgrades.md](upgrades.md).",
    { shown: '`./data`' },
  ),
  SECRET: setting(
    z.optional(secret),
    'At least 32 characters, the same for all processes, or `file:/path` of a file with them (`file:/run/secrets/mayfly`). Without it every live mailbox and account is lost, and a start with another one is refused.',
    { shown: 'generated at the first start' },
  ),
  LIFETIME_SECONDS: setting(z._default(integer(1, 604_800), LIFETIME_SECONDS), 'How long an anonymous address lives, 1 second to 7 days.'),
  MAIL_STORE_URL: setting(
    z.optional(mailStoreUrls),
    'Keeps mail in a Valkey or Redis Cluster instead of `DATA_DIR`, for any number of processes: URLs of its nodes, separated by commas. See [A cluster](#a-cluster).',
  ),
  MAIL_STORE_REPLICAS: setting(
    z._default(replicas, { replicas: 'auto', isSynced: false }),
    'Replicas that must have a message before its sender gets `250`: `0` to `5`, or `auto` for one if the shard has a live replica. If they take too long, the reply is `451`. With `+sync` (`auto+sync`) the master and those replicas must also have synced it to disk: needs Valkey or Redis 7.2, and `appendfsync always`, or each `250` waits up to a second.',
    { shown: '`auto`', needs: ['MAIL_STORE_URL', 'mail is kept in DATA_DIR'] },
  ),
  DATABASE_URL: setting(
    z.optional(postgresUrl),
    '`postgres://` URL of a database for accounts, contact messages and blog views. Several hosts (`postgres://db1,db2/mayfly`) are a primary and its standbys: the one that takes writes is used. `?host=` may be the folder of a socket. Without it they are in a file in `DATA_DIR`.',
  ),
}

const limits = {
  MESSAGE_BYTES_MAX: setting(
    z._default(integer(1024, MESSAGE_BYTES_CEILING), MESSAGE_BYTES_MAX),
    'Largest message in bytes. SIZE announces it.',
    { shown: `${MESSAGE_BYTES_MAX / MIB} MiB` },
  ),
  MAILBOX_MESSAGES_MAX: setting(
    z._default(integer(1, 10_000), MAILBOX_MESSAGES_MAX),
    'Messages in one mailbox. Together they have half a MiB for each, or twice `MESSAGE_BYTES_MAX` if that is more. Further ones get `452 4.2.2`.',
  ),
  SHUTDOWN_DELAY_SECONDS: setting(
    z._default(integer(0, 300), 0),
    'After SIGTERM, `/readyz` responds with 503 for this long while everything still works, so that a load balancer notices: more than two intervals of its health check. The process ends 9 seconds later at the latest: let the supervisor wait for the sum.',
  ),
  SMTP_TRUSTED: setting(
    z._default(addressRanges, ['127.0.0.0/8', '::1']),
    'Addresses or CIDR ranges without SMTP limits per client, separated by commas: this machine, a relay, a load test, or a port mapping that hides the addresses of clients.',
  ),
}

const outgoingMail = {
  SMTP_RELAY_URL: setting(
    z.optional(relayUrl),
    '`smtp://user:password@host:587` (password percent-encoded) for mail that confirms accounts, resets passwords or forwards contact messages. Without it their links are printed on standard output, whatever `LOG_LEVEL` is.',
  ),
  MAIL_FROM: setting(z.optional(email), 'Sender of outgoing mail. Needs `SMTP_RELAY_URL`.', {
    shown: '`no-reply@` first domain',
    needs: ['SMTP_RELAY_URL', 'no mail is sent'],
  }),
  CONTACT_TO: setting(
    z.optional(email),
    'Where contact messages, and mail to postmaster and abuse, are forwarded besides being stored: an address outside `MAIL_DOMAINS`. Needs `SMTP_RELAY_URL`.',
    { needs: ['SMTP_RELAY_URL', 'nothing can be sent there'] },
  ),
  OPERATOR_WEBHOOK_URL: setting(
    z.optional(
      url('https:', 'http:').check(
        // fetch refuses such a URL, so that nothing would ever be delivered.
        z.refine(
          value => new URL(value).username === '' && new URL(value).password === '',
          'must not hold a user or a password: put a secret into its path or query',
        ),
      ),
    ),
    'Where the server posts what you should [know at once](operations.md#watching), as JSON with `kind`, `text` and `at`. In any network.',
  ),
  CONTACT_DAYS: setting(
    z._default(integer(14, 3650), 365),
    'Days for which contact messages, reports of abuse, and mail to postmaster and abuse are kept, 14 to 3650.',
  ),
}

const botCheckAndProxies = {
  BOT_CHECK: setting(
    z._default(oneOf('pow', 'recaptcha', 'off'), 'pow'),
    '`pow` (proof of work, nothing from third parties), `recaptcha` (v3, needs both keys) or `off`.',
  ),
  RECAPTCHA_SITE_KEY: setting(z.optional(text), 'reCAPTCHA v3 site key.'),
  RECAPTCHA_SECRET: setting(z.optional(text), 'reCAPTCHA v3 secret.'),
  TRUST_PROXY: setting(
    z._default(addressRanges, []),
    'Addresses or CIDR ranges of your reverse proxies, separated by commas. Only their `X-Forwarded-For` is trusted, read from right to left.',
  ),
  PROXY_PROTOCOL_FROM: setting(
    z._default(addressRanges, []),
    'Addresses or CIDR ranges of [proxies in front of the mail port](#a-proxy-in-front-of-the-mail-port), separated by commas.',
  ),
  NETWORK_LIMIT_FACTOR: setting(
    z._default(integer(1, 1_000_000), 1),
    'Multiplies every limit per network, for visitors who share one address: a school, a proxy, a load test.',
  ),
}

const https = {
  ACME_EMAIL: setting(
    z.optional(email),
    'Your e-mail address for the certificate authority, whose terms you accept with it. The server then obtains [its own certificates](operations.md#https).',
  ),
  ACME_DIRECTORY_URL: setting(
    z._default(url('https:'), LETS_ENCRYPT),
    "The directory of another certificate authority, `https://`. Name the root certificate of a private one in Node's `NODE_EXTRA_CA_CERTS`.",
    { shown: "Let's Encrypt", needs: ['ACME_EMAIL', 'the server obtains no certificate and serves no HTTPS'] },
  ),
  HTTPS_PORT: setting(z._default(port, 8443), 'Port of the site over HTTPS. Only used with `ACME_EMAIL`.', {
    needs: ['ACME_EMAIL', 'the server obtains no certificate and serves no HTTPS'],
  }),
  SMTP_STARTTLS: setting(
    z._default(oneOf('auto', 'always', 'never'), 'auto'),
    'To whom [STARTTLS](#starttls) is offered. `auto`: to mail servers of the internet always, to clients nearby only with a certificate from `TLS_CERT` or `ACME_EMAIL`, since most mail libraries refuse a generated one. `always`, `never`: to all, to nobody.',
  ),
  TLS_CERT: setting(
    z.optional(text),
    'PEM file with the certificate for STARTTLS; needs `TLS_KEY`. Changes are noticed within a minute, and on SIGHUP.',
    { shown: 'generated at the first start', needs: ['TLS_KEY', 'there is no private key for it'] },
  ),
  TLS_KEY: setting(z.optional(text), 'PEM file with its private key.', {
    shown: 'generated at the first start',
    needs: ['TLS_CERT', 'there is no certificate for it'],
  }),
}

const scripts = {
  API_TOKENS: setting(
    z._default(apiTokens, []),
    'API tokens for scripts, tests and agents: `name:sha256` pairs separated by commas, as `npm run mayfly -- token new ci` prints them; `token create ci` stores one instead. Their quotas are in [limits.md](limits.md#scripts).',
  ),
  API_MAILBOXES_MAX: setting(
    z._default(integer(1, 100_000), 2500),
    'Live mailboxes that one API token, or all API keys of one account together, may have; twice as many may be created per hour.',
  ),
  MCP: setting(z._default(oneOf('on', 'off'), 'off'), '`on` lets [agents](agents.md#over-http) use `/mcp` with an API key or API token.'),
  WEBHOOK_ALLOW_PRIVATE: setting(
    z._default(addressRanges, []),
    'Addresses or CIDR ranges of private networks to which [webhooks](webhooks.md) may be sent, also over plain HTTP, e.g. that of your CI. All others must use https and public addresses.',
  ),
  PUSH_SERVICES: setting(
    z._default(pushServices, PUSH_SERVICES),
    "[Push services](#push-services) that may [notify](privacy.md#notifications) visitors' browsers while no page is open, separated by commas; `off` for none.",
    { shown: "Chrome's, Firefox's, Edge's and Safari's" },
  ),
}

const checksAndMetrics = {
  DNS_SERVERS: setting(
    z._default(dnsServers, []),
    'DNS resolvers for the checks of senders, `address` or `address:port`, separated by commas. `off`: senders are not checked, so messages have no SPF, DKIM or DMARC results and no DNS query is sent.',
    { shown: "the system's" },
  ),
  DNS_BLOCKLISTS: setting(
    z._default(domains, []),
    "[DNS blocklists](#blocklists) (RFC 5782) in which each sender's address is looked up, separated by commas, e.g. `zen.spamhaus.org`.",
  ),
  METRICS_FROM: setting(
    z._default(addressRanges, ['127.0.0.0/8', '::1']),
    'Addresses or CIDR ranges that may read `/metrics`, separated by commas: by IP address, a local name, or the host of `PUBLIC_URL` or `MAIL_HOST`.',
    { shown: 'this machine' },
  ),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    z.optional(url('http:', 'https:')),
    'Base URL of an OpenTelemetry collector for [traces](operations.md#watching), e.g. `http://127.0.0.1:4318` (OTLP in JSON).',
  ),
}

export const settings = {
  ...portsAndNames,
  ...storage,
  ...limits,
  ...outgoingMail,
  ...botCheckAndProxies,
  ...https,
  ...scripts,
  ...checksAndMetrics,
}
type Name = keyof typeof settings

/** The values by variable: what the operator set, or the default. */
export type Environment = { readonly [N in Name]: z.infer<(typeof settings)[N]['type']> }
/** Names that begin so are meant for this server, however they go on: `RECAPTCHA_SECRET_KEY`. Unknown ones are reported. */
export const ownBeginnings = [
  'ACME_',
  'API_MAILBOX',
  'BOT_CHECK_',
  'LIFETIME',
  'MAIL_DOMAIN',
  'MAIL_STORE_',
  'MAILBOX_',
  'NETWORK_LIMIT_',
  'PROXY_PROTOCOL',
  'PUSH_SERVICE',
  'RECAPTCHA_',
  'SHUTDOWN_',
  'SMTP_RELAY',
  'SMTP_START',
  'SMTP_TRUST',
  'TRUST_PROX',
  'TRUSTED_PROX',
  'WEBHOOK_ALLOW',
] as const
export const variableNames = Object.keys(settings) as Name[]
export const environment = z.object(
  Object.fromEntries(Object.entries(settings).map(([name, { type }]) => [name, type])),
) as unknown as z.ZodMiniType<Environment>
