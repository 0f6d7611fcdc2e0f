/** Where a link really leads, and whether it pretends otherwise. Pure: no DOM. */
import { decodePunycode } from './punycode.ts'
import { claimedHost, unwrapLink } from './rewriters.ts'

/** For the simple view. */
export const SIMPLE_VIEW_SCHEMES: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'ftp:',
  'mailto:',
  'tel:',
  'callto:',
  'sms:',
  'cid:',
  'xmpp:',
])
/** For the original layout. */
export const ORIGINAL_VIEW_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/** The absolute URL to open, or `undefined` for a link that must not work: another scheme, or relative (it would open this site). */
export function safeTarget(href: string, schemes: ReadonlySet<string>): string | undefined {
  const trimmed = href.trim()
  const url = URL.parse(/^[\\/]{2}/.test(trimmed) ? `https:${trimmed}` : trimmed)
  return url && schemes.has(url.protocol) ? url.href : undefined
}

export type LinkVerdict = {
  /** The host in a safe form: Unicode if it cannot be confused, else Punycode. Empty for mailto and the like. */
  readonly host: string
  /**
   * `mismatch`: the text names another host. `lookalike`: letters that imitate others. `credentials`: `https://bank.example@evil.example`.
   */
  readonly flag: 'mismatch' | 'lookalike' | 'credentials' | undefined
  /** The other host that the text names. */
  readonly named?: string
}

/** `href` is a result of `safeTarget`, `text` the visible text. A link rewritten by a mail gateway is judged by the link it stands for. */
export function judgeLink(href: string, text: string): LinkVerdict {
  const url = URL.parse(unwrapLink(href))
  if (!url || !/^https?:$/.test(url.protocol)) return { host: '', flag: undefined }
  const host = displayHost(url.hostname)
  if (url.username !== '' || url.password !== '') return { host, flag: 'credentials' }
  if (isLookalike(url.hostname)) return { host, flag: 'lookalike' }
  const named = namedHost(text)
  return named === undefined || isSameSite(named, claimedHost(url) ?? url.hostname)
    ? { host, flag: undefined }
    : { host, flag: 'mismatch', named }
}

/** A host for reading: international labels decoded unless they mix scripts or imitate Latin. */
export function displayHost(hostname: string): string {
  return hostname
    .split('.')
    .map(label => (label.startsWith('xn--') && !isLookalikeLabel(label) ? (decodePunycode(label.slice(4)) ?? label) : label))
    .join('.')
}

export function isLookalike(hostname: string): boolean {
  return hostname.split('.').some(isLookalikeLabel)
}

/** Scripts that may be mixed in one label, as in UTS 39 "highly restrictive". */
const SINGLE_SCRIPTS = [
  /^[\p{Script=Latin}\p{N}-]+$/u,
  /^[\p{Script=Cyrillic}\p{N}-]+$/u,
  /^[\p{Script=Greek}\p{N}-]+$/u,
  /^[\p{Script=Arabic}\p{N}\p{M}-]+$/u,
  /^[\p{Script=Hebrew}\p{N}\p{M}-]+$/u,
  /^[\p{Script=Devanagari}\p{N}\p{M}-]+$/u,
  /^[\p{Script=Thai}\p{N}\p{M}-]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Latin}\p{N}ー-]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Latin}\p{N}-]+$/u,
]
/** Cyrillic and Greek letters that pass for Latin ones: a label of nothing else is "apple" in disguise. */
const LATIN_IMITATION = /^[асԁеһіјӏорԛѕԝхуѵɡκανορτυωΑΒΕΖΗΙΚΜΝΟΡΤΥΧ\d-]+$/u
/** Latin letters that imitate other Latin letters or punctuation. */
const ODD_LATIN = /[ıɑɡʟɩꞵᴀ-ᴢƖǀƅ]|\p{M}/u

function isLookalikeLabel(label: string): boolean {
  if (!label.startsWith('xn--')) return false
  const decoded = decodePunycode(label.slice(4))
  if (decoded === undefined) return true
  return !SINGLE_SCRIPTS.some(script => script.test(decoded)) || LATIN_IMITATION.test(decoded) || ODD_LATIN.test(decoded)
}

/** Endings that make a bare `name.ending` in a text a host and not a file or a product. */
const KNOWN_ENDINGS =
  /\.(com|net|org|info|biz|edu|gov|io|co|dev|app|me|eu|uk|us|de|fr|es|it|pt|nl|ch|at|mx|ar|cl|pe|br|ru|cn|jp|test|example)$/i

/** The host is in the first of them. */
const NAMED_CHARS_MAX = 300
/** Around the address: blanks, arrows, brackets, the point at the end of a sentence. */
const DECORATION = /^[^\p{L}\p{N}@#.]+|[^\p{L}\p{N}/=&#%_-]+$/gu

/** The host that a link's text claims, when the whole text reads as an address of a page. */
function namedHost(text: string): string | undefined {
  // Invisible characters, wide letters and the arrow before a link change nothing for the person who reads it.
  const seen = text
    .normalize('NFKC')
    .replace(/\p{Cf}+/gu, '')
    .replace(/\s+/g, ' ')
  const plain = seen.slice(0, NAMED_CHARS_MAX).replace(DECORATION, '')
  const [, scheme = '', name = ''] = /^(https?:\/\/)?([\p{L}\p{N}.-]+\.[\p{L}\p{N}-]{2,})(?::\d+)?(?:[/?#]\S*)?$/iu.exec(plain) ?? []
  if (name === '' || (scheme === '' && !/^www\./i.test(name) && !KNOWN_ENDINGS.test(name))) return undefined
  // A gateway's link written out is a claim about where it leads, as the link itself is.
  const unwrapped = scheme === '' ? undefined : URL.parse(unwrapLink(plain))?.hostname
  return unwrapped ?? URL.parse(`https://${name}`)?.hostname
}

/**
 * Whether two hosts are equal, one is a subdomain of the other, or both are under one registered name, as far as that is known without a
 * list of suffixes.
 */
export function isSameSite(a: string, b: string): boolean {
  const left = a.replace(/^www\./, '')
  const right = b.replace(/^www\./, '')
  if (left === right || left.endsWith(`.${right}`) || right.endsWith(`.${left}`)) return true
  return registeredName(left) === registeredName(right)
}

/** `shop.example.co.uk` → `example.co.uk`: a short second level under a country is a suffix (co.uk, com.mx). */
function registeredName(host: string): string {
  const labels = host.split('.')
  const isCountrySuffix = labels.length > 2 && labels.at(-1)?.length === 2 && (labels.at(-2)?.length ?? 0) <= 3
  return labels.slice(isCountrySuffix ? -3 : -2).join('.')
}
