import type { CodeLanguage } from '../code-language.ts'

export const cs: CodeLanguage = {
  hints: ['k[oó]d', 'heslo', 'ově[rř]'],
  sure: [
    '(?:ověřovací|potvrzovací|bezpečnostní|přihlašovací|jednorázov[ýé]|aktivační|autorizační|přístupov[ýé]|obnovovací|registrační)(?:ho|m)? (?:k[oó]d(?:em|u)?|heslo)',
    'k[oó]d (?:pro|k) (?:přihlášení|ověření|potvrzení)|dočasné heslo',
  ],
  other: [
    '(?:slevov[ýé]|promo|dárkov[ýé]|čárov[ýé]|qr|zákaznick[ýé]|chybov[ýé]|výdejní|rezervační|poštovní|akční)(?:ho|m)?[ -]?k[oó]d(?:y|em|u)?|psč',
    'pin (?:k|ke) (?:vaší|nové) kartě',
  ],
  bare: ['k[oó]d', 'k[oó]dem', 'k[oó]du', 'pin'],
  identity: ['přihláš|přihlas|ověř|potvrď|potvrz|heslo|totožnost|jednoráz|platný|platnost|nesděluj|aktiv'],
  yours: ['váš', 'tvůj', 'tento', 'následující', 'zde', 'zadejte', 'zadej', 'použijte', 'použij'],
  is: ['je', 'zní'],
  isYour: ['je (?:váš|tvůj|k[oó]d)'],
  enter: ['(?:zadejte|zadej|použijte|použij|opište)(?: k[oó]d)?'],
  to: ['pro', 'k', 'ke', 'do', 'na'],
  purposes: ['přihláš', 'ověř', 'potvrz', 'dokonč', 'pokrač', 'aktiv', 'obnov', 'registr'],
  shop: ['sleva|slevu|slevy|doprava zdarma|výprodej|ušetř|poukaz'],
  labels: [
    'objednávk[ay]|faktur[ay]|číslo (?:objednávky|faktury|zákazníka|zásilky|účtu|jednací|rezervace|smlouvy)|zásilk[ay]|rezervace|účet|částka|tel|telefon|variabilní symbol|vs|spis|kart[ay]',
  ],
  files: ['faktur[aye]|zásilk[ayu]|balík|celní|vrácení|daň|daně|pokut[ay]|kart[ay]|spis'],
}
