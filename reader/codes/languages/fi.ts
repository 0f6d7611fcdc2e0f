import { type CodeLanguage, words } from '../code-language.ts'

export const fi: CodeLanguage = {
  hints: words`koodi|tunnusluku|salasana|vahvist`,
  sure: words`
    (?:vahvistus|tarkistus|turva|allekirjoitus|maksu|laite|tekstiviesti)-?(?:numero|tunnus|luku)\p{L}{0,3}
    (?:vahvistus|varmennus|turva|kerta(?:käyttö)?|kirjautumis|aktivointi|tunnistautumis|todennus|palautus|pääsy)-?(?:koodi\p{L}{0,4}
      |salasana\p{L}{0,3})
    kertakäyttöi\p{L}{1,5} (?:koodi|salasana|tunnus)\p{L}{0,4}|väliaikainen (?:koodi|salasana)
  `,
  other: words`
    (?:ovi|portti|hälytys|lukko)-?koodi
    (?:alennus|tarjous|kampanja|lahja|posti|viiva|qr|asiakas|tuote|virhe|kutsu|nouto|paketti|varaus)-?(?:koodi\p{L}{0,4}|numero)
    (?:kortin|korttisi) (?:pin|tunnusluku)
  `,
  bare: words`koodi\p{L}{1,4}|tunnusluku\p{L}{1,4}|tunnusluvu\p{L}{1,4}|koodi|koodisi|koodin|tunnusluku|pin`,
  identity: words`kirjau|vahvist|varmenn|salasana|henkilöllisy|kertakäyt|voimassa|vanhenee|älä jaa|tunnistau|aktivoi`,
  yours: words`sinun|tämä|seuraava|tässä|syötä|syöttä|käytä|anna|koodisi`,
  is: words`on`,
  isYour: words`on (?:sinun |vahvistus|kirjautumis|kerta|turva)?`,
  enter: words`(?:syötä|käytä|anna|kirjoita)(?: koodi(?:a)?)?`,
  to: words`kun|jotta|sivulla|sovelluksessa`,
  purposes: words`hyväksy|kirjau|vahvist|jatka|viimeistel|aktivoi|palauta|rekister`,
  shop: words`ystäv|ostoskori|alennus|tarjous|ilmainen toimitus|säästä|lahjakort`,
  labels: words`
    tilaus|tilausnumero|lasku|laskun numero|viite|viitenumero|asiakasnumero|asia|asianumero|paketti|lähetys|seurantatunnus|varaus
    varausnumero|tili|summa|puh|puhelin
  `,
  files: words`lasku|viitenumero|paketti|lähetys|tulli|palautus|vero|sakko|kortti|kortin|asianumero`,
  doors: words`ovi|oven|avain|avaimen|lokero|portti`,
  told: words`näytä (?:koodi|tämä|se)|esitä|(?:kuljettajalle|kuriirille|lähetille|jakelijalle|postinjakajalle)`,
  enters: words`syöttä|syötä|kirjoita|näppäile|liitä|kopioi|anna\b`,
  places: words`(?:sovellu|sivu|lomak|kenttä|kentt|näyt|ikkuna|asetuk|selain|selaim|portaali)`,
  digits: words`(?:numerot|luvut|merkit|kirjaimet)`,
  numbers: words`(?:numero|luku|luvu|merk|kirjain|kirjaim)`,
  asks: words`kysyy|pyytää`,
  expired: words`on (?:jo )?(?:vanhentunut|päättynyt|rauennut)|ei ole enää (?:voimassa|käytössä)|ei (?:toimi|kelpaa) enää`,
  fraud: words`huija|phishing|tietojenkalast|väären`,
  bills: words`lasku|kuitti|maksu|tilisiirto|tilau|ostok|paketti|lähety|toimitu|hyvity`,
  warns: words`(?:emme|eivät|ei) (?:koskaan|ikinä) (?:kysy|pyydä|soita)`,
  three: words`kolminumeroi|3-numeroi|kolme (?:numeroa|merkkiä)`,
  approves: words`hyväksy|allekirjoit`,
  confirms: words`
    vahvista|varmenna|aktivoi|palauta|(?:valitse|uusi|luo).{0,15}salasana|viimeistele|avaa lukitus|hyväksy.{0,10}kutsu
    unohd.{0,15}salasana|vaihda.{0,10}salasana
  `,
  signsIn: words`kirjaudu|kirjautumi`,
  invites: words`kutsui sinut|kutsuu sinut|kutsu liittyä`,
  accepts: words`liity|hyväksy`,
  here: words`(?:(?:klikkaa|napauta) )?(?:tästä|tätä|linkkiä|kyllä[^?]{0,40}|jatka)`,
  besides: words`
    peruuta|tilauksen|tietosuoja|ehdot|ohje|asiakaspalvelu|et (?:sinä|pyytänyt)|asetuk|lasku|seura|suojaa|aukiolo|paketti|lähety|tulli
    palautuk|sakko
  `,
  alerts: words`varoitus|turvallisuusilmo|uusi (?:kirjautuminen|laite)|salasana(?:si)? (?:on )?vaihdettu|epäilyttäv|huijau`,
  ignored: words`
    j[aä]t[aä] (?:t[aä]m[aä]|viesti) (?:viesti )?huomi|voit ohittaa|sinun ei tarvitse|ei tarvitse tehd|mit[aä][aä]n ei tapahdu
    poista t[aä]m[aä] viesti
  `,
  lasts: words`link(?:ki|in)\p{L}{0,3}\b[^.!?]{0,40}(?:voimassa|vanhene|toimii|kerran)`,
  nearlyDone: words`en[aä][aä] yksi|yksi (?:klikkaus|askel|vaihe)|viimeinen (?:vaihe|askel)|melkein (?:valmis|perill)`,
  travel: words`lento|hotelli|y[oö]t[aä]|majoitus|majoituksesi|varaus|varauksesi|matkalippu|lippu`,
}
