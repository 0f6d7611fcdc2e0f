/** Names that phishing mail takes most, and the domains their owners write from. Pure: no DOM. */
import { isSameSite } from '#contract/links/link-target.ts'
import { asRead } from './lookalike-words.ts'

/**
 * `words` are matched as whole words. A `plain` name is also an everyday word or a surname (Apple, Chase), so it counts only alone or next
 * to a word such as "service". A domain that has the brand's name under any ending (`amazon.co.jp`) is not foreign, nor are those of
 * `domains`.
 */
type Brand = { readonly name: string; readonly domains?: readonly string[]; readonly plain?: boolean }

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
export function claimedBrand(senderName: string, host: string): string | undefined {
  const name = asRead(senderName.slice(0, NAME_CHARS_MAX)).replace(/\s+/g, ' ').trim()
  return PATTERNS.find(({ pattern, ...brand }) => pattern.test(name) && !belongsTo(host, brand))?.name
}

/** Whether a host is one of these brands' own. In lower case. */
export function isBrandHost(host: string): boolean {
  return BRANDS.some(brand => belongsTo(host, brand))
}

function belongsTo(host: string, { name, domains = [] }: Brand): boolean {
  const label = name.toLowerCase().replace(/[ .]/g, '')
  const [registered = ''] = host.replace(/^.*?([^.]+\.(?:(?:com?|org|net|gob|gov)\.)?[^.]+)$/, '$1').split('.')
  // `mail.paypal`: some brands are top-level domains.
  return registered === label || host.endsWith(`.${label}`) || domains.some(domain => isSameSite(domain, host))
}
