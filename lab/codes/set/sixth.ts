/** Three mails in each of 20 languages, half of them without a code, written without knowledge of the search or of the other parts. */
import type { LabelledMail } from './entry.ts'

export const sixth: Readonly<Record<string, readonly LabelledMail[]>> = {
  en: [
    {
      name: 'a new device, code after the place and the time',
      subject: 'New sign-in attempt',
      text: `Hello Priya,

Somebody is trying to sign in to your Fernhill account on 23 November 2026 at 18:42 from Leeds, GB (Firefox on Windows 11).

If that is you, go back to the sign-in page and type

  8 3 0 1 5 7

in the box. It stops working at 18:57.

Fernhill Ltd, 14 Quay Street, Bristol BS1 5QD. Company no. 09934417`,
      code: '830157',
      link: null,
    },
    {
      name: 'an error code and a support number',
      subject: 'We could not charge your card (code 51002)',
      text: `Hi Marcus,

your bank declined the payment for your subscription with code 51002. Please check your card details by 30 November.

If you call us on 0800 300 4421, have your customer number 7719035 ready.

The billing team`,
      code: null,
      link: null,
    },
    {
      name: 'an article on two-factor login',
      subject: 'Security tip: what to do with a code you did not ask for',
      html: `<h1>Got a verification code out of the blue?</h1><p>A text such as "Your verification code is 123456" means that somebody knows your password. Do not enter the code anywhere. Change your password and read article 40218 in our help centre.</p><p>Over 250000 customers turned on two-step login in 2026.</p>`,
      code: null,
      link: null,
    },
  ],
  de: [
    {
      name: 'Freigabe im Kundenportal',
      subject: 'Ihre Anmeldung im Kundenportal der Stadtwerke',
      text: `Guten Tag Frau Brandt,

um die Anmeldung abzuschließen, tragen Sie bitte die folgende Ziffernfolge in das Feld "Freigabe" ein:

720 914

Sie verliert nach 10 Minuten ihre Gültigkeit. Ihre Kundennummer ist 40018832.

Stadtwerke Lindau, Bregenzer Straße 12, 88131 Lindau`,
      code: '720914',
      link: null,
    },
    {
      name: 'Code in der Betreffzeile',
      subject: '4417 – Code zum Bestätigen deiner Handynummer',
      text: 'Hallo Jonas,\n\ndein Code steht im Betreff dieser Mail. Du hast 5 Minuten Zeit, ihn in der App einzutippen.\n\nDein Team von Radlwerk',
      code: '4417',
      link: null,
    },
    {
      name: 'Rücksendung mit Nummer',
      subject: 'Ihre Rücksendung RS-2026-88123',
      html: '<p>Guten Tag Herr Vogt,</p><p>bitte geben Sie auf dem Paket den Retourencode <b>88123</b> an und legen Sie den Schein bei. Die Erstattung von 49,90 € dauert bis zu 14 Tage.</p><p>Artikel 7004411, Rechnung 2026-117730</p>',
      code: null,
      link: null,
    },
  ],
  fr: [
    {
      name: 'saisie demandée avant le code',
      subject: 'Confirmez votre adresse',
      html: '<p>Bonjour Élodie,</p><p>Pour terminer la création de votre compte Maison Verte, saisissez ces six chiffres sur la page ouverte :</p><table><tr><td style="font-size:30px;letter-spacing:8px">305882</td></tr></table><p>Valable un quart d’heure. SAS Maison Verte, RCS Lyon 812 334 907</p>',
      code: '305882',
      link: null,
    },
    {
      name: 'dossier de remboursement',
      subject: 'Votre demande de remboursement nº 604417',
      text: 'Madame, Monsieur,\n\nvotre demande a été enregistrée sous le numéro 604417. Merci de saisir ce numéro dans l’objet de tous vos courriers.\n\nService clients, 09 69 32 10 10 (prix d’un appel local)',
      code: null,
      link: null,
    },
    {
      name: 'carte de fidélité',
      subject: 'Votre nouvelle carte est arrivée',
      text: 'Bonjour,\n\nvotre carte de fidélité 2211 4480 9037 est active. Avec le code NOEL26, profitez de 10 % jusqu’au 24/12/2026.\n\nÀ bientôt en magasin, 75011 Paris',
      code: null,
      link: null,
    },
  ],
  es: [
    {
      name: 'clave dinámica para una transferencia',
      subject: 'Autoriza tu transferencia',
      text: `Hola, Lucía:

Vas a enviar 320,00 € a la cuenta terminada en 4471. Para autorizar la operación usa la clave 059 218 en la app.

Si no has sido tú, llama al 900 123 456.`,
      code: '059218',
      link: null,
    },
    {
      name: 'código alfanumérico de acceso',
      subject: 'Tu acceso a Biblioteca Norte',
      html: '<p>Introduce <strong>K7QX-20MD</strong> en la pantalla de tu televisor para vincular la cuenta.</p><p>Caduca dentro de 30 minutos.</p>',
      code: 'K7QX-20MD',
      link: null,
    },
    {
      name: 'cita médica con localizador',
      subject: 'Recordatorio de su cita',
      text: 'Le recordamos su cita del 26/11/2026 a las 09:40 en el Centro de Salud Delicias. Localizador: 771204. Código de centro 50017. Presente su tarjeta sanitaria al llegar.',
      code: null,
      link: null,
    },
  ],
  it: [
    {
      name: 'firma di un contratto',
      subject: 'Firma il tuo contratto luce',
      text: 'Gentile Sig. Moretti,\n\nper firmare digitalmente la proposta 2026/44190 digiti il codice qui sotto nella pagina di firma.\n\n664 203\n\nIl codice scade tra 20 minuti.',
      code: '664203',
      link: null,
    },
    {
      name: 'codice fiscale e pratica',
      subject: 'Pratica 5540218: documenti ricevuti',
      text: 'Abbiamo ricevuto i documenti per la pratica 5540218. Codice fiscale: MRTGNN80A01F205X. Codice cliente: 330719. Le risponderemo entro 5 giorni lavorativi.',
      code: null,
      link: null,
    },
    {
      name: 'buono regalo',
      subject: 'Un buono da 15 € per te',
      html: '<p>Inserisci il codice <b>GRAZIE15</b> alla cassa per ottenere lo sconto sul tuo prossimo ordine di almeno 60 €.</p><p>Valido fino al 31/12/2026.</p>',
      code: null,
      link: null,
    },
  ],
  pt: [
    {
      name: 'confirmação de telemóvel',
      subject: 'Só falta um passo',
      text: 'Olá, Inês,\n\nrecebemos um pedido para associar o número terminado em 08 à tua conta. Escreve 47102 no campo que te aparece no ecrã e está feito.\n\nNinguém da nossa equipa te vai pedir este número.',
      code: '47102',
      link: null,
    },
    {
      name: 'token de acesso',
      subject: 'Seu token de acesso chegou',
      html: '<div>Olá, Rafael!</div><div>Seu token:</div><div style="font-size:28px"><b>918&nbsp;446</b></div><div>Ele vale por 3 minutos e só pode ser usado uma vez.</div>',
      code: '918446',
      link: null,
    },
    {
      name: 'boleto',
      subject: 'Seu boleto vence em 3 dias',
      text: 'Código de barras: 23793.38128 60007.827136 95000.063305 1 98760000018990. Valor: R$ 189,90. Vencimento: 26/11/2026. Número do documento: 604412.',
      code: null,
      link: null,
    },
  ],
  nl: [
    {
      name: 'inloggen zonder wachtwoord',
      subject: 'Inloggen bij Fietsenbeurs',
      text: 'Hoi Sanne,\n\nvul 6 8 2 0 4 1 in op het scherm waar je wilde inloggen. Na een kwartier werkt dit niet meer.\n\nHeb je niets aangevraagd? Dan hoef je niets te doen.',
      code: '682041',
      link: null,
    },
    {
      name: 'afspraak bij de gemeente',
      subject: 'Uw afspraak is bevestigd',
      text: 'Uw afspraaknummer is 118245. Kom op 1 december om 10.15 uur naar Stadskantoor, Korte Minrebroederstraat 2, 3512 GG Utrecht. Bel 14030 om te wijzigen.',
      code: null,
      link: null,
    },
    {
      name: 'storingscode van een ketel',
      subject: 'Onderhoud aan uw ketel',
      text: 'De monteur heeft storingscode 4105 verholpen. Voer de code niet zelf opnieuw in. De factuur 20261190 volgt.',
      code: null,
      link: null,
    },
  ],
  pl: [
    {
      name: 'autoryzacja przelewu',
      subject: 'Autoryzacja operacji nr 3',
      text: 'Operacja nr 3 z dn. 23.11.2026\nPrzelew na kwotę 1 240,00 PLN na rachunek 12...4471\nHasło jednorazowe: 55190327\n\nNie podawaj hasła nikomu.',
      code: '55190327',
      link: null,
    },
    {
      name: 'rejestracja w przychodni',
      subject: 'Dokończ rejestrację',
      html: '<p>Dzień dobry,</p><p>przepisz poniższe cyfry w formularzu, aby aktywować konto pacjenta.</p><h2>0914</h2><p>Przychodnia Zdrowie, ul. Długa 7, 80-831 Gdańsk</p>',
      code: '0914',
      link: null,
    },
    {
      name: 'numer reklamacji',
      subject: 'Reklamacja 88/2026/447',
      text: 'Przyjęliśmy Twoją reklamację. Numer zgłoszenia: 448812. Kod produktu 5901234123457. Odpowiemy w ciągu 14 dni.',
      code: null,
      link: null,
    },
  ],
  cs: [
    {
      name: 'potvrzení platby kartou',
      subject: 'Potvrzení platby 1 890 Kč',
      text: 'Dobrý den,\n\npro dokončení platby u obchodníka Alfa Knihy opište do formuláře kód 73302. Platnost 5 minut.\n\nVaše banka',
      code: '73302',
      link: null,
    },
    {
      name: 'slevový kupón',
      subject: 'Dárek k narozeninám',
      text: 'Všechno nejlepší! Zadejte v košíku kód SVICKA26 a získáte 200 Kč slevu na nákup nad 999 Kč.',
      code: null,
      link: null,
    },
    {
      name: 'rezervace vlaku',
      subject: 'Jízdenka Praha – Brno',
      text: 'Kód rezervace 6640-192-773. Vlak 277, vůz 14, místo 61. Odjezd 8:42. Přejeme příjemnou cestu.',
      code: null,
      link: null,
    },
  ],
  sv: [
    {
      name: 'engångskod till kassan',
      subject: 'Logga in i kassan',
      text: 'Hej Elin!\n\nAnvänd siffrorna nedan för att fortsätta till kassan.\n\n441 806\n\nDe gäller i 10 minuter. Hälsningar Skogsboden, org.nr 556677-8899',
      code: '441806',
      link: null,
    },
    {
      name: 'byte av e-post',
      subject: 'Bekräfta din nya e-postadress',
      html: '<p>Du bad om att byta e-postadress. Knappa in <b>90771</b> under Inställningar så är det klart.</p>',
      code: '90771',
      link: null,
    },
    {
      name: 'portkod och bokning',
      subject: 'Din bokning 772031',
      text: 'Välkommen till stugan! Portkoden är 4418 och gäller från kl. 15. Bokningsnummer 772031. Utcheckning senast kl. 11.',
      code: null,
      link: null,
    },
  ],
  da: [
    {
      name: 'bekræft din mail',
      subject: 'Velkommen til Havnebiblioteket',
      text: 'Hej Mads\n\nIndtast 5 5 0 2 9 3 på siden for at bekræfte, at det er din mail.\n\nKoden udløber kl. 14.30.',
      code: '550293',
      link: null,
    },
    {
      name: 'årsopgørelse',
      subject: 'Din årsopgørelse er klar',
      text: 'Du kan nu se din årsopgørelse for 2025. Log på med din egen kode. Sagsnummer 2026-11-40071. Ring 72 22 18 18, hvis du har spørgsmål.',
      code: null,
      link: null,
    },
    {
      name: 'pakke',
      subject: 'Din pakke kan hentes',
      text: 'Pakke 00573313450099 ligger i pakkeboksen på Nørregade 12. Hent den inden 27. november. Vægt: 1250 g.',
      code: null,
      link: null,
    },
  ],
  el: [
    {
      name: 'σύνδεση στην τράπεζα',
      subject: 'Σύνδεση στο e-banking',
      text: 'Αγαπητέ πελάτη,\n\nπληκτρολογήστε στην οθόνη σύνδεσης τον αριθμό 604 118. Ισχύει για 3 λεπτά.\n\nΜην τον κοινοποιήσετε σε κανέναν.',
      code: '604118',
      link: null,
    },
    {
      name: 'επιβεβαίωση λογαριασμού',
      subject: 'Καλώς ήρθατε',
      html: '<p>Ο μοναδικός κωδικός σας για την ενεργοποίηση:</p><p style="font-size:26px">77120</p><p>Αν δεν ζητήσατε λογαριασμό, αγνοήστε το μήνυμα.</p>',
      code: '77120',
      link: null,
    },
    {
      name: 'παραγγελία',
      subject: 'Η παραγγελία σας 449120 στάλθηκε',
      text: 'Κωδικός αποστολής: 7140028831. Κωδικός προϊόντος 55012. Παράδοση έως 27/11/2026, Τ.Κ. 10434 Αθήνα.',
      code: null,
      link: null,
    },
  ],
  tr: [
    {
      name: 'giriş onayı',
      subject: 'Giriş onayı gerekiyor',
      text: 'Merhaba Deniz,\n\nhesabına giriş yapmak için ekrandaki kutuya 2 9 4 4 1 0 yaz. 10 dakika içinde geçerliliğini yitirir.',
      code: '294410',
      link: null,
    },
    {
      name: 'fatura',
      subject: 'Faturanız hazır',
      text: 'Sayın Ayşe Demir, 112233445 numaralı aboneliğinizin 184,50 TL tutarındaki faturası hazırdır. Son ödeme: 05.12.2026. Müşteri hizmetleri: 444 0 375.',
      code: null,
      link: null,
    },
    {
      name: 'kampanya',
      subject: 'Sana özel %20 indirim',
      text: 'Sepette KIS20 kodunu gir, 500 TL ve üzeri alışverişte indirimi kap! Kampanya kodu 30 Kasım 2026 tarihine kadar geçerli.',
      code: null,
      link: null,
    },
  ],
  ru: [
    {
      name: 'подтверждение почты',
      subject: 'Осталось подтвердить почту',
      text: 'Здравствуйте, Олег!\n\nЧтобы завершить регистрацию в «Лесной аптеке», впишите в окно на сайте числа 38 17 04.\n\nЕсли это были не вы, просто удалите письмо.',
      code: '381704',
      link: null,
    },
    {
      name: 'одноразовый пароль',
      subject: 'Вход в личный кабинет',
      html: '<table><tr><td>Пароль для входа (действует 5 минут):</td></tr><tr><td><b>6620</b></td></tr><tr><td>Договор № 7740192 от 01.03.2024</td></tr></table>',
      code: '6620',
      link: null,
    },
    {
      name: 'показания счётчика',
      subject: 'Передайте показания до 25 ноября',
      text: 'Лицевой счёт: 8830 4417. Последние показания: 045512. Введите новые показания в личном кабинете или позвоните по номеру 8 800 555 21 21.',
      code: null,
      link: null,
    },
  ],
  uk: [
    {
      name: 'вхід у застосунок',
      subject: 'Вхід у застосунок «Потяг»',
      text: 'Вітаємо!\n\n770 215 — введіть це число в застосунку, щоб увійти. Дійсне 10 хвилин.',
      code: '770215',
      link: null,
    },
    {
      name: 'квиток',
      subject: 'Ваш квиток Київ – Львів',
      text: 'Номер замовлення 5540918. Поїзд 043К, вагон 7, місце 22. Код повернення 71104 вкажіть у касі лише в разі повернення квитка.',
      code: null,
      link: null,
    },
    {
      name: 'опитування',
      subject: 'Як вам наша послуга?',
      text: 'Ваше звернення № 330418 закрито. Оцініть роботу оператора від 1 до 5. Понад 12000 відгуків за 2026 рік.',
      code: null,
      link: null,
    },
  ],
  ar: [
    {
      name: 'تأكيد الدخول',
      subject: 'محاولة دخول جديدة',
      text: 'مرحبًا خالد،\n\nلإكمال الدخول اكتب الأرقام التالية في الصفحة: 590 217\n\nتنتهي صلاحيتها بعد عشر دقائق.',
      code: '590217',
      link: null,
    },
    {
      name: 'رمز مؤقت للتطبيق',
      subject: 'رمزك المؤقت',
      html: '<div dir="rtl"><p>رمزك المؤقت لتطبيق مسار:</p><p style="font-size:30px"><b>٣٠٨١</b></p><p>لا تعطه لأي شخص.</p></div>',
      code: '3081',
      link: null,
    },
    {
      name: 'فاتورة الكهرباء',
      subject: 'فاتورتك لشهر نوفمبر',
      text: 'رقم الحساب: 30117745. رقم الفاتورة: 880214. المبلغ المستحق 214.50 ريال. رمز السداد 001. آخر موعد 05/12/2026.',
      code: null,
      link: null,
    },
  ],
  hi: [
    {
      name: 'लॉगिन की पुष्टि',
      subject: 'लॉगिन की पुष्टि करें',
      text: 'नमस्ते अंजलि,\n\nआगे बढ़ने के लिए 4 8 2 9 3 0 दर्ज करें। यह 10 मिनट तक मान्य है।\n\nइसे किसी के साथ साझा न करें।',
      code: '482930',
      link: null,
    },
    {
      name: 'बिजली का बिल',
      subject: 'आपका बिजली बिल',
      text: 'उपभोक्ता संख्या 330071842, बिल संख्या 77120. राशि ₹1,240. अंतिम तिथि 05-12-2026. शिकायत के लिए 1912 पर कॉल करें।',
      code: null,
      link: null,
    },
    {
      name: 'पिन कोड',
      subject: 'आपका पार्सल रास्ते में है',
      text: 'आपका पार्सल 29 नवंबर को पहुँचेगा। पता: 12 गांधी मार्ग, जयपुर, पिन कोड 302001। ऑर्डर 40718823।',
      code: null,
      link: null,
    },
  ],
  ja: [
    {
      name: '本人確認の数字',
      subject: '【こもれび銀行】お手続きの確認',
      text: '山田様\n\n画面に次の数字をご入力ください。\n\n　７３０２８５\n\n有効時間は5分です。心当たりがない場合は 0120-444-555 までご連絡ください。',
      code: '730285',
      link: null,
    },
    {
      name: 'ログイン用パスワード',
      subject: 'ログインのご案内',
      html: '<p>いつもご利用ありがとうございます。</p><p>今回限りのパスワード：<b>KD48-7719</b></p><p>30分を過ぎると使えなくなります。</p>',
      code: 'KD48-7719',
      link: null,
    },
    {
      name: '予約番号',
      subject: 'ご予約を承りました',
      text: 'ご予約番号：20261130-4471\n部屋番号 0812\nチェックイン 15:00\n〒600-8216 京都市下京区\n電話 075-000-1122',
      code: null,
      link: null,
    },
  ],
  ko: [
    {
      name: '이메일 확인',
      subject: '이메일 주소를 확인해 주세요',
      text: '안녕하세요, 지민 님.\n\n가입을 마치려면 아래 숫자를 입력창에 넣어 주세요.\n\n208 441\n\n10분이 지나면 다시 요청해야 합니다.',
      code: '208441',
      link: null,
    },
    {
      name: '주문 안내',
      subject: '주문하신 상품이 출발했습니다',
      text: '주문번호 2026112304418, 운송장번호 6889 1044 7720. 우편번호 06164. 고객센터 1588-0042.',
      code: null,
      link: null,
    },
    {
      name: '쿠폰',
      subject: '생일 쿠폰이 도착했어요',
      text: '결제할 때 쿠폰 코드 HBD2026을 입력하면 5,000원 할인됩니다. 12월 31일까지.',
      code: null,
      link: null,
    },
  ],
  'zh-hans': [
    {
      name: '绑定新手机',
      subject: '正在绑定新手机',
      text: '您好，\n\n您正在为账号 li***@mail.example 绑定新手机，请在页面填写：885 130。\n\n五分钟内有效，请勿转发。',
      code: '885130',
      link: null,
    },
    {
      name: '取票',
      subject: '购票成功',
      text: '订单号 E771203948，G1024次 07车12F号。乘车日期2026年11月28日 08:15开。请提前取票，客服电话12306。',
      code: null,
      link: null,
    },
    {
      name: '安全提醒',
      subject: '防诈骗提醒',
      text: '近期有人冒充客服索要验证码。请记住：任何人索要验证码都是诈骗。举报请拨打96110。本提醒编号202611。',
      code: null,
      link: null,
    },
  ],
}
