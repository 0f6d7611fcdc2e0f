/** Labelled mails in Swedish. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'engångskod på egen rad',
    subject: 'Din engångskod',
    text: `Hej Elin,

din engångskod till Lånekassen i Ängsby:

558 173

Koden gäller i 10 minuter och bara en gång.

Lånekassen i Ängsby, Box 1184, 831 11 Östersund`,
    code: '558173',
    link: null,
  },
  {
    name: 'koden först',
    subject: '4490 är din kod till Elsparken',
    html: `<p>Skriv <b>4490</b> i appen så rullar du snart.</p><p style="color:#6c757d">Elsparken AB, org.nr 556482-9130</p>`,
    text: `Skriv 4490 i appen så rullar du snart.

Elsparken AB, org.nr 556482-9130`,
    code: '4490',
    link: null,
  },
  {
    name: 'kortköp',
    subject: 'Godkänn ditt köp på 1 295,00 kr',
    html: `<table><tr><td>Butik</td><td>Fjällräven & Son</td></tr><tr><td>Belopp</td><td>1 295,00 SEK</td></tr><tr><td>Kort</td><td>•••• 2204</td></tr><tr><td>Säkerhetskod</td><td><big>03917744</big></td></tr></table><p>Lämna aldrig ut koden. Norrbanken, 0771-55 50 12</p>`,
    code: '03917744',
    link: null,
  },
  {
    name: 'bokstäver och siffror',
    subject: 'Para ihop din högtalare',
    text: `Gå till ljudlådan.example/para och fyll i parningskoden N7RX-20QT (med bindestreck).

Serienummer: 8817-3340-22`,
    code: 'N7RX-20QT',
    link: null,
  },
  {
    name: 'glömt lösenord med kod',
    subject: 'Glömt lösenordet?',
    html: `<p>Det händer alla! Här kommer siffrorna du ska fylla i:</p><h1 style="letter-spacing:.3em;color:#005f73">62 08 35</h1><p>Medlemsnummer 1180442. Har du inte bett om detta kan du slänga mejlet.</p>`,
    text: `Det händer alla! Här kommer siffrorna du ska fylla i:

62 08 35

Medlemsnummer 1180442. Har du inte bett om detta kan du slänga mejlet.`,
    code: '620835',
    link: null,
  },
  {
    name: 'kod och länk',
    subject: 'Logga in på Receptboken',
    html: `<p><a href="https://receptboken.example/inloggning?n=30ffc8&amp;m=1">Logga in direkt</a> eller ange koden <b>771 940</b> på sidan.</p><p><a href="https://receptboken.example/avregistrera/7719">Avregistrera</a></p>`,
    code: '771940',
    link: 'https://receptboken.example/inloggning?n=30ffc8&m=1',
  },
  {
    name: 'kommunens e-tjänst',
    subject: 'E-tjänst: bekräfta din e-postadress',
    text: `Ärende: KS 2026/00418
Sökande: Lindqvist, Karin

Bekräftelsekod: 900127

Ange koden i e-tjänsten senast kl. 09.00.

Vänliga hälsningar
Kontaktcenter, Storåsens kommun, 0640-555 01`,
    html: `<p>Ärende: KS 2026/00418<br>Sökande: Lindqvist, Karin</p><p>Bekräftelsekod: <b>900127</b></p><p>Ange koden i e-tjänsten senast kl. 09.00.</p>`,
    code: '900127',
    link: null,
  },
  {
    name: 'två språk',
    subject: 'Inloggningskod / Login code',
    text: `Inloggningskod / Login code: C5W8HJ

Färjelinjen / The Ferry Line, bokning / booking 4418-207`,
    code: 'C5W8HJ',
    link: null,
  },
  {
    name: 'vardaglig ton',
    subject: 'Nästan klar!',
    html: `<p>Tjena Oskar! Knappa in <em>20264</em> där du var nyss så är kontot ditt. Hörs, gänget på Korvkiosken</p>`,
    code: '20264',
    link: null,
  },
  {
    name: 'siffror i rutor',
    subject: 'Verifiera ditt konto',
    html: `<table><tr><td width="40" bgcolor="#e9d8a6">9</td><td width="40" bgcolor="#e9d8a6">1</td><td width="40" bgcolor="#e9d8a6">1</td><td width="40" bgcolor="#e9d8a6">0</td><td width="40" bgcolor="#e9d8a6">3</td><td width="40" bgcolor="#e9d8a6">6</td></tr></table><p>Fyll i siffrorna i webbläsaren. De slutar gälla 08:29.</p>`,
    text: `9 1 1 0 3 6

Fyll i siffrorna i webbläsaren. De slutar gälla 08:29.`,
    code: '911036',
    link: null,
  },
  {
    name: 'beställning',
    subject: 'Orderbekräftelse 880417',
    text: `Tack för din beställning!

Ordernr 880417
1 st Vattenkokare 499 kr
Frakt 49 kr
Leverans: ombud, 117 43 Stockholm`,
    html: `<h2>Tack för din beställning!</h2><p>Ordernr <b>880417</b></p><p>1 st Vattenkokare 499 kr, frakt 49 kr</p><p><a href="https://köket.example/order/880417">Se order</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'rabattkod',
    subject: 'Rabattkod inuti: VÅR20',
    html: `<div style="background:#94d2bd;color:#001219"><h1>20 % på allt</h1><p>Ange koden i kassan</p><p style="font-size:36px">VÅR20</p></div><p>T.o.m. 30/4 2026. <a href="https://blombutiken.example/var?k=300426">Handla</a> <a href="https://blombutiken.example/av?id=40117">Avsluta prenumeration</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'kod via sms',
    subject: 'Bekräfta din inloggning',
    text: `Vi har skickat en sexsiffrig kod via sms till numret som slutar på 417. Skriv in den på inloggningssidan.

Inget sms? Ring 0771-55 50 12, knappval 4.`,
    code: null,
    link: null,
  },
  {
    name: 'paketbluff',
    subject: '339071',
    text: `Ditt paket 339071 kunde inte levereras. Betala 12,00 kr i tull: https://paket-tull.example/339071 Annars returneras det 2026-11-25.`,
    code: null,
    link: null,
  },
  {
    name: 'varning',
    subject: 'Lämna aldrig ut dina koder',
    html: `<p>Bedragare ringer och ber om koden i din bankdosa. <b>Vi frågar aldrig efter koder.</b> Lägg på och ring 0771-55 50 12.</p><p>Norrbanken, publ nr 118204</p>`,
    text: `Bedragare ringer och ber om koden i din bankdosa. Vi frågar aldrig efter koder. Lägg på och ring 0771-55 50 12.`,
    code: null,
    link: null,
  },
  {
    name: 'bekräfta e-post',
    subject: 'Välkommen! Bekräfta din e-postadress',
    text: `Hej!

Klicka på länken så är du igång:
https://konto.bokhyllan.example/bekrafta/77ac01?anv=4418

Läs våra villkor: https://bokhyllan.example/villkor`,
    html: `<p>Hej!</p><p><a href="https://konto.bokhyllan.example/bekrafta/77ac01?anv=4418">Bekräfta e-postadress</a></p><p><a href="https://bokhyllan.example/villkor">Läs våra villkor</a></p>`,
    code: null,
    link: 'https://konto.bokhyllan.example/bekrafta/77ac01?anv=4418',
  },
  {
    name: 'nytt lösenord via länk',
    subject: 'Återställ ditt lösenord',
    html: `<p>Kundnummer 20418</p><p><a href="https://minasidor.fjarrvarme.example/losenord/c0e8871f">Välj nytt lösenord</a></p><p>Länken fungerar till kl. 20.14 i dag.</p>`,
    code: null,
    link: 'https://minasidor.fjarrvarme.example/losenord/c0e8871f',
  },
  {
    name: 'ny inloggning',
    subject: 'Ny inloggning på ditt konto',
    text: `22 nov 2026 kl. 23.19, Malmö, IP 192.0.2.45.

Var det inte du? Skydda ditt konto: https://id.elsparken.example/skydda/88120`,
    code: null,
    link: null,
  },
  {
    name: 'faktura med OCR',
    subject: 'Faktura från Glimma Bredband',
    text: `OCR-nummer: 7720 4418 2204 9
Bankgiro: 555-0144
Att betala: 399,00 kr
Förfallodag: 2026-12-01

Fakturanummer 48291307`,
    html: `<table><tr><td>OCR-nummer</td><td>7720 4418 2204 9</td></tr><tr><td>Bankgiro</td><td>555-0144</td></tr><tr><td>Att betala</td><td>399,00 kr</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: 'utgången kod',
    subject: 'Koden har gått ut',
    text: `Koden 550 118 hann gå ut innan du använde den. Begär en ny på inloggningssidan.`,
    code: null,
    link: null,
  },
  {
    name: 'tågbiljett',
    subject: 'Din biljett Göteborg C – Kiruna C',
    html: `<p>Bokningsnummer <b>QHT7401B</b></p><p>Tåg 94 · vagn 22 · plats 61 · 2026-12-04 18:11</p><p>Pris 1 184 kr, varav moms 67 kr</p>`,
    code: null,
    link: null,
  },
  {
    name: 'ordernummer lika långt',
    subject: 'Order 551820: bekräfta adressändringen',
    html: `<p>Vi vill veta att det är du som ändrar adressen för order <b>551820</b>.</p><p>Kod: <b>640937</b></p><p>Kund 118204</p>`,
    text: `Vi vill veta att det är du som ändrar adressen för order 551820.

Kod: 640937

Kund 118204`,
    code: '640937',
    link: null,
  },
  {
    name: 'tillfälligt lösenord',
    subject: 'Tillfälligt lösenord till skolplattformen',
    text: `Hej vårdnadshavare! Ert tillfälliga lösenord är pB57tKw2. Tänk på stora och små bokstäver. Ekskolan, 08-555 01 70`,
    code: 'pB57tKw2',
    link: null,
    kind: 'password',
  },
  {
    name: 'aktivera lånekort',
    subject: 'Aktivera ditt lånekort',
    html: `<p>Lånekort 0048291 är klart. <a href="https://bibblan.example/aktivera?kort=48291&amp;n=c0e7">Aktivera det här</a>.</p><p><a href="https://bibblan.example/oppettider">Öppettider</a></p>`,
    code: null,
    link: 'https://bibblan.example/aktivera?kort=48291&n=c0e7',
  },
  {
    name: 'andra koder',
    subject: 'Felkod 40312',
    html: `<p>Läsaren visar felkod 40312 för streckkod 7312345678909. Landskod 46, SWIFT-kod NORRSESS, lagerplats 118204.</p>`,
    text: `Läsaren visar felkod 40312 för streckkod 7312345678909. Landskod 46, SWIFT-kod NORRSESS, lagerplats 118204.`,
    code: null,
    link: null,
  },
  {
    name: 'portkod per telefon',
    subject: 'Inför ditt besök på torsdag',
    html: `<p>Portkoden får du per telefon när du kommer, ring 070-555 01 18. Besöksnummer 30774.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'kolumnrubrik och kod under',
    subject: 'Tillfällig inloggning till antagningen',
    html: `<table><tr><th>Anmälningsnr</th><th>Engångslösenord</th></tr><tr><td>330718</td><td>815 470</td></tr></table>`,
    text: `Anmälningsnr: 330718
Engångslösenord: 815 470`,
    code: '815470',
    link: null,
  },
  {
    name: 'förklaring efter siffrorna',
    subject: 'Rosteriet Gryning',
    text: `12 60 93

Det är siffrorna som appen frågar efter. Du har en kvart på dig.`,
    code: '126093',
    link: null,
  },
]
