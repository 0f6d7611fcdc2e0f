import type { CodeLanguage } from '../code-language.ts'

export const sv: CodeLanguage = {
  hints: ['kod', 'lösenord', String.raw`pin\b(?<=\bpin)`, 'verifier'],
  sure: [
    '(?:verifierings|säkerhets|bekräftelse|inloggnings|engångs|aktiverings|åtkomst|återställnings|autentiserings|identifierings)-?(?:kod(?:en)?|lösenord(?:et)?|pin)',
    '(?:tillfällig|tillfälliga) (?:kod|koden|lösenord)|kod för att logga in',
  ],
  other: [
    '(?:rabatt|kampanj|presentkorts?|värde|post|streck|qr|kund|produkt|fel|inbjudnings|värvnings|paket|hämt|bokning|boknings|port|erbjudande)-?kod(?:en|er)?',
    'pin-?kod(?:en)? (?:till|för) (?:ditt|ert) (?:nya )?(?:kort|bankkort)',
  ],
  bare: ['kod', 'koden', 'pin', 'pinkod(?:en)?'],
  identity: ['logga in|inloggning|verifier|bekräft|lösenord|identitet|engångs|giltig|dela inte|går ut|aktiver'],
  yours: ['din', 'denna', 'följande', 'här', 'ange', 'använd', 'skriv'],
  is: ['är'],
  isYour: ['är (?:din|en|koden)'],
  enter: ['(?:ange|använd|skriv in|mata in)(?: koden)?'],
  to: ['för', 'i', 'på', 'som'],
  purposes: ['logga in', 'verifier', 'bekräft', 'slutför', 'fortsätt', 'aktiver', 'återställ', 'registrer'],
  shop: [String.raw`rabatt|fri frakt|erbjudande|\brea\b|spara|presentkort`],
  labels: [
    'order|ordernummer|faktura|fakturanummer|kundnummer|ärende|ärendenummer|paket|försändelse|kollinummer|bokning|bokningsnummer|konto|belopp|telefon|tel|referens|referensnummer|ocr|diarienummer',
  ],
  files: ['ärende|ärendenummer|faktura|paket|paketet|försändelse|tull|återbetalning|skatt|böter|kort|kortet|bokningsnummer'],
}
