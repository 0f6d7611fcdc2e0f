/**
 * Local parts nobody may choose (A16, decision 4): whoever reads `admin@` a domain can obtain certificates and accounts for it,
 * and whoever writes as `support@` can pass for us. Sources: RFC 2142, CA/Browser Forum Baseline Requirements 3.2.2.4.4,
 * names mail software looks up by itself.
 */
const NAMES = [
  ...['admin', 'administrator', 'webmaster', 'hostmaster', 'postmaster'], // Baseline Requirements 3.2.2.4.4
  ...['info', 'marketing', 'sales', 'support', 'abuse', 'noc', 'security', 'usenet', 'news', 'www', 'uucp', 'ftp'], // RFC 2142
  ...['root', 'sysadmin', 'system', 'daemon', 'mailer', 'mailer-daemon', 'nobody', 'operator', 'owner', 'request', 'staff', 'superuser'],
  ...['no-reply', 'do-not-reply', 'reply', 'bounce', 'bounces', 'return', 'returns', 'list', 'lists', 'listserv', 'majordomo'],
  ...['cert', 'certs', 'certificate', 'certificates', 'certadmin', 'caa', 'pki', 'dmarc', 'dkim', 'spf', 'mta-sts', 'tlsrpt', 'bimi'],
  ...[
    'autoconfig',
    'autodiscover',
    'wpad',
    'isatap',
    'imap',
    'smtp',
    'pop',
    'pop3',
    'mail',
    'email',
    'mx',
    'ns',
    'dns',
    'localhost',
    'domain',
  ],
  ...[
    'billing',
    'payment',
    'payments',
    'invoice',
    'accounts',
    'account',
    'accounting',
    'finance',
    'legal',
    'privacy',
    'dpo',
    'gdpr',
    'dmca',
  ],
  ...[
    'contact',
    'help',
    'helpdesk',
    'service',
    'team',
    'office',
    'hello',
    'press',
    'media',
    'jobs',
    'hr',
    'careers',
    'moderator',
    'official',
  ],
  ...[
    'verify',
    'verification',
    'login',
    'signin',
    'signup',
    'password',
    'register',
    'registration',
    'confirm',
    'notification',
    'notifications',
  ],
  ...[
    'api',
    'test',
    'tester',
    'null',
    'undefined',
    'void',
    'me',
    'anonymous',
    'guest',
    'user',
    'trust',
    'safety',
    'phishing',
    'spam',
    'mayfly',
  ],
]
/** Reserved together with everything that starts so. */
const PREFIXES = ['ssl', 'tls', 'admin', 'postmaster', 'hostmaster', 'webmaster', 'mailer-daemon', 'security', 'abuse', 'root-']
/** Mail to these goes to the operator (RFC 5321 section 4.5.1, RFC 2142). */
const OPERATOR = new Set(['postmaster', 'abuse'])

/** What looks alike becomes the same letter. Unicode's compatibility forms are folded before; these are the look-alikes it leaves (UTS 39). */
const LOOK_ALIKES: readonly [letter: string, alike: string][] = [
  ['a', '4@аαɑ'],
  ['b', '8ьвβ'],
  ['c', 'сϲ¢'],
  ['d', 'ԁɗ'],
  ['e', '3еєε€'],
  ['g', '9ɡ'],
  ['h', 'һн'],
  ['i', '1l!|іӏιıɩɪłǀ'],
  ['j', 'јϳ'],
  ['k', 'кκ'],
  ['m', 'мμ'],
  ['n', 'пηո'],
  ['o', '0оοσօøð'],
  ['p', 'рρ'],
  ['q', 'ԛ'],
  ['r', 'гᴦ'],
  ['s', '5$ѕ'],
  ['t', '7тτ'],
  ['u', 'υսцμ'],
  ['v', 'ѵν'],
  ['w', 'ԝωш'],
  ['x', 'хχ×'],
  ['y', 'уγү'],
  ['z', '2ᴢ'],
]
const FOLDED = new Map(LOOK_ALIKES.flatMap(([letter, alike]) => [...alike].map(char => [char, letter] as const)))

const reservedSkeletons = new Set(NAMES.map(skeletonOf))
const prefixSkeletons = PREFIXES.map(skeletonOf)

/** Is this local part, or one that looks like it, reserved? */
export function isReserved(localPart: string): boolean {
  const name = localPart.split('+')[0] ?? ''
  const skeletons = [skeletonOf(name), skeletonOf(name.replace(/\d+$/, ''))]
  return skeletons.some(skeleton => reservedSkeletons.has(skeleton) || prefixSkeletons.some(prefix => skeleton.startsWith(prefix)))
}

/** Mail for whoever runs this server. The local part is normalised already. */
export function isOperators(localPart: string): boolean {
  return OPERATOR.has(localPart)
}

function skeletonOf(name: string): string {
  const folded = [...name.normalize('NFKD').toLowerCase()].map(char => FOLDED.get(char) ?? char).join('')
  return folded
    .replace(/[^\p{L}\p{N}]/gu, '')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}
