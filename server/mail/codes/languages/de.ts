import type { CodeLanguage } from '../code-language.ts'

export const de: CodeLanguage = {
  hints: ['code', 'passwort', 'kennwort', String.raw`tan\b(?<=[\d-]tan)`, 'mtan', 'einmal', 'bestätig', String.raw`pin\b(?<=\bpin)`],
  sure: [
    '(?:verifizierungs|verifikations|best[aä]tigungs|sicherheits|einmal|anmelde|zugangs|zugriffs|aktivierungs|freischalt|authentifizierungs|login|registrierungs|wiederherstellungs|pr[uü]f|identifikations)-?(?:code|pin|kennwort|passwort|schl[uü]ssel|tan)',
    String.raw`(?:sms-?|mobile ?|einmal-?|push-?|m)tan(?!\p{L})`,
    'code zur (?:anmeldung|best[aä]tigung|verifizierung|freischaltung)',
  ],
  other: [
    '(?:gutschein|rabatt|aktions|promo|angebots|vorteils|vorgangs|kunden|artikel|produkt|fehler|bank|strich|bar|qr|quell|farb|empfehlungs|einladungs|bonus|gewinn|abhol|paket|sendungs)-?codes?',
    '(?:karten|girocard)-?pins?|pin (?:ihrer|deiner|zu ihrer|f[uü]r ihre) karte',
  ],
  bare: ['codes?', 'pin', 'tan'],
  identity: ['best[aä]tig|anmeld|einlogg|passwort|kennwort|einmal|verifizier|g[uü]ltig|identit[aä]t|freischalt'],
  yours: ['dein', 'ihr', 'ihren', 'deinen', 'folgende[nr]?', 'hier', 'geben sie', 'gib'],
  is: ['ist', 'lautet'],
  isYour: ['(?:ist|als) (?:dein|ihr|der|ein)'],
  enter: ['(?:geben sie|gib|verwenden? sie|verwende|nutzen sie|nutze)(?: den(?: code)?)?'],
  to: ['zu[mr]?', 'um', 'ein', 'auf', 'in'],
  purposes: ['anmeld', 'bestätig', 'einlogg', 'verif', 'fortfahr', 'freischalt', 'zurückset', 'abschlie', 'aktiv', 'regist'],
  shop: ['rabatt|gutschein|versandkostenfrei|angebot|ersparnis|sichern sie'],
  labels: [
    String.raw`vorgang|fall|aktenzeichen|auftrag|bestellung|rechnung|konto|blz|bic|iban|\p{L}{1,30}(?:nummer|-?nr|kennung|zeichen)|buchung|sendung|paket|betrag|telefon|tel|kunde|vertrag|karte`,
  ],
  files: [
    'bankleitzahl|aktenzeichen|vorgang|vorgangsnummer|rechnung|sendung|sendungsnummer|paket|zoll|r[uü]ckerstattung|steuern?|bu[sß]geld|kreditkarte|buchung|buchungsnummer',
  ],
  meetings: [String.raw`\b(?:meeting|besprechungs|webinar|konferenz)-id\b`],
}
