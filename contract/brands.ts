/** Names of brands that phishing mail takes, and the domains that the brands write from. */

/**
 * A `plain` name is also an everyday word or a surname (Apple, Chase), so it counts only alone or next to a word such as "service". The
 * brand's name under `.com`, `.net`, `.org` or a country is its own; `domains` are the others that it writes from.
 */
export type Brand = { readonly name: string; readonly domains?: readonly string[]; readonly plain?: boolean }

const MICROSOFT = ['microsoft.com', 'microsoftonline.com', 'microsoftemail.com', 'office.com', 'office365.com', 'windows.com', 'azure.com']
const META = ['facebookmail.com', 'meta.com', 'metamail.com', 'fb.com']
const MERCADO = ['mercadolibre.com', 'mercadolivre.com', 'mercadolivre.com.br', 'mercadopago.com']

export const BRANDS: readonly Brand[] = [
  { name: 'PayPal', domains: ['paypal-communication.com', 'paypal-corp.com'] },
  { name: 'Netflix' },
  { name: 'Microsoft', domains: [...MICROSOFT, 'skype.com', 'xbox.com', 'bing.com', 'sharepointonline.com'] },
  { name: 'Office 365', domains: MICROSOFT },
  { name: 'Facebook', domains: META },
  { name: 'Instagram', domains: META },
  { name: 'WhatsApp', domains: META },
  { name: 'LinkedIn' },
  { name: 'DocuSign' },
  { name: 'Dropbox', domains: ['dropboxmail.com', 'hellosign.com'] },
  { name: 'iCloud', domains: ['apple.com'] },
  { name: 'Coinbase' },
  { name: 'Binance' },
  { name: 'MetaMask', domains: ['consensys.net'] },
  { name: 'Trust Wallet' },
  { name: 'Revolut' },
  { name: 'FedEx', domains: ['tnt.com'] },
  { name: 'DHL', domains: ['dpdhl.com', 'dhlexpress.com', 'dhl-express.com', 'dhlparcel.nl', 'dhlparcel.com', 'deutschepost.de'] },
  { name: 'PostNL' },
  { name: 'USPS', domains: ['usps.gov'] },
  { name: 'McAfee' },
  {
    name: 'Santander',
    domains: ['gruposantander.com', 'santanderbank.com', 'santanderconsumer.com', 'santanderconsumer.de', 'openbank.es'],
  },
  { name: 'BBVA', domains: ['bbvanet.com', 'bancomer.com'] },
  { name: 'CaixaBank', domains: ['lacaixa.es', 'imagin.com'] },
  { name: 'Bradesco' },
  { name: 'Nubank', domains: ['nu.com.mx', 'nu.com.co'] },
  { name: 'HSBC', domains: ['hsbcgroup.com', 'hsbcnet.com', 'firstdirect.com'] },
  { name: 'Rabobank' },
  { name: 'ABN AMRO' },
  { name: 'Wells Fargo', domains: ['wellsfargoadvisors.com', 'wellsfargoemail.com'] },
  { name: 'Bank of America', domains: ['bofa.com', 'ml.com'] },
  { name: 'American Express', domains: ['aexp.com'] },
  { name: 'Mercado Libre', domains: MERCADO },
  { name: 'Mercado Pago', domains: MERCADO },
  { name: 'Spotify', domains: ['spotifymail.com'] },
  { name: 'eBay', domains: ['ebay-kleinanzeigen.de'] },
  { name: 'Amazon', domains: ['amazonaws.com', 'amazon.jobs', 'audible.com', 'primevideo.com'], plain: true },
  { name: 'Apple', domains: ['itunes.com'], plain: true },
  { name: 'Google', domains: ['youtube.com', 'android.com', 'withgoogle.com'], plain: true },
  { name: 'Chase', domains: ['jpmorgan.com', 'jpmchase.com'], plain: true },
  { name: 'Steam', domains: ['steampowered.com', 'valvesoftware.com'], plain: true },
  { name: 'Discord', domains: ['discordapp.com'], plain: true },
  { name: 'Telegram', plain: true },
  { name: 'Ledger', plain: true },
  { name: 'Norton', domains: ['nortonlifelock.com', 'gendigital.com', 'symantec.com'], plain: true },
  { name: 'Adobe', domains: ['adobesign.com', 'echosign.com'], plain: true },
  { name: 'UPS', domains: ['upsemail.com'], plain: true },
  { name: 'Booking.com' },
]
