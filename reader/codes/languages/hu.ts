import { type CodeLanguage, words } from '../code-language.ts'

/** Its words take endings, so most are written as beginnings. */
export const hu: CodeLanguage = {
  hints: words`k[oó]d|jelsz|azonos[ií]t|hiteles|meger[oő]s`,
  sure: words`
    (?:ellen[oő]rz[oő]|hiteles[ií]t[oő]|biztons[aá]gi|meger[oő]s[ií]t[oő]|bel[eé]p[eé]si|bejelentkez[eé]si|azonos[ií]t[aá]si
      |azonos[ií]t[oó]|aktiv[aá]l[oó]|aktiv[aá]ci[oó]s|hozz[aá]f[eé]r[eé]si|regisztr[aá]ci[oó]s|j[oó]v[aá]hagy[aá]si|al[aá][ií]r[oó]
      |vissza[aá]ll[ií]t[aá]si|sms|ideiglenes)[ -]?(?:k[oó]d|jelsz[oó]|jelszav|pin)(?:od|ja|ot|odat|a)?
    egyszer(?:i| haszn[aá]latos| haszn[aá]lhat[oó]) ?(?:haszn[aá]latos )?(?:k[oó]d|jelsz[oó]|jelszav)(?:od|a|ja)?
    (?:n[eé]gy|öt|hat|nyolc|4|5|6|8)[ -]?(?:jegy[uű]|sz[aá]mjegy[uű]) (?:k[oó]d|sz[aá]m)
  `,
  other: words`
    (?:kapu|ajt[oó]|riaszt[oó]|wi-?fi)[ -]?(?:k[oó]d|jelsz[oó])
    (?:kedvezm[eé]ny|kupon|aj[aá]nd[eé]k|promo(?:ci[oó]s)?|átv[eé]teli|foglal[aá]si|vev[oő]|ügyf[eé]l|vonal|qr|hiba|ir[aá]ny[ií]t[oó]
      |term[eé]k|nyomk[oö]vet[oő]|csomag|rendel[eé]si|akci[oó]s|sorozat)[ -]?k[oó]d(?:ot|od|ja)?
    bankk[aá]rty[aá](?:j[aá]nak|d)? pin(?:-k[oó]d)?(?:ja)?|k[aá]rty[aá](?:j[aá]nak|d)? pin(?:-k[oó]d)?(?:ja)?
  `,
  bare: words`k[oó]d|k[oó]dod|k[oó]dot|k[oó]dja|k[oó]ddal|pin`,
  identity: words`
    bejelentkez|bel[eé]p|azonos[ií]t|ellen[oő]rz|hiteles|meger[oő]s[ií]t|jelsz[oó]|egyszer haszn|érv[eé]nyes|lej[aá]r
    ne (?:adja|adja|oszd|ossza|add)|aktiv[aá]l|regisztr[aá]
  `,
  yours: words`az [oö]n|ez|ezt|az al[aá]bbi|itt|k[oó]dod|írd be|írja be|add meg|adja meg|haszn[aá]ld`,
  is: words`ez|a k[oö]vetkez[oő]`,
  isYour: words`(?:az? )?(?:ön )?(?:bel[eé]p[eé]si|ellen[oő]rz[oő]|meger[oő]s[ií]t[oő])`,
  enter: words`(?:írd|írja) be(?: az? )?|haszn[aá]l(?:d|ja)(?: az? )?`,
  to: words`k[oó]d|a|az`,
  purposes: words`j[oó]v[aá]hagy|bejelentkez|bel[eé]p|meger[oő]s|ellen[oő]rz|folytat|aktiv|regisztr`,
  shop: words`kedvezm[eé]ny|kupon|akci[oó]|kos[aá]r|p[eé]nzt[aá]r|aj[aá]nd[eé]k|ingyenes sz[aá]ll|bar[aá]tod|bar[aá]taid`,
  labels: words`
    rendel[eé]s|rendel[eé]ssz[aá]m|sz[aá]mlasz[aá]m|sz[aá]mla|ügyf[eé]lsz[aá]m|vev[oő]k[oó]d|csomagsz[aá]m|csomag|foglal[aá]s
    jegyazonos[ií]t[oó]|ügysz[aá]m|iktat[oó]sz[aá]m|telefon|tel|összeg|fizetend[oő]|v[eé]g[oö]sszeg|szerz[oő]d[eé]s|k[aá]rtya|kocsi|hely
  `,
  files: words`
    csomag(?:od|ja|ot|sz[aá]m)?|fut[aá]r|sz[aá]mla|ügyirat|v[aá]m|ad[oó]|b[ií]rs[aá]g|visszat[eé]r[ií]t[eé]s|bankk[aá]rty[aá]d?
    k[aá]rty[aá]d?
  `,
  doors: words`ajt[oó]|kapu|kulcs|csomagautomata|rekesz|wi-?fi`,
  told: words`mutassa|mutasd|(?:fut[aá]rnak|fut[aá]runknak|k[eé]zbes[ií]t[oő]nek|sof[oő]rnek)`,
  enters: words`írd be|írja be|írd [ií]de|add meg|adja meg|g[eé]pel|m[aá]sol|illeszd|illessze`,
  places: words`(?:alkalmaz|oldal|űrlap|mez[oő]|k[eé]perny|ablak|be[aá]ll[ií]t|b[oö]ng[eé]sz|port[aá]l|weboldal)`,
  digits: words`sz[aá]mjegy|karakter|bet[uű]`,
  numbers: words`sz[aá]mjegy|sz[aá]m|karakter|bet[uű]`,
  asks: words`k[eé]ri|k[eé]r|k[eé]rdez`,
  expired: words`lej[aá]rt|m[aá]r nem (?:érv[eé]nyes|haszn[aá]lhat|m[uű]k[oö]d)|érv[eé]ny[eé]t vesztette`,
  fraud: words`csal[aá]s|csal[oó]k?\b|adathal[aá]sz|hamis (?:e-?mail|üzenet|lev[eé]l)`,
  bills: words`számla|számlá|nyugta|fizetés|utalás|rendelés|vásárlás|csomag|szállít|kézbesít|visszatérít`,
  warns: words`(?:soha|sosem).{0,20}(?:kér|hív)`,
  three: words`háromjegyű|3[- ]?jegyű|(?:három|3) számjegy`,
  approves: words`jóváhagy|alá[ií]r`,
  confirms: words`
    meger[oő]s[ií]t[eé]se?\b|meger[oő]s[ií]t[eé]s[eé](?:hez|re)|meger[oő]s[ií]tem|er[oő]s[ií]ts|er[oő]s[ií]tse|ellen[oő]rizd
    aktiv[aá]l(?:d|ja|om|ás)|jelsz[oó] (?:vissza|m[oó]dos|be[aá]ll)|új jelsz|regisztr[aá]ci[oó] (?:befejez|v[eé]gleges)
    megh[iív][vó][aá]s elfogad|felold|elfelejt.{0,12}jelsz
  `,
  signsIn: words`bejelentkez[eé]s|bel[eé]p`,
  invites: words`megh[ií]v`,
  accepts: words`csatlakoz|elfogad`,
  here: words`(?:kattints(?:on)? )?(?:ide|erre a linkre|a linkre|itt|igen[^?]{0,40}|tov[aá]bb)`,
  besides: words`
    leiratkoz|adatv[eé]del|felt[eé]tel|s[uú]g[oó]|seg[ií]ts[eé]g|t[aá]mogat|bejelent[eé]s|nem (?:te|ön|k[eé]rt)|be[aá]ll[ií]t
    rendel[eé]s|sz[aá]mla|csomag|nyomk[oö]vet|foglal|v[aá]m|b[ií]rs[aá]g
  `,
  alerts: words`
    figyelmeztet|riaszt|új (?:bejelentkez|eszk[oö]z|bel[eé]p)|jelszav[aá]t? megv[aá]ltoz|gyan[uú]s|szokatlan|csal[aá]s|adathal[aá]sz
  `,
  ignored: words`
    hagyd figyelmen|hagyja figyelmen|nincs (?:semmi )?(?:teend|tov[aá]bbi)|nem kell (?:semmit|tenn)|semmi (?:nem|teend)|t[oö]r[oö]ld
    t[oö]r[oö]lje
  `,
  lasts: words`link\p{L}{0,3}\b[^.!?]{0,40}(?:[eé]rv[eé]nyes|lej[aá]r|m[uű]k[oö]d|egyszer)`,
  nearlyDone: words`(?:m[aá]r csak )?egy (?:kattint|l[eé]p[eé]s)|utols[oó] l[eé]p[eé]s|majdnem (?:k[eé]sz|meg)`,
  travel: words`j[aá]rat|hotel|sz[aá]lloda|sz[aá]ll[aá]s|éjszaka|foglal[aá]s|foglal[aá]sod|vonatjegy`,
}
