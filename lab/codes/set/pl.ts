/** Labelled mails in Polish. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'kod jednorazowy w zdaniu',
    subject: 'Kod jednorazowy do logowania',
    text: `Dzień dobry, Panie Tomaszu,

Pana kod jednorazowy to 551 038. Prosimy wpisać go w ciągu 5 minut.

Jeśli to nie Pan się loguje, prosimy o kontakt: 22 555 01 44.

Bank Nadwiślański S.A., ul. Prosta 51, 00-838 Warszawa`,
    code: '551038',
    link: null,
  },
  {
    name: 'autoryzacja przelewu',
    subject: 'Autoryzacja przelewu na kwotę 4 200,00 zł',
    html: `<p>Operacja nr 3 z dnia 23-11-2026</p><table><tr><td>Odbiorca</td><td>Jan Kowal</td></tr><tr><td>Kwota</td><td>4 200,00 PLN</td></tr><tr><td>Rachunek</td><td>61 1090 … 2874</td></tr><tr><td>Kod autoryzacyjny</td><td><b>90417735</b></td></tr></table><p style="color:#445566">Nie podawaj kodu nikomu, nawet pracownikowi banku.</p>`,
    code: '90417735',
    link: null,
  },
  {
    name: 'kod na początku tematu',
    subject: '3380 – Twój kod do Rowerka',
    text: `Cześć! Przepisz 3380 do aplikacji i w drogę 🚲`,
    html: `<p>Cześć! Przepisz <b>3380</b> do aplikacji i w drogę 🚲</p><img src="https://px.rowerek.example/992817.gif">`,
    code: '3380',
    link: null,
  },
  {
    name: 'litery i cyfry',
    subject: 'Aktywacja dekodera',
    text: `Aby aktywować dekoder (nr seryjny 8840217733), wejdź na telewizor.example/aktywuj i podaj kod aktywacyjny:

    9TKM-4WXA

Kod zawiera myślnik.`,
    code: '9TKM-4WXA',
    link: null,
  },
  {
    name: 'urząd',
    subject: 'Profil mieszkańca – kod potwierdzający',
    html: `<p>Szanowna Pani,</p><p>w sprawie nr OR.0143.118.2026 złożono wniosek o dostęp do Profilu Mieszkańca.</p><p>Kod potwierdzający:</p><h2>207 554</h2><p>Urząd Gminy Dębowiec Mały, NIP 548-291-30-77</p>`,
    text: `Szanowna Pani,

w sprawie nr OR.0143.118.2026 złożono wniosek o dostęp do Profilu Mieszkańca.

Kod potwierdzający:

207 554

Urząd Gminy Dębowiec Mały, NIP 548-291-30-77`,
    code: '207554',
    link: null,
  },
  {
    name: 'reset hasła kodem',
    subject: 'Nie pamiętasz hasła?',
    text: `Zdarza się każdemu. Wpisz na stronie ten ciąg: 61902

Potem ustawisz nowe hasło. Numer klienta (1180533) się nie zmienia.

Ekipa Pierożka`,
    code: '61902',
    link: null,
  },
  {
    name: 'kod i link do logowania',
    subject: 'Zaloguj się do Zeszytu',
    html: `<p>Kliknij, żeby się zalogować:</p><p><a href="https://zeszyt.example/wejdz?klucz=b30c77&amp;z=4" style="background:#d7263d">Zaloguj mnie</a></p><p>Albo wpisz kod <b>118-906</b> w otwartej karcie.</p><p style="font-size:10px"><a href="https://zeszyt.example/powiadomienia/55102">Ustawienia powiadomień</a></p>`,
    code: '118906',
    link: 'https://zeszyt.example/wejdz?klucz=b30c77&z=4',
  },
  {
    name: 'po polsku i angielsku',
    subject: 'Kod weryfikacyjny / Verification code',
    text: `Kod weryfikacyjny: H7Q2LD
Verification code: H7Q2LD

Linie Lotnicze Bocian, rezerwacja / booking BC4418`,
    html: `<p>Kod weryfikacyjny: <b>H7Q2LD</b><br>Verification code: <b>H7Q2LD</b></p><p>Linie Lotnicze Bocian, rezerwacja / booking BC4418</p>`,
    code: 'H7Q2LD',
    link: null,
  },
  {
    name: 'cyfry w komórkach',
    subject: 'Potwierdź adres e-mail',
    html: `<p>Hej Kasiu, jeszcze tylko chwila!</p><table><tr><td bgcolor="#ffee99">4</td><td bgcolor="#ffee99">4</td><td bgcolor="#ffee99">0</td><td bgcolor="#ffee99">7</td><td bgcolor="#ffee99">2</td><td bgcolor="#ffee99">9</td></tr></table><p>Te cyfry wpisz w oknie rejestracji. Zostało Ci 30 minut.</p>`,
    code: '440729',
    link: null,
  },
  {
    name: 'podpis umowy',
    subject: 'Umowa UM/2026/0418 czeka na podpis',
    text: `Dzień dobry,
przesyłamy hasło SMS-owe w wersji e-mail, zgodnie z prośbą. Do podpisania umowy UM/2026/0418 proszę użyć hasła jednorazowego 00713826.

Pozdrawiam
Alicja Nowak, tel. 601 555 018`,
    code: '00713826',
    link: null,
  },
  {
    name: 'zamówienie',
    subject: 'Zamówienie nr 402918 przyjęte',
    html: `<h2>Dziękujemy za zakupy!</h2><p>Zamówienie nr <b>402918</b> z dnia 22.11.2026</p><table><tr><td>Kubek emaliowany</td><td>2 szt.</td><td>59,98 zł</td></tr></table><p><a href="https://kubki.example/zamowienie/402918">Szczegóły zamówienia</a></p>`,
    text: `Zamówienie nr 402918 z dnia 22.11.2026
Kubek emaliowany, 2 szt., 59,98 zł
https://kubki.example/zamowienie/402918`,
    code: null,
    link: null,
  },
  {
    name: 'kod rabatowy',
    subject: 'Kod rabatowy -20% tylko do północy!',
    html: `<div style="background:#111111;color:#00ff99"><p>Twój kod:</p><h1>CZARNY20</h1><p>Wpisz go w koszyku. Ważny do 27.11.2026.</p><a href="https://butik.example/cf?m=112726">Kupuję</a></div><p><a href="https://butik.example/wypisz/90118">Wypisz się</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'kod wysłany SMS-em',
    subject: 'Potwierdź logowanie',
    text: `Na numer *** *** 418 wysłaliśmy SMS z sześciocyfrowym kodem. Wpisz go na stronie logowania, aby kontynuować.

SMS nie dotarł? Zadzwoń: 801 555 020, wew. 4417.`,
    code: null,
    link: null,
  },
  {
    name: 'oszustwo na dopłatę',
    subject: '660418',
    text: `Twoja paczka nr 660418 została wstrzymana. Dopłać 1,20 zł: https://doplata-kurier.example/660418
Brak wpłaty do 24.11 = zwrot do nadawcy.`,
    code: null,
    link: null,
  },
  {
    name: 'ostrzeżenie banku',
    subject: 'Uważaj na fałszywych konsultantów',
    html: `<p>Oszuści dzwonią z numeru 22 555 01 99 i proszą o kod BLIK lub kod z SMS-a. <b>Bank nigdy nie prosi o podanie kodu ani PIN-u.</b></p><p>Komunikat nr 118/2026</p>`,
    text: `Oszuści dzwonią z numeru 22 555 01 99 i proszą o kod BLIK lub kod z SMS-a. Bank nigdy nie prosi o podanie kodu ani PIN-u.

Komunikat nr 118/2026`,
    code: null,
    link: null,
  },
  {
    name: 'potwierdzenie adresu',
    subject: 'Potwierdź swój adres e-mail w serwisie Czytelnia',
    text: `Witaj!

Dziękujemy za rejestrację. Aby potwierdzić adres, otwórz odnośnik:
https://czytelnia.example/rejestracja/potwierdz/7712-0af3e9

Jeśli to pomyłka, zignoruj tę wiadomość.
Regulamin: https://czytelnia.example/regulamin`,
    code: null,
    link: 'https://czytelnia.example/rejestracja/potwierdz/7712-0af3e9',
  },
  {
    name: 'reset hasła linkiem',
    subject: 'Zmiana hasła',
    html: `<p>Dzień dobry,</p><p>otrzymaliśmy prośbę o zmianę hasła do konta <i>k.zielinska</i>.</p><p><a href="https://konto.ogrodek.example/haslo/nowe?s=c0418e77&amp;uid=5502">Ustaw nowe hasło</a></p><p>Link wygaśnie 24.11.2026 o 8:14.</p>`,
    text: `Otrzymaliśmy prośbę o zmianę hasła do konta k.zielinska.

Ustaw nowe hasło: https://konto.ogrodek.example/haslo/nowe?s=c0418e77&uid=5502`,
    code: null,
    link: 'https://konto.ogrodek.example/haslo/nowe?s=c0418e77&uid=5502',
  },
  {
    name: 'nowe logowanie',
    subject: 'Logowanie z nowego urządzenia',
    html: `<p>Zauważyliśmy logowanie do Twojego konta: Gdańsk, 192.0.2.61, 22.11.2026, 19:26.</p><p>To nie Ty? <a href="https://id.rowerek.example/zabezpiecz?k=30817">Zabezpiecz konto</a>.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'faktura za gaz',
    subject: 'E-faktura za listopad',
    text: `Nr faktury: FV/118204/11/2026
Nr klienta: 70041882
Kwota: 148,32 zł
Termin płatności: 08.12.2026
Nr konta: 12 1140 2004 0000 3102 7713 4410`,
    html: `<table><tr><td>Nr faktury</td><td>FV/118204/11/2026</td></tr><tr><td>Nr klienta</td><td>70041882</td></tr><tr><td>Kwota</td><td>148,32 zł</td></tr></table><p><a href="https://ebok.cieplogaz.example/fv/118204">Zapłać</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'kod wygasł',
    subject: 'Kod stracił ważność',
    text: `Kod 718 330 nie został użyty na czas i wygasł. Zaloguj się ponownie, a wyślemy nowy.`,
    code: null,
    link: null,
  },
  {
    name: 'zgłoszenie serwisowe',
    subject: 'Zgłoszenie 884102: brak kodu weryfikacyjnego',
    html: `<p>Dzień dobry,</p><p>przyjęliśmy zgłoszenie <b>884102</b> („nie przychodzi kod weryfikacyjny”). Odpowiemy w ciągu 48 godzin. W korespondencji prosimy podawać numer zgłoszenia.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'numer zamówienia tej samej długości',
    subject: 'Zamówienie 771820 czeka na potwierdzenie',
    html: `<p>Zanim wyślemy zamówienie <b>771820</b> pod nowy adres, potwierdź, że to Ty.</p><p>Kod: <b>340961</b></p><p>Klient 118204, kwota 34,09 zł</p>`,
    text: `Zanim wyślemy zamówienie 771820 pod nowy adres, potwierdź, że to Ty.

Kod: 340961

Klient 118204, kwota 34,09 zł`,
    code: '340961',
    link: null,
  },
  {
    name: 'hasło tymczasowe',
    subject: 'Hasło tymczasowe do e-dziennika',
    html: `<p>Szanowni Państwo,</p><p>hasło tymczasowe: <b>gH58vNp2</b></p><p>Wielkość liter ma znaczenie. Szkoła Podstawowa nr 118, tel. 12 555 01 70</p>`,
    code: 'gH58vNp2',
    link: null,
    kind: 'password',
  },
  {
    name: 'aktywacja karty',
    subject: 'Aktywuj kartę biblioteczną',
    text: `Karta nr 0048291 jest gotowa. Aktywacja:
https://biblioteka.example/aktywuj?karta=48291&k=c0e7

Godziny otwarcia: https://biblioteka.example/godziny`,
    html: `<p>Karta nr 0048291 jest gotowa. <a href="https://biblioteka.example/aktywuj?karta=48291&amp;k=c0e7">Aktywuj</a></p><p><a href="https://biblioteka.example/godziny">Godziny otwarcia</a></p>`,
    code: null,
    link: 'https://biblioteka.example/aktywuj?karta=48291&k=c0e7',
  },
  {
    name: 'inne kody',
    subject: 'Kod błędu 40312, kod kreskowy 5901234123457',
    html: `<p>Czytnik zgłasza kod błędu 40312 przy kodzie kreskowym 5901234123457. Kod pocztowy magazynu: 43-300. Kod SWIFT: NADWPLPW.</p>`,
    text: `Czytnik zgłasza kod błędu 40312 przy kodzie kreskowym 5901234123457. Kod pocztowy magazynu: 43-300. Kod SWIFT: NADWPLPW.`,
    code: null,
    link: null,
  },
  {
    name: 'kod polecający',
    subject: '20 zł za polecenie',
    html: `<p>Twój kod polecający: <b>TOMEK447</b>. Znajomy wpisuje go przy rejestracji, a Wy oboje dostajecie po 20 zł.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'nagłówek kolumny i kod pod nim',
    subject: 'Dane dostępowe do USOS',
    html: `<table><tr><th>Nr albumu</th><th>Hasło jednorazowe</th></tr><tr><td>330718</td><td>581 047</td></tr></table><p>Dziekanat, pokój 118</p>`,
    text: `Nr albumu: 330718
Hasło jednorazowe: 581 047`,
    code: '581047',
    link: null,
  },
  {
    name: 'wyjaśnienie po liczbie',
    subject: 'Palarnia Świt: już prawie',
    text: `93 12 60

O tę liczbę zapyta Cię aplikacja. Masz na to kwadrans.`,
    code: '931260',
    link: null,
  },
  {
    name: 'stan licznika',
    subject: 'Przyjęliśmy stan licznika',
    html: `<p>Stan licznika: <b>048291</b></p><p>Nr licznika 30774118, PPE 590322400048291307</p>`,
    code: null,
    link: null,
  },
]
