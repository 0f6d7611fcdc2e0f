/** Where a link really leads, and whether it pretends otherwise. Pure: no DOM. */

import { plainLetters } from './skeleton.ts'

export type LinkVerdict = {
  /** The host in a safe form: Unicode if it cannot be confused, else Punycode. Empty for mailto and the like. */
  readonly host: string
  /**
   * `mismatch`: the text names another host. `lookalike`: letters that imitate others. `credentials`: `https://bank.example@evil.example`.
   * `number`: the address of a machine, in a mail under a brand's name; only who knows the sender can tell.
   */
  readonly flag: 'mismatch' | 'lookalike' | 'credentials' | 'number' | undefined
  /** The other host that the text names. */
  readonly named?: string
}

/** `href` is a result of `safeTarget`, `text` the visible text. A link rewritten by a mail gateway is judged by the link it stands for. */
export function judgeLink(href: string, text: string): LinkVerdict {
  return linkJudge(href)(text)
}

/** The same for several readings of one link, whose address is read once. */
export function linkJudge(href: string): (text: string) => LinkVerdict {
  return targetJudge(unwrapLink(href))
}

/** `target` is a result of `unwrapLink`. */
export function judgeTarget(target: string, text: string): LinkVerdict {
  return targetJudge(target)(text)
}

function targetJudge(target: string): (text: string) => LinkVerdict {
  const url = URL.parse(target)
  if (!url || !/^https?:$/.test(url.protocol)) return () => ({ host: '', flag: undefined })
  const host = displayHost(url.hostname)
  if (url.username !== '' || url.password !== '') return () => ({ host, flag: 'credentials' })
  if (isLookalike(url.hostname)) return () => ({ host, flag: 'lookalike' })
  const claimed = claimedHost(url)
  return text => {
    const forwards = namedHosts(text)
    const isOwn = forwards.some(name => isSameSite(name, claimed))
    const named = [...forwards, ...turned(text, isOwn).flatMap(namedHosts)].find(name => !isSameSite(name, claimed))
    return named === undefined ? { host, flag: undefined } : { host, flag: 'mismatch', named }
  }
}

/**
 * Whether a host that is read from behind is the site of the link with something before or behind it, as a note, a path or a word of the
 * sentence is: `1shop.example`, `www.shop.examplevisit`. One that begins as a site does or ends as one is another: `www.netflix.com` where
 * the link opens x.com, or `bank.com` where it opens bank.co.
 */
export function isOwnSiteWithMore(href: string, named: string): boolean {
  const url = URL.parse(unwrapLink(href))
  if (url === null) return false
  const site = registeredName(displayHost(claimedHost(url)))
  const shown = displayHost(named)
  const at = `.${shown}`.lastIndexOf(`.${site}`)
  const isBefore = at !== -1 && !shown.slice(at + site.length).includes('.') && !KNOWN_ENDINGS.test(shown)
  return isBefore || (!shown.startsWith('www.') && shown.endsWith(site))
}

/** Draws all letters behind it from the right to the left: put before the words of an element that does so. */
export const OVERRIDE = '\u202e'
/** Its mark, put before words that a rule of the mail may turn. */
export const RIGHT_TO_LEFT_MARK = '\u200f'
/** Letters that are written from the right to the left, and marks that draw others so. */
const TURNING = /[\u0590-\u08ff\u200f\u202b\u202e\u2067\u2068\ufb1d-\ufdff\ufe70-\ufefc]/

/**
 * How a text that can turn may be drawn: letter by letter from the right, or word by word. Few texts can, and many short hosts read as
 * others backwards: `se.com`. If the text reads as the host of its link (`isOwn`), only an override makes it another.
 */
function turned(text: string, isOwn: boolean): string[] {
  const drawn = text.slice(0, NAMED_CHARS_MAX)
  if (!(isOwn ? drawn.includes(OVERRIDE) : TURNING.test(drawn))) return []
  const words = drawn.replace(UNSEEN, '').match(/[\p{L}\p{N}-]+|[^\p{L}\p{N}-]/gu) ?? []
  return [Array.from(drawn).reverse().join(''), words.reverse().join('')]
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

/** Endings of all countries, but for those that are also of files and degrees: md, pm, py, rs, sc, sh, tf. */
const COUNTRIES =
  'a[c-gilmoq-uwxz]|b[abd-jm-or-tvwyz]|c[acdf-ik-oru-z]|d[ejkmoz]|e[cegr-u]|f[i-kmor]|g[abd-il-np-uwy]|h[kmnrtu]|i[del-oq-t]|j[emop]' +
  '|k[eg-imnprwyz]|l[a-cikr-vy]|m[aceghk-z]|n[ace-gilopruz]|om|p[ae-hklnr-tw]|qa|r[eouw]|s[abdegi-or-vx-z]|t[cdghj-ortvwz]|u[agksyz]|v[aceginu]|w[fs]|y[et]|z[mw]'
/** Everyday names of files whose endings are those of countries that many sites have: `notion.so`, `claude.ai`. */
const FILE =
  /^(?:lib[\w-]+\.(?:la|so)|(?:build|config|configure|demo|foo|index|install|logo|main|makefile|module|run|script|setup|tests?|utils?)\.(?:a[cim]|c[cl]|do|in|la|m[klm]|p[ls]|so))$/i
/** Endings under which countries register names, by the public list of suffixes. */
const SECOND_LEVELS = 'ac|asso|biz|com?|edu|firm|gob?|gouv|govt?|gv|info|ltd|mil|ne|net|nhs|nom|org?|plc|sch'
const OTHERS = 'com|net|org|info|biz|edu|gov|dev|app|bank|club|cloud|icu|online|shop|site|store|tech|vip|xyz|test|example'
/** Endings that make a bare `name.ending` in a text a host and not a file or a product. */
export const KNOWN_ENDINGS = new RegExp(`\\.(?:${COUNTRIES}|(?:${SECOND_LEVELS})\\.[a-z]{2}|${OTHERS})$`, 'i')
const HOSTING = 'git(?:hub|lab)\\.io|(?:web|netlify|vercel)\\.app|(?:pages|workers)\\.dev|(?:blogspot|firebaseapp|herokuapp)\\.com'
/** Under these, everybody has a site of their own. */
const SHARED = new RegExp(`(?:^|\\.)(?:(?:${SECOND_LEVELS})\\.[a-z]{2}|${HOSTING})$`)

/** The host is in the first of them. */
const NAMED_CHARS_MAX = 300
/** Around the address: blanks, arrows, brackets, the point at the end of a sentence. */
const DECORATION = { before: /^[^\p{L}\p{N}@#.]+/u, behind: /[^\p{L}\p{N}/=&#%_-]+$/u }
/** A URL among other words, to its end: what is in its parameters is no claim. It may have a user's name before its host. */
const WRITTEN =
  /(?:https?:\/\/|(?<![\p{L}\p{N}@.:/?=&-])(?=www\.))([\p{L}\p{N}_.-]*[\p{L}\p{N}])(?:(?::[^\s@/?#\\]*)?@([\p{L}\p{N}_.-]*[\p{L}\p{N}]))?(?::\d+)?(?:[/?#]\S*)?/giu

/** Most words of links have no scheme, no `www.`, no ending of a host, and no letter that stands for another or for none. */
const MAY_NAME_HOST = /:\/\/|www\.|[^\s!-~]|\.[a-z]{2}/i

/** The hosts that a link's text claims: it reads as the address of a page, or has some in it that begin with `https://` or `www.`. */
function namedHosts(text: string): string[] {
  if (!MAY_NAME_HOST.test(text)) return []
  const plain = plainAddresses(text).replace(ODD_DOTS, '.').replace(DECORATION.before, '').slice(0, NAMED_CHARS_MAX)
  const hosts = hostsIn(plain)
  // Letters of other scripts may be those of an ending, or of `www`.
  return hosts.length > 0 ? hosts : hostsIn(plainLetters(plain))
}

function hostsIn(written: string): string[] {
  const plain = written.replace(DECORATION.behind, '')
  const isUrl = /^https?:\/\//i.test(plain)
  const whole = /\s/.test(plain) ? null : URL.parse(isUrl ? unwrapLink(plain) : isAddress(plain) ? `https://${plain}` : '')
  if (whole) return [...userHost(whole.username), claimedHost(whole)]
  return Array.from(plain.matchAll(WRITTEN)).flatMap(([, name = '', behind]) =>
    behind === undefined ? parseHost(name) : [...userHost(name), ...parseHost(behind)],
  )
}

/** The name before an `@` is the user's, and reads as the host if it has a point. */
function userHost(name: string): string[] {
  return name.includes('.') ? parseHost(name) : []
}

function parseHost(name: string): string[] {
  const hostname = URL.parse(`https://${name}`)?.hostname
  return hostname === undefined ? [] : [hostname]
}

/** Whether a text without a scheme is an address. One that has a URL in its parameters is a URL itself. */
function isAddress(text: string): boolean {
  const name = /^([\p{L}\p{N}_.-]+)(?::\d+)?(?:[/?#].*)?$/iu.exec(text)?.[1] ?? ''
  if (FILE.test(text)) return false
  if (/^www\../i.test(name) || (/^[\p{L}\p{N}.-]+\.[\p{L}\p{N}-]+$/u.test(name) && KNOWN_ENDINGS.test(name))) return true
  return /^localhost$|\./i.test(name) && text.includes('://')
}

/** Drawn as nothing: control characters, joiners, fillers, selectors of variants. */
const UNSEEN = /(?:(?![\t\n\f\r])[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}])+/gu

/** Other dots than those that a browser reads as one. A Catalan word has one between two `l`, and a list has one before a capital. */
export const ODD_DOTS = /(?<=\p{L})(?:(?<![lL])·|·(?![lL])|[•∙⋅‧・ꓸꞏ⸱⸳᛫٠۔𝅭]| \.)(?=\p{Ll})/gu

/** A text without what nobody sees in it. A run of blanks is one. */
export function seenLetters(text: string): string {
  return text.replace(UNSEEN, '').replace(/[\s\u2800]+/g, ' ')
}

/** The same with the letters of addresses: no wide ones, no other dots and slashes, no hair spaces, no accents that are no letters. */
export function plainAddresses(text: string): string {
  return seenLetters(text.replace(/[\u2006\u2009\u200a\u202f\u205f]/g, '').normalize('NFKC'))
    .replace(/([ -~])\p{M}+/gu, '$1')
    .replaceAll('\u3002', '.')
    .replace(/[\u2044\u2215\u29f8]/g, '/')
    .replace(/[\u02d0\u2236\ua789]/g, ':')
}

/**
 * Whether two hosts are equal, one is a subdomain of the other, or both are under one registered name, as far as that is known without the
 * whole list of suffixes. A number has no registered part.
 */
export function isSameSite(a: string, b: string): boolean {
  const left = a.replace(/^www\./, '')
  const right = b.replace(/^www\./, '')
  if (/^[\d.]+$/.test(left + right)) return left === right
  if (left === right || left.endsWith(`.${right}`) || right.endsWith(`.${left}`)) return true
  return registeredName(left) === registeredName(right)
}

/** `shop.example.co.uk` → `example.co.uk`, and `shop.ing.de` → `ing.de`. */
function registeredName(host: string): string {
  return host
    .split('.')
    .slice(SHARED.test(host) ? -3 : -2)
    .join('.')
}

const BASE = 36
const T_MIN = 1
const T_MAX = 26
const SKEW = 38
const DAMP = 700
const INITIAL_BIAS = 72
const INITIAL_N = 128
/** A DNS label has at most 63 octets. */
const LABEL_CHARS_MAX = 63

/** Decodes one label without its `xn--` (RFC 3492 6.2): browsers encode but offer no way back; `undefined` when it is not Punycode. */
function decodePunycode(input: string): string | undefined {
  if (input.length > LABEL_CHARS_MAX) return undefined
  const delimiter = input.lastIndexOf('-')
  const output = delimiter > 0 ? Array.from(input.slice(0, delimiter), char => char.codePointAt(0) ?? 0) : []
  let n = INITIAL_N
  let i = 0
  let bias = INITIAL_BIAS
  for (let at = delimiter > 0 ? delimiter + 1 : 0; at < input.length; ) {
    const before = i
    for (let weight = 1, k = BASE; ; k += BASE) {
      const digit = parseDigit(input.charCodeAt(at++))
      if (digit === undefined) return undefined
      i += digit * weight
      const threshold = Math.min(T_MAX, Math.max(T_MIN, k - bias))
      if (digit < threshold) break
      weight *= BASE - threshold
    }
    bias = adapt(i - before, output.length + 1, before === 0)
    n += Math.floor(i / (output.length + 1))
    i %= output.length + 1
    if (n > 0x10ffff) return undefined
    output.splice(i++, 0, n)
  }
  return String.fromCodePoint(...output)
}

function parseDigit(code: number): number | undefined {
  if (code >= 0x30 && code <= 0x39) return code - 0x30 + 26
  if (code >= 0x61 && code <= 0x7a) return code - 0x61
  if (code >= 0x41 && code <= 0x5a) return code - 0x41
  return undefined
}

function adapt(delta: number, points: number, isFirst: boolean): number {
  let rest = Math.floor(delta / (isFirst ? DAMP : 2))
  rest += Math.floor(rest / points)
  let k = 0
  while (rest > ((BASE - T_MIN) * T_MAX) / 2) {
    rest = Math.floor(rest / (BASE - T_MIN))
    k += BASE
  }
  return k + Math.floor(((BASE - T_MIN + 1) * rest) / (rest + SKEW))
}

/** Some organisations have two gateways, one behind the other. */
const DEPTH_MAX = 3
const URL_CHARS_MAX = 8192

type Rewriter = { readonly host: RegExp; readonly target: (url: URL) => string | undefined }

/** One that stands twice leads to the first or to the last, as the server likes. */
function single({ searchParams }: URL, ...names: string[]): string | undefined {
  const [value, ...others] = names.flatMap(name => searchParams.getAll(name))
  return others.length === 0 ? value : undefined
}

const parameter =
  (...names: string[]) =>
  (url: URL) =>
    single(url, ...names)

const at =
  (path: string, ...names: string[]) =>
  (url: URL) =>
    url.pathname === path ? single(url, ...names) : undefined

/** The host is the whole name or ends with it: `safelinks.protection.outlook.com.evil.example` is not a gateway. */
const GATEWAYS: readonly Rewriter[] = [
  { host: /(?:^|\.)safelinks\.protection\.(?:outlook\.com|office365\.us|partner\.outlook\.cn)$/, target: parameter('url') },
  { host: /(?:^|\.)urldefense(?:\.proofpoint)?\.(?:com|us)$/, target: proofpoint },
  { host: /^linkprotect\.cudasvc\.com$/, target: parameter('a') },
  { host: /^secure-web\.cisco\.com$/, target: url => decode(/^\/[^/]+\/(https?(?::|%3A).*)$/i.exec(url.pathname)?.[1]) },
  { host: /^clicktime\.symantec\.com$/, target: parameter('u') },
  { host: /^protect\d?\.fireeye\.com$/, target: parameter('u') },
]

/** https://www.google.com/supported_domains. */
const GOOGLE =
  'com cat ad ae al am as at az ba be bf bg bi bj bs bt by ca cd cf cg ch ci cl cm cn cv cz de dj dk dm dz ee es fi fm fr ga ge gg gl gm gr gy ' +
  'hn hr ht hu ie im iq is it je jo kg ki kz la li lk lt lu lv md me mg mk ml mn mu mv mw ne nl no nr nu pl pn ps pt ro rs ru rw sc se sh si ' +
  'sk sm sn so sr st td tg tl tm tn to tt vu ws co.ao co.bw co.ck co.cr co.id co.il co.in co.jp co.ke co.kr co.ls co.ma co.mz co.nz co.th ' +
  'co.tz co.ug co.uk co.uz co.ve co.vi co.za co.zm co.zw com.af com.ag com.ar com.au com.bd com.bh com.bn com.bo com.br com.bz com.co com.cu ' +
  'com.cy com.do com.ec com.eg com.et com.fj com.gh com.gi com.gt com.hk com.jm com.kh com.kw com.lb com.ly com.mm com.mt com.mx com.my ' +
  'com.na com.ng com.ni com.np com.om com.pa com.pe com.pg com.ph com.pk com.pr com.py com.qa com.sa com.sb com.sg com.sl com.sv com.tj ' +
  'com.tr com.tw com.ua com.uy com.vc com.vn'

/**
 * Redirects that anybody can put before a link. What it claims to lead to is enough to ignore a mismatch, but not to show it as the target:
 * the sender chose it, and the redirect may do something else.
 */
const REDIRECTS: readonly Rewriter[] = [
  { host: new RegExp(`^(?:www\\.)?google\\.(?:${GOOGLE.replaceAll('.', '\\.').replaceAll(' ', '|')})$`), target: at('/url', 'q', 'url') },
  { host: /^lm?\.facebook\.com$/, target: at('/l.php', 'u') },
  { host: /^(?:www\.)?youtube\.com$/, target: at('/redirect', 'q') },
]
/** These name only the host of the target, and nothing proves it, either. */
const NAMES_HOST = /(?:^|\.)(?:mimecast(?:protect)?\.com|protection\.sophos\.com)$/

/**
 * The target of a link that a mail gateway rewrote, e.g. `https://nam01.safelinks.protection.outlook.com/?url=…`, or the link itself. So an
 * honest rewritten link does not look deceptive, and a deceptive one is judged by its target.
 */
function unwrapLink(href: string): string {
  return follow(href, GATEWAYS)
}

const REWRITERS = [...GATEWAYS, ...REDIRECTS]

/** What a link says that it leads to, also through a redirect that anybody can use. To be read, and not to be shown as its target. */
export function claimedTarget(href: string): string {
  return follow(href, REWRITERS)
}

function follow(href: string, rewriters: readonly Rewriter[]): string {
  let current = href
  for (let depth = 0; depth < DEPTH_MAX; depth++) {
    const target = unwrapOnce(current, rewriters)
    if (target === undefined) return current
    current = target
  }
  return current
}

/** The host that a link says it leads to. */
function claimedHost(url: URL): string {
  const claimed = URL.parse(claimedTarget(url.href)) ?? url
  const name = NAMES_HOST.test(claimed.hostname) ? single(claimed, 'domain', 'd') : undefined
  return (name === undefined ? null : URL.parse(`https://${name}`))?.hostname ?? claimed.hostname
}

function unwrapOnce(href: string, rewriters: readonly Rewriter[]): string | undefined {
  const url = href.length > URL_CHARS_MAX ? null : URL.parse(href)
  if (!url || !/^https?:$/.test(url.protocol)) return undefined
  const target = URL.parse(rewriters.find(({ host }) => host.test(url.hostname))?.target(url) ?? '')
  return target && /^https?:$/.test(target.protocol) ? target.href : undefined
}

/**
 * v1 `?u=` percent-encoded, v2 `?u=` with `-` for `%` and `_` for `/`, v3 `/v3/__URL__;…` where `*` stands for letters kept elsewhere, in
 * the path only.
 */
function proofpoint(url: URL): string | undefined {
  const written = parameter('u')(url)
  if (url.pathname.startsWith('/v2/')) return decode(written?.replaceAll('-', '%').replaceAll('_', '/'))
  if (url.pathname.startsWith('/v1/')) return written
  const { href } = url
  // Behind the host and before the parameters of the gateway, though those of the target stand between them.
  const start = url.origin.length + 6
  const end = href.indexOf('__;', start)
  if (!url.pathname.startsWith('/v3/__') || url.username !== '' || url.password !== '' || end === -1) return undefined
  return decode(href.slice(start, end))?.replace(/^(https?:)\/(?!\/)/, '$1//')
}

function decode(text: string | undefined): string | undefined {
  if (text === undefined) return undefined
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** A mail that imitates another has its one page, and perhaps a picture and a link to unsubscribe. */
const ADDRESSES_MIN = 5
/** A newsletter has about 50 links; the thousandth is an attack. */
const LINKS_READ_MAX = 2000

/**
 * The hosts, as `judgeLink` shows them, to which at least `ADDRESSES_MIN` different links of a mail lead. Newsletters send links through a
 * click counter, even if the words of a link name a shop: `Walmart.com` opens click.news.example. A counter has a different URL for each
 * link, while a mail that imitates a shop leads to one page from everywhere.
 */
export function clickCounters(urls: readonly string[]): ReadonlySet<string> {
  const addresses = new Map<string, Set<string>>()
  for (const url of new Set(urls.slice(0, LINKS_READ_MAX))) {
    const target = claimedTarget(url)
    const parsed = URL.parse(target)
    const host = parsed && /^https?:$/.test(parsed.protocol) ? displayHost(claimedHost(parsed)) : ''
    // The part after `#` never reaches the host, so it does not count.
    const address = target.replace(/#.*/, '')
    if (host !== '') addresses.set(host, (addresses.get(host) ?? new Set()).add(address))
  }
  return new Set([...addresses].flatMap(([host, { size }]) => (size >= ADDRESSES_MIN ? [host] : [])))
}
