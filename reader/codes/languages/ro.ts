import { type CodeLanguage, words } from '../code-language.ts'

export const ro: CodeLanguage = {
  hints: words`cod(?:ul|uri)?\b(?<=\bcod(?:ul|uri)?)|parol[aăe]|autentific|verificar`,
  sure: words`
    (?:codul?|parola|pinul?) (?:(?:t[aă]u|dvs\.?|dumneavoastr[aă]) )?(?:temporar[aă]? )?de (?:verificare|securitate|confirmare|acces
      |autentificare|autorizare|activare|conectare|validare|recuperare|resetare|înregistrare|logare|identificare
      |unic[aă] folosin[tțţ][aă])
    (?:codul?|parola) (?:unic[aă]?|otp|sms|temporar[aă]?|de unic[aă] folosin[tțţ][aă])|codul? de (?:patru|cinci|șase|opt|4|5|6|8) cifre
    codul? (?:pentru|ca s[aă]) (?:autentific|conect|verific|confirm|valid|reset)
  `,
  other: words`
    codul? (?:de la (?:u[sșş][aă]|poart[aă])|alarmei|wi-?fi)
    cod(?:ul|uri)? (?:(?:de )?(?:ridicare|reducere|client|abonat|comand[aă]|rezervare|bare|eroare|produs|urm[aă]rire|voucher|cupon
      |referin[tțţ][aă]|plat[aă]|po[sșş]t[aă]|ofert[aă]|invita[tțţ]ie|expedi[tțţ]ie|livrare)|po[sșş]tal|promo(?:țional)?|fiscal|qr|iban
      |swift|cupon)
    pin(?:ul)? (?:noului |de la )?card(?:ului)?
  `,
  bare: words`cod|codul|pin`,
  identity: words`
    autentific|conect[aă]|verific|confirm(?:a|ă|area|ați|ati) (?:adresa|contul|identit)|parol[aăe]|identit|valabil|expir[aă]
    nu (?:îl |o )?(?:comunica|divulga|împ[aă]rt)|activ[aă]|aplica[tțţ]i
  `,
  yours: words`t[aă]u|dvs|acest|urm[aă]torul|aici|de mai jos|introdu|introduce[tțţ]i|folose[sșş]te|folosi[tțţ]i|scrie`,
  is: words`este`,
  isYour: words`este (?:codul|parola)`,
  enter: words`(?:introdu|introduce[tțţ]i|folose[sșş]te|folosi[tțţ]i|scrie|scrie[tțţ]i|tasteaz[aă])(?: codul)?`,
  to: words`pentru|ca|în|pe|la`,
  purposes: words`aprob|autentific|conect|verific|confirm|continu|activ|finaliz|reset|înregistr|valid`,
  shop: words`reducer|ofert[aăe]|cupon|voucher|co[șş](?:ul)? de cump|în coș|livrare gratuit|prieten|cadou`,
  labels: words`
    comand[aă]|comanda nr|factur[aăi]|num[aă]r(?:ul)? (?:comenzii|facturii|de client|contului|de telefon|coletului)|awb|client|abonat
    rezervare|bilet|telefon|tel|total|sum[aă]|contract|dosar|iban|cui|cnp|card(?:ul)?|vagon|loc
  `,
  files: words`
    colet(?:ul|ului)?|curier(?:ul)?|awb|factur[aăi]|dosar(?:ul)?|vam[aă]|ramburs(?:are)?|amend[aă]|impozit|taxe|cardul(?:ui)?
  `,
  doors: words`u[șş][aăi]|poart[aă]|locker|cheie|wi-?fi|easybox|fanbox`,
  told: words`arat[aă]|arăta[tț]i|prezint[aă]|(?:curierului|livratorului|[sș]oferului|po[sș]ta[sș]ului)`,
  enters: words`introdu|scrie|tasteaz|tasta[tțţ]i|copiaz|copia[tțţ]i|lipe[sșş]|completeaz|completa[tțţ]i`,
  places: words`(?:aplica[tțţ]i|pagin|formular|site|ecran|c[aâ]mp|fereastr|set[aă]ri|browser|portal)`,
  digits: words`cifre|numere|caractere|litere`,
  numbers: words`cifre|num[aă]r|caractere|litere`,
  asks: words`cere(?:m|ți)?\b|solicit|întreab`,
  expired: words`(?:a|au) expirat|nu mai (?:este|e|poate|func[tțţ]ion)`,
  fraud: words`fraud|phishing|în[sșş]el[aă]tor|mesaje false`,
  bills: words`factur|chitan|plat[aă](?!\p{L})|pl[aă][tț]i|transfer|comand|cump[aă]r|colet|livr|ramburs`,
  warns: words`(?:niciodată|nu).{0,25}(?:cere|solicita|suna)`,
  three: words`(?:trei|3) cifre`,
  approves: words`autoriza|aproba|semna`,
  confirms: words`
    confirm(?:ă|a[tțţ]i|area adresei)\b|verific[aă][ ]|activeaz|activa[țţ]i|valideaz|reset(?:eaz|a[tțţ]i|area|are)
    (?:seteaz|alege|creeaz|schimb).{0,15}parol|finaliz.{0,20}[iî]nregistr|accept.{0,15}invita|debloc|uitat.{0,10}parol
    schimb[aă].{0,6}parol
  `,
  signsIn: words`autentific[aă]-te|conecteaz[aă]-te|autentific|conect`,
  invites: words`te-a invitat|invita[țt]ie`,
  accepts: words`al[aă]tur|accept`,
  here: words`(?:(?:clic|click|apas[aă]|d[aă] clic) )?(?:aici|acest link|pe acest link|linkul|da(?:,[^?]{0,40})?|continu[aă])`,
  besides: words`
    dezabon|confiden[tțţ]ial|termeni|ajutor|asisten|raport|nu (?:e[sșş]ti|sunte[tțţ]i|a[tțţ]i|ai)|set[aă]ri|comand|factur|colet|urm[aă]r
    rezerv|ramburs|amend[aă]|vam[aă]l
  `,
  alerts: words`alert[aă]|avertiz|autentificare nou|dispozitiv nou|parola a fost|suspect|neobi[sșş]nuit|fraud|phishing`,
  ignored: words`
    ignor[aă]|nu (?:trebuie|este nevoie|e nevoie) s[aă] (?:face|faci)|nu face(?:[tțţ]i)? nimic|nu se va [iî]nt[aâ]mpla
    [sș]terge(?:[tțţ]i)? acest
  `,
  lasts: words`link(?:ul)?\b[^.!?]{0,40}(?:valabil|valid|expir|func[tțţ]ion|o singur)`,
  nearlyDone: words`un (?:singur |ultim )?(?:clic|click|pas)\b|ultimul pas|aproape (?:gata|ai terminat)`,
  travel: words`zbor|hotel|nop[tțţ]i|cazare|sejur|rezervare|bilet|bilete`,
}
