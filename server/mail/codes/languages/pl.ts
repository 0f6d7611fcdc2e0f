import type { CodeLanguage } from '../code-language.ts'

export const pl: CodeLanguage = {
  hints: ['kod', 'has[łl]o', String.raw`pin\b(?<=\bpin)`],
  sure: [
    'kod(?:em|u)? (?:weryfikacyjny|weryfikacyjnego|weryfikacyjnym|potwierdzaj[aą]cy|bezpiecze[nń]stwa|jednorazowy|dost[eę]pu|logowania|aktywacyjny|autoryzacyjny|uwierzytelniaj[aą]cy|sms|do logowania|odzyskiwania|rejestracyjny)',
    '(?:jednorazow[ey]|tymczasow[ey]) (?:has[łl]o|kod)|has[łl]o jednorazowe',
  ],
  other: [
    String.raw`kod(?:y|u|em)? (?:rabatow[yae]\p{L}{0,3}|promocyjn[yae]\p{L}{0,3}|pocztow[yae]\p{L}{0,3}|zni[zż]kow[yae]\p{L}{0,3}|kreskow[yae]\p{L}{0,3}|klienta|produktu|odbioru|paczki|b[łl][eę]du|qr|polecaj[aą]cy|swift|kraju)`,
    'pin (?:do )?(?:twojej |pa[nń]stwa )?(?:nowej )?karty',
  ],
  bare: ['kod', 'kodem', 'kodu', 'pin'],
  identity: ['logowani|zalogowa|weryfik|potwierd|has[łl]o|to[zż]samo|jednoraz|wa[zż]ny|wygas|nie udost[eę]pniaj|aktywuj|uwierzytel'],
  yours: ['tw[oó]j', 'pa[nń]stwa', 'ten', 'poni[zż]szy', 'wpisz', 'podaj', 'u[zż]yj', 'wprowad[zź]', 'tego', 'oto'],
  is: ['to', 'jest', 'brzmi'],
  isYour: ['(?:to|jest|jako) (?:tw[oó]j|pa[nń]stwa|kod|ten)'],
  enter: ['(?:wpisz|podaj|u[zż]yj|wprowad[zź])(?: kod(?:u)?)?'],
  to: ['aby', '[zż]eby', 'by', 'w', 'do'],
  purposes: ['zalog', 'potwierd', 'zweryfik', 'doko[nń]cz', 'kontynu', 'aktyw', 'zresetow', 'autoryz', 'rejestr'],
  shop: ['rabat|zni[zż]k|promocj|darmowa dostawa|wyprzeda[zż]|oszcz[eę]d|bon '],
  labels: [
    'zam[oó]wieni[ea]|nr zam[oó]wienia|faktur[ay]|nr faktury|klient|nr klienta|przesy[łl]k[ai]|paczk[ai]|nr przesy[łl]ki|sprawa|nr sprawy|numer (?:sprawy|klienta|zam[oó]wienia|faktury|przesy[łl]ki|rezerwacji|telefonu|konta|umowy)|rezerwacja|konto|kwota|tel|telefon|umowa|kart[ay]',
  ],
  files: [String.raw`przesy[łl]k[aięe]|paczk[aięe]|faktur[aye]|c[lł]o|zwrot|podat\p{L}{1,4}|mandat|karta|karty|sprawa|sprawy`],
}
