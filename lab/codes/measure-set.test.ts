import { expect, test } from 'vitest'
import { parseLabelledMails } from './labelled-mails.ts'
import { measureSet } from './measure-set.ts'

test('in the labelled mails the search misses 46 codes and 42 links, and finds nothing wrong', () => {
  const misses = measureSet().flatMap(({ mail, misses: missed }) =>
    missed.map(miss => `${mail.language} ${mail.part}, ${mail.name}: ${miss}`),
  )
  expect(misses).toEqual([
    'ar nineteenth, اربط حسابك بتطبيق بستان: link https://bustanfarm.example/pair, found none',
    'de odd, Sicherheitscode mit Aktenzeichen: code 00482917, found none',
    'de sixteenth, link-unsubscribe 049: link https://hofladen-huber.example/abm.php?e=k3&h=0b91fe77, found none',
    'de sixteenth, link-invite 355: link https://teamkalender.example/j/putzplan-wg?inv=55Kd0, found none',
    'de seventeenth, Fernseher anmelden: code KR-5509, found none',
    'de seventeenth, Ihr Platz im Töpferkurs: link https://x.moss.example/a/107/75kDXr, found none',
    'de nineteenth, Aktivierung von Pixelwerk 9: link https://pixelwerk.example/aktivieren, found none',
    'de twentieth, Ihre TAN für die Überweisung: code 771204, found none',
    'de twentieth, Fast fertig: Gerät koppeln: link https://heizwerk.example/pair, found none',
    'de twentieth, Passwort zurücksetzen: link https://moosmail.example/reset, found none',
    'de twenty-first, Warteliste Kita: link https://kita-sonnenhof.example/warteliste/weiter/91c7e0, found none',
    'de twenty-second, Warteliste: link https://kgv-morgensonne.example/warteliste/bleiben/4f1e9a, found none',
    'en odd, line for autofill: code 55190, found none',
    'en held-out, txn before: code 309552, found none',
    'en twelfth, saas login code: code lumvek, found none',
    'en fifteenth, Good evening: code 7741, found none',
    'en fifteenth, Lantern: code 4815, found none',
    'en sixteenth, code-signin 101: code HW-2290-C, found none',
    'en sixteenth, link-confirm 333: link https://allotments.example.org/keep?plot=41&k=r8Vd2, found none',
    'en sixteenth, code-poem 351: code mint-447, found none',
    'en sixteenth, link-invite 395: link https://loaf.example/w/2040/claim/x8Jq, found none',
    'en seventeenth, Is this you?: link https://kilnlane.example/ls/click?upn=rTbHu8yz2ghkncuja43ZQQ&p=ad36c7, found none',
    'en seventeenth, Your spot in the pottery class: link https://mail.reiher.example/k/CNYJev_zM5KaDz, found none',
    'en seventeenth, We kept your basket of news: link https://heron.example/a/354/mdyoSV, found none',
    'en eighteenth, Your exam session starts at 10:00: code KD83ZT, found none',
    'en eighteenth, Is this your new address?: link https://acct.quill.example/e/9a0?k=Jq82Lx, found none',
    'en nineteenth, Fw: login verification: code 294177, found none',
    'en nineteenth, Password reset for jmp-test: link https://sso.beaconadmin.example/reset, found none',
    'en twentieth, Dana, activate your membership: link https://gymnest.example/activate, found none',
    'en twenty-first, Still on the waiting list?: link https://allotment.example/wait/keep/7c90e1, found none',
    'en twenty-third, FW: Your Watchbox activation code: code GH42NP, found none',
    'en twenty-fourth, Quibble login: code 0047, found none',
    'en twenty-fourth, Recovery step 2 of 3: code 4471902283, found none',
    'en twenty-fifth, [vault] 2FA: code 007316, found none',
    'es odd, OTP de la wallet: code 772093, found none',
    'es held-out, h bare es 04: code 481516, found none',
    'es fourteenth, Elena te ha invitado al proyecto «Faro»: link https://nubia.example/i/teTShKb1THc3boSkoS93Tx45elbu, found none',
    'es fifteenth, Transferencia pendiente de firma: code 77402, found none',
    'es sixteenth, link-unsubscribe 069: link https://oferton.example/b/cf?z=00aa91, found none',
    'es sixteenth, code-pair 071: code QJ74WD, found none',
    'es sixteenth, code-verify 143: code tomate77, found none',
    'es seventeenth, RV: registro: code 40917, found none',
    'et seventeenth, Kas see oled sina?: link https://dory.example/ls/click?upn=rAQKcPqG-HRZe1LBZKbEqg&p=ac040a, found none',
    'eu sixteenth, link-confirm 151: link https://mendigutuna.example.org/bai?k=7e1, found none',
    'fa seventeenth, این شما هستید؟: link https://heron.example/H39h0vcl, found none',
    'fi fifth, Larkspur: code 77041, found none',
    'fi twenty-first, Tervetuloa: code HP-7724, found none',
    'fi twenty-first, Paketti automaatissa: code 73044, found none',
    'fr sixteenth, link-device 031: link https://coffrebleu.example/ap/ok/91d0-c, found none',
    'fr seventeenth, TR: inscription: code 83046, found none',
    "fr seventeenth, Votre place à l'atelier: link https://x.moss.example/s/lZ9eg?u=95, found none",
    'fr seventeenth, Voulez-vous vraiment nos nouvelles ?: link https://mail.reiher.example/GfSyqlCn, found none',
    'fr twentieth, Associez votre enceinte: link https://alouette-audio.example/pair, found none',
    "fr twenty-first, Liste d'attente: link https://jardinspartages.example/attente/rester/77ce01, found none",
    'fr twenty-second, Votre e-billet: code WKX552091, found none',
    'it sixteenth, link-confirm 095: link https://vinileusato.example/p.php?a=chg&u=77&h=6dbe01, found none',
    'it seventeenth, I: iscrizione: code 66205, found none',
    'it seventeenth, Vuole davvero la nostra lettera?: link https://go.plank.example/r?i=5f3223fdbff9, found none',
    'it nineteenth, Confermi di voler ricevere il nostro palinsesto?: link https://radioghiro.example/lista/conferma/fiYtYrqxab, found none',
    'it twenty-fifth, Il codice è nel messaggio 🙂: code XBPDQV, found none',
    'ja odd, 列見出しの下のコード: code 407581, found none',
    'ko twenty-fourth, 새로운 기기 보안코드: code M4XP7, found none',
    'lt seventeenth, Ar tai jūs?: link https://go.plank.example/AeXnTVMu, found none',
    'nb sixteenth, code-verify 040: code lusekofte, found none',
    'nl seventh, Toegang tot het ouderportaal: code 715330, found none',
    'nl sixteenth, code-verify 304: code PREI-6, found none',
    'nl twenty-second, Was jij dit?: link https://slimhuis.example/apparaat/toestaan/e01b77, found none',
    'pl seventeenth, Czy to Ty?: link https://mail.reiher.example/WXkxRhNo, found none',
    'pt sixteenth, link-device 209: link https://bancomare.example/disp/aprovar?d=c0ffee12, found none',
    'pt nineteenth, Sua conta corporativa foi criada: link https://empresa.taxigarca.example/entrar, found none',
    'pt twenty-third, Nova palavra-passe: link https://socios.ginasionortada.example/pp/LabEFndR6vFPQ75Y0t63UZUNit, found none',
    'pt twenty-fourth, Saque em análise: confirme: code 6042217, found none',
    'ro fourth, Conectează-te: code H3P7, found none',
    'ru sixteenth, code-signin 170: code XK3-77Q-TEN, found none',
    'ru twenty-first, Осталось немного: link https://ogorod.example/z/konec/71ce09, found none',
    'ru twenty-fifth, Подтверждение адреса: code НЕБО-42, found none',
    'sk seventeenth, Overenie e-mailu: code V5K-2LM, found none',
    'sr sixteenth, link-invite 266: link https://planinari.example/poziv/tara?p=7b2, found none',
    'sv even, kortköp: code 03917744, found none',
    'sv seventeenth, Provsvar: code HL-20736, found none',
    'sv twenty-second, Slutför ditt medlemskap: code SKN-3307-X, found none',
    'sv twenty-second, Slutför ditt medlemskap: link https://skn.example/bli-medlem/klar/0f9e8d, found none',
    'tr sixteenth, code-verify 133: code KİTAP7, found none',
    'tr twenty-first, Başvurunuzu tamamlayın: link https://koro.example/t/5d0b7e, found none',
    'uk fifth, Larkspur: code 77041, found none',
    'uk fifteenth, Оплата 649 грн: code 5093, found none',
    'uk sixteenth, code-verify 272: code SOVA-4470, found none',
    'zh nineteenth, 会员卡绑定: link https://laojiecinema.example/bind?c=USJCCpgR4yzk4TUF5N, found none',
  ])
})

const mail = ['===', 'part: odd', 'subject: Sign in', 'code: 481516', '--- text', 'Your code is 481\\u{ad}516.', ''].join('\n')

test('a file of labelled mails is read', () => {
  const named = mail.replace('===', '=== a link').replace('code: 481516', 'link: https://a.example/x?y=1')
  expect(parseLabelledMails(`${mail}\n${named}`, 'en.txt')).toEqual([
    { language: 'en', name: 'Sign in', part: 'odd', subject: 'Sign in', code: '481516', text: 'Your code is 481\u00ad516.' },
    {
      language: 'en',
      name: 'a link',
      part: 'odd',
      subject: 'Sign in',
      link: 'https://a.example/x?y=1',
      text: 'Your code is 481\u00ad516.',
    },
  ])
})

test.each([
  ['a field that is none', mail.replace('code:', 'cod:'), /^en\.txt:8: .*\n.*"cod"/s],
  ['no subject', mail.replace('subject: Sign in\n', ''), /^en\.txt:8: .*\n.*subject/s],
  ['an unknown part', mail.replace('odd', 'last'), /^en\.txt:8: .*\n.*third.*part/s],
  ['a link that is none', mail.replace('code: ', 'link: '), /^en\.txt:8: .*\n.*link/s],
])('%s is named with its file and line', (_, wrong, error) => {
  expect(() => parseLabelledMails(`${mail}\n${wrong}`, 'en.txt')).toThrow(error)
})

test('a file that begins with something else is refused', () => {
  expect(() => parseLabelledMails(`== ${mail}`, 'en.txt')).toThrow(/^en\.txt:1: /)
})
