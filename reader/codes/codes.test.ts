import { expect, test } from 'vitest'
import { BILL_EXAMPLES, EXAMPLES, PLAIN_EXAMPLES, TEMPTING_EXAMPLES } from '../../test/fixtures/codes/examples.ts'
import { summarise } from '../summary.ts'
import { findCodes } from './codes.ts'

test.each(EXAMPLES)('an example of a code or of none: $name', ({ subject, text, codes }) => {
  expect(findCodes({ subject, text })).toEqual(codes)
})

test('no number of a bill, a payment or a parcel is a code, however it is written', () => {
  expect(BILL_EXAMPLES.filter(example => findCodes(example).length > 0)).toEqual([])
})

test('no voucher, no sample in a warning and nothing that is shown to somebody is a code', () => {
  expect(TEMPTING_EXAMPLES.filter(example => findCodes(example).length > 0)).toEqual([])
})

test('a code that is named in plain words is found under every subject', () => {
  expect(PLAIN_EXAMPLES.filter(({ subject, text, codes }) => findCodes({ subject, text })[0] !== codes[0])).toEqual([])
})

test.each([
  ['a telephone number in two groups', 'Sign in', 'Enter the code from your app. Help: call 660 9143.'],
  ['words that only hold the name of a code', 'Zgłoszenie szkody', 'Szkoda 481516 została przyjęta. Przeszkoda usunięta.'],
  ['fields of a request', 'New sign-in to your account', 'ip=203.0.113.9 port=48151 request=481516 device=991204'],
])('%s: no code', (_, subject, text) => {
  expect(findCodes({ subject, text })).toEqual([])
})

test('nothing is found in empty mail', () => {
  expect(findCodes({})).toEqual([])
  expect(findCodes({ subject: '', text: '' })).toEqual([])
})

test.each([
  [
    'a name and a number that a wrapped line parts',
    '481516',
    'to finish your transfer of 1,290.00 EUR to Oak Lettings please enter the code\n481516. Tell it to nobody, we never ask for it.',
  ],
  ['groups of three, three and two digits', '30277158', 'Copy this number into the box "Confirmation number" on the page:\n\n302-771-58\n'],
  ['groups of two, three and one digit', '513072', 'Enter the code 51-307-2 on the page to confirm your address.'],
  ['a long phrase', 'maple-lantern-goose-river', 'Paste this sign-in code into the box:\n\nmaple-lantern-goose-river\n'],
  ['a word with a number', 'ember44', 'Your sign-in code: ember44'],
  ['three groups with dots', '294407', 'Your one-time code is 29.44.07. It can be used once.'],
  ['two groups with a dot', '771204', 'Your verification code:\n771.204\n\nIt expires in ten minutes.'],
  ['twice two digits', '8821', 'You asked for an access code:\n88-21\n\nPlease enter it within five minutes.'],
  ['letters and digits apart behind a colon', 'K47T92', 'Code: K 4 7 T 9 2\n\nEnter it to confirm your address.'],
])('%s is a code', (_, code, text) => {
  expect(findCodes({ subject: 'Your sign-in code', text })).toEqual([code])
})

test.each([
  ['single digits with hyphens', 'Welcome, volunteer', '3906', 'On the tablet by the door, enter 3-9-0-6. First shift: 4-12-2026, 19:30.'],
  ['groups of two, two and one digit', 'Téměř hotovo', '55207', 'Zadejte jednorázový kód 55 20 7 v aplikaci. Příspěvek 120 Kč.'],
  ['boxes with a hyphen in the middle', 'Sign in', '718264', 'Your sign-in code\n\n7\n1\n8\n–\n2\n6\n4\n\nType it on the page.'],
  ['a fence', 'Collega il dispositivo', 'TQWL-BBKR', 'Nella pagina dei dispositivi digita:\n\n```\nTQWL-BBKR\n```\n'],
  ['backticks', 'Connect a terminal', 'LKQR-TTBN', '**Basalt** asks for access.\n\nOn the page for devices, enter:\n\n`LKQR-TTBN`\n'],
  ['two letters for an app', 'Quase lá', 'LT-4093', 'Código pro aplicativo: LT-4093\n\nDepois é só escolher a sua bicicleta.'],
  [
    'twice two digits',
    "Confirm it's you, Ben",
    '4417',
    '  1. open the page\n  2. if it asks, the code is 44-17\n\nInkmill Ltd. Company no. 07710442.',
  ],
  [
    'a sort code beside it',
    'Approve a transfer',
    '60418827',
    'You are sending £480.00 to R. Hale (sort code 40-11-62, account 90277314). Type this passcode\n60418827\nin the Wrenbank app.',
  ],
  [
    'a year and an account beside it',
    'お振込のワンタイムパスワード',
    '771064',
    '口座番号 4471882\nお振込を続けるには、下のワンタイムパスワードを画面に入力してください。\n771 064\n有効期限：2027年1月4日 9:30',
  ],
  [
    'a long line above it',
    'Payment',
    '304188',
    'To go on with the payment to Oak Lettings, type the passcode below into the page.\n304188\nin the app',
  ],
  [
    'a locker',
    'Parcel ready',
    '61904',
    'Your parcel is in the locker at 8 Mill Lane. Key in PIN 61904 on its screen by Friday.\n\nTracking: RB441772081GB',
  ],
  [
    'hyphens that break no line',
    'Willkommen',
    '301977',
    'Zum Abschluss der Registrierung Code 30\u201119\u201177 eingeben oder hier bestätigen:',
  ],
  ['letters and digits apart', 'Zwei Wege', 'LK4820', 'Am Handy: Code LK 48 20 eintippen.\n\nWohnung 4.12, Kaltmiete 880 €.'],
  ['letters and digits in pairs', 'Two ways to sign in', '7K93WQ', 'Type this sign-in code: 7K 93 WQ\n\nUnit 4, Mill Lane, SW1A 2AA'],
  ['letters and digits in boxes', 'Sign in', 'W38KM5', 'Your sign-in code\n\nW\n3\n8\nK\nM\n5\n\nType it on the page.'],
  ['a colon glued to it', 'Security code', '774120', 'Your security code is:774120.\n\nIt was requested on 12/11/2026 at 10:17:44.'],
  ['a long word with a number', 'Kod klubu', 'ПЕДАЛЬ-19', 'Чтобы активировать кабинет, введите код ПЕДАЛЬ-19 на странице входа.'],
  ['four Cyrillic signs', 'В7К4 — ваш код', 'В7К4', 'Привет! Введите В7К4 в приложении, чтобы привязать почту.'],
  ['a field of a program', '[vault] sign-in', '307316', 'user=jmp host=vault\notp=307316 expires in 5 minutes\nrequest=88120471'],
  ['a field with letters', 'Código de acceso', '9F2-71C', 'Introduce el código en la página.\nCódigo=9F2-71C'],
  ['an arrow', 'Giriş kodunuz', 'K7Y2M9Q4', 'Giriş kodu => K7Y2M9Q4\n\nBu kodu uygulamaya girin.'],
  ['a drawn arrow', 'Sign in', '440917', 'Your sign-in code → 440917\nOrder 77120418'],
  [
    'the name of a number',
    'Verify your practice',
    '628301',
    'Enter the verification number 628301 on the page to confirm your address. ODS Y02614.',
  ],
  ['a kiosk', 'Je badge printen', '5519', 'Toets bij de zuil in de hal deze pincode in: 5519. Bestelling 4471882.'],
])('with %s a code is found, and nothing else', (_, subject, code, text) => {
  expect(findCodes({ subject, text })).toEqual([code])
})

test.each([
  [
    'Re: 인증번호 재발송',
    '337104',
    '새 인증번호는 337104 입니다.\n\n2026년 11월 29일 (일) 10:14, 깃털 <a@moss.example>님이 작성:\n> 인증번호는 820417 입니다. 앱에 입력해 주세요.',
  ],
  ['Re: Код не подходит', '50733', 'Новый код: 50733\n\n29.11.2026 10:14, Перо пишет:\n> Ваш код: 88214. Введите его на странице.'],
  [
    'RE: login trouble',
    'QX47KD',
    'Use this code instead: QX47KD\n\nFrom: Moss <a@moss.example>\nSent: Sunday\n\nYour code is PL83RN. It is valid for 15 minutes.',
  ],
  [
    'Re: Code',
    '918204',
    'Hier der neue Code: 918204\n\n-----Ursprüngliche Nachricht-----\nVon: Moss\n\nIhr Code: 447120. Bitte auf der Seite eingeben.',
  ],
  [
    'Re: Your Heron code',
    '590377',
    'That one expired. The new one is below.\n\n> Your Heron code: 118204\n\nHeron wrote:\n\nYour Heron code: 590377\nEnter it within 10 minutes.',
  ],
])('%s: of a code and an older one quoted beside it, the new one is found', (subject, code, text) => {
  expect(findCodes({ subject, text })).toEqual([code])
})

test.each([
  [
    'Ihr Bestätigungscode',
    'Sie haben einen Code für Konto 40211876 angefordert.\nIhr Bestätigungscode, gültig bis 14:30 Uhr, lautet:\n482913',
  ],
  ['Your code', 'Use this code to confirm order 771204.\nYour code, valid until 14:30:\n482913'],
  ['Your code', 'You asked for a code for your account ending 4471.\nHere is your code, requested at 14:05:\n482913'],
  ['Your login code', 'Your login code for account 448812:\n--- CODE ---\n482913'],
  ['New sign-in', 'Enter the code for device 4471 below.\n> 482913'],
  ['Moss', 'Your verification code for Moss:\n\nM\n\n4\n8\n2\n9\n1\n3'],
  ['Moss', 'Your verification code for Moss:\n\n4\n8\n2\n9\n1\n3\n\nX\n\nSent to you'],
])('%s: what stands below a line with a time or a sign is no older mail: %j', (subject, text) => {
  expect(findCodes({ subject, text })).toEqual(['482913'])
})

test.each([
  'Your code expires in 5 minutes. 2031 is your verification code.',
  'Please enter the 4 digits 2031 on the sign-in page.',
  'Hi Team 7, 2031 is your login code.',
  'Introduce los 4 dígitos 2031 en la página de inicio de sesión.',
])('a code that looks like a year stands behind a number and a word: %j', text => {
  expect(findCodes({ subject: 'Sign in', text })).toEqual(['2031'])
})

test('below the heading of an older mail all codes are older, marked or not', () => {
  const text = 'Your new code: 590377.\n\n-----Original Message-----\n> From: Ada\n\nYour code: 447120.\n'
  expect(findCodes({ subject: 'Re: code', text })).toEqual(['590377'])
})

test.each([
  ['an example in a warning', 'Crooks send messages like this: "Your code is 314159." It is made up. If anybody asks for one, hang up.'],
  ['a date', 'Enter the code that we texted you on 24-11-2026.'],
  ['a date with dots', 'Enter the code that we texted you on 24.11.26 at 14.30.'],
  ['a date with a month', 'Open the link by March 18, 2026 at 09:14 to confirm the account that you asked for.'],
  ['a date with blanks', 'Dne 7. 3. 2026 v 6:58 jste po zadání kódu změnili heslo.'],
  ['a date with de', 'El 18 de marzo de 2026 confirmaste tu cuenta con un código.'],
  ['a version', 'Enter your password to install version 10.24.16.'],
])('the number of %s is no code', (_, text) => {
  expect(findCodes({ subject: 'For you', text })).toEqual([])
})

test('a code in the subject of a forwarded mail is found, as its heading shows it', () => {
  const forwarded = [
    'From: a@tern.example',
    'Subject: 118204 is your sign-in code',
    '',
    'Type the number on the page. It expires in ten minutes.',
  ]
  const head = ['From: b@moss.example', 'Subject: Fwd: for you', 'MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '']
  const parts = [
    '--b',
    '',
    'See below.',
    '--b',
    'Content-Type: message/rfc822',
    'Content-Disposition: inline',
    '',
    ...forwarded,
    '--b--',
    '',
  ]
  expect(summarise(Buffer.from([...head, ...parts].join('\r\n')), '').codes).toEqual(['118204'])
})

const MEGABYTE = 1_000_000
/** Each would keep a backtracking search busy for hours; here a mail costs milliseconds, and the test's own time limit is the proof. */
test.each([
  '1',
  '1 ',
  '1234; ',
  '1234\n',
  'code ',
  'code 1234 ',
  'código de ',
  'A1-',
  'is your ',
  '"',
  ':',
  'a.',
  'a@',
  'https://',
  'verification ',
  'code: "“«',
  '\n',
])('a megabyte of %j is searched in time', unit => {
  const text = unit.repeat(MEGABYTE / unit.length)
  expect(findCodes({ subject: text, text }).length).toBeLessThanOrEqual(3)
  expect(findCodes({ text: `Your code is ${text}` }).length).toBeLessThanOrEqual(3)
})

test('a thousand lines with a word in capitals each are searched in linear time', { timeout: 10_000 }, () => {
  const words = Array.from({ length: 1400 }, (_, at) =>
    [1, 26, 676, 17_576].map(unit => String.fromCharCode(65 + (Math.floor(at / unit) % 26))),
  )
  const text = words.map(word => word.join('')).join('\n')
  const found = Array.from({ length: 500 }, () => findCodes({ subject: 'Your code', text }).length)
  expect(new Set(found)).toEqual(new Set([0]))
})

test('a text of opened quotes around numbers is searched in linear time', { timeout: 10_000 }, () => {
  const text = `${'«a'.repeat(85)}” code 481516\n`.repeat(40)
  const found = Array.from({ length: 300 }, () => findCodes({ subject: 'Your code', text }).length)
  expect(new Set(found).size).toBe(1)
})
