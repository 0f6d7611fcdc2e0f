import type { CodeLanguage } from '../code-language.ts'

export const da: CodeLanguage = {
  hints: ['kode', 'adgangskode', String.raw`pin\b(?<=\bpin)`],
  sure: [
    '(?:bekræftelses|verifikations|verificerings|sikkerheds|engangs|aktiverings|adgangs|login|gendannelses|godkendelses)-?(?:kode(?:n)?|adgangskode|pin)',
    'midlertidig(?:e)? (?:kode|adgangskode)',
  ],
  other: [
    '(?:rabat|kampagne|gavekorts?|tilbuds|stregr?|qr|kunde|produkt|fejl|invitations|pakke|afhentnings|booking)-?koder?n?|postnummer',
    'pinkode(?:n)? til (?:dit|deres) (?:nye )?(?:kort|dankort)',
  ],
  bare: ['kode', 'koden', 'pin(?:kode)?'],
  identity: ['log(?:ge)? ind|bekræft|verific|adgangskode|identitet|engangs|gyldig|udløber|del ikke|aktiver'],
  yours: ['din', 'denne', 'følgende', 'her', 'indtast', 'brug', 'skriv'],
  is: ['er'],
  isYour: ['er (?:din|en|koden)'],
  enter: ['(?:indtast|brug|skriv|anvend)(?: koden)?'],
  to: ['for', 'til', 'i', 'på', 'som'],
  purposes: ['log(?:ge)? ind', 'bekræft', 'verific', 'fortsæt', 'fuldfør', 'aktiver', 'nulstil', 'registrer'],
  shop: ['rabat|gratis fragt|tilbud|udsalg|spar|gavekort'],
  labels: [
    'ordre|ordrenummer|faktura|fakturanummer|kundenummer|sag|sagsnummer|pakke|forsendelse|booking|konto|beløb|telefon|tlf|reference',
  ],
  files: ['sag|sagsnummer|faktura|pakke|pakken|forsendelse|told|refusion|skat|bøde|kort|kortet'],
}
