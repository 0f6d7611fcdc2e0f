import type { CodeLanguage } from '../code-language.ts'

export const fi: CodeLanguage = {
  hints: ['koodi', 'tunnusluku', 'salasana', 'vahvist'],
  sure: [
    String.raw`(?:vahvistus|varmennus|turva|kerta(?:käyttö)?|kirjautumis|aktivointi|tunnistautumis|todennus|palautus|pääsy)-?(?:koodi\p{L}{0,4}|salasana\p{L}{0,3})`,
    String.raw`kertakäyttöi\p{L}{1,5} (?:koodi|salasana|tunnus)\p{L}{0,4}|väliaikainen (?:koodi|salasana)`,
  ],
  other: [
    String.raw`(?:alennus|tarjous|kampanja|lahja|posti|viiva|qr|asiakas|tuote|virhe|kutsu|nouto|paketti|varaus)-?(?:koodi\p{L}{0,4}|numero)`,
    '(?:kortin|korttisi) (?:pin|tunnusluku)',
  ],
  bare: ['koodi', 'koodisi', 'koodin', 'tunnusluku', 'pin'],
  identity: ['kirjau|vahvist|varmenn|salasana|henkilöllisy|kertakäyt|voimassa|vanhenee|älä jaa|tunnistau|aktivoi'],
  yours: ['sinun', 'tämä', 'seuraava', 'tässä', 'syötä', 'käytä', 'anna', 'koodisi'],
  is: ['on'],
  isYour: ['on (?:sinun |vahvistus|kirjautumis|kerta|turva)?'],
  enter: ['(?:syötä|käytä|anna|kirjoita)(?: koodi(?:a)?)?'],
  to: ['kun', 'jotta', 'sivulla', 'sovelluksessa'],
  purposes: ['kirjau', 'vahvist', 'jatka', 'viimeistel', 'aktivoi', 'palauta', 'rekister'],
  shop: ['alennus|tarjous|ilmainen toimitus|säästä|lahjakort'],
  labels: [
    'tilaus|tilausnumero|lasku|laskun numero|viite|viitenumero|asiakasnumero|asia|asianumero|paketti|lähetys|seurantatunnus|varaus|varausnumero|tili|summa|puh|puhelin',
  ],
  files: ['lasku|viitenumero|paketti|lähetys|tulli|palautus|vero|sakko|kortti|kortin|asianumero'],
}
