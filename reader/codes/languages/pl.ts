import { type CodeLanguage, words } from '../code-language.ts'

export const pl: CodeLanguage = {
  hints: words`token|kod|has[łl]|pin\b(?<=\bpin)`,
  sure: words`
    kod(?:em|u)? (?:sms|do (?:autoryzacji|potwierdzenia|weryfikacji|zatwierdzenia|podpisu|podpisania|zmiany|odblokowania|resetu
      |rejestracji|parowania|logowania)|autoryzuj[aą]cy|odblokowuj[aą]cy|zatwierdzaj[aą]cy|steruj[aą]cy|weryfikacyjny|resetuj[aą]cy)
    has[łl][oa]m? (?:sms|autoryzacyjne)|(?:cztero|pi[eę]cio|sze[sś]cio|o[sś]mio)(?:cyfrow|znakow)\p{L}{1,3} kod
    kod(?:em|u)? (?:weryfikacyjny|weryfikacyjnego|weryfikacyjnym|potwierdzaj[aą]cy|bezpiecze[nń]stwa|jednorazowy|dost[eę]pu|logowania
      |aktywacyjny|autoryzacyjny|uwierzytelniaj[aą]cy|sms|do logowania|odzyskiwania|rejestracyjny|parowania)
    (?:jednorazow[ey]|tymczasow[ey]) (?:has[łl]o|kod)|has[łl][oa]m? jednorazow(?:ego|ym|e)
  `,
  other: words`
    kod(?:u|em)? (?:do (?:drzwi|bramy|domofonu|furtki|skrytki|wi-?fi)|odbioru|paczki)
    kod(?:y|u|em)? (?:rabatow[yae]\p{L}{0,3}|promocyjn[yae]\p{L}{0,3}|pocztow[yae]\p{L}{0,3}|zni[zż]kow[yae]\p{L}{0,3}
      |kreskow[yae]\p{L}{0,3}|klienta|produktu|odbioru|paczki|b[łl][eę]du|qr|polecaj[aą]cy|swift|kraju)
    pin (?:do )?(?:twojej |pa[nń]stwa )?(?:nowej )?karty
  `,
  bare: words`token|tokenem|kod|kodem|kodu|pin`,
  identity: words`
    zatwierd[zź]|logowani|zalogowa|weryfik|potwierd|has[łl]o|to[zż]samo|jednoraz|wa[zż]ny|wygas|nie udost[eę]pniaj|aktywuj|uwierzytel
  `,
  yours: words`tw[oó]j|pa[nń]stwa|ten|poni[zż]szy|wpisz|podaj|u[zż]yj|wprowad[zź]|tego|oto`,
  is: words`to|jest|brzmi`,
  isYour: words`(?:to|jest|jako) (?:tw[oó]j|pa[nń]stwa|kod|ten)`,
  enter: words`(?:wpisz|podaj|u[zż]yj|wprowad[zź])(?: kod(?:u)?)?`,
  to: words`aby|[zż]eby|by|w|do`,
  purposes: words`zatwierdz|zalog|potwierd|zweryfik|doko[nń]cz|kontynu|aktyw|zresetow|autoryz|rejestr`,
  shop: words`znajom|przyjaci|rabat|zni[zż]k|promocj|darmowa dostawa|koszyk|wyprzeda[zż]|oszcz[eę]d|bon (?:na|o|podar)`,
  labels: words`
    zam[oó]wieni[ea]|nr zam[oó]wienia|faktur[ay]|nr faktury|klient|nr klienta|przesy[łl]k[ai]|paczk[ai]|nr przesy[łl]ki|sprawa|nr sprawy
    numer (?:sprawy|klienta|zam[oó]wienia|faktury|przesy[łl]ki|rezerwacji|telefonu|konta|umowy)|rezerwacja|konto|kwota|tel|telefon|umowa
    kart[ay]
  `,
  files: words`
    przesy[łl]k[aięe]|paczk[aięe]|faktur[aye]|c[lł]o|zwrot|podat\p{L}{1,4}|mandat|karta|karty|sprawa|sprawy|zaleg[lł]o[sś]\p{L}{1,3}
    podatnik\p{L}{0,3}|dop[lł]at[aęy]|d[lł]ug
  `,
  reports: words`b[łl][ąa]d|b[łl][ęe]d(?:em|u|y)|odrzucon[aoey]|odmow[aąy]|awari[aięą]|odrzuci[łl][ao]?|odmówi[łl][ao]?`,
  doors: words`drzwi|bram[ayę]|domofon|skrytk[aięi]|klucz(?:e|y)?|paczkomat(?:u)?`,
  told: words`poka[zż][ ]|okaż|(?:kurierowi|dostawcy|kierowcy|listonoszowi)`,
  enters: words`podaj\b|wpisz|wpisa[cć]|wprowad[zź]|przepisz|przepisa[cć]|wklej|wstuk|u[zż]y[cćj]`,
  places: words`(?:aplikacj|stron|formularz|witryn|pol[aeu]\b|ekran|okn|ustawie|przegl[aą]dar|portal|kart[aęy] przegl)`,
  digits: words`(?:cyfr|liczb|znak|ci[aą]g|liter)`,
  numbers: words`(?:cyfr|liczb|numer\b|znak|ci[aą]g|liter)`,
  asks: words`pyta|zapyta|poprosi|prosi|[zż][aą]da`,
  cards: words`(?:i|oraz) (?:dane|numer) karty`,
  expired: words`
    (?:wygas[łl]|straci[łl] wa[zż]no|przeterminowa|utraci[łl])|nie jest ju[zż] wa[zż]n
    ju[zż] nie (?:dzia[łl]a|obowi[aą]zuje|jest wa[zż]n)|nie (?:dzia[łl]a|mo[zż]na) ju[zż]|nie zgadza
  `,
  fraud: words`oszu(?:st|stw|[sś]ci)|wy[łl]udz|phishing|fa[łl]szyw`,
  bills: words`faktur|rachunek|rachunk|paragon|płatno|przelew|zamówien|zakup|paczk|przesyłk|dostaw(?!a[ćcłl])|zwrot`,
  warns: words`nigdy nie (?:pros|pyta|dzwoni|popros|zapyta)`,
  three: words`trzycyfrow|3-cyfrow|(?:trzy|3) cyfry|(?:trzech|3) cyfr`,
  approves: words`autoryz|zatwierd[zź](?!on)|podpis`,
  confirms: words`
    potwierd[zź](?!enie (?:zam|p[łl]at))|potwierdzi[cć]|potwierdzam|zweryfikuj|weryfikacj|aktywuj|aktywacj|aktywowa|zresetuj|resetowa
    (?:ustaw|nowe|utw[oó]rz).{0,15}has[łl]|doko[nń]cz.{0,20}rejestr|przyjmij zapro|odblokuj|uruchom konto|zapomnia.{0,20}has[łl]
    zmie[nń].{0,10}has[łl]
  `,
  signsIn: words`zaloguj|logowani`,
  invites: words`zaprasza (?:ci[eę]|pana|pani[aą])|zaproszenie`,
  accepts: words`do[łl][aą]cz|przyjmij`,
  here: words`(?:(?:kliknij|naci[sś]nij) )?(?:tutaj|tu|w ten link|link|tak[^?]{0,40}|dalej|wejd[zź])`,
  besides: words`
    wypisz|wypisa|rezygn|prywatno|regulamin|pomoc|wsparci|zg[lł]o[sś]|to nie (?:ty|pan)|nie (?:ty|prosi|zam)|ustawieni|zam[oó]wien
    faktur|przesy[łl]k|[sś]led|zabezpiecz|zablokuj|godziny|paczk|c[lł]o\b|zwrot|mandat|dostaw(?!a[ćcłl])
  `,
  alerts: words`alert|ostrze[zż]|nowe (?:logowanie|urz[aą]dzenie)|has[łl]o (?:zosta[łl]o )?zmienion|podejrzan|nietypow|oszu|phishing`,
  ignored: words`
    zignoruj|ignoruj|pomi[nń] (?:t[eę]|wiadomo)|nie musisz nic|nic (?:nie )?(?:robi|si[eę] nie|nie trzeba)|nie trzeba nic
    usu[nń] (?:t[eę]|wiadomo)
  `,
  lasts: words`(?:link|odno[sś]nik)\p{L}{0,3}\b[^.!?]{0,40}(?:wa[zż]n|wyga[sś]|dzia[lł]a|jednoraz)`,
  nearlyDone: words`(?:ostatni|jeszcze|tylko|jeden|jedno) (?:jeden |jedno |tylko )?(?:krok|klik)|ju[zż] prawie|prawie gotow`,
  travel: words`lot|lotu|hotel|noce|nocleg|pobyt|zakwaterowanie|rezerwacj[aięe]|bilet|przyjazd`,
}
