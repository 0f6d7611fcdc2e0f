import { displayHost, isSameSite } from '../reader/links/judge-link.ts'
import brands from './brands.json' with { type: 'json' }
import { skeletons } from './skeleton.ts'

/**
 * A name of a brand that phishing mail takes. A `plain` one is also an everyday word or a surname (Apple, Chase), so it counts only alone
 * or next to a word such as "service". The brand's name under `.com`, `.net`, `.org` or a country is its own; `domains` are the others that
 * it writes from.
 */
type Brand = { readonly name: string; readonly domains?: readonly string[]; readonly plain?: boolean }
const BRANDS: readonly Brand[] = brands

const SERVICE =
  'support|team|security|account|accounts|service|services|billing|alert|alerts|notification|notifications|help|helpdesk|customer|verification|verify|' +
  'payments|payment|info|inc|noreply|no-reply|online|prime|pay|id|store|center|centre|wallet|bank|delivery|express|rewards|message|messages|' +
  'news|newsletter|update|updates|order|orders|invoice|refund|prize|winner|gift|gift card|giftcard|voucher|bonus|package|parcel|shipment|shipping|tracking|' +
  'soporte|equipo|seguridad|cuenta|cuentas|servicio|servicios|cliente|clientes|atencion|ayuda|aviso|avisos|notificaciones|paquete|premio|' +
  'suporte|seguranca|conta|equipe|sicherheit|kundenservice|konto|gutschein|paket|gewinn|securite|colis|cadeau|pakket|assistenza|sicurezza|servizio|pacco'
/** Countries that a brand puts behind its name: `Amazon Deutschland`, `amazon.de`. */
const COUNTRY = 'deutschland|germany|espana|spain|france|italia|italy|brasil|brazil|mexico|canada|europe|india|japan|usa'
const CODE = 'de|uk|gb|us|es|fr|it|nl|be|at|ch|eu|ie|pt|br|mx|ca|au|in|jp|pl|se|tr|ae|sg'
/** What domains that pose as a brand put next to its name. */
const LURE =
  'secure|secured|login|log-in|signin|sign-in|signup|web|mail|email|portal|my|app|com|www|confirm|unlock|recovery|limited|auth|access'

/** Names shorter than this are also parts of ordinary text when their letters stand apart (`E Bay`). */
const SPACED_CHARS_MIN = 6
const GAP = /[ ._*-]/g

/** The forms in which a name may be found, without gaps, and the brand that has it. */
const BRAND_OF: ReadonlyMap<string, Brand> = new Map(
  BRANDS.flatMap(brand => forms(brand.name).flatMap(form => [form.replace(GAP, ''), label(form)].map(key => [key, brand] as const))),
)
const SERVICES = alternatives(SERVICE)
const DISTINCT_NAMES = BRANDS.filter(({ plain }) => !plain).map(({ name }) => name)
const PLAIN_NAMES = BRANDS.filter(({ plain }) => plain).map(({ name }) => name)
const DISTINCT = DISTINCT_NAMES.flatMap(name => forms(name).map(withGaps)).join('|')
const PLAIN = PLAIN_NAMES.flatMap(forms).join('|')

/** Few patterns for all brands: each class of all letters takes memory in every thread that reads mail. */
const CLAIMS = [
  new RegExp(`(?<![\\p{L}\\p{N}@])(${DISTINCT})(?:${SERVICES})?(?![\\p{L}\\p{N}])`, 'gu'),
  new RegExp(
    `^[^\\p{L}\\p{N}]*(?:the |(?:https?:..)?www\\.)?(${PLAIN})(?:\\.(?:com?|cm|net|org|${CODE})){0,2}` +
      `(?:[^\\p{L}\\p{N}]*$|[^\\p{L}\\p{N}]{1,3}(?:${SERVICES}|${alternatives(COUNTRY)})(?![\\p{L}\\p{N}]))`,
    'gu',
  ),
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${SERVICES}) (?:de |of |da |do |von )?(${PLAIN})$`, 'gu'),
  new RegExp(`(?<![\\p{L}\\p{N}@])(${PLAIN})\\.com(?![\\p{L}\\p{N}])`, 'gu'),
]
/** A country's code at the end, since it is a word otherwise: `Steam it`. Behind a comma it is a place. */
const CODE_BEHIND = new RegExp(`(?<=\\p{L}[ .(|/-]{1,3})(?:${CODE.toUpperCase()})[^\\p{L}\\p{N}]*$`, 'u')
/** The brand is what others talk about: `Ann Lee on LinkedIn`, `Instagram fan club`. */
const ABOUT = [
  /^(?:\p{Lu}[\p{L}\p{M}'’.-]* ){1,3}(?:on|auf|en) (?:LinkedIn|Instagram|Facebook|TikTok|Spotify)$/u,
  /\p{L} (?:fans?|fan ?club|club de fans|user group|meetup|bridge|academy|podcast|blog|consultants?|coach|course)$/iu,
]
const SERVICE_WORD = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SERVICE}|new|invitations?|requests?|friends?|someone|log-?in|activity|warning)(?![\\p{L}\\p{N}])`,
  'iu',
)

/**
 * What a domain says: `paypal.com.evil.example`, `paypal-secure.example`, `apple-id.example`, `arnazon.com`. Nothing follows from
 * `dropbox.zendesk.com`, nor from an everyday word under any ending. Lists write `.invalid` behind addresses.
 */
const ENDING = '\\.(?:(?:com?|org|net|gob|gov)\\.)?(?!invalid$)[^.]+$'
const WORDS = `(?:${SERVICES}|${alternatives(LURE)}|${alternatives(CODE)})`
const ALARMS = `(?:${alternatives('support|security|account|accounts|verify|verification|login|signin|secure|billing|id')})`
const BOOKING = 'Booking.com'
const DISTINCT_LABELS = labels(DISTINCT_NAMES.filter(name => name !== BOOKING))
const PLAIN_LABELS = labels([...PLAIN_NAMES, BOOKING])
const DOMAIN_CLAIMS = [
  new RegExp(`(?<![^.-])(${DISTINCT_LABELS}|${PLAIN_LABELS})[.-](?:com|net|org)(?=[.-])(?!\\.invalid$)`, 'gu'),
  new RegExp(`(?<![^.])(?:${WORDS}-){0,3}(${DISTINCT_LABELS})(?:-${WORDS}){0,3}${ENDING}`, 'gu'),
  new RegExp(`(?<![^.])(?:(?:${ALARMS}-)+(${PLAIN_LABELS})|(${PLAIN_LABELS})(?:-${ALARMS})+)${ENDING}`, 'gu'),
]
/** Stearn is a surname. */
const MISSPELT = new RegExp(`(?<![^.])(${labels(PLAIN_NAMES.filter(name => name !== 'Steam'))})${ENDING}`, 'gu')

/** A word as it is compared: its skeletons as written and in capitals. */
function forms(word: string): string[] {
  return [...new Set([...skeletons(word), ...skeletons(word.toUpperCase())])]
}

function alternatives(words: string): string {
  return words.split('|').flatMap(forms).join('|')
}

function label(name: string): string {
  return name.replace(/\.com$|[ .]/g, '')
}

/** "1cloud" is a name of its own. */
function labels(names: readonly string[]): string {
  const each = names.flatMap(forms).map(label)
  return each.filter(form => form !== 'lcloud').join('|')
}

/** `P a y P a l`, `Net-flix`. */
function withGaps(form: string): string {
  const isLong = form.replace(GAP, '').length >= SPACED_CHARS_MIN
  return isLong ? Array.from(form.replace(GAP, '')).join('[ ._*-]?') : form.replaceAll('.', '\\.').replaceAll(' ', '[ -]?')
}

const NAME_CHARS_MAX = 320

/** The brand in a sender's name if the mail comes from a domain that is not the brand's. `host` is in lower case, or empty. */
export function claimedBrand(senderName: string, host: string): string | undefined {
  const name = senderName.slice(0, NAME_CHARS_MAX)
  if (ABOUT.some(about => about.test(name)) && !SERVICE_WORD.test(name)) return undefined
  const names = [...skeletons(name), ...skeletons(name.replace(CODE_BEHIND, ''))]
  return foreignBrand(
    [...new Set(names)].flatMap(each => CLAIMS.flatMap(claim => claimsIn(each, claim))),
    host,
  )
}

const FILLERS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${SERVICES}|${alternatives(`${COUNTRY}|the|your|this|site|official|www|https`)}|de|of|from|by)(?![\\p{L}\\p{N}])`,
  'gu',
)

/** Whether a sender calls itself by one of these names, alone or among words such as "Support". */
export function isCalled(senderName: string, names: readonly string[]): boolean {
  const essence = (text: string) => skeletons(text).map(form => form.replace(FILLERS, '').replace(/[^\p{L}\p{N}]+/gu, ''))
  const own = new Set(names.flatMap(essence))
  return essence(senderName.slice(0, NAME_CHARS_MAX)).some(called => called !== '' && own.has(called))
}

/** The brand that a domain names and that does not own it. `domain`: as it is written. */
export function imitatedBrand(domain: string, host: string): string | undefined {
  // In capitals an I is no l.
  const names = skeletons(/[a-z]/.test(domain) && !host.includes('xn--') ? domain : displayHost(host))
  const misspelt = names.flatMap(name => claimsIn(name, MISSPELT)).filter(brand => !host.includes(brand))
  return foreignBrand([...misspelt, ...names.flatMap(name => DOMAIN_CLAIMS.flatMap(claim => claimsIn(name, claim)))], host)
}

function foreignBrand(claimed: readonly string[], host: string): string | undefined {
  return claimed.map(name => BRAND_OF.get(name.replace(GAP, ''))).find(brand => brand && !belongsTo(host, brand))?.name
}

/** `matchAll` copies its pattern, which takes longer than the search because these are long. */
function claimsIn(name: string, claim: RegExp): string[] {
  const found: string[] = []
  for (let match = claim.exec(name); match; match = claim.exec(name)) found.push(match.slice(1).find(group => group !== undefined) ?? '')
  return found
}

/** Whether a host is one of these brands' own. In lower case. */
export function isBrandHost(host: string): boolean {
  return BRANDS.some(brand => belongsTo(host, brand))
}

/** Endings that anybody gets for nothing, or by a slip of the finger, are no country's. */
const OWN = /^(?:com|net|org|(?!c[cfmo]|g[aq]|ml|om|pw|tk|ws)[a-z]{2}|(?:com?|org|net|gob|gov)\.[a-z]{2})$/

function belongsTo(host: string, { name, domains = [] }: Brand): boolean {
  const own = label(name.toLowerCase())
  const registered = host.replace(/^.*?([^.]+\.(?:(?:com?|org|net|gob|gov)\.)?[^.]+)$/, '$1')
  // `mail.paypal`: some brands are top-level domains.
  if (host.endsWith(`.${own}`)) return true
  return (
    (registered.startsWith(`${own}.`) && OWN.test(registered.slice(own.length + 1))) || domains.some(domain => isSameSite(domain, host))
  )
}
