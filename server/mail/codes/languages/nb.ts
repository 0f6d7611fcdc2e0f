import type { CodeLanguage } from '../code-language.ts'

export const nb: CodeLanguage = {
  hints: ['kode', 'passord', String.raw`pin\b(?<=\bpin)`],
  sure: [
    '(?:bekreftelses|verifiserings|sikkerhets|engangs|aktiverings|tilgangs|innloggings|påloggings|gjenopprettings|godkjennings)-?(?:kode(?:n)?|passord|pin)',
    'midlertidig(?:e)? (?:kode|passord)',
  ],
  other: [
    '(?:rabatt|kampanje|gavekorts?|tilbuds|strek|qr|kunde|produkt|feil|invitasjons|pakke|hente|bestillings)-?koder?n?|postnummer',
    'pin-?kode(?:n)? (?:til|for) (?:ditt|det) (?:nye )?(?:kort|bankkort)',
  ],
  bare: ['kode', 'koden', 'pin(?:kode)?'],
  identity: ['logg(?:e)? inn|pålogging|bekreft|verifis|passord|identitet|engangs|gyldig|utløper|ikke del|aktiver'],
  yours: ['din', 'denne', 'følgende', 'her', 'skriv', 'bruk', 'oppgi', 'tast'],
  is: ['er'],
  isYour: ['er (?:din|en|koden)'],
  enter: ['(?:skriv inn|bruk|oppgi|tast inn)(?: koden)?'],
  to: ['for', 'til', 'i', 'på', 'som'],
  purposes: ['logg(?:e)? inn', 'bekreft', 'verifis', 'fortsett', 'fullfør', 'aktiver', 'tilbakestill', 'registrer'],
  shop: ['rabatt|gratis frakt|tilbud|salg|spar|gavekort'],
  labels: [
    'ordre|ordrenummer|faktura|fakturanummer|kundenummer|sak|saksnummer|pakke|sending|sporingsnummer|bestilling|konto|beløp|telefon|tlf|referanse|kid',
  ],
  files: ['sak|saksnummer|faktura|pakke|pakken|sending|sendingen|toll|refusjon|skatt|bot|kort|kortet'],
}
