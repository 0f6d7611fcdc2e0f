/** Which combinations of settings cannot work although each value is valid. */
import { isIP } from 'node:net'
import { bareDomain, isReservedName } from '../net/domain-names.ts'
import { type Environment, settings } from './settings.ts'

type Rule = {
  /** The rule is skipped if one of these variables is invalid. */
  readonly names: readonly (keyof Environment)[]
  /** `isSet`: whether the operator set the variable, rather than using the default. */
  check(env: Environment, isSet: (name: keyof Environment) => boolean): string | undefined
}

const when = (isWrong: boolean, sentence: string) => (isWrong ? sentence : undefined)

/** Each variable that only makes sense beside another. */
const NEEDS = Object.entries<{ readonly needs?: readonly [string, string] }>(settings).flatMap(([variable, { needs }]): Rule[] => {
  if (!needs) return []
  const [name, needed] = [variable as keyof Environment, needs[0] as keyof Environment]
  const check: Rule['check'] = (env, isSet) =>
    when(isSet(name) && !env[needed], `${name} is set, but without ${needed} ${needs[1]}: set both, or leave it out`)
  return [{ names: [name, needed], check }]
})

const RULES: readonly Rule[] = [
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
  ...acmeRules(),
  {
    names: ['DNS_BLOCKLISTS', 'DNS_SERVERS'],
    check: env =>
      when(
        env.DNS_BLOCKLISTS.length > 0 && env.DNS_SERVERS === 'off',
        'DNS_BLOCKLISTS is set, but DNS_SERVERS is off, so nothing is looked up: leave one of them out',
      ),
  },
  {
    names: ['SMTP_STARTTLS', 'TLS_CERT'],
    check: env =>
      when(
        env.SMTP_STARTTLS === 'never' && env.TLS_CERT !== undefined,
        'SMTP_STARTTLS is never, so TLS_CERT and TLS_KEY are not used: set it to auto or always, or leave them out',
      ),
  },
  {
    names: ['PUBLIC_URL', 'SMTP_PORT'],
    check: env =>
      when(
        env.SMTP_PORT.port !== 0 && env.PUBLIC_URL?.some(url => new URL(url).port === String(env.SMTP_PORT.port)) === true,
        'PUBLIC_URL names the port of SMTP_PORT, where mail comes in: it must name the port of the site',
      ),
  },
  {
    names: ['CONTACT_TO', 'MAIL_DOMAINS'],
    check: env =>
      when(
        isOwn(env, env.CONTACT_TO),
        'CONTACT_TO is an address at one of MAIL_DOMAINS, so what is sent there comes back here: name a mailbox elsewhere',
      ),
  },
  {
    names: ['OPERATORS', 'MAIL_DOMAINS'],
    check: env => {
      const own = env.OPERATORS.find(email => isOwn(env, email))
      return own && `OPERATORS names ${own}, an address at one of MAIL_DOMAINS, which cannot sign up: name a mailbox elsewhere`
    },
  },
]

/** `wrong`: variables already refused on their own; `env` has their defaults. */
export function findContradictions(env: Environment, setNames: ReadonlySet<string>, wrong: ReadonlySet<string>): string[] {
  const rules = [...NEEDS, ...RULES].filter(({ names }) => names.every(name => !wrong.has(name)))
  return rules.flatMap(rule => rule.check(env, name => setNames.has(name)) ?? [])
}

function isOwn({ MAIL_DOMAINS }: Environment, email = ''): boolean {
  return ownSpellings(email.slice(email.lastIndexOf('@') + 1).toLowerCase()).some(domain => MAIL_DOMAINS.includes(domain))
}

/** How MAIL_DOMAINS may name the domain of this one: itself, with subdomains, or as the one above it. */
function ownSpellings(domain: string): string[] {
  return [domain, `*.${domain}`, `*.${domain.slice(domain.indexOf('.') + 1)}`]
}

function acmeRules(): Rule[] {
  return [
    {
      names: ['ACME_EMAIL', 'PUBLIC_URL'],
      check: env =>
        when(
          Boolean(env.ACME_EMAIL) && !env.PUBLIC_URL?.[0]?.startsWith('https:'),
          'ACME_EMAIL is set, so PUBLIC_URL must be the https:// address that the certificate is for',
        ),
    },
    {
      names: ['ACME_EMAIL', 'ACME_DIRECTORY_URL', 'PUBLIC_URL', 'MAIL_HOST', 'MAIL_DOMAINS'],
      check: (env, isSet) => {
        if (!env.ACME_EMAIL || !env.PUBLIC_URL || isSet('ACME_DIRECTORY_URL')) return undefined
        const names = {
          PUBLIC_URL: env.PUBLIC_URL.map(url => new URL(url).hostname),
          'MAIL_HOST (or the first of MAIL_DOMAINS)': env.MAIL_HOST ?? env.MAIL_DOMAINS.slice(0, 1).map(bareDomain),
        }
        const [found] = Object.entries(names).find(([, hosts]) => hosts.some(isUncertifiable)) ?? []
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
      names: ['ACME_EMAIL', 'TRUST_PROXY', 'HTTP_PORT'],
      check: env =>
        when(
          // A proxy elsewhere may speak HTTPS with this server, too.
          Boolean(env.ACME_EMAIL) && env.TRUST_PROXY.length > 0 && [env.TRUST_PROXY, [env.HTTP_PORT.address ?? '']].some(isLoopback),
          'ACME_EMAIL and TRUST_PROXY are both set, and the proxy is on this machine: whatever it passes on would be redirected to https:// without end. If the proxy has HTTPS, leave out ACME_EMAIL and HTTPS_PORT; if there is none, leave out TRUST_PROXY',
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
  ]
}

const isLoopback = (addresses: readonly string[]) => addresses.every(address => /^(?:127\.|::1(?:\/128)?$|localhost$)/.test(address))

/** Addresses, and names that nobody can own or that have no dot. */
function isUncertifiable(name: string): boolean {
  return isIP(name.replace(/^\[|\]$/g, '')) > 0 || !name.includes('.') || name.endsWith('.internal') || isReservedName(name)
}
