import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findCodes } from './codes.ts'
import { DOUBTS } from './doubts.ts'
import { type Candidate, findCandidates, maybeCodes } from './shapes.ts'
import { SIGNALS } from './signals.ts'

test.each(SIGNALS)('a number is a code, or none, as the example of its signal says: $name', ({ like, isNone }) => {
  expect(findCodes({ subject: 'Sign in', text: like })).toEqual(isNone ? [] : ['481516'])
})

test.each(DOUBTS)('the number of an example of a doubt is no code: $name', ({ like }) => {
  expect(findCodes({ subject: 'Sign in', text: like })).toEqual([])
})

const intro = 'Sign in to Lantern. Your login code is '
test.each([
  ['481516', '481516'],
  ['481 516', '481516'],
  ['481-516', '481516'],
  ['4 8 1 5 1 6', '481516'],
  ['481 - 516', '481516'],
  ['4815 - 1623', '48151623'],
  ['481\u00a0516', '481516'],
  ['AB3-9XK', 'AB3-9XK'],
  ['G-481516', '481516'],
  ['2026', '2026'],
  ['**481516**', '481516'],
  ['«481516».', '481516'],
  ['481516234', '481516234'],
  ['481 516 234', '481516234'],
  ['4815162342', '4815162342'],
  ['pR7kd', 'pR7kd'],
  ['k7p2', 'k7p2'],
  ['481\u00ad516', '481516'],
  ['4\u200b8\u200b1\u200b5', '4815'],
  ['4\u20608\ufeff1\u034f5\u061c16', '481516'],
])('%s is returned as %s', (written, typed) => {
  expect(findCodes({ text: intro + written })).toEqual([typed])
})

test.each([
  ['481516', '481516'],
  ['481 516', '481516'],
  ['481\u202f516', '481516'],
  ['481 - 516', '481516'],
  ['48-15-16', '481516'],
  ['8 4 1 – 0 9 2', '841092'],
  ['4\n\n8\n1\r\n5', '4815'],
  ['٤٨١٥١٦', '481516'],
  ['G-481516', '481516'],
  ['K7P2', 'K7P2'],
  ['AB-12-CD', 'AB-12-CD'],
  ['KXWQ-7TRD', 'KXWQ-7TRD'],
  ['7HQ2MZ', '7HQ2MZ'],
  ['q7w2-mx9k-r4td', 'q7w2-mx9k-r4td'],
  ['H 4 R – 9 K 2', 'H4R-9K2'],
  ['KXWQ-TRD', 'KXWQ-TRD'],
  ['mango-river-tulip', 'mango-river-tulip'],
])('%j is found where a mail asks to type it in, and calls it nothing', (written, typed) => {
  expect(findCodes({ text: `Open the app and type\n${written}` })).toEqual([typed])
})

test('no candidate is missed by the search that comes first', () => {
  const lines = fc.string({ unit: fc.constantFrom(...'AKX7409akx -–\u00a0\u202f'), minLength: 4, maxLength: 14 })
  const isTyped = ({ kind, value }: Candidate) => ['digits', 'mixed'].includes(kind) || (kind === 'letters' && value.includes('-'))
  fc.assert(
    fc.property(lines, line => {
      if (findCandidates(line).some(isTyped)) expect([...maybeCodes(line)]).not.toEqual([])
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['a price', '$4815'],
  ['a price after', '4815 €'],
  ['a decimal', '4815.16'],
  ['a time', '48:1516'],
  ['a time in French', '21h40'],
  ['a day of a ticket', '05DEC2026'],
  ['a telephone number', '+34 481 516 234'],
  ['the tail of a telephone number', '800.123.4567'],
  ['a telephone number with spaced hyphens', '481 - 516 - 2342'],
  ['a telephone number with a prefix', '34 481 - 516'],
  ['a card', '4815 1623 4210 8712'],
  ['a day', '14-03-2026'],
  ['a path', 'x/481516/y'],
  ['a hidden card number', '•••• 4815'],
  ['a measure', '4815 kWh'],
  ['three digits', '481'],
  ['eleven digits', '48151623421'],
  ['a telephone number in four groups', '0155 501 88 22'],
  ['part of an address', 'joe481516@mail.example'],
  ['part of a link', 'https://a.example/481516'],
])('%s is not a code, even where one is expected', (_, written) => {
  expect(findCodes({ text: intro + written })).toEqual([])
})

test('a code of the HTML part is found when the text part is generic, and once when both have it', () => {
  const htmlText = 'Verification code\n481516'
  expect(findCodes({ text: 'Please use a client that shows HTML.', htmlText })).toEqual(['481516'])
  expect(findCodes({ subject: '481516 is your login code', text: htmlText, htmlText })).toEqual(['481516'])
})

test('nothing is found in empty mail', () => {
  expect(findCodes({})).toEqual([])
  expect(findCodes({ subject: '', text: '', htmlText: '' })).toEqual([])
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
  expect(findCodes({ subject: text, text, htmlText: text }).length).toBeLessThanOrEqual(3)
  expect(findCodes({ text: `Your code is ${text}` }).length).toBeLessThanOrEqual(3)
})

test('digits in boxes of their own are one code, and the numbers of a list are none', () => {
  const apart = (digits: string) => `Your verification code\n\n${[...digits].join('\n\n')}\n\nIt is valid for ten minutes.`
  expect(findCodes({ text: apart('519026') })).toEqual(['519026'])
  expect(findCodes({ text: apart('123456') })).toEqual([])
  expect(findCodes({ text: apart('519026518') })).toEqual([])
})

test('the confirmation number of a booking is no code', () => {
  expect(findCodes({ subject: 'Your stay', text: 'Confirmation number 48122931\nRoom 4812' })).toEqual([])
})

test.each([
  ['lines', 'Join Zoom Meeting\nhttps://zoom.example/j/81234567890\n\nMeeting ID: 812 3456 7890\nPasscode: 481516'],
  ['a line for each value', 'Meeting ID:\n812 3456 7890\nPasscode:\n481516'],
  ['Spanish', 'ID de reunión: 812 3456 7890\nCódigo de acceso: 481516'],
  ['one sentence', 'The meeting passcode is 481516.'],
  ['mixed letters', 'Meeting ID: 345 123 456 789\nPasscode: kT7qRvX2'],
])('the passcode of a meeting is no code to sign in with: %s', (_, text) => {
  expect(findCodes({ subject: 'Ana is inviting you to a scheduled meeting', text })).toEqual([])
})

test('a code to sign in at a service for meetings is found', () => {
  expect(
    findCodes({ subject: 'Code for signing in to Zoom', text: 'Your verification code is 481516. Enter it to join meetings.' }),
  ).toEqual(['481516'])
})

test.each([
  ['in a sentence', 'Go back to Settings and key in 550318 on that page.', '550318'],
  ['below the request', 'Open the app and type\n\nKXWQ-7TRD', 'KXWQ-7TRD'],
  ['above it', '60 93 12\n\nThis is the number that the app asks for.', '609312'],
  ['under its name in a table', 'Student ID Verification code Valid until\n330718 884510 09:15', '884510'],
  ['under an abbreviation and before a date', 'Student no. Verification code Until\n330718 884 510 23.11.2026', '884510'],
  ['after the address of a page', 'Open tv.example/pair, then type the following there:\n\nDK9-X4H', 'DK9-X4H'],
  ['below digits on a screen named like a ticket', 'Copia estos números en la pantalla de entrada:\n318 774', '318774'],
  ['before a sentence that asks to enter it', 'Seu número de acesso é 5507. Digite no aplicativo antes das 14h.', '5507'],
  ['after the word for digits', 'Enter in the app, when you are ready, the digits 71 49 30.', '714930'],
  ['after the name of a page', 'Please enter on your profile page 417 205.', '417205'],
  ['above a line that asks to type it in', 'Voici de quoi te connecter : 61-08-45\nÀ taper dans l’application avant 21h40.', '610845'],
  ['that is not even for the driver', 'Your login passcode is 38216. Do not share it, not even with the driver.', '38216'],
  ['after a verb with a clitic', 'افتح الصفحة واكتب 771 350 للمتابعة.', '771350'],
  ['after another verb for typing', 'On the sign-in screen, put in 662 019.', '662019'],
  ['behind a dash', 'Ваш временный код для входа — 730 415. Действует 10 минут.', '730415'],
  ['in two pairs', 'W aplikacji wpisz:\n82 46', '8246'],
  ['that lets the reader in', 'Dein Login-Code: mit 8093 kommst du rein.', '8093'],
  ['in Devanagari digits', 'आपका सत्यापन कोड: ५८२०१७', '582017'],
  ['between direction marks', 'رمز التحقق:\n\u200e481516\u200e', '481516'],
])('a code is found %s', (_, text, code) => {
  expect(findCodes({ text })).toEqual([code])
})

test.each([
  ['expired', 'The verification code 310774 has expired.'],
  ['quoted by a warning', 'Scammers send messages like "Your code is 559812".'],
  ['of a meter', '홈페이지에 지침을 입력해 주세요. 계량기 번호 448201, 지난달 20418.'],
  ['to be entered with a card', 'Enter your verification code 884120 and card number on the page.'],
  ['of a tax refund in Turkish', 'İade kodunuz 77201845. Kart bilgilerinizi sayfaya girin.'],
  ['no match', 'Your mailbox security code 738104 does not match our record.'],
  ['named after a parcel', 'Sign in to pay the fee of your parcel with the code 77120458.'],
  ['a tax number', 'Prezado contribuinte, consta pendência no seu CPF. Código: 77104482. Acesse hoje.'],
  ['of a door', 'Your door code is 481516.'],
  ['of a key box', 'Password for the app: see below.\nThe key box is left of the door. Enter 271481 on its screen.'],
  ['below a sentence', 'We never ask for a verification code.\nAsk 112, 133218'],
  ['of a receipt', 'Transaction ID: E18236120\nAuthentication code: 7F3K22A9\nBranch: 4471'],
  ['of a shop', 'Up to 40 % off!\nEnter your code on the page:\nFLASH40'],
])('a code is not offered if it is %s', (_, text) => {
  expect(findCodes({ text })).toEqual([])
})

test.each([
  ['Fake mails with the subject “Your code: 118920” are going round. We never ask for a verification code.', []],
  ['Mails titled "Verification code 118920" are not from us.', []],
  ['「認証コード 118920」などの件名の偽メールが確認されています。', []],
  ['Enter the verification code “118920” to sign in.', ['118920']],
  ['Your verification code:\n*** 335-810 ***', ['335810']],
  ['Card *** 4417 was verified with a one-time code.', []],
  ['Démarche n° 20260418 – code de connexion', []],
])('a number that is quoted, framed or numbered: %s', (text, codes) => {
  expect(findCodes({ text })).toEqual(codes)
})

test.each([
  ['Zahlung abgelehnt', 'Ihre Bank hat die Zahlung mit dem Code 51002 abgelehnt. Bitte prüfen Sie Ihre Kartendaten.'],
  ['Échec du paiement', 'Votre banque a refusé le paiement (code 51002). Votre commande est annulée.'],
  ['Pago rechazado', 'Tu banco ha rechazado el cargo con el código 51002. Revisa tu tarjeta.'],
  ['Pagamento rifiutato', 'La tua banca ha respinto il pagamento con codice 51002.'],
  ['Betaling mislukt', 'Uw bank heeft de betaling geweigerd met code 51002.'],
  ['Płatność odrzucona', 'Twój bank odrzucił płatność, kod 51002. Odmowa dotyczy karty.'],
  ['Betalningen misslyckades', 'Din bank nekade köpet med kod 51002.'],
  ['Платёж отклонён', 'Ваш банк отклонил платёж, код 51002. Проверьте карту.'],
  ['決済エラー', 'お客様の決済はエラーコード 51002 で失敗しました。'],
  ['결제 실패', '고객님의 결제가 코드 51002로 거절되었습니다.'],
  ['付款失败', '您的付款失败，代码 51002。请检查银行卡。'],
  ['Your complaint', 'Please use the number 604417 in all letters to us. You can read them on our website.'],
  ['Ihre Beschwerde', 'Verwenden Sie die Nummer 604417 in allen Schreiben an uns.'],
  ['Votre réclamation', 'Utilisez le numéro 604417 dans tous vos courriers. Notre site reste ouvert.'],
  ['Su reclamación', 'Use el número 604417 en todas sus cartas.'],
  ['Uw klacht', 'Gebruik het nummer 604417 in al uw brieven.'],
  ['Meter reading', 'Please enter the meter reading on our website. The number 045512 is the last one we have.'],
  ['Zählerstand', 'Geben Sie den Zählerstand auf unserer Seite ein. Zuletzt war es die Zahl 045512.'],
  ['Din anmälan', 'Använd numret 604417 när du ringer oss.'],
  ['Ваше обращение', 'Используйте номер 604417 при звонке в поддержку.'],
])('a number of a refusal, or to quote in letters, is no code: %s', (subject, text) => {
  expect(findCodes({ subject, text })).toEqual([])
})

test.each([
  ['Sign in', 'On the sign-in screen, type the number 604 118. It is valid for 3 minutes.', '604118'],
  ['Anmeldung', 'Bitte tippen Sie auf dem Anmeldebildschirm die Zahl 604 118 ein.', '604118'],
  ['Connexion', 'Sur la page de connexion, saisissez le nombre 604118.', '604118'],
  ['Anmelden', 'Nutzen Sie diese Ziffern, um fortzufahren:\n\n441806\n\nSie gelten 10 Minuten.', '441806'],
  ['Accedi', 'Usa queste cifre per continuare alla cassa.\n\n441806', '441806'],
  ['Inloggen', 'Gebruik de cijfers hieronder om verder te gaan.\n\n441806', '441806'],
  ['Σύνδεση', 'Χρησιμοποιήστε τα παρακάτω ψηφία για να συνεχίσετε.\n\n441806', '441806'],
  ['Вход', 'Используйте эти цифры, чтобы продолжить.\n\n441806', '441806'],
  ['Log ind', 'Brug tallene herunder for at fortsætte.\n\n441806', '441806'],
])('a number that is called the number, or digits, is one to type: %s', (subject, text, code) => {
  expect(findCodes({ subject, text })).toEqual([code])
})

test.each([
  ['a Japanese bank', '認証コードのお知らせ', '・認証コード：pR7kd\n\n有効期限は10分です。', 'pR7kd'],
  ['five in both cases', 'Sparbank', 'Ihr Bestätigungscode: tB4wK\nGroß- und Kleinschreibung beachten.', 'tB4wK'],
  ['five, alone', 'Codice di verifica', 'Il tuo codice di verifica è\n\nHn3Qz', 'Hn3Qz'],
  ['four small ones', 'Log in to Quillpad', 'Enter this code on the login page:\n\nk7p2\n\nIt expires in 10 minutes.', 'k7p2'],
  ['four, in a sentence', 'Votre code de connexion', 'Votre code de connexion est 9rt4. Il expire dans 15 minutes.', '9rt4'],
  ['nine digits to use', 'Código de acesso', 'Use o código 773018264 para entrar na sua conta.', '773018264'],
  ['nine in groups', 'Connexion', 'Saisissez ce code de vérification sur la page : 482 019 376.', '482019376'],
  ['ten digits', '登录验证码', '您的登录验证码为6049182735，5分钟内有效。', '6049182735'],
  ['three digits', 'Pair your thermostat', 'Type this three-digit code into the app:\n\n481', '481'],
  ['three, in a sentence', 'Koppel je deurbel', 'Typ in de app de driecijferige code 360 om je deurbel te koppelen.', '360'],
  ['three, Russian', 'Привязка пульта', 'Введите в приложении код из трёх цифр: 618', '618'],
  ['three, of a number', 'Login', 'Here is your 3-digit sign-in number: 318', '318'],
  ['three, Chinese', '登录', '3位验证码：318', '318'],
  ['before its name', 'Xy7kP is your verification code', 'Hello', 'Xy7kP'],
  ['ten before their name', 'Login', '4815162342 ist Ihr Anmeldecode.', '4815162342'],
  ['to enter', 'Sign in', 'Enter Xy7kP to verify your email.', 'Xy7kP'],
  ['to type', 'Sign in', 'To sign in, type\n\nXy7kP\n\nin the window.', 'Xy7kP'],
  ['to enter, in the next sentence', 'Bank', '[Nordbank] Code: k7p2. Bitte zur Anmeldung eingeben.', 'k7p2'],
  ['broken where a word may be', 'Login', 'Ihr Si\u00adcher\u00adheits\u00adcode lautet A7\u00adK2\u00adMZ', 'A7K2MZ'],
  ['three, Korean', '기기 연결', '앱에 다음 세 자리 인증번호를 입력해 주세요.\n\n539', '539'],
])('a rare shape is a code where the mail says so: %s', (_, subject, text, code) => {
  expect(findCodes({ subject, text })).toEqual([code])
})

test.each([
  ['four small ones', 'Sign in', 'We verify each sign-in. Flight k7p2 leaves at 10.'],
  ['a name', 'Sign in', 'Your code works on the iPad2 app, too.'],
  ['three digits', 'Sign in', 'Your sign-in code is on its way. Room 481.'],
  ['three digits of a card', 'Card', 'Never tell anyone the three digits on the back of your card. Call 481.'],
  ['a telephone number', 'Kod weryfikacyjny', 'Pytania o kod weryfikacyjny? Prosimy o telefon.\n601 234 567'],
  ['a booking', 'Đặt phòng 4412882110', 'Số xác nhận 4412882110, mã PIN 8821.'],
])('a rare shape is no code elsewhere: %s', (_, subject, text) => {
  expect(findCodes({ subject, text })).toEqual([])
})

test.each([
  ['Your invoice', 'Invoice', 'Code', 'Sign in to your account to see it.', 'We will never ask for your security code.'],
  ['Thank you for your payment', 'Payment reference', 'Payment code', '', 'Never share your password or security code.'],
  ['Ihre Rechnung', 'Rechnungsnummer', 'Code', 'Melden Sie sich an, um sie zu sehen.', 'Wir fragen Sie nie nach Ihrem Sicherheitscode.'],
  ['Votre colis est en route', 'Référence', 'Code', 'Connectez-vous pour le suivre.', 'Nous ne demanderons jamais votre code de sécurité.'],
  ['Gracias por tu pago', 'Concepto', 'Código', 'Inicia sesión para verlo.', 'Nunca te pediremos tu código de verificación.'],
  ['La tua bolletta', 'Numero fattura', 'Codice', 'Accedi al tuo account.', 'Non ti chiederemo mai il codice di sicurezza.'],
  ['A sua encomenda', 'Pedido', 'Código', 'Entre na sua conta.', 'Nunca pediremos o seu código de segurança.'],
  ['Je bestelling', 'Betalingskenmerk', 'Code', 'Log in op je account.', 'We vragen nooit om je beveiligingscode.'],
  ['Din faktura', 'OCR', 'Kod', 'Logga in för att se den.', 'Vi frågar aldrig efter din säkerhetskod.'],
  ['Twoja faktura', 'Tytuł przelewu', 'Kod', 'Zaloguj się na konto.', 'Nigdy nie prosimy o kod zabezpieczający.'],
  ['Kargonuz yolda', 'Referans', 'Kod', 'Görmek için giriş yapın.', 'Güvenlik kodunuzu asla sormayız.'],
  ['Ваш счёт', 'Назначение платежа', 'Код', 'Войдите в личный кабинет.', 'Мы никогда не спрашиваем код подтверждения.'],
  ['お支払いありがとうございます', '請求書番号', 'コード', 'ログインしてご確認ください。', '認証コードをお尋ねすることはありません。'],
  ['결제해 주셔서 감사합니다', '청구서 번호', '코드', '로그인하여 확인하세요.', '인증번호를 절대 묻지 않습니다.'],
  ['您的包裹已发出', '账单编号', '代码', '请登录查看。', '我们绝不会索要您的验证码。'],
])('no number of a bill, a payment or a parcel is a code, however it is written: %s', (subject, name, code, ...endings) => {
  for (const number of ['20418837', '481516', '4815 1623', '09-20-02', '637B-NJXR', 'FA118204', 'A7K2', 'tB4wK', '604918273'])
    for (const written of [
      `${name}: ${number}`,
      `${name}\n${number}`,
      number,
      `${code}: ${number}`,
      `${code} ${number}.`,
      `A: 1\n${code}: ${number}\nB: 2`,
    ])
      for (const ending of ['', ...endings])
        expect([written, ending, findCodes({ subject, text: `${written}\n\n${ending}` })]).toEqual([written, ending, []])
})

test.each([
  ['Transfer details', 'Sort code 092002\nAmount £250.00\n\nIf you did not authorise this, use your security code to log in and call us.'],
  ['Confirm your transfer details', 'Please confirm them before Friday.\n\nSort code: 09-20-02\nAccount: 31926819\nReference 092002'],
  ['Your statement', 'Statement number 0092 0417\nTo view it, log in with your access code.\n4408 8123'],
  ['Your receipt', 'Verification code: 9F3K-22A8\nFiscal receipt 00012\nTotal 12.40'],
  ['Receipt from The Copper Kettle', 'Total 38.40\nCard ************4417\nApproval code: 092002\nAuth code 118204'],
  ['e-Fatura', 'Fatura No: GIB2026000118204\nDoğrulama kodu: 118204\nTutar: 214,50 TL'],
  ['您的发票', '发票代码：031002000711\n发票号码：20418837\n校验码：12345 67890 12345 67890'],
  ['Prescription ready', 'Show your confirmation code at the counter: 4417'],
  ['Ihr Termin', 'Fragen zum Bestätigungscode? Telefon: 0911 5550 118, Ringstraße 1187, 90402 Nürnberg'],
  ['Your appointment', 'Your access code will be given at reception.\nPhone 020 7946 0188\n1187 Ring Road'],
  ['Votre rendez-vous', 'Un code de vérification vous sera demandé.\n01 55 50 01 88\n1402 avenue des Tilleuls'],
  ['Seguimiento', 'Su paquete fue recibido.\nCódigo: 637B-NJXR\nPuede verificar el estado en la web.'],
])('a number of a transfer, a receipt or an address is no code: %s', (subject, text) => {
  expect(findCodes({ subject, text })).toEqual([])
})

test.each([
  ['Finish your order 718264', 'Before we ship, please prove this inbox is yours.\n\nCode: 830551', '830551'],
  ['Bestellung 661820: bitte bestätigen', 'Bitte bestätige, dass du es bist.\n\nCode: 907143', '907143'],
  ['Tu transferencia', 'Tu código para firmar la transferencia de 350,00 € es 772 093.', '772093'],
  ['Your payment', 'Verification code: 062 918. Enter it to approve the payment.', '062918'],
  ['Potvrďte platbu', 'K dokončení platby opište do internetového bankovnictví kód 58 31 07.', '583107'],
])('a code that confirms an order or a payment is found: %s', (subject, text, code) => {
  expect(findCodes({ subject, text })).toEqual([code])
})

test('Chinese sets a sentence apart with a comma, also right behind the code', () => {
  expect(findCodes({ subject: '登录验证', text: '【顺达】您的登录验证码是8304,5分钟内有效,请勿告知他人。' })).toEqual(['8304'])
})

test.each([
  ['', 'order 482913. Your code is 7731', '7731'],
  ['Sign in', 'Bestellung 482913. Dein Code lautet 7731.', '7731'],
  ['', 'Order 482913 is ready for pick-up. Your code: 7731', undefined],
  ['Your order 482913', 'Your code is 7731.', undefined],
  ['Order confirmation', 'Thank you. Your code: 7731', undefined],
  ['Bestellbestätigung 482913', 'Danke. Ihr Code: 7731', undefined],
  ['Confirmación de pedido', 'Tu código es 7731.', undefined],
  ['Confirmation de votre commande', 'Votre code : 7731', undefined],
  ['Orderbevestiging', 'Je code is 7731.', undefined],
  ['订单确认', '您的代码：7731', undefined],
])('a code beside the number of an order, and none under its confirmation: %s, %s', (subject, text, code) => {
  expect(findCodes({ subject, text })).toEqual(code === undefined ? [] : [code])
})

test.each([
  ['Bestätigen', 'Tippe im Spiel ins Fenster:\n\nKRABVO\n\nEr gilt zwei Stunden.', 'KRABVO'],
  ['Anmeldung', 'Ihr Code lautet KRABVO. Er gilt zehn Minuten.', 'KRABVO'],
  ['Connexion', 'Votre code de vérification :\nABELUR', 'ABELUR'],
  ['Sign in', 'Your verification code: AMIGOS', 'AMIGOS'],
  ['Sign in to Planet', 'Your sign-in code is\n\nPLANET', undefined],
  ['Sign in', 'YOUR VERIFICATION CODE\n\nPLEASE', undefined],
  ['Sign in', 'Your verification code\n\nGMAIL', undefined],
  ['Sale', 'Enter the code at checkout: SOMMER', undefined],
])('letters that may be a word are a code where nothing else can be meant: %s, %s', (subject, text, code) => {
  expect(findCodes({ subject, text })).toEqual(code === undefined ? [] : [code])
})

test.each([
  ['Resultado', 'Use a chave de acesso a seguir para abri-lo no site:\n\nChave: 264970', '264970'],
  ['Zugang', 'Geben Sie Ihren Zugangsschlüssel auf der Seite ein.\nSchlüssel: 264970', '264970'],
  ['Your account', 'Enter your customer number on the page to sign in.\nNumber: 264970', undefined],
  ['Your account', 'We never ask for your access key.\nKey: 264970', undefined],
])('a label counts that names what the mail asked to enter: %s, %s', (subject, text, code) => {
  expect(findCodes({ subject, text })).toEqual(code === undefined ? [] : [code])
})

test.each([
  ['رمز الدخول', 'رمز الدخول الخاص بك هو:\n\n7094\n\nلا تشاركه مع المندوب أو مع أي شخص آخر.', ['7094']],
  ['Kirjautuminen', 'Kertakäyttötunnuksesi on 30964.', ['30964']],
  ['रिचार्ज सफल', 'हम कभी भी आपका ओटीपी नहीं पूछते।\nसेक्टर 62, नोएडा 201309', []],
  ['CLI login', 'Enter this code in the browser:\n\nXk9-4Tz', ['Xk9-4Tz']],
  ['Вход', 'Чтобы войти, введите на сайте одноразовое слово:\n\nВОЛНА7', ['ВОЛНА7']],
  ['Підтвердіть пристрій', 'Введіть чотири літери у вікні входу:\n\nQHVD', ['QHVD']],
  ['Changing your booking R6JQ9T', 'Please enter these six figures so we know it is you:\n\n559 204', ['559204']],
  ['E-Mail bestätigen', 'Bestätigungscode: 66K9P2Moin Herr Petersen,\ntragen Sie diesen Code auf der Seite ein:\n\n66K9P2', ['66K9P2']],
  ['Нарада', 'Ідентифікатор конференції: 844 2017 7310\nКод доступу: 330871', []],
  ['Para çekme', 'Onaylamak için uygulamaya gireceğiniz dört rakam:\n3 3 8 0', ['3380']],
])('what strangers wrote of codes: %s', (subject, text, codes) => {
  expect(findCodes({ subject, text })).toEqual(codes)
})
