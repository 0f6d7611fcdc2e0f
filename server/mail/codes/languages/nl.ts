import type { CodeLanguage } from '../code-language.ts'

export const nl: CodeLanguage = {
  hints: ['code', 'wachtwoord', 'verificat'],
  sure: [
    '(?:verificatie|beveiligings|bevestigings|inlog|aanmeld|toegangs|activatie|activerings|herstel|validatie|authenticatie)-?(?:code|pincode|wachtwoord)s?',
    'eenmalige? (?:code|pincode|inlogcode|toegangscode|wachtwoord)|tijdelijke? (?:code|wachtwoord)',
    'code om (?:in te loggen|je aan te melden|uw aanmelding)',
  ],
  other: [
    '(?:kortings|actie|promotie|cadeau|kado|voucher|klant|product|fout|streep|qr|uitnodigings|vrienden|bestel|track|volg|pakket|afhaal|boekings|reserverings)-?codes?',
    'pincode van (?:je|uw) (?:nieuwe )?(?:pas|bankpas|kaart)|post-?code',
  ],
  bare: ['codes?', 'pincode'],
  identity: ['inlog|in te loggen|aanmeld|verifi|bevestig|wachtwoord|identiteit|eenmalig|geldig|verloopt|deel deze code'],
  yours: ['je', 'jouw', 'uw', 'deze', 'volgende', 'hier', 'gebruik', 'voer'],
  is: ['is', 'luidt'],
  isYour: ['is (?:je|jouw|uw|de|een)'],
  enter: ['(?:voer|gebruik|typ|vul)(?: de(?: code)?)?'],
  to: ['om', 'in', 'voor', 'als'],
  purposes: ['inlog', 'in te loggen', 'verifi', 'bevestig', 'aanmeld', 'voltooi', 'door te gaan', 'activer', 'herstel'],
  shop: ['korting|aanbieding|gratis verzending|bespaar|cadeaubon'],
  labels: [
    'bestelling|bestelnummer|ordernummer|factuur|factuurnummer|klantnummer|referentie|kenmerk|dossier|dossiernummer|zaaknummer|pakket|zending|track(?:ing)?nummer|rekening|bedrag|telefoon|tel|polis|reservering|boekingsnummer|kaart',
  ],
  files: ['dossier|factuur|pakket|pakketje|zending|douane|terugbetaling|belasting|boete|creditcard|bankpas|betaalpas|zaaknummer'],
}
