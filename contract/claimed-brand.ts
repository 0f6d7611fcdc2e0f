import { displayHost } from '../reader/links/judge-link.ts'
import { skeletons } from '../reader/links/skeleton.ts'
import brands from './brands.json' with { type: 'json' }

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
  'suporte|seguranca|conta|equipe|sicherheit|kundenservice|konto|gutschein|paket|gewinn|securite|colis|cadeau|pakket|assistenza|sicurezza|servizio|pacco|banco|banca|banque'
/** Countries that a brand puts behind its name: `Amazon Deutschland`, `amazon.de`. */
const COUNTRY = 'deutschland|germany|espana|spain|france|italia|italy|brasil|brazil|mexico|canada|europe|india|japan|usa'
const CODE = 'de|uk|gb|us|es|fr|it|nl|be|at|ch|eu|ie|pt|br|mx|ca|au|in|jp|pl|se|tr|ae|sg'
const LURE =
  'secure|secured|login|log|in|signin|sign|signup|no|reply|web|mail|email|mailbox|portal|my|app|com|www|confirm|unlock|recovery|resolution|limited|' +
  'auth|access'

/** Names shorter than this are also parts of ordinary text when their letters stand apart (`E Bay`). */
const SPACED_CHARS_MIN = 6
const GAP = /[ ._*-]/g

/** The forms in which a name may be found, without gaps, and the brand that has it. */
const BRAND_OF: ReadonlyMap<string, Brand> = new Map(
  BRANDS.flatMap(brand => forms(brand.name).flatMap(form => [form.replace(GAP, ''), label(form)].map(key => [key, brand] as const))),
)
const DISTINCT_NAMES = BRANDS.filter(({ plain }) => !plain).map(({ name }) => name)
const PLAIN_NAMES = BRANDS.filter(({ plain }) => plain).map(({ name }) => name)
const DISTINCT = DISTINCT_NAMES.flatMap(name => forms(name).map(withGaps)).join('|')
const PLAIN = PLAIN_NAMES.flatMap(forms).join('|')

/**
 * Letters and digits of skeletons, but for a few signs. A class by \p takes ten times the memory, in every thread that reads mail, and so
 * do patterns for each brand.
 */
const LETTERS = 'a-z\\d\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3040-\\uffff'
const DISTINCT_CLAIM = new RegExp(`(?<![${LETTERS}@])(${DISTINCT})([${LETTERS}]*)`, 'g')
const PLAIN_CLAIM = new RegExp(`(?<![${LETTERS}@])(${PLAIN})(\\.com)?(?![${LETTERS}])`, 'g')
/** A plain name that stands alone, among signs, or before another word: `www.amazon.de`, `Apple: Support`. */
const BEFORE_ALONE = new RegExp(`^[^${LETTERS}]*(?:the |(?:https?:..)?www\\.)?$`)
const BEHIND_ALONE = new RegExp(
  `^(?:\\.(?:com?|cm|net|org|${CODE})(?![${LETTERS}])){0,2}(?:[^${LETTERS}]*$|[^${LETTERS}]{1,3}([${LETTERS}]+))`,
)
const WORD_BEFORE = new RegExp(`([${LETTERS}]+) (?:de |of |da |do |von )?$`)
/** `MyPayPal`, `AppleID`. */
const NEXT_WORD = /(?<=\p{Ll})(?=\p{Lu})/gu
const NO_LETTERS = new RegExp(`[^${LETTERS}]+`)
/** A country's code at the end, since it is a word otherwise: `Steam it`. Behind a comma it is a place. */
const CODE_BEHIND = new RegExp(`(?<=[^ .,(|/-][ .(|/-]{1,3})(?:${CODE.toUpperCase()})[ .)|/-]*$`)
/** The brand is what others talk about: `Instagram fan club`, `The Netflix Podcast`. */
const ABOUT = /\p{L} (?:fans?|fan ?club|club de fans|user group|meetup)$|^the .*\p{L} (?:podcast|coach|course)$/iu
/** A brand has these itself, so its name does not stand first. */
const ABOUT_FROM_OTHERS =
  /\p{L} (?:[-–|] )?(?:academy|podcast|blog|consultants?|coach|course|bridge|partner|reseller|rivenditore|revendeur|h[äa]ndler|punto \S+)$/iu
/** A person has the name in their address, too: `Ann Lee on LinkedIn <ann@home.example>`. */
const PERSON_ON = /^((?:\p{Lu}[\p{L}\p{M}'’.-]* ){1,3})(?:on|auf|en) (?:LinkedIn|Instagram|Facebook|TikTok|Spotify)$/u
const SERVICES = wordSet(SERVICE)
const COUNTRIES = wordSet(COUNTRY)
const NOTICES = wordSet('new|invitation|invitations|request|requests|friend|friends|someone|login|log|activity|warning')
/** Offices that each site has, by the names of RFC 2142 and their like. */
const OFFICES = wordSet(
  'admin|administrator|administration|postmaster|webmaster|hostmaster|webmail|mailbox|mail|operator|abuse|privacy|legal|desk|care|contact|notice|' +
    'notices|system|staff|office|login|administrador|administracion|operador|correo|privacidad|contacto|acceso|sistema',
)
const ARTICLES = wordSet('my|our|das|der|el|la|tu')
const FILLERS = wordSet('the|your|this|site|official|www|https|de|of|from|by')

/** Words that domains which pose as a brand put next to its name, and next to one that is an everyday word. */
const LURES = wordSet(`${SERVICE}|${LURE}|${CODE}`)
const ALARMS = wordSet('support|security|account|accounts|verify|verification|login|signin|secure|billing|id')
/** Words of the language, which the names of other businesses begin with. */
const NAMESAKE = /^(?:Apple|Chase|Ledger|Norton|Steam|Telegram)$/
const ALARM = /secur|verif|confirm|account|login|signin|support|help|alert|billing|refund|unlock|recover|limited|auth|updat|invoice|notice/
const DOMAIN_BRAND = new RegExp(`(?<![^.-])(?:${BRANDS.flatMap(({ name }) => labelForms(name)).join('|')})(?![^.-])`, 'g')
/** Everyday words as names of domains. Stearn is a surname, and "1cloud" a company. */
const EVERYDAY = new Set([...PLAIN_NAMES, 'Booking.com'].flatMap(labelForms))
const NO_MISSPELLING = /^(?:steam|lcloud)$/

/** A word as it is compared: its skeletons as written and in capitals. */
function forms(word: string): string[] {
  return [...new Set([...skeletons(word), ...skeletons(word.toUpperCase())])]
}

function label(name: string): string {
  return name.replace(/\.com$|[ .]/g, '')
}

function labelForms(name: string): string[] {
  return forms(name).map(label)
}

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split('|').flatMap(forms))
}

/** `P a y P a l`, `Net-flix`. */
function withGaps(form: string): string {
  const isLong = form.replace(GAP, '').length >= SPACED_CHARS_MIN
  return isLong ? Array.from(form.replace(GAP, '')).join('[ ._*-]?') : form.replaceAll('.', '\\.').replaceAll(' ', '[ -]?')
}

const NAME_CHARS_MAX = 320

/** The brand in a sender's name if the mail comes from a domain that is not the brand's. `host` is in lower case, or empty. */
export function claimedBrand(senderName: string, host: string, local = ''): string | undefined {
  const name = senderName.slice(0, NAME_CHARS_MAX)
  const called = skeletons(name)
  const person = PERSON_ON.exec(name)?.[1]
  const isPerson = person !== undefined && sharesWord(person, local)
  const isAbout = isPerson || ABOUT.test(name) || (ABOUT_FROM_OTHERS.test(name) && !called.some(beginsWithBrand))
  if (isAbout && !called.flatMap(wordsIn).some(word => SERVICES.has(word) || NOTICES.has(word))) return undefined
  const written = [name.replace(CODE_BEHIND, ''), name.replace(NEXT_WORD, ' ')].filter(each => each !== name).flatMap(skeletons)
  return foreignBrand(
    [...new Set([...called, ...written])].flatMap(namesIn),
    brand => belongsTo(host, brand) || isNamesake(name, host, brand),
  )
}

function beginsWithBrand(form: string): boolean {
  return matches(DISTINCT_CLAIM, form).some(({ index }) =>
    wordsIn(form.slice(0, index)).every(word => word.length < 2 || FILLERS.has(word) || ARTICLES.has(word)),
  )
}

function sharesWord(text: string, other: string): boolean {
  const words = new Set(skeletons(other).flatMap(wordsIn))
  return skeletons(text)
    .flatMap(wordsIn)
    .some(word => word !== '' && words.has(word))
}

/**
 * Whether the name of a list that passes on the address of a service, not of a person, disguises it: it has only words such as "Support",
 * or the name in the address, as in `security@bank.example via Bank`. A list is often called just "Team".
 */
export function isDisguise(list: string, local: string, host: string): boolean {
  if (
    !skeletons(local)
      .flatMap(wordsIn)
      .some(word => SERVICES.has(word))
  )
    return false
  const [own = ''] = registeredHost(displayHost(host)).split('.')
  const names = new Set(forms(own))
  return skeletons(list).some(form => {
    const words = wordsIn(form).filter(word => word !== '' && !FILLERS.has(word))
    const isService = words.every(word => SERVICES.has(word)) && words.some(word => word !== 'team')
    return isService || words.some(word => names.has(word)) || isCalled(list, own)
  })
}

/** Whether a sender calls itself by this name among words such as "Support", or, unless it `isShared` with others, alone. */
export function isCalled(senderName: string, own: string, isShared = false): boolean {
  const ownWords = skeletons(own).flatMap(wordsIn)
  const isEssential = (word: string) =>
    ![SERVICES, COUNTRIES, FILLERS].some(words => words.has(word)) && (!OFFICES.has(word) || ownWords.includes(word))
  const essence = (text: string) => skeletons(text).map(form => wordsIn(form).filter(isEssential).join(''))
  const called = senderName.slice(0, NAME_CHARS_MAX)
  const isService =
    !isShared ||
    skeletons(called)
      .flatMap(wordsIn)
      .some(word => SERVICES.has(word))
  return isService && essence(called).some(each => each !== '' && essence(own).includes(each))
}

/**
 * The brand that a domain names and that does not own it: `paypal.com.evil.example`, `paypal-secure.example`, `apple-id.example`,
 * `arnazon.com`. Nothing follows from `dropbox.zendesk.com`. `domain`: as it is written.
 */
export function imitatedBrand(domain: string, host: string): string | undefined {
  // In capitals an I is no l.
  const names = skeletons(/[a-z]/.test(domain) && !host.includes('xn--') ? domain : displayHost(host))
  const claimed = names.flatMap(name => matches(DOMAIN_BRAND, name).map(({ 0: brand, index }) => ({ name, brand, index })))
  return foreignBrand(
    claimed.filter(each => poses(each, host)).map(({ brand }) => brand),
    brand => belongsTo(host, brand),
  )
}

/** Lists write `.invalid` behind addresses. */
function poses({ name, brand, index }: { readonly name: string; readonly brand: string; readonly index: number }, host: string): boolean {
  const behind = name.slice(index + brand.length)
  if (name.endsWith('.invalid')) return false
  if (/^[.-](?:com|net|org)[.-]/.test(behind)) return true
  // `netflix.billing-update.example`
  const [, owner = ''] = /^\.([^.]+-[^.]+)\.[^.]+$/.exec(behind) ?? []
  if (owner !== '' && !EVERYDAY.has(brand)) return owner.split('-').every(word => LURES.has(word))
  const start = name.lastIndexOf('.', index) + 1
  const [registered = '', ending = ''] = /^([^.]+)\.((?:(?:com?|org|net|gob|gov)\.)?[^.]+)$/.exec(name.slice(start))?.slice(1) ?? []
  if (ending === '') return false
  const words = registered.split('-').filter(word => word !== brand)
  if (!EVERYDAY.has(brand)) return words.every(word => LURES.has(word)) && (host.includes(brand) || !NO_MISSPELLING.test(brand))
  return words.length > 0 ? words.every(word => ALARMS.has(word)) : !host.includes(brand) && !NO_MISSPELLING.test(brand)
}

function foreignBrand(claimed: readonly string[], isOwn: (brand: Brand) => boolean): string | undefined {
  return claimed.map(name => BRAND_OF.get(name.replace(GAP, ''))).find(brand => brand && !isOwn(brand))?.name
}

const wordsIn = (form: string): string[] => form.split(NO_LETTERS)

/** The names of brands that a sender goes by. */
function namesIn(name: string): string[] {
  const distinct = matches(DISTINCT_CLAIM, name).filter(({ 2: more = '' }) => /^(?:\d[\dlo]*)?$/.test(more) || SERVICES.has(more))
  const plain = matches(PLAIN_CLAIM, name).filter(({ 1: brand = '', 2: ending, index }) => {
    const [before, behind] = [name.slice(0, index), name.slice(index + brand.length)]
    const alone = BEFORE_ALONE.test(before) ? BEHIND_ALONE.exec(behind) : null
    const [, next] = alone ?? []
    // `The Ledger` is a newspaper.
    const isAlone = alone !== null && (next === undefined ? !before.endsWith('the ') : SERVICES.has(next) || COUNTRIES.has(next))
    return ending !== undefined || isAlone || (behind === '' && SERVICES.has(WORD_BEFORE.exec(before)?.[1] ?? ''))
  })
  return [...distinct, ...plain].map(({ 1: brand = '' }) => brand)
}

/** `matchAll` copies its pattern, which takes longer than the search because these are long. */
function matches(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = []
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) found.push(match)
  return found
}

/** Whether a host is one of these brands' own. In lower case. */
export const isBrandHost = (host: string): boolean => BRANDS.some(brand => belongsTo(host, brand))

/** Endings that anybody gets for nothing, or by a slip of the finger, are no country's. */
const OWN = /^(?:com|net|org|(?!c[cfmo]|g[aq]|ml|om|pw|tk|ws)[a-z]{2}|(?:com?|org|net|gob|gov)\.[a-z]{2})$/

function belongsTo(host: string, { name, domains = [] }: Brand): boolean {
  const own = label(name.toLowerCase())
  const registered = registeredHost(host)
  // `mail.paypal`: some brands are top-level domains.
  if (host.endsWith(`.${own}`)) return true
  return (
    (registered.startsWith(`${own}.`) && OWN.test(registered.slice(own.length + 1))) ||
    domains.some(domain => host === domain || host.endsWith(`.${domain}`))
  )
}

/** Whether a sender has all of its name as its domain, and the name begins with an everyday word: `Apple Bank`, `Norton Center`. */
function isNamesake(senderName: string, host: string, { name }: Brand): boolean {
  const [own = '', ...ending] = registeredHost(host).split('.')
  const isWhole = skeletons(senderName).some(form => forms(own).includes(wordsIn(form).join('')))
  return NAMESAKE.test(name) && isWhole && OWN.test(ending.join('.')) && !ALARM.test(own)
}

/** `news.shop.co.uk` → `shop.co.uk`. */
const registeredHost = (host: string): string => host.replace(/^.*?([^.]+\.(?:(?:com?|org|net|gob|gov)\.)?[^.]+)$/, '$1')
