import { expect, test } from 'vitest'
import BRANDS from './brands.json' with { type: 'json' }
import { freeReplyTo, senderWarning } from './sender-warning.ts'

test.each([
  ['Ada', 'ada@sender.example', undefined],
  ['', 'ada@sender.example', undefined],
  ['ada@sender.example', 'ada@sender.example', undefined],
  ['ada@sender.example', 'bounce@mail.sender.example', undefined],
  ['Ada (via list@lists.example)', 'list@lists.example', undefined],
  ['security@bank.example', 'x7@evil.example', { kind: 'otherAddress', name: 'x7@evil.example' }],
  ['"Bank" <security@bank.example>', 'x7@evil.example', { kind: 'otherAddress', name: 'x7@evil.example' }],
  ['Apple', 'id@xn--80ak6aa92e.com', { kind: 'lookalike', name: 'xn--80ak6aa92e.com' }],
  ['Apple', 'id@аррӏе.com', { kind: 'lookalike', name: 'xn--80ak6aa92e.com' }],
  ['Stadt', 'info@münchen.example', undefined],
  ['a@b', '', undefined],
  ['', 'service@bank.example@evil.example', { kind: 'otherAddress', name: 'service@bank.example@evil.example' }],
  ['Bank', '"service@bank.example   "@evil.example', { kind: 'otherAddress', name: '"service@bank.example   "@evil.example' }],
  ['', '"ann@mail.home.example"@home.example', undefined],
  ['', '"ann lee"@home.example', undefined],
] as const)('X12 the sender %s <%s>', (name, address, warning) => {
  expect(senderWarning({ name, address })).toEqual(warning)
})

test.each(['\u200b', '\u2060', '\u00ad', '\ufe0f', '\u034f', '\ufff9', '\u{e0061}', '\u3164', '\u115f', '\u0001', '\u0085'])(
  '%j in a name hides no address, no brand and no look-alike',
  letter => {
    const address = 'x7@evil.example'
    for (const at of [4, 7, 8, 11, 12]) {
      const name = 'service@bank.example'
      expect(senderWarning({ name: name.slice(0, at) + letter + name.slice(at), address })).toEqual({ kind: 'otherAddress', name: address })
    }
    expect(senderWarning({ name: `${letter.repeat(400)}Pay${letter}Pal`, address })).toMatchObject({ kind: 'brand' })
    expect(senderWarning({ name: `M${letter}\u0430${letter}x`, address })).toMatchObject({ kind: 'lookalikeName' })
  },
)

test.each([
  'service\uff20bank.example',
  'service\ufe6bbank.example',
  'service@bank\u3002example',
  'service@bank\u2024example',
  'service\u200a@bank.example',
  'service @bank.example',
  'service @ bank.example',
  'service@ bank.example',
  'service \u2003 @\u00a0bank.example',
])('%s reads as an address', name => {
  expect(senderWarning({ name, address: 'x7@evil.example' })).toMatchObject({ kind: 'otherAddress' })
  expect(senderWarning({ name, address: 'x7@bank.example' })).toBeUndefined()
})

test('the own address in front hides no other one', () => {
  expect(senderWarning({ name: 'x7@evil.example service@bank.example', address: 'x7@evil.example' })).toMatchObject({
    kind: 'otherAddress',
  })
})

test.each([
  'Lunch @ 12.30pm',
  'Party @ St.Martin',
  'Ada @ Home',
  'Node.js @ 20.11.1',
  'Ann @work',
  'Shop @ evil.example',
  'Sam @ Product.io',
  'Prime @ Werk.de',
  'Max @ Werk.at',
  'Ada @ Home.me',
  'Lisa @Monday.com',
  'Ana (she) @ Élan.es',
])('%s is no other address', name => {
  expect(senderWarning({ name, address: 'x7@evil.example' })).toBeUndefined()
})

test.each(['service @ bank.it', 'SERVICE @ BANK.COM', 'Service@Bank.com'])('%s is one', name => {
  expect(senderWarning({ name, address: 'x7@evil.example' })).toMatchObject({ kind: 'otherAddress' })
})

test.each(BRANDS.flatMap(({ name, domains = [] }) => domains.map(domain => [name, domain] as const)))(
  '%s also writes from %s, and from nowhere else',
  (name, domain) => {
    expect(senderWarning({ name, address: `info@${domain}` })).toBeUndefined()
    expect(senderWarning({ name, address: `info@news.${domain}` })).toBeUndefined()
    expect(senderWarning({ name, address: `info@${domain}.evil.example` })).toMatchObject({ kind: 'brand', brand: name })
  },
)

test.each(BRANDS)('$name is known by its name, and its own domain is not foreign', ({ name, domains = [] }) => {
  expect(senderWarning({ name, address: 'x@evil.example' })).toMatchObject({ kind: 'brand', brand: name })
  const isLatin = /^[ -~]+$/.test(name)
  const own = isLatin ? `${name.toLowerCase().replace(/\.com$|[ .]/g, '')}.com` : domains[0]
  expect(senderWarning({ name, address: `info@mail.${own}` })).toBeUndefined()
})

test.each([
  ['PayPal', 'service@paypal.com', undefined],
  ['PayPal', 'service@intl.paypal.com', undefined],
  ['service@paypal.com', 'service@paypal.com', undefined],
  ['Amazon', 'ship-confirm@amazon.co.jp', undefined],
  ['Microsoft account team', 'account-security-noreply@accountprotection.microsoft.com', undefined],
  ['Facebook', 'security@facebookmail.com', undefined],
  ['Joana from Netflix', 'x@evil.example', 'Netflix'],
  ['Pаypal', 'x@evil.example', 'PayPal'],
  ['Pay\u200bPal Support', 'x@evil.example', 'PayPal'],
  ['Bank of America', 'x@evil.example', 'Bank of America'],
  ['Mercado Pago', 'x@mercadopago.com.evil.example', 'Mercado Pago'],
  ['PayPal', 'service@paypal.com.evil.example', 'PayPal'],
  ['Apple', 'x@evil.example', 'Apple'],
  ['Apple Support', 'x@evil.example', 'Apple'],
  ['Soporte de Apple', 'x@evil.example', 'Apple'],
  ['Fiona Apple', 'fiona@music.example', undefined],
  ['Apple Valley Farm', 'hello@farm.example', undefined],
  ['Emma Chase', 'emma@chase-family.example', undefined],
  ['Netflixing', 'x@fans.example', undefined],
  ['Amazon Rainforest Fund', 'news@fund.example', undefined],
  ['PayPal™', 'x@evil.example', 'PayPal'],
  ['📦 DHL® Pakket', 'x@evil.example', 'DHL'],
  ['Netflix© News', 'x@evil.example', 'Netflix'],
  ['NetflixSupport', 'x@evil.example', 'Netflix'],
  ['P a y P a l', 'x@evil.example', 'PayPal'],
  ['Amazon Gutschein', 'x@evil.example', 'Amazon'],
  ['UPS Paket', 'x@evil.example', 'UPS'],
  ['ＰａｙＰａｌ', 'x@evil.example', 'PayPal'],
  ['𝐍𝐞𝐭𝐟𝐥𝐢𝐱', 'x@evil.example', 'Netflix'],
  ['ᎪᎷᎪᏃᎾΝ', 'x@evil.example', 'Amazon'],
  ['🅿🅰🆈🅿🅰🅻', 'x@evil.example', 'PayPal'],
  ['PayPaI', 'x@evil.example', 'PayPal'],
  ['lNSTAGRAM', 'x@evil.example', 'Instagram'],
  ['Arnazon', 'x@evil.example', 'Amazon'],
  ['Appie', 'x@supermarket.example', undefined],
  ['Microsoft Support', 'x@outlook.com', 'Microsoft'],
  ['Microsoft Outlook', 'postmaster@outlook.com', undefined],
  ['Netflix', 'x@netflix.top', 'Netflix'],
  ['Facebook', '', 'Facebook'],
  ['Ada', '', undefined],
  ['Amazon.', 'x@evil.example', 'Amazon'],
  ['Amazon DE', 'x@evil.example', 'Amazon'],
  ['Amazon (UK)', 'x@evil.example', 'Amazon'],
  ['Google Deutschland', 'x@evil.example', 'Google'],
  ['★ Apple ★', 'x@evil.example', 'Apple'],
  ['Apple, Inc.', 'x@evil.example', 'Apple'],
  ['Amazon: Order', 'x@evil.example', 'Amazon'],
  ['amazon.co.uk', 'x@evil.example', 'Amazon'],
  ['https://www.amazon.de', 'x@evil.example', 'Amazon'],
  ['login.amazon.com', 'x@evil.example', 'Amazon'],
  ['www.paypal.com', 'x@evil.example', 'PayPal'],
  ['secure.paypal.com', 'x@evil.example', 'PayPal'],
  ['paypal.com.evil.test', 'x@evil.example', 'PayPal'],
  ['paypal.cm', 'x@paypal.cm', 'PayPal'],
  ['PayPal', 'x@paypal.co', 'PayPal'],
  ['Amazon', 'x@amazon.tk', 'Amazon'],
  ['\u202elaPyaP', 'x@evil.example', 'PayPal'],
  ['GitHub Security', 'x@evil.example', 'GitHub'],
  ['Messages on Facebook', 'x@evil.example', 'Facebook'],
  ['Unusual Activity on Instagram', 'x@evil.example', 'Instagram'],
  ['Netflix fan club bonus', 'x@evil.example', 'Netflix'],
  ['Password Reset on Facebook', 'x@evil.example', 'Facebook'],
  ['Copyright Infringement on Instagram', 'x@evil.example', 'Instagram'],
  ['Restablecer Contraseña en Facebook', 'x@evil.example', 'Facebook'],
  ['Datenschutz auf Facebook', 'x@evil.example', 'Facebook'],
  ['Official PayPal Blog', 'x@evil.example', 'PayPal'],
  ['The PayPal blog', 'x@evil.example', 'PayPal'],
  ['A PayPal course', 'x@evil.example', 'PayPal'],
  ['Your Coinbase Academy', 'x@evil.example', 'Coinbase'],
  ['MetaMask Bridge', 'x@evil.example', 'MetaMask'],
  ['MyPayPal', 'x@evil.example', 'PayPal'],
  ['GoNetflix', 'x@evil.example', 'Netflix'],
  ['PayPal2', 'x@evil.example', 'PayPal'],
  ['Netflix2026', 'x@evil.example', 'Netflix'],
  ['Microsoft365', 'x@evil.example', 'Microsoft'],
  ['AppleID', 'x@evil.example', 'Apple'],
  ['AmazonSupport', 'x@evil.example', 'Amazon'],
  ['PineApple', 'x@evil.example', undefined],
  ['BackUPS', 'x@evil.example', undefined],
  ['Max on LinkedIn', 'max@home.example', undefined],
  ['Zoë Lee en Instagram', 'zoe.lee@home.example', undefined],
  ['Ann McLee on Instagram', 'ann@home.example', undefined],
  ['Instagram fan club', 'fans@club.example', undefined],
  ["Ridge Residents' WhatsApp bridge", 'bridge@ridge.example', undefined],
  ['Daily Netflix podcast', 'ann@home.example', undefined],
  ['Ann, Instagram coach', 'ann@home.example', undefined],
  ['Microsoft user group', 'ann@home.example', undefined],
  ['PayPal blog', 'x@evil.example', 'PayPal'],
  ['PayPaI academy', 'x@evil.example', 'PayPal'],
  ['The Netflix Podcast', 'ann@home.example', undefined],
  ['★ PayPal Podcast', 'x@evil.example', 'PayPal'],
  ['Bank of America course', 'x@evil.example', 'Bank of America'],
  ['PayPal Kundendienst blog', 'x@evil.example', 'PayPal'],
  ['Microsoft Sicherheitswarnung blog', 'x@evil.example', 'Microsoft'],
  ['Steam it', 'office@cleaning.example', undefined],
  ['Norton, CA', 'ann@law.example', undefined],
  ['chase.lee', 'chase.lee@home.example', undefined],
  ['Ada via GitHub', 'notifications@github.com', undefined],
  ['Banco Santander', 'clientes@bancosantander.es', undefined],
  ['Microsoft Store', 'x@microsoftstoreemail.com', undefined],
  ['DHL Parcel', 'x@dhlparcel.es', undefined],
  ['CaixaBank', 'x@caixabankconsumer.com', undefined],
  ['Steam', 'noreply@steamcommunity.com', undefined],
  ['The UPS Store', 'store@theupsstore.com', undefined],
  ['The Ledger', 'news@theledger.com', undefined],
  ['The Ledger', 'news@gannett.example', undefined],
  ['Chase Center', 'tickets@chasecenter.com', undefined],
  ['Chase Services', 'x@chaseservices.co.uk', undefined],
  ['Apple Bank', 'x@applebank.com', undefined],
  ['Bradesco Saúde', 'x@bradescosaude.com.br', undefined],
  ['Chase Services', 'x@chase-services.co.uk', 'Chase'],
  ['Apple Support', 'x@applesupport.com', 'Apple'],
  ['Apple', 'x@applebank.com', 'Apple'],
  ['Amazon Orders', 'x@amazonorders.com', 'Amazon'],
  ['Steam', 'x@steamcommunlty.com', 'Steam'],
  ['PayPal', 'x@paypalresolution.com', 'PayPal'],
  ['PayPal Security Alert', 'x@paypalcenter.com', 'PayPal'],
  ['Xoom, a PayPal service', 'x@xoom.com', undefined],
  ['Banco Santander', 'x@bancosantander.top', 'Santander'],
  ['PayPal', 'x@paypalsecurecenter.com', 'PayPal'],
  ['PayPal', 'x@paypal-center.com', 'PayPal'],
  ['PayPal', 'x@paypall.com', 'PayPal'],
  ['PayPal', 'x@paypalcom.net', 'PayPal'],
  ['UPS', 'x@startups.com', 'UPS'],
  ['PayPal', 'x@bancopaypal.evil.com', 'PayPal'],
  ['The Amazon Team', 'x@evil.example', 'Amazon'],
  ['Amazon', 'x@amazon.com.br', undefined],
  ['Dropbox', 'support@dropbox.zendesk.com', undefined],
  ['Dropbox', 'support@evil.zendesk.com', 'Dropbox'],
  ['Santander Surf School', 'hola@surf.example', undefined],
  ['Universidad de Santander', 'info@udes.example', undefined],
  ['Banco Santander', 'x@evil.example', 'Santander'],
  ['Cloudwerk - Microsoft Partner', 'hello@cloudwerk.example', undefined],
  ['Microsoft Partner', 'x@evil.example', 'Microsoft'],
  ['Farmacia Luna - punto DHL', 'farmacia@luna.example', undefined],
  ['Punto DHL', 'x@evil.example', 'DHL'],
  ['Swedbank', 'x@evil.example', 'Swedbank'],
  ['Swedbank', 'info@swedbank.ee', undefined],
  ['La Banque Postale', 'x@evil.example', 'La Banque Postale'],
  ['La Banque Postale', 'alerte@labanquepostale.fr', undefined],
  ['Intesa Sanpaolo', 'x@evil.example', 'Intesa Sanpaolo'],
  ['Itaú', 'x@evil.example', 'Itaú'],
  ['Colégio Itaú', 'secretaria@colegio.example', undefined],
  ['Сбербанк', 'x@evil.example', 'Сбербанк'],
  ['Сбербанк', 'noreply@sberbank.ru', undefined],
  ['三井住友カード', 'x@evil.example', '三井住友カード'],
  ['えきねっと', 'x@evil.example', 'えきねっと'],
  ['Google Drive', 'x@evil.example', 'Google Drive'],
  ['Google Drive', 'drive-shares-dm-noreply@google.com', undefined],
  ['Geek Squad | Best Buy', 'x@evil.example', 'Geek Squad'],
])('the sender %s <%s> uses the name of %s', (name, address, brand) => {
  const warning = senderWarning({ name, address })
  expect(warning?.kind === 'brand' ? warning.brand : undefined).toBe(brand)
})

const LURES =
  'service support secure payments billing verify login account accounts alert alerts wallet orders restore resolution center help team update ' +
  'unlock confirm refund invoice delivery parcel tracking rewards gift online mail portal access recovery review claims protection customer info notice shop'

test.each(
  (
    'PayPal Netflix MetaMask Coinbase Instagram Facebook WhatsApp LinkedIn DocuSign Binance Revolut Nubank Rabobank McAfee Santander ' +
    'Spotify Microsoft Amazon Apple Google'
  ).split(' '),
)('%s does not write from a longer name', brand => {
  const own = brand.toLowerCase()
  const hosts = LURES.split(' ').flatMap(lure => [`${own}${lure}.com`, `${own}-${lure}.com`, `${lure}${own}.net`])
  const unnamed = hosts.filter(host => senderWarning({ name: brand, address: `x@${host}` })?.kind !== 'brand')
  expect(unnamed.filter(host => !['microsoftonline.com', 'spotifymail.com', 'facebookmail.com'].includes(host))).toEqual([])
})

test.each([
  ['service@paypal.com.evil.test', 'PayPal'],
  ['service@www-paypal-com.evil.test', 'PayPal'],
  ['x@amazon.com-login.test', 'Amazon'],
  ['x@apple.com-id.test', 'Apple'],
  ['service@paypal-secure.example', 'PayPal'],
  ['x@secure-netflix.example', 'Netflix'],
  ['x@mail.netflix-billing-update.co.uk', 'Netflix'],
  ['x@apple-id.example', 'Apple'],
  ['service@paypal.cm', 'PayPal'],
  ['x@netflix.top', 'Netflix'],
  ['support@rnicrosoft.com', 'Microsoft'],
  ['support@micros0ft.com', 'Microsoft'],
  ['support@paypaI.com', 'PayPal'],
  ['x@arnazon.com', 'Amazon'],
  ['x@goog1e.com', 'Google'],
  ['x@lnstagram.com', 'Instagram'],
  ['x@paypál.com', 'PayPal'],
  ['care@paypal-resolution.example', 'PayPal'],
  ['help@netflix.billing-update.example', 'Netflix'],
  ['x@dropbox.mail-tester.example', undefined],
  ['x@netflix.jobs-portal.example', undefined],
  ['service@mail.paypal.co.uk', undefined],
  ['info@DHL.DE', undefined],
  ['info@DHI.COM', undefined],
  ['x@dhl-express.com', undefined],
  ['support@dropbox.zendesk.com', undefined],
  ['jobs@santander.recruitee.com', undefined],
  ['ann@dropbox.tech', undefined],
  ['ann@dropbox.design', 'Dropbox'],
  ['ann@service.paypal.com.invalid', undefined],
  ['info@1cloud.ru', undefined],
  ['jo@stearn.com', undefined],
  ['info@apple.farm', undefined],
  ['info@apple-store.example', undefined],
  ['info@ups-service.example', undefined],
  ['info@booking.hotel', undefined],
  ['info@netflix-fans.example', undefined],
  ['emma@chase-family.example', undefined],
])('the domain of %s is that of %s', (address, brand) => {
  const warning = senderWarning({ name: 'Ada', address })
  expect(warning && [warning.kind, 'brand' in warning && warning.brand]).toEqual(brand && ['brandDomain', brand])
})

test.each([
  ["'ann@home.example' via Team", 'team@lists.example', false],
  ['ann@home.example via Team', 'team@lists.example', false],
  ['Ann (ann@home.example) via Team', 'team@lists.example', false],
  ['"ann@home.example [via Relay]"', 'ann_1@relay.example', false],
  ["'ann@home.example', via Team", 'team@lists.example', false],
  ["'ann@home.example' via Team <team>", 'team@lists.example', false],
  ["'ann@home.example' via Team Tigers", 'team@lists.example', false],
  ["'ann@home.example' via Homeowners", 'team@lists.example', false],
  ["'ann@shop.co.uk' via Chess Club", 'chess@lists.example', false],
  ["'ann@mail.example' via Support", 'support@shop.example', false],
  ['ann.lee@kde.example via KDE Community', 'kde@groups.example', false],
  ["'service@mycreditunion.com' via Support", 'x@evil.example', true],
  ["'service@mycreditunion.com' via My Credit Union", 'x@evil.example', true],
  ['security@stripe.com via Stripe', 'x@evil.example', true],
  ['security@mail.stripe.com via STRlPE Payments', 'x@evil.example', true],
  ['orders@shop.co.uk via The Shop Checkout', 'x@evil.example', true],
  ['security@bank.example via the Account Security Team', 'x@evil.example', true],
  ['security@bank.example (via [Support])', 'x@evil.example', true],
  ["'service@paypal.com' via Shop", 'shop@evil.example', true],
  ['security@bank.example, ann@home.example via Team', 'team@lists.example', true],
  ['security@bank.example viable', 'x@evil.example', true],
  ['service@bank·com', 'x@evil.example', true],
  ['service@bankꓸcom', 'x@evil.example', true],
  ['service@bank .com', 'x@evil.example', true],
  ['ada@shop.example·Team', 'ada@shop.example', false],
  ['Ada · ada@shop.example · Shop', 'ada@shop.example', false],
])('%s <%s> shows the address of another: %s', (name, address, isOther) => {
  expect(senderWarning({ name, address })).toEqual(isOther ? { kind: 'otherAddress', name: address } : undefined)
})

const shop = { name: 'Shop', address: 'hello@shop.example' }

test.each([
  [shop, 'shop.example@gmail.com', 'shop.example@gmail.com'],
  [shop, 'a@yahoo.co.uk', 'a@yahoo.co.uk'],
  [shop, 'help@shop.example', undefined],
  [shop, 'help@help.example', undefined],
  [{ name: 'Ada', address: 'ada@gmail.com' }, 'ada@outlook.com', undefined],
  [{ name: 'Ada', address: '' }, 'ada@outlook.com', undefined],
])('replies to a mail of %j go to %s: the free mailbox is %s', (from, address, free) => {
  expect(freeReplyTo(from, [{ name: '', address }])).toBe(free)
})
