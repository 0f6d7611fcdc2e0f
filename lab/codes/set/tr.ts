/** Labelled mails in Turkish. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'doğrulama kodu satırda',
    subject: 'Doğrulama kodunuz',
    text: `Merhaba Zeynep,

Doğrulama kodunuz: 604 882

Kod 3 dakika geçerlidir. Bu işlemi siz yapmadıysanız dikkate almayınız.

Çınaraltı Kitabevi A.Ş. Mersis: 0482913077100018`,
    code: '604882',
    link: null,
  },
  {
    name: 'konuda kod',
    subject: '7714 Bisiklen giriş kodun',
    html: `<p><b>7714</b> kodunu uygulamaya yaz, pedala bas!</p>`,
    text: `7714 kodunu uygulamaya yaz, pedala bas!`,
    code: '7714',
    link: null,
  },
  {
    name: 'banka onay şifresi',
    subject: '3D Secure onay şifresi',
    html: `<p>Sayın MEHMET K.,</p><p>4471 ile biten kartınızla ELEKTROEV'den yapacağınız <b>2.349,90 TL</b> tutarındaki alışveriş için tek kullanımlık şifreniz:</p><p style="font-size:30px;color:#b5171e">083719</p><p>Şifrenizi banka personeli dahil kimseyle paylaşmayınız. Boğaz Bankası 0850 555 0 144</p>`,
    code: '083719',
    link: null,
  },
  {
    name: 'harf ve rakam',
    subject: 'Televizyonunu eşleştir',
    text: `Telefonundan ekran.example/tv adresine git ve şu eşleştirme kodunu gir:

QX9-4BR

Tire işareti koda dahildir. Cihaz no: 8817 3340 2204`,
    html: `<p>Telefonundan <b>ekran.example/tv</b> adresine git ve şu eşleştirme kodunu gir:</p><h1 style="background:#f1faee">QX9-4BR</h1><p>Tire işareti koda dahildir.</p>`,
    code: 'QX9-4BR',
    link: null,
  },
  {
    name: 'şifre sıfırlama kodu',
    subject: 'Şifreni mi unuttun?',
    text: `Olur öyle. Açık kalan sayfaya 40921 yaz, sonra yeni şifreni belirle. Üye numaran 1180423.`,
    code: '40921',
    link: null,
  },
  {
    name: 'kod ve bağlantı',
    subject: "Defterim'e giriş yap",
    html: `<p><a href="https://defterim.example/gir?anahtar=70c0ae&amp;d=tr" style="background:#e63946;color:#fff">Giriş yap</a></p><p>Düğme çalışmıyorsa <b>118 570</b> kodunu kullanabilirsin.</p><p><a href="https://defterim.example/liste/cik/4417">Listeden çık</a></p>`,
    text: `Giriş yap: https://defterim.example/gir?anahtar=70c0ae&d=tr

Bağlantı çalışmıyorsa 118 570 kodunu kullanabilirsin.`,
    code: '118570',
    link: 'https://defterim.example/gir?anahtar=70c0ae&d=tr',
  },
  {
    name: 'belediye başvurusu',
    subject: 'Başvuru No: 2026/004418',
    text: `Sayın Başvuru Sahibi,

2026/004418 numaralı başvurunuz için e-posta onay kodu aşağıdadır.

E6W2KT

Kodu 15 dk. içinde e-Belediye ekranına giriniz.

Yeşilköprü Belediyesi Çağrı Merkezi: 444 0 118`,
    code: 'E6W2KT',
    link: null,
  },
  {
    name: 'iki dilli',
    subject: 'Güvenlik kodu / Security code',
    html: `<p>Güvenlik kodunuz / Your security code: <b>2 7 7 1 0 4</b></p><p>Martı Otel, oda/room 412, PNR yok</p>`,
    text: `Güvenlik kodunuz / Your security code: 2 7 7 1 0 4

Martı Otel, oda/room 412`,
    code: '277104',
    link: null,
  },
  {
    name: 'samimi dil',
    subject: 'Aramıza hoş geldin!',
    text: `Selam Efe! Adresin gerçekten senin mi diye bakıyoruz: 93-40-55 yaz gitsin. Sevgiler, Simit Durağı (Bağdat Cad. 118, 34728 Kadıköy)`,
    code: '934055',
    link: null,
  },
  {
    name: 'büyük hücre',
    subject: 'E-posta adresini doğrula',
    html: `<table><tr><td style="color:#264653">Bu kodu kayıt ekranına gir</td></tr><tr><td style="font-size:44px;letter-spacing:8px">510663</td></tr><tr><td>30 dakika sonra geçersiz olur.</td></tr></table><p>Ref: 7f3c90114d</p>`,
    code: '510663',
    link: null,
  },
  {
    name: 'kargo',
    subject: 'Kargonuz dağıtıma çıktı',
    text: `Gönderi takip no: 7330 1182 0441
Teslimat: 24.11.2026, 09:00-13:00
Alıcı posta kodu: 06420`,
    html: `<p>Gönderi takip no: <b>7330 1182 0441</b></p><p>Teslimat: 24.11.2026, 09:00-13:00</p><a href="https://hizlikargo.example/t/733011820441">Takip et</a>`,
    code: null,
    link: null,
  },
  {
    name: 'indirim kodu',
    subject: 'Sana özel indirim kodu: KASIM100',
    html: `<div style="background:#000;color:#ff006e"><h1>100 TL indirim</h1><p>Sepette kodu gir</p><p style="font-size:38px">KASIM100</p></div><p>Son gün 30.11.2026, alt limit 750 TL. <a href="https://ayakkabici.example/k?x=301126">Alışverişe başla</a> <a href="https://ayakkabici.example/iptal/88201">Abonelikten çık</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'kod SMS ile',
    subject: 'Girişini onayla',
    text: `0532 *** ** 17 numaralı telefonuna SMS ile 6 haneli bir kod gönderdik. Devam etmek için o kodu gir.

SMS gelmediyse 0850 555 0 120'yi ara.`,
    code: null,
    link: null,
  },
  {
    name: 'ceza dolandırıcılığı',
    subject: '440917',
    text: `Ödenmemiş trafik cezanız var: 440917. Tutar 993,00 TL. İndirimli ödeme için son 24 saat: https://hgs-ceza.example/440917`,
    code: null,
    link: null,
  },
  {
    name: 'uyarı',
    subject: 'Şifrenizi kimseyle paylaşmayın',
    html: `<p>Kendisini polis veya savcı olarak tanıtanlara inanmayın. <b>Bankamız sizden asla onay kodu, PIN veya CVV istemez.</b></p><p>Duyuru 2026-118</p>`,
    text: `Kendisini polis veya savcı olarak tanıtanlara inanmayın. Bankamız sizden asla onay kodu, PIN veya CVV istemez.

Duyuru 2026-118`,
    code: null,
    link: null,
  },
  {
    name: 'üyelik onayı bağlantısı',
    subject: 'Üyeliğini onayla',
    html: `<p>Merhaba Defne,</p><p>üyeliğini tamamlamak için <a href="https://uye.kitapkurdu.example/onay?u=20418&amp;k=9ee07c">buraya tıkla</a>.</p><p><a href="https://kitapkurdu.example/kvkk">KVKK metni</a></p>`,
    code: null,
    link: 'https://uye.kitapkurdu.example/onay?u=20418&k=9ee07c',
  },
  {
    name: 'yeni şifre bağlantısı',
    subject: 'Şifre yenileme talebi',
    text: `Sayın abonemiz (abone no 7700418),

şifrenizi aşağıdaki adresten 2 saat içinde yenileyebilirsiniz:
https://abone.dogalgaz.example/sifre-yenile/c17e-44b0

Talep size ait değilse: https://dogalgaz.example/iletisim`,
    code: null,
    link: 'https://abone.dogalgaz.example/sifre-yenile/c17e-44b0',
  },
  {
    name: 'yeni cihaz',
    subject: 'Hesabına yeni bir cihazdan girildi',
    html: `<p>İzmir, 22.11.2026 23:41, IP 192.0.2.88</p><p>Sen değilsen <a href="https://hesap.bisiklen.example/koru?n=30881">hesabını koru</a>.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'fatura',
    subject: 'Kasım faturanız',
    text: `Fatura no: GHB2026000048291
Hizmet no: 8840 1173
Tutar: 412,75 TL
Son ödeme: 08.12.2026
Vergi no: 4829130771`,
    html: `<table><tr><td>Fatura no</td><td>GHB2026000048291</td></tr><tr><td>Hizmet no</td><td>8840 1173</td></tr><tr><td>Tutar</td><td>412,75 TL</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: 'süresi dolan kod',
    subject: 'Kodunuzun süresi doldu',
    text: `08:02'de gönderilen 771 804 kodunun süresi doldu. Giriş ekranından yeni kod isteyin.`,
    code: null,
    link: null,
  },
  {
    name: 'otobüs bileti',
    subject: 'Biletiniz hazır',
    html: `<p>Ankara (AŞTİ) - Antalya, 04.12.2026 23:30</p><p>Koltuk 17 · Peron 48 · PNR <b>K8T44Q</b></p><p>Bilet no 118820441773</p>`,
    text: `Ankara (AŞTİ) - Antalya, 04.12.2026 23:30
Koltuk 17, Peron 48, PNR K8T44Q`,
    code: null,
    link: null,
  },
  {
    name: 'aynı uzunlukta sipariş numarası',
    subject: '551820 numaralı sipariş: adres değişikliği',
    html: `<p><b>551820</b> numaralı siparişin adresini değiştirmek için kimliğini doğrulamamız gerekiyor.</p><p>Kod: <b>420697</b></p><p>Müşteri 118204</p>`,
    text: `551820 numaralı siparişin adresini değiştirmek için kimliğini doğrulamamız gerekiyor.

Kod: 420697

Müşteri 118204`,
    code: '420697',
    link: null,
  },
  {
    name: 'geçici şifre',
    subject: 'Veli portalı geçici şifresi',
    text: `Sayın velimiz, ilk girişte kullanacağınız geçici şifre: hV35wTn8 (büyük/küçük harfe duyarlıdır). Çamlık İlkokulu 0312 555 01 70`,
    code: 'hV35wTn8',
    link: null,
    kind: 'password',
  },
  {
    name: 'kart etkinleştirme',
    subject: 'Kütüphane kartını etkinleştir',
    html: `<p>0048291 numaralı kartın hazır. <a href="https://kutuphane.example/etkinlestir?k=48291&amp;s=c7e0">Etkinleştir</a></p><p><a href="https://kutuphane.example/saatler">Çalışma saatleri</a></p>`,
    code: null,
    link: 'https://kutuphane.example/etkinlestir?k=48291&s=c7e0',
  },
  {
    name: 'başka kodlar',
    subject: 'Hata kodu 40312',
    html: `<p>Okuyucu, 8691234567890 barkodunda hata kodu 40312 veriyor. Posta kodu 34728, alan kodu 216, SWIFT kodu BOGZTRIS.</p>`,
    text: `Okuyucu, 8691234567890 barkodunda hata kodu 40312 veriyor. Posta kodu 34728, alan kodu 216, SWIFT kodu BOGZTRIS.`,
    code: null,
    link: null,
  },
  {
    name: 'davet kodu',
    subject: 'Arkadaşını getir, 50 TL kazan',
    html: `<p>Davet kodun: <b>EFE4471</b>. Arkadaşın üye olurken girsin, ikiniz de 50 TL kazanın.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'sütun başlığı ve altında kod',
    subject: 'Öğrenci portalı geçici giriş',
    html: `<table><tr><th>Öğrenci no</th><th>Tek kullanımlık parola</th></tr><tr><td>330718</td><td>175 084</td></tr></table>`,
    text: `Öğrenci no: 330718
Tek kullanımlık parola: 175 084`,
    code: '175084',
    link: null,
  },
  {
    name: 'sayaç okuma',
    subject: 'Sayaç değeriniz alındı',
    text: `Endeks: 048291
Sayaç no: 30774118
Tesisat no: 4000482913`,
    code: null,
    link: null,
  },
]
