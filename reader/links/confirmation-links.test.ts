import { expect, test } from 'vitest'
import { findConfirmationLinks } from './confirmation-links.ts'

const link = (href: string, label: string) => `<p><a class="b" href="${href}">${label}</a></p>`

test.each([
  'Confirm your email',
  'Verify account',
  'Activate my account',
  'Reset password',
  'Accept invitation',
  'Confirmar mi correo',
  'Verifica tu cuenta',
  'Activar cuenta',
  'Restablecer contraseña',
  'Aceptar la invitación',
  'Confirmar o meu e-mail',
  'Redefinir a senha',
  'Confirmez votre adresse',
  'Vérifier mon compte',
  'E-Mail-Adresse bestätigen',
  'Passwort zurücksetzen',
  'Conferma il tuo indirizzo',
])('%s is the confirmation link of its mail', label => {
  const url = 'https://a.example/x?y=1'
  expect(findConfirmationLinks({ html: link('https://a.example/', 'A shop') + link(url, `<b>${label}</b>`) })).toEqual([{ url, label }])
})

test.each([
  ['https://a.example/unsubscribe', 'Confirm unsubscribe'],
  ['https://a.example/privacy', 'Privacy'],
  ['https://a.example/help/verify', 'Help with verification'],
  ['javascript:alert(1)', 'Confirm your email'],
  ['data:text/html,x', 'Confirm your email'],
  ['mailto:a@a.example', 'Confirm your email'],
  ['/confirm', 'Confirm your email'],
])('%s (%s) is not', (url, label) => {
  expect(findConfirmationLinks({ html: link(url, label) })).toEqual([])
})

test.each([
  ['https://evil.example/confirm?x=1', 'https://bank.example.net/confirm'],
  ['https://bank.example@evil.example/confirm', 'Confirm your email'],
  ['https://xn--pple-43d.com/confirm', 'Verify account'],
  ['https://www.google.com/url?q=https%3A%2F%2Fbank.example%40evil.example%2Fconfirm', 'Verify account'],
])('%s labelled %s is deceptive and not offered', (url, label) => {
  expect(findConfirmationLinks({ html: `Please confirm: ${link(url, label)}` })).toEqual([])
})

test.each(['Deactivated cards', 'How to re-activate a copy', 'No income verification programs'])('%s asks for nothing', label => {
  expect(findConfirmationLinks({ html: link('https://a.example/x', label) })).toEqual([])
})

test('a link rewritten by a gateway is judged by its target and kept as it is', () => {
  const url = 'https://eu1.safelinks.protection.outlook.com/?url=https%3A%2F%2Fa.example%2Fconfirm%2F88'
  expect(findConfirmationLinks({ text: `Please confirm your address: ${url}` })).toEqual([
    { url, label: 'eu1.safelinks.protection.outlook.com' },
  ])
})

const OPAQUE = 'https://a.example/s/8f2k1?u=aa'

test.each([
  ['Log in to Lantern', 'Log in to Lantern'],
  ['Your sign-in link', 'Sign in'],
  ['Tu enlace de acceso', 'Iniciar sesión en Faro'],
  ['Votre lien de connexion', 'Se connecter'],
  ['Ihr Anmeldelink', 'Jetzt anmelden'],
  ['Din inloggningslänk', 'Logga in'],
  ['Ссылка для входа', 'Войти'],
  ['ログイン用リンク', 'ログインする'],
])('the link to sign in of a mail about that is found: %s', (subject, label) => {
  expect(findConfirmationLinks({ subject, html: link(OPAQUE, label) })).toEqual([{ url: OPAQUE, label }])
})

test.each([
  ['Your invoice for November is ready', 'Log in to My Account'],
  ['Your November statement', 'Sign in'],
  ['Ihre Rechnung vom 27.11.', 'Bei „Mein Konto“ anmelden'],
  ['Votre facture de novembre', 'Se connecter à Mon compte'],
  ['Ya tienes tu factura', 'Iniciar sesión en Mi Cuenta'],
  ['La tua bolletta è disponibile', 'Accedi al tuo account'],
  ['Din faktura för november', 'Logga in på Mina sidor'],
  ['Je factuur staat klaar', 'Inloggen op Mijn Account'],
  ['Kasım faturanız hazır', 'Hesabıma giriş yap'],
  ['Ваш счёт за ноябрь', 'Войти в личный кабинет'],
  ['11月分の請求書', 'マイアカウントにログイン'],
])('the link to sign in of another mail confirms nothing: %s', (subject, label) => {
  const html = `<p>It is due on 12/12/2026.</p>${link(OPAQUE, label)}`
  expect(findConfirmationLinks({ subject, html })).toEqual([])
  expect(findConfirmationLinks({ subject: 'News', html })).toEqual([])
  expect(findConfirmationLinks({ html: `<p>${subject}: ${label} ${link(OPAQUE, 'here')}</p>` })).toEqual([])
})

test.each([
  ['Please confirm your subscription', 'Yes, subscribe me'],
  ['One more step: confirm your sign-up', 'Count me in'],
  ['Bitte bestätigen Sie Ihre Anmeldung', 'Ja, ich möchte den Newsletter'],
  ['Confirmez votre inscription', 'Je veux la lettre'],
  ['Confirma tu suscripción', 'Sí, quiero recibirlo'],
  ['Conferma la tua iscrizione', 'Voglio la lettera'],
  ['Bevestig je aanmelding', 'Ja, stuur mij de brief'],
  ['Bekräfta din prenumeration', 'Jag är med'],
  ['Potwierdź zapis na newsletter', 'Tak, chcę dostawać listy'],
  ['Подтвердите подписку', 'Да, присылайте мне письма'],
  ['メールマガジン登録の確認', 'はい、購読します'],
])('the only personal link of a mail that asks is found, whatever it is called: %s', (subject, label) => {
  const imprint = link('https://a.example/', 'A') + link('https://a.example/imprint', 'Imprint')
  const besides = imprint + link('https://a.example/u/9?z=1', 'Unsubscribe')
  expect(findConfirmationLinks({ subject, html: link(OPAQUE, label) + besides })).toEqual([{ url: OPAQUE, label }])
  expect(findConfirmationLinks({ subject, text: `${label}:\n${OPAQUE}` })).toEqual([{ url: OPAQUE, label: 'a.example' }])
})

test.each([
  ['Dana invited you to the Heron workspace', 'Accept and join'],
  ['Camille vous invite sur Atelier', 'Rejoindre l’équipe'],
  ['Jonas lädt dich in das Team ein', 'Beitreten'],
  ['Ana te ha invitado a Faro', 'Unirme'],
  ['Forgot your password?', 'Pick a new password'],
  ['Vamos trocar a sua senha', 'Trocar senha'],
  ['Wachtwoord vergeten?', 'Verder'],
  ['Tu enlace para entrar en Marea', 'Abrir Marea'],
])('the link of an invitation, a forgotten password or a sign-in is found: %s', (subject, label) => {
  expect(findConfirmationLinks({ subject, html: link(OPAQUE, label) })).toEqual([{ url: OPAQUE, label }])
})

test.each([
  ['a sign-in elsewhere', 'Вход с нового компьютера', link(OPAQUE, 'Защитить')],
  ['a reason to log in', 'Your points', `You have 300. Log in to spend them. ${link(OPAQUE, 'See the gifts')} ${link(OPAQUE, 'Log in')}`],
  ['an invitation to a sale', "You're invited to our opening night", link(OPAQUE, 'See the programme')],
  ['a subject that asks nothing', 'Fog, and what to do about it', link(OPAQUE, 'Count me in')],
  ['two of them', 'Confirm your subscription', link(OPAQUE, 'The letter') + link('https://a.example/s/2?u=aa', 'The shop')],
  ['a bill', 'Confirm your order', link(OPAQUE, 'Count me in')],
  ['a link that everybody gets', 'Confirm your subscription', link('https://a.example/letters/november', 'The letter')],
])('no other link is: %s', (_, subject, html) => {
  expect(findConfirmationLinks({ subject, html })).toEqual([])
})

test('a sentence that asks to sign in counts among few links only', () => {
  const text = 'Log in to the account center https://a.example/s/r?l=1'
  const news = Array.from({ length: 20 }, (_, at) => ` item https://a.example/${at}`).join('\n\n')
  expect(findConfirmationLinks({ text })).toHaveLength(1)
  expect(findConfirmationLinks({ text: text + news })).toEqual([])
})

test('entities in the target are decoded, and a label that is an address is replaced by the host', () => {
  const html = 'Confirm your email: <a href="https://a.example/confirm?a=1&amp;b=2">https://a.example/confirm?…</a>'
  expect(findConfirmationLinks({ html })).toEqual([{ url: 'https://a.example/confirm?a=1&b=2', label: 'a.example' }])
})

test('the text part is used when the HTML part has no link', () => {
  const text = 'Please confirm your address by opening https://a.example/confirm/88.'
  expect(findConfirmationLinks({ text, html: '<p>Hello</p>' })).toEqual([{ url: 'https://a.example/confirm/88', label: 'a.example' }])
})

test('a label is cut at 80 characters, and the same target counts once', () => {
  const html = link('https://a.example/c?t=8f2k1', `Confirm ${'x'.repeat(200)}`).repeat(3)
  const found = findConfirmationLinks({ html })
  expect(found).toHaveLength(1)
  expect(found[0]?.label).toHaveLength(80)
})

const MEGABYTE = 1_000_000
/** As in codes.test.ts: the time limit of the test is what a slow search would meet. */
test.each(['<a ', '<a href="', '<a href=https://a.example/confirm>', '<', 'https://a.example/confirm ', "<a href='x'>y</a>", 'confirm '])(
  'a megabyte of %j is handled in time',
  unit => {
    const mail = unit.repeat(MEGABYTE / unit.length)
    expect(findConfirmationLinks({ html: mail, text: mail }).length).toBeLessThanOrEqual(3)
  },
)

test('a link without words of its own is judged by its sentence', () => {
  const found = (html: string) => findConfirmationLinks({ html }).length
  expect(found(`To activate your membership click ${link('https://a.example/m?k=1', 'here')} before Monday.`)).toBe(1)
  expect(found(`If it was not you, secure your account ${link('https://a.example/m?k=1', 'here')}.`)).toBe(0)
  expect(found(`<a href="https://a.example/c/8"><img src="https://a.example/b.png" alt="Confirm my subscription"></a>`)).toBe(1)
})

test('no link of a mail that warns is offered', () => {
  const html = link('https://a.example/confirm/1', 'Confirm it was you')
  expect(findConfirmationLinks({ subject: 'Security alert: new sign-in', html })).toEqual([])
})

test('the link of a sentence that asks for money confirms nothing', () => {
  const text = (price: string) => `Confirm your data${price} at https://a.example/x?t=8f2k1`
  expect(findConfirmationLinks({ text: text('') })).toHaveLength(1)
  expect(findConfirmationLinks({ text: text(' and pay 1.95 €') })).toEqual([])
})

const mapped = (area: string, picture = '<img src="https://a.example/b.png" usemap="#m" alt="Welcome">') =>
  `${picture}<map name="m"><area shape="rect" coords="0,0,300,80" ${area}></map>`

test('an area of a picture is judged as a link is', () => {
  const found = (html: string) => findConfirmationLinks({ subject: 'Your account', html })
  const confirm = 'href="https://a.example/confirm?token=NEW" alt="Confirm your address"'
  expect(found(mapped(confirm))).toEqual([{ url: 'https://a.example/confirm?token=NEW', label: 'Confirm your address' }])
  expect(found(mapped('href="https://a.example/news" alt="News"'))).toEqual([])
  expect(found(mapped('href="https://evil.example/confirm?x=1" alt="https://bank.example.net/confirm"'))).toEqual([])
  for (const picture of [
    '',
    '<img src="b.png" usemap="#m" width="1">',
    '<p style="display:none"><img src="b.png" usemap="#m"></p>',
    '<img src="b.png">',
  ])
    expect(found(mapped(confirm, picture))).toEqual([])
  expect(found(`<div hidden>${mapped(confirm)}</div>`)).toEqual([])
})

test('the only area of a picture under a subject that asks is found, whatever it is called', () => {
  const found = findConfirmationLinks({ subject: 'Bestätigen Sie Ihre Adresse', html: mapped(`href="${OPAQUE}" title="Ja, gern"`) })
  expect(found).toEqual([{ url: OPAQUE, label: 'Ja, gern' }])
})

const FOOTER = `${link('https://a.example/help', 'Help')}${link('https://a.example/u/9?z=1', 'Unsubscribe')}`
const alone = (label: string, words: string) => `<p>${words}</p>${link(OPAQUE, label)}${FOOTER}`

test.each([
  ['One quick step, Robin', 'Let’s go', 'We need to know that this inbox is really yours. The link works for 24 hours.'],
  ['Just making sure', 'Count me in', 'Somebody gave us this address. If it was not you, ignore this e-mail.'],
  ['¿De verdad quieres que te escribamos?', 'Sí, quiero recibirlo', 'Un clic y listo. Necesitamos que nos lo digas otra vez.'],
  ['Nur noch ein Klick', 'Los', 'Jemand hat diese Adresse eingetragen. Falls nicht Sie das waren, brauchen Sie nichts zu tun.'],
  ['Jeszcze tylko jedno kliknięcie', 'Tak, zapisz mnie', 'Ktoś podał ten adres.'],
  ['Ihre neue Adresse', 'Adresse freigeben', 'Wir verwenden sie, sobald Sie das tun.'],
  ['خطوة واحدة لإتمام الاشتراك', 'نعم، أريد الاشتراك', 'وصلنا طلب اشتراك. إن لم تكن أنت فلا تفعل شيئًا.'],
])('a button that asks in words of its own is found: %s', (subject, label, words) => {
  expect(findConfirmationLinks({ subject, html: alone(label, words) })).toEqual([{ url: OPAQUE, label }])
})

test.each([
  ['Sepetinizde ürün unuttunuz', 'Alışverişi tamamla', 'Sepetinizdeki ürünler sizi bekliyor. %10 indirim!'],
  ['تم تأكيد طلبك رقم 88120', 'تسجيل الدخول إلى حسابي', 'شكرًا لك، تم تأكيد طلبك ودفع مبلغ 214.00.'],
  ["Conferma d'acquisto: 2 biglietti", 'Accedi al mio account', 'I biglietti sono confermati.'],
  ['Abmeldung bestätigt', 'Wieder anmelden', 'Sie erhalten keine weiteren Nachrichten von uns.'],
  ['Your export is ready', 'Get the file', 'The link expires in 7 days.'],
  ['Complete your order', 'Complete your purchase', 'Your basket is waiting. Save 10 % today.'],
])('a button of a shop, a bill or a notice is not: %s', (subject, label, words) => {
  expect(findConfirmationLinks({ subject, html: alone(label, words) })).toEqual([])
})

test('the URL in brackets below a sentence that was wrapped is found', () => {
  const text = `To see your results, activate your account by following the link that\nstands below:\n\n<${OPAQUE}>\n\nHelp: https://a.example/help`
  expect(findConfirmationLinks({ subject: 'Welcome', text })).toEqual([{ url: OPAQUE, label: 'a.example' }])
})

test.each([
  ['/confirm?t=8f2k1', true],
  ['/users/confirmation?confirmation_token=ab12cd', true],
  ['/users/password/edit?reset_password_token=ab12cd', true],
  ['/u?unlock_token=ab12cd', true],
  ['/accounts/confirm-email/Mg:1abc9:xyz/', true],
  ['/activate/Mg/c5x-8f2a', true],
  ['/confirm', false],
  ['/orders/81/confirmation?key=8f2k1c', false],
  ['/certificates/verify?id=881204', false],
  ['/preferences/confirm?t=8f2k1', false],
  ['/confirmed-reports/2026?t=8f2k1', false],
])('a URL that names a step and has a token for it needs no words: %s', (target, isFound) => {
  const url = `https://a.example${target}`
  expect(findConfirmationLinks({ subject: 'Hello', text: `Go on:\n${url}` })).toHaveLength(isFound ? 1 : 0)
  expect(findConfirmationLinks({ subject: 'Your invoice', text: `Go on:\n${url}` })).toEqual([])
  expect(findConfirmationLinks({ subject: 'Hello', text: `Get it for $5 here:\n${url}` })).toEqual([])
})

test.each([
  ['Deleting your data', 'Delete everything', 'Keep my account'],
  ['Has pedido eliminar tu cuenta', 'Eliminar definitivamente', 'Mantener mi cuenta'],
  ['Löschung deines Kontos', 'Konto löschen', 'Konto behalten'],
  ['Suppression de votre compte', 'Supprimer mon compte', 'Garder mon compte'],
  ['Usunięcie konta', 'Usuń konto', 'Zachowaj konto'],
  ['アカウント削除のご依頼', 'アカウントを削除', 'キャンセル'],
])('the link that deletes is found, and not the one that keeps: %s', (subject, label, other) => {
  const html = link('https://a.example/k/8f2k1?u=bb', other) + link(OPAQUE, label)
  expect(findConfirmationLinks({ subject, html })).toEqual([{ url: OPAQUE, label }])
  expect(findConfirmationLinks({ subject: 'News', html })).toEqual([])
  expect(findConfirmationLinks({ subject: 'Your account will be deleted', html: link(OPAQUE, 'Log in to keep it') })).toEqual([])
})

test.each([
  ['Solicitud de nueva clave', `Se pidió una nueva clave. Para crearla haga clic acá <${OPAQUE}>. Tiene 30 minutos.`],
  ['Abmeldung vom Erinnerungsdienst bestätigen', `Damit niemand anderes Sie abmelden kann, bestätigen Sie das bitte hier:\n${OPAQUE}`],
  ['Conferma indirizzo', `La preghiamo di confermarlo visitando la pagina:\n${OPAQUE}\n\nAccesso al registro: https://a.example/`],
  ['담당자 이메일 변경 승인 요청', `변경을 승인하시려면 아래를 클릭하십시오.\n${OPAQUE}`],
])('what strangers wrote of links in texts: %s', (subject, text) => {
  expect(findConfirmationLinks({ subject, text })).toEqual([{ url: OPAQUE, label: 'a.example' }])
})

test.each([
  ['Approve withdrawal of 0.0418 BTC', 'Approve withdrawal', true],
  ['Confirmez votre nouvel appareil', 'C’est bien mon appareil', true],
  ['Xác thực email', 'Xác thực ngay', true],
  ['New device: confirm that it was you', 'Yes, it was me', false],
])('a button that approves what somebody began: %s', (subject, label, isFound) => {
  expect(findConfirmationLinks({ subject, html: link(OPAQUE, label) })).toHaveLength(isFound ? 1 : 0)
})

test.each([
  ['Ihr Passwort wurde erfolgreich geändert', 'Zum Login: https://a.example/login'],
  ['Пять уроков', `Уже учитесь у нас? Войдите в кабинет: https://a.example/login\nОтказаться от писем: ${OPAQUE}`],
  ['8 yeni ilan', `Bu alarmı durdur ${OPAQUE} | Giriş yap https://a.example/giris`],
])('the way to the page where everybody signs in is not: %s', (subject, text) => {
  expect(findConfirmationLinks({ subject, text })).toEqual([])
})

const TOKEN = 'https://a.example/q/k3ycCEk192ImX9Yu4u3G'
const MENU = '<p><a href="https://a.example/account/login?lang=xx">Log in</a> <a href="https://a.example/contact?lang=xx">Contact</a></p>'

test.each([
  [
    'Er dette riktig adresse?',
    'Ja, det stemmer',
    'Trykk så vet vi at vi når deg.',
    'https://a.example/bekreft/3c8990b0-1b41-4af5-aec8-8d918aec4b39',
  ],
  ['Jūsų paskyra', 'Patvirtinti', 'Liko vienas žingsnis.', TOKEN],
  ['Uus parool', 'Määra parool', 'Link kehtib ühe tunni.', TOKEN],
  ['Potvrdi prijavu', 'Potvrđujem', 'Hvala na prijavi!', TOKEN],
  ['Нова лозинка', 'Промени лозинку', 'Ако нисте ви, занемарите поруку.', TOKEN],
  ['এক ধাপ বাকি', 'যাচাই করুন', 'আপনার ইমেইল', TOKEN],
  ['Tu acceso', 'Entrar ahora', 'Entra sin contraseña con un clic.', TOKEN],
  ['New sign-in', 'Approve sign-in', 'A device wants to sign in.', TOKEN],
])('the one link with a token of its own is found below a menu that signs in: %s', (subject, label, words, url) => {
  const html = `${MENU}<p>${words}</p>${link(url, label)}`
  expect(findConfirmationLinks({ subject, html })).toEqual([{ url, label }])
})

test.each([
  ['Your email has been verified', 'Thanks for confirming your address.', link('https://a.example/home?utm_campaign=verified', 'Go on')],
  ['Your export is ready', 'The link expires in 7 days.', link(TOKEN, 'Get the file')],
  ['How did we do?', 'The link is valid until Friday.', link(TOKEN, 'Tell us')],
  ['Confirmation of your appointment', 'See you on Friday.', link(TOKEN, 'Look at it')],
  ['Statement', 'Please look at it on our site.', link('https://a.example/login', 'Log in to confirm')],
  ['New sign-in', 'If it was not you, act now.', link(TOKEN, 'Reset your password')],
  [
    'Rye and patience',
    'What we suspected is confirmed.',
    ['Activate your starter', 'Read it', 'Talk'].map((label, n) => link(`${TOKEN}${n}`, label)).join(''),
  ],
])('neither a menu, nor a page of everybody, nor a token alone is: %s', (subject, words, links) => {
  expect(findConfirmationLinks({ subject, html: `${MENU}<p>${words}</p>${links}` })).toEqual([])
})

test('the short name behind a step is a token, as in the mails of tests', () => {
  const text = 'Please confirm: https://app.shop.test/confirm/xyz.'
  expect(findConfirmationLinks({ subject: 'Confirm your address', text })).toMatchObject([{ url: 'https://app.shop.test/confirm/xyz' }])
})

test('the links below the line that ends a letter are those of its footer', () => {
  const text = `Permintaan hapus akun\n\nBuka ${TOKEN}\n\n-- \nhttps://a.example/u/mnbzhprbKd2OF5vI1MIut3zF`
  expect(findConfirmationLinks({ subject: 'Konfirmasi hapus akun', text })).toEqual([{ url: TOKEN, label: 'a.example' }])
})
