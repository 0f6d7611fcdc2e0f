import { type CodeLanguage, words } from '../code-language.ts'

export const tr: CodeLanguage = {
  hints: words`kod|[sş]ifre|do[gğ]rula|parola`,
  sure: words`
    (?:do[gğ]rulama|onay|g[uü]venlik|giri[sş]|imza|i[sş]lem|[oö]deme|kay[ıi]t|aktivasyon|sms) (?:numara|[sş]ifre|kod|parola)\p{L}{0,6}
    (?:d[oö]rt|be[sş]|alt[ıi]|sekiz|4|5|6|8) haneli (?:kod|[sş]ifre)\p{L}{0,6}|tek seferlik (?:kod|[sş]ifre|parola)\p{L}{0,6}
    (?:do[gğ]rulama|g[uü]venlik|onay|giri[sş]|aktivasyon|etkinle[sş]tirme|kimlik do[gğ]rulama|kurtarma|e[sş]le[sş]tirme|s[iı]f[iı]rlama
      |eri[sş]im) kod\p{L}{0,6}
    tek kullan[iı]ml[iı]k (?:[sş]ifre|kod|parola)\p{L}{0,6}|ge[cç]ici (?:[sş]ifre|kod)\p{L}{0,6}
  `,
  other: words`
    (?:kap[ıi]|alarm|teslim) kod
    (?:indirim|promosyon|kampanya|hediye|posta|barkod|qr|m[uü][sş]teri|[uü]r[uü]n|hata|davet|kargo|takip|rezervasyon|kupon
      |teslimat) kod\p{L}{0,6}
    kart[iı]n[iı]z[iı]n (?:pin|[sş]ifre)\p{L}{0,4}
  `,
  bare: words`kod|kodu|kodunuz|kodunu|kodun|[sş]ifre|[sş]ifreniz|pin`,
  identity: words`
    giri[sş]i|(?:senin|sizin) mi|giri[sş] yap|oturum a[cç]|do[gğ]rula|onayla|[sş]ifre|kimli[gğ]|tek kullan|ge[cç]erli|payla[sş]may
    s[uü]resi
  `,
  yours: words`sizin|bu|a[sş]a[gğ][iı]daki|i[sş]te|girin|kullan[iı]n|kodunuz|kodun`,
  is: words`olarak`,
  isYour: words`numaral[ıi] (?:kod|[sş]ifre)|kodunu|kodun|kodu ile|(?:sizin )?(?:do[gğ]rulama|g[uü]venlik|giri[sş]|onay|tek kullan)`,
  enter: words`kodunuz olarak`,
  to: words`ile|kodunu|kodu`,
  purposes: words`giri[sş]|do[gğ]rula|onayla|tamamla|devam|etkinle[sş]|s[iı]f[iı]rla`,
  shop: words`arkada|indirim|kampanya|[uü]cretsiz kargo|kupon|f[iı]rsat|hediye`,
  labels: words`
    sipari[sş]|sipari[sş] (?:no|numaras[iı])|fatura|fatura (?:no|numaras[iı])|m[uü][sş]teri (?:no|numaras[iı])|kargo
    takip (?:no|numaras[iı])|rezervasyon|hesap|tutar|tel|telefon|dosya (?:no|numaras[iı])|referans|kart
  `,
  files: words`kargo|g[oö]nderi|paket|g[uü]mr[uü]k|iade|vergi|ceza|fatura|dosya|kart[iı]|bor[cç](?:unuz|u)?|[oö]deme emri|iade(?:niz)?`,
  reports: words`hata(?:sı)?|başarısız|reddedildi|arıza|reddetti`,
  doors: words`kap[ıi](?:y[ıi]|n[ıi]n)?|anahtar(?:[ıi])?|dolap`,
  told: words`g[oö]sterin|(?:kuryeye|kuryenize|kuryemize|da[gğ][iı]t[iı]c[iı]ya|s[uü]r[uü]c[uü]ye|postac[iı]ya)`,
  enters: words`
    (?:rakamlar[ıi]|say[ıi]y[ıi]|numaray[ıi]) kullan|gir(?:in|iniz|meniz|ebilir|mek|erek|ip)?\b|yaz(?:[ıi]n|man[ıi]z|ar|[ıi]p)?\b
    kodunu kullan|yap[ıi][sş]t[ıi]r|kopyala|tu[sş]la
  `,
  places: words`(?:uygulama|sayfa|form|site|alan|ekran|pencere|ayarlar|taray[ıi]c|kutu|portal|sekme)`,
  digits: words`(?:rakam|karakter|harf|hane)`,
  numbers: words`(?:rakam|say[ıi]|numara|karakter|harf|hane)`,
  asks: words`soruyor|sorar|soracak|istiyor|ister|isteyecek`,
  cards: words`ve kart (?:bilgi|numara)`,
  expired: words`
    (?:s[uü]resi (?:doldu|dolmu[sş]|ge[cç]ti|bitti)|ge[cç]erlili[gğ]i(?:ni)? (?:doldu|bitti|yitirdi|kaybetti|sona)|art[ıi]k ge[cç]er
      |kullan[ıi]lamaz|ge[cç]ersiz)
    e[sş]le[sş]miyor
  `,
  fraud: words`doland[ıi]r|sahte|oltalama|phishing`,
  bills: words`fatura|makbuz|ekstre|ödeme|havale|eft\b|sipariş|alışveriş|kargo|gönderi|paket|teslimat|iade`,
  warns: words`(?:asla|hiçbir zaman|kesinlikle).{0,25}(?:sorma|iste(?:me|yiz)|talep etme|arama)`,
  three: words`(?:üç|3) (?:haneli|rakamlı|basamaklı)`,
  approves: words`yetkilendir|imzala|kan[ıi]tla`,
  confirms: words`
    onayla(?!nd)|onay (?:linki|ba[gğ]lant)|do[gğ]rula(?!nd|ma kod)|etkinle[sş]tir(?!il)|aktive|aktifle[sş]tir|s[ıi]f[ıi]rla(?!nd)
    (?:yeni|belirle|olu[sş]tur).{0,15}(?:[sş]ifre|parola)|(?:[sş]ifre|parola).{0,12}(?:belirle|olu[sş]tur|yenile)
    (?:[sş]ifre|parola)(?:n[ıi]z[ıi]|n[ıi]).{0,40}yenile|(?:kay[ıi]t|kayd|[uü]yeli[kğ]|abonelik|i[sş]lem).{0,20}tamamla(?!nd)|daveti kabul|kilidi a[cç]|unut.{0,15}(?:[sş]ifre|parola)
    (?:[sş]ifre|parola).{0,10}(?:unut|de[gğ]i[sş]tir)
  `,
  signsIn: words`giri[sş] yap(?![ıi]l)|oturum a[cç](?![ıi]l)|giri[sş] ba[gğ]lant`,
  invites: words`davet ett|davet ediyor|daveti`,
  accepts: words`kat[ıi]l|kabul`,
  here: words`(?:buraya|buradan|bu ba[gğ]lant[ıi]|ba[gğ]lant[ıi]|burada|evet|devam)(?: \p{L}{1,12}){0,2}`,
  besides: words`
    [cç][ıi]k\b|abonelik|gizlilik|kvkk|ko[sş]ul|yard[ıi]m|destek|bildir|siz de[gğ]il|sen de[gğ]il|de[gğ]ilse|ayarlar|sipari[sş]|fatura
    takip|g[uü]vene al|kilitle|saatler|kargo|paket|g[uü]mr[uü]k|iade|ceza|teslim
  `,
  alerts: words`
    uyar[ıi]|g[uü]venlik bildir|yeni (?:oturum|giri[sş]|cihaz)|[sş]ifre(?:n|niz)? de[gğ]i[sş]|[sş][uü]pheli|ola[gğ]and[ıi][sş]
    doland[ıi]r
  `,
  ignored: words`
    dikkate alma|yok say|g[oö]rmezden gel|(?:bir [sş]ey|i[sş]lem) yapman[ıi]z(?:a)? gerek|yapman(?:[ıi]z)?a gerek yok
    hi[cç]bir [sş]ey yapma|silebilirsin
  `,
  lasts: words`(?:ba[gğ]lant[ıi]|link)\p{L}{0,3}\b[^.!?]{0,40}(?:ge[cç]erli|dolar|sona erer|kullan[ıi]labilir|[cç]al[ıi][sş]|bir kez)`,
  nearlyDone: words`(?:son|tek|bir) (?:bir )?(?:t[ıi]k|ad[ıi]m)\b|neredeyse (?:tamam|bitti|haz)|az kald[ıi]`,
  travel: words`u[cç]u[sş]|u[cç]u[sş]unuz|otel|gece|konaklama|konaklaman[ıi]z|rezervasyon|rezervasyonunuz|bilet`,
}
