import { isSameSite } from '../reader/links/judge-link.ts'
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
  'payments|payment|info|inc|noreply|no-reply|online|prime|pay|id|store|center|centre|wallet|bank|delivery|express|rewards|' +
  'news|newsletter|update|updates|order|orders|invoice|refund|prize|winner|gift|gift card|giftcard|voucher|bonus|package|parcel|shipment|shipping|tracking|' +
  'soporte|equipo|seguridad|cuenta|cuentas|servicio|servicios|cliente|clientes|atencion|ayuda|aviso|avisos|notificaciones|paquete|premio|' +
  'suporte|seguranca|conta|equipe|sicherheit|kundenservice|konto|gutschein|paket|gewinn|securite|colis|cadeau|pakket|assistenza|sicurezza|servizio|pacco'

/** Names shorter than this are also parts of ordinary text when their letters stand apart (`E Bay`). */
const SPACED_CHARS_MIN = 6
const GAP = /[ ._*-]/g

/** The forms in which a name may be found, without gaps, and the brand that has it. */
const BRAND_OF: ReadonlyMap<string, Brand> = new Map(
  BRANDS.flatMap(brand => forms(brand.name).map(form => [form.replace(GAP, ''), brand] as const)),
)
const SERVICES = SERVICE.split('|').flatMap(forms).join('|')
const DISTINCT = BRANDS.filter(({ plain }) => !plain)
  .flatMap(({ name }) => forms(name).map(withGaps))
  .join('|')
const PLAIN = BRANDS.filter(({ plain }) => plain)
  .flatMap(({ name }) => forms(name))
  .join('|')

/** Few patterns for all brands: each class of all letters takes memory in every thread that reads mail. */
const CLAIMS = [
  new RegExp(`(?<![\\p{L}\\p{N}@.])(${DISTINCT})(?:${SERVICES})?(?![\\p{L}\\p{N}])`, 'gu'),
  new RegExp(`^(?:the )?(${PLAIN})(?:\\.com)?(?:$|[ -](?:${SERVICES})(?![\\p{L}\\p{N}]))`, 'gu'),
  new RegExp(`(?<![\\p{L}\\p{N}])(?:${SERVICES}) (?:de |of |da |do |von )?(${PLAIN})$`, 'gu'),
]

/** A word as it is compared: its skeletons as written and in capitals. */
function forms(word: string): string[] {
  return [...new Set([...skeletons(word), ...skeletons(word.toUpperCase())])]
}

/** `P a y P a l`, `Net-flix`. */
function withGaps(form: string): string {
  const isLong = form.replace(GAP, '').length >= SPACED_CHARS_MIN
  return isLong ? Array.from(form.replace(GAP, '')).join('[ ._*-]?') : form.replaceAll('.', '\\.').replaceAll(' ', '[ -]?')
}

const NAME_CHARS_MAX = 320

/** The brand in a sender's name if the mail comes from a domain that is not the brand's. `host` is in lower case, or empty. */
export function claimedBrand(senderName: string, host: string): string | undefined {
  const names = skeletons(senderName.slice(0, NAME_CHARS_MAX))
  const claimed = names.flatMap(name => CLAIMS.flatMap(claim => claimsIn(name, claim)))
  return claimed.map(name => BRAND_OF.get(name.replace(GAP, ''))).find(brand => brand && !belongsTo(host, brand))?.name
}

/** `matchAll` copies its pattern, which takes longer than the search because these are long. */
function claimsIn(name: string, claim: RegExp): string[] {
  const found: string[] = []
  for (let match = claim.exec(name); match; match = claim.exec(name)) found.push(match[1] ?? '')
  return found
}

/** Whether a host is one of these brands' own. In lower case. */
export function isBrandHost(host: string): boolean {
  return BRANDS.some(brand => belongsTo(host, brand))
}

const OWN = /^(?:com|net|org|[a-z]{2}|(?:com?|org|net|gob|gov)\.[a-z]{2})$/

function belongsTo(host: string, { name, domains = [] }: Brand): boolean {
  const label = name.toLowerCase().replace(/\.com$|[ .]/g, '')
  const registered = host.replace(/^.*?([^.]+\.(?:(?:com?|org|net|gob|gov)\.)?[^.]+)$/, '$1')
  // `mail.paypal`: some brands are top-level domains.
  if (host.endsWith(`.${label}`)) return true
  return (
    (registered.startsWith(`${label}.`) && OWN.test(registered.slice(label.length + 1))) || domains.some(domain => isSameSite(domain, host))
  )
}
