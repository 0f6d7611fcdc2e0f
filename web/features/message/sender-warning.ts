/** Detects deceptive From lines: a name that is somebody else's address or a brand's, or look-alike letters. Pure: no DOM. */

import { hasFailedAuthentication } from '#contract/failed-authentication.ts'
import { clickCounters, displayHost, isLookalike, isSameSite, judgeLink, type LinkVerdict } from '#contract/links.ts'
import type { ConfirmationLink, Message } from '#contract/mailbox.ts'

/** `name` is what the reader should know instead: the true address, or the domain in Punycode. `brand` is the misused name. */
export type SenderWarning =
  | { readonly kind: 'otherAddress' | 'lookalike' | 'lookalikeName'; readonly name: string }
  | { readonly kind: 'brand'; readonly name: string; readonly brand: string }

/** One character before the `@` is enough. A run of them would be searched again from each of its characters. */
const ADDRESS = /[^\s"'<>()[\],;:@]@((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})/u

export function senderWarning(from: Message['from']): SenderWarning | undefined {
  const host = parseHost(from.address.slice(from.address.lastIndexOf('@') + 1))
  if (host === undefined) return undefined
  if (isLookalike(host)) return { kind: 'lookalike', name: displayHost(host) }
  const named = parseHost(ADDRESS.exec(from.name)?.[1] ?? '')
  if (named !== undefined && !isSameSite(named, host)) return { kind: 'otherAddress', name: from.address }
  const brand = claimedBrand(from.name, host)
  if (brand !== undefined) return { kind: 'brand', name: displayHost(host), brand }
  return hasLookalikeWord(from.name) ? { kind: 'lookalikeName', name: from.address } : undefined
}

/** In lower case and Punycode, as the judgement of links reads it. */
function parseHost(domain: string): string | undefined {
  return domain === '' ? undefined : URL.parse(`https://${domain}`)?.hostname
}

/**
 * `words` are matched as whole words. A `plain` name is also an everyday word or a surname (Apple, Chase), so it counts only alone or next
 * to a word such as "service". A domain that has the brand's name under any ending (`amazon.co.jp`) is not foreign, nor are those of
 * `domains`.
 */
type Brand = { readonly name: string; readonly domains?: readonly string[]; readonly plain?: boolean }

/** Names that phishing mail takes most, and the domains their owners write from. */
const BRANDS: readonly Brand[] = [
  { name: 'PayPal', domains: ['paypal-communication.com'] },
  { name: 'Netflix' },
  {
    name: 'Microsoft',
    domains: [
      'microsoftonline.com',
      'office.com',
      'office365.com',
      'outlook.com',
      'live.com',
      'windows.com',
      'azure.com',
      'msn.com',
      'skype.com',
    ],
  },
  { name: 'Office 365', domains: ['microsoft.com', 'microsoftonline.com', 'office.com', 'office365.com', 'outlook.com'] },
  { name: 'Facebook', domains: ['facebookmail.com', 'meta.com', 'metamail.com', 'fb.com'] },
  { name: 'Instagram', domains: ['facebookmail.com', 'meta.com', 'metamail.com'] },
  { name: 'WhatsApp', domains: ['facebookmail.com', 'meta.com'] },
  { name: 'LinkedIn', domains: ['e.linkedin.com'] },
  { name: 'DocuSign', domains: ['docusign.net'] },
  { name: 'Dropbox', domains: ['dropboxmail.com', 'hellosign.com'] },
  { name: 'iCloud', domains: ['apple.com', 'me.com'] },
  { name: 'Coinbase' },
  { name: 'Binance' },
  { name: 'MetaMask', domains: ['metamask.io', 'consensys.net'] },
  { name: 'Trust Wallet', domains: ['trustwallet.com'] },
  { name: 'FedEx' },
  { name: 'DHL', domains: ['dhl.de', 'dpdhl.com'] },
  { name: 'USPS' },
  { name: 'McAfee' },
  { name: 'Santander', domains: ['gruposantander.com', 'santanderbank.com', 'openbank.es'] },
  { name: 'BBVA' },
  { name: 'CaixaBank', domains: ['lacaixa.es'] },
  { name: 'Bradesco' },
  { name: 'Nubank' },
  { name: 'HSBC' },
  { name: 'Wells Fargo', domains: ['wellsfargo.com'] },
  { name: 'Bank of America', domains: ['bankofamerica.com', 'bofa.com'] },
  { name: 'American Express', domains: ['americanexpress.com', 'aexp.com'] },
  { name: 'Mercado Libre', domains: ['mercadolibre.com', 'mercadolivre.com', 'mercadolivre.com.br'] },
  { name: 'Mercado Pago', domains: ['mercadopago.com', 'mercadolibre.com', 'mercadolivre.com'] },
  { name: 'Spotify', domains: ['spotifymail.com'] },
  { name: 'eBay' },
  { name: 'Amazon', domains: ['amazonaws.com', 'audible.com', 'primevideo.com'], plain: true },
  { name: 'Apple', domains: ['icloud.com', 'me.com', 'itunes.com'], plain: true },
  { name: 'Google', domains: ['youtube.com', 'gmail.com', 'googlemail.com', 'android.com'], plain: true },
  { name: 'Chase', domains: ['jpmorgan.com'], plain: true },
  { name: 'Steam', domains: ['steampowered.com', 'valvesoftware.com'], plain: true },
  { name: 'Discord', domains: ['discordapp.com'], plain: true },
  { name: 'Telegram', plain: true },
  { name: 'Ledger', plain: true },
  { name: 'Norton', domains: ['nortonlifelock.com', 'gendigital.com', 'symantec.com'], plain: true },
  { name: 'Adobe', plain: true },
  { name: 'UPS', plain: true },
  { name: 'Booking.com', domains: ['booking.com'] },
]

const SERVICE =
  'support|team|security|account|accounts|service|services|billing|alert|alerts|notification|notifications|help|helpdesk|customer|verification|verify|' +
  'payments|payment|info|inc|noreply|no-reply|online|prime|pay|id|store|center|centre|wallet|bank|delivery|express|rewards|' +
  'soporte|equipo|seguridad|cuenta|cuentas|servicio|servicios|cliente|clientes|atencion|ayuda|aviso|avisos|notificaciones|' +
  'suporte|seguranca|conta|equipe|equipo|sicherheit|kundenservice|konto|securite|assistenza|sicurezza|servizio'

const PATTERNS = BRANDS.map(brand => {
  const name = brand.name.toLowerCase().replaceAll('.', '\\.').replaceAll(' ', '[ -]?')
  const pattern = brand.plain
    ? `^(?:the )?${name}(?:\\.com)?$|^(?:the )?${name}(?:\\.com)?[ -](?:${SERVICE})(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?:${SERVICE}) (?:de |of |da |do )?${name}$`
    : `(?<![\\p{L}\\p{N}@.])${name}(?![\\p{L}\\p{N}])`
  return { ...brand, pattern: new RegExp(pattern, 'u') }
})
const NAME_CHARS_MAX = 320

/** The brand in a sender's name if the mail comes from a domain that is not the brand's. `host` is in lower case. */
function claimedBrand(senderName: string, host: string): string | undefined {
  const name = asRead(senderName.slice(0, NAME_CHARS_MAX)).replace(/\s+/g, ' ').trim()
  return PATTERNS.find(({ pattern, ...brand }) => pattern.test(name) && !belongsTo(host, brand))?.name
}

/** Whether a host is one of these brands' own. In lower case. */
function isBrandHost(host: string): boolean {
  return BRANDS.some(brand => belongsTo(host, brand))
}

function belongsTo(host: string, { name, domains = [] }: Brand): boolean {
  const label = name.toLowerCase().replace(/[ .]/g, '')
  const [registered = ''] = host.replace(/^.*?([^.]+\.(?:(?:com?|org|net|gob|gov)\.)?[^.]+)$/, '$1').split('.')
  // `mail.paypal`: some brands are top-level domains.
  return registered === label || host.endsWith(`.${label}`) || domains.some(domain => isSameSite(domain, host))
}

/** Cyrillic and Greek letters that pass for Latin ones, and the Latin letters they pass for. */
const IMITATED: ReadonlyMap<string, string> = new Map(
  Object.entries({
    а: 'a',
    с: 'c',
    ԁ: 'd',
    е: 'e',
    һ: 'h',
    і: 'i',
    ј: 'j',
    ӏ: 'l',
    о: 'o',
    р: 'p',
    ԛ: 'q',
    ѕ: 's',
    ԝ: 'w',
    х: 'x',
    у: 'y',
    ѵ: 'v',
    А: 'A',
    В: 'B',
    С: 'C',
    Е: 'E',
    Н: 'H',
    І: 'I',
    Ј: 'J',
    К: 'K',
    М: 'M',
    О: 'O',
    Р: 'P',
    Ѕ: 'S',
    Т: 'T',
    Х: 'X',
    У: 'Y',
    ο: 'o',
    ν: 'v',
    α: 'a',
    ρ: 'p',
    ι: 'i',
    κ: 'k',
    υ: 'u',
    τ: 't',
    ω: 'w',
    Α: 'A',
    Β: 'B',
    Ε: 'E',
    Ζ: 'Z',
    Η: 'H',
    Ι: 'I',
    Κ: 'K',
    Μ: 'M',
    Ν: 'N',
    Ο: 'O',
    Ρ: 'P',
    Τ: 'T',
    Υ: 'Y',
    Χ: 'X',
  }),
)
const TEXT_CHARS_MAX = 1000

/** Replaces each letter that imitates a Latin one, removes accents and upper case: what the eye reads. */
function asRead(text: string): string {
  return Array.from(text.slice(0, TEXT_CHARS_MAX).normalize('NFKD'), letter => IMITATED.get(letter) ?? letter)
    .join('')
    .replace(/\p{M}|\p{Cf}/gu, '')
    .toLowerCase()
}

/**
 * Whether a word mixes Latin letters with foreign ones that look like them, and has no other foreign letter. In a mostly foreign text such
 * a word is ordinary grammar (`SMSка`), not a disguise.
 */
export function hasLookalikeWord(text: string): boolean {
  const read = text.slice(0, TEXT_CHARS_MAX)
  const words = read.match(/[\p{L}\p{M}]+/gu) ?? []
  return isMostlyLatin(read) && words.some(isDisguised)
}

function isDisguised(word: string): boolean {
  const letters = Array.from(word)
  return /\p{Script=Latin}/u.test(word) && letters.some(letter => IMITATED.has(letter)) && letters.every(isLatinOrImitation)
}

function isLatinOrImitation(letter: string): boolean {
  return IMITATED.has(letter) || /[\p{Script=Latin}\p{M}]/u.test(letter)
}

function isMostlyLatin(text: string): boolean {
  const foreign = text.match(/[\p{Script=Cyrillic}\p{Script=Greek}]/gu)?.filter(letter => !IMITATED.has(letter)).length ?? 0
  const latin = text.match(/\p{Script=Latin}/gu)?.length ?? 0
  return foreign * 2 < latin
}

/**
 * Whether a link of this mail deserves a warning. A link that names a shop and opens the mail's click counter does not, unless phishing
 * often uses that name or the sender is doubtful. Its target is shown next to it in any case.
 */
export function alarmOf(urls: readonly string[], isSenderDoubtful: boolean): (link: LinkVerdict) => boolean {
  const counters = isSenderDoubtful ? new Set<string>() : clickCounters(urls)
  return ({ flag, host, named = '' }) => flag !== undefined && !(flag === 'mismatch' && counters.has(host) && !isBrandHost(named))
}

const LINKS_MAX = 3

type Sender = Pick<Message, 'from' | 'authentication'>

/** The confirmation links put before the mail itself. */
export function liftedLinks(message: Sender & Pick<Message, 'links'>): Message['links'] {
  return message.links.filter(link => isLinkTrusted(message, link)).slice(0, LINKS_MAX)
}

/**
 * Whether a link may be offered outside the mail: not if the sender is deceptive or failed the checks, and not if the link is deceptive.
 */
export function isLinkTrusted({ from, authentication }: Sender, { url, label }: ConfirmationLink): boolean {
  if (hasFailedAuthentication(authentication) || senderWarning(from)) return false
  return judgeLink(url, label).flag === undefined
}
