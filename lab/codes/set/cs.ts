/** Labelled mails in Czech. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'jednorázový kód',
    subject: 'Jednorázový kód pro přihlášení',
    text: `Dobrý den, pane Dvořáku,

Váš jednorázový kód je 662 908. Platí 5 minut.

Pokud se právě nepřihlašujete, volejte 222 555 014.

Vltavská spořitelna, a.s., IČO 48291307`,
    code: '662908',
    link: null,
  },
  {
    name: 'kód na začátku předmětu',
    subject: '5170 – kód do Koloběhu',
    html: `<p>Ahoj! Opiš <b>5170</b> do aplikace a můžeš vyrazit.</p><p style="color:#777777">Koloběh s.r.o., Brno 602 00</p>`,
    code: '5170',
    link: null,
  },
  {
    name: 'potvrzení platby',
    subject: 'Potvrďte platbu 2 349 Kč',
    html: `<table><tr><td>Obchodník</td><td>Lampárna</td></tr><tr><td>Částka</td><td>2 349,00 CZK</td></tr><tr><td>Karta</td><td>**** 8820</td></tr></table><p>Autorizační kód: <strong>40 91 77 23</strong></p><p>Kód nikomu nesdělujte.</p>`,
    text: `Obchodník: Lampárna
Částka: 2 349,00 CZK
Karta: **** 8820

Autorizační kód: 40 91 77 23

Kód nikomu nesdělujte.`,
    code: '40917723',
    link: null,
  },
  {
    name: 'písmena a čísla',
    subject: 'Párování televize',
    text: `Na stránce kinodoma.example/tv zadejte párovací kód

B8X-KQ4

včetně pomlčky. Výrobní číslo: 2204-118827`,
    code: 'B8X-KQ4',
    link: null,
  },
  {
    name: 'obnova hesla kódem',
    subject: 'Zapomenuté heslo',
    html: `<p>Nic se neděje. Do políčka „Ověření“ napište <span style="font-size:24px;color:#6a040f">83014</span> a zvolte si nové heslo.</p><p>Zákaznické číslo: 1180417</p>`,
    text: `Nic se neděje. Do políčka „Ověření“ napište 83014 a zvolte si nové heslo.

Zákaznické číslo: 1180417`,
    code: '83014',
    link: null,
  },
  {
    name: 'kód i odkaz',
    subject: 'Přihlášení do Zápisníku',
    html: `<p>Klikněte na <a href="https://zapisnik.example/prihlas?t=0ab77e&amp;c=9">přihlašovací odkaz</a>, nebo zadejte kód <b>909 416</b>.</p><p><a href="https://zapisnik.example/odhlasit/22041">Nezasílat e-maily</a></p>`,
    code: '909416',
    link: 'https://zapisnik.example/prihlas?t=0ab77e&c=9',
  },
  {
    name: 'úřad',
    subject: 'Portál občana: č. j. MU/04418/2026',
    text: `Vážená paní,

k podání č. j. MU/04418/2026 zasíláme ověřovací kód:

0 0 7 3 9 2

Kód vyplňte do formuláře do 30 minut.

Městský úřad Lipová nad Sázavou, ID datové schránky 7t4xk2q`,
    code: '007392',
    link: null,
  },
  {
    name: 'česky a anglicky',
    subject: 'Ověřovací kód / Verification code',
    text: `Ověřovací kód / Verification code: PW6R3D

Platnost / Valid for: 15 min
Letenka / Ticket 064-2204417733`,
    html: `<p>Ověřovací kód / Verification code: <b>PW6R3D</b></p><p>Platnost / Valid for: 15 min<br>Letenka / Ticket 064-2204417733</p>`,
    code: 'PW6R3D',
    link: null,
  },
  {
    name: 'hovorově',
    subject: 'Už jen jeden krok',
    text: `Čau Kubo, naťukej do appky 118 355 a je hotovo. Kdyby to neblblo, ozvi se na 777 555 018. Parta z Pekárny U Kocoura`,
    code: '118355',
    link: null,
  },
  {
    name: 'velká buňka tabulky',
    subject: 'Ověření e-mailové adresy',
    html: `<table width="500"><tr><td bgcolor="#283618" style="color:#fefae0">Chalupář</td></tr><tr><td>Tímto kódem ověříte svou adresu:</td></tr><tr><td align="center" style="font-size:42px">271-640</td></tr><tr><td style="font-size:10px">© 2026 Chalupář, newsletter č. 118</td></tr></table>`,
    text: `Tímto kódem ověříte svou adresu:

271-640`,
    code: '271640',
    link: null,
  },
  {
    name: 'objednávka',
    subject: 'Objednávka 260044182 přijata',
    html: `<h3>Děkujeme za nákup</h3><p>Objednávka č. <b>260044182</b>, variabilní symbol 260044182</p><table><tr><td>Hrnec 3 l</td><td>899 Kč</td></tr><tr><td>Doprava</td><td>79 Kč</td></tr></table>`,
    text: `Objednávka č. 260044182, variabilní symbol 260044182
Hrnec 3 l: 899 Kč
Doprava: 79 Kč`,
    code: null,
    link: null,
  },
  {
    name: 'slevový kód',
    subject: 'Slevový kód JARO300 pro vás',
    html: `<div style="background:#ffb703;color:#023047"><p>Zadejte v košíku kód</p><h1>JARO300</h1><p>a ušetřete 300 Kč</p></div><p>Do 31. 3. 2026. <a href="https://outdoorek.example/jaro?z=310326">Nakoupit</a> <a href="https://outdoorek.example/odber/zrusit/8817">Odhlásit odběr</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'kód přišel v SMS',
    subject: 'Ověření přihlášení',
    text: `Na telefon +420 *** *** 417 jsme poslali SMS s šestimístným kódem. Opište ho na přihlašovací stránku.

SMS nepřišla? Napište nám, číslo požadavku 330718.`,
    code: null,
    link: null,
  },
  {
    name: 'podvod s doplatkem',
    subject: '771036',
    text: `Zásilka 771036 čeká na doplatek 28 Kč. Zaplaťte na https://doplatek-zasilky.example/771036 do 24 hodin, jinak bude vrácena.`,
    code: null,
    link: null,
  },
  {
    name: 'varování před podvodníky',
    subject: 'Pozor na falešné bankéře',
    html: `<p>Podvodníci volají z čísla 222 555 099 a chtějí kód z SMS. <b>Banka po vás kód ani PIN nikdy nechce.</b></p>`,
    text: `Podvodníci volají z čísla 222 555 099 a chtějí kód z SMS. Banka po vás kód ani PIN nikdy nechce.`,
    code: null,
    link: null,
  },
  {
    name: 'potvrzení registrace odkazem',
    subject: 'Dokončete registraci',
    text: `Dobrý den,

registraci v Antikvariátu Pod Věží dokončíte kliknutím:
https://podvezi.example/ucet/aktivace/20418/c07ae1

Obchodní podmínky: https://podvezi.example/podminky`,
    code: null,
    link: 'https://podvezi.example/ucet/aktivace/20418/c07ae1',
  },
  {
    name: 'nové heslo odkazem',
    subject: 'Nastavení nového hesla',
    html: `<p>Pro zákaznický účet 7700418 si někdo vyžádal nové heslo.</p><p><a href="https://muj.plynarna.example/heslo?k=81c0f3&amp;t=1" style="background:#219ebc">Nastavit heslo</a></p><p>Nebyli jste to vy? E-mail ignorujte.</p>`,
    text: `Pro zákaznický účet 7700418 si někdo vyžádal nové heslo.

Nastavit heslo: https://muj.plynarna.example/heslo?k=81c0f3&t=1`,
    code: null,
    link: 'https://muj.plynarna.example/heslo?k=81c0f3&t=1',
  },
  {
    name: 'nové zařízení',
    subject: 'Přihlášení z nového zařízení',
    html: `<p>22. 11. 2026 ve 22:36, Olomouc, IP 203.0.113.17</p><p>Pokud jste to nebyli vy, <a href="https://ucet.kolobeh.example/zabezpecit?p=30817">zabezpečte svůj účet</a>.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'faktura',
    subject: 'Vyúčtování služeb 11/2026',
    text: `Číslo faktury: 2611004829
Variabilní symbol: 2611004829
Číslo účtu: 19-4418827001/0300
Částka: 612,50 Kč
Splatnost: 14. 12. 2026`,
    html: `<table><tr><td>Číslo faktury</td><td>2611004829</td></tr><tr><td>Číslo účtu</td><td>19-4418827001/0300</td></tr><tr><td>Částka</td><td>612,50 Kč</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: 'kód vypršel',
    subject: 'Platnost kódu vypršela',
    text: `Kód 304 881 už nelze použít, jeho platnost vypršela v 8:02. Nechte si poslat nový.`,
    code: null,
    link: null,
  },
  {
    name: 'výsledky soutěže',
    subject: 'Vylosovali jsme!',
    html: `<p>Výherní čísla listopadového slosování: <b>118204</b>, <b>330917</b>, <b>882041</b>.</p><p>Držte účtenky, další tah je 31. 12. 2026.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'číslo objednávky stejné délky',
    subject: 'Objednávka 551820: potvrďte změnu adresy',
    html: `<p>Než pošleme objednávku <b>551820</b> na novou adresu, potvrďte, že jste to vy.</p><p>Kód: <b>480716</b></p><p>Zákazník 118204</p>`,
    text: `Než pošleme objednávku 551820 na novou adresu, potvrďte, že jste to vy.

Kód: 480716

Zákazník 118204`,
    code: '480716',
    link: null,
  },
  {
    name: 'dočasné heslo',
    subject: 'Přístup do elektronické žákovské knížky',
    text: `Vážení rodiče, dočasné heslo pro první přihlášení je tK94hRw6 (rozlišujte velká a malá písmena). ZŠ Na Kopci, tel. 543 555 170`,
    code: 'tK94hRw6',
    link: null,
    kind: 'password',
  },
  {
    name: 'aktivace průkazky',
    subject: 'Aktivujte si čtenářskou průkazku',
    html: `<p>Průkazka č. 0048291 je připravena. <a href="https://knihovna.example/aktivace?p=48291&amp;k=e0c7">Aktivovat</a></p><p><a href="https://knihovna.example/otviraci-doba">Otevírací doba</a></p>`,
    code: null,
    link: 'https://knihovna.example/aktivace?p=48291&k=e0c7',
  },
  {
    name: 'jiné kódy',
    subject: 'Chybový kód 40312',
    html: `<p>Čtečka hlásí chybový kód 40312 u čárového kódu 8591234567894. PSČ skladu 602 00, kód banky 0300.</p>`,
    text: `Čtečka hlásí chybový kód 40312 u čárového kódu 8591234567894. PSČ skladu 602 00, kód banky 0300.`,
    code: null,
    link: null,
  },
  {
    name: 'doporučovací kód',
    subject: '200 Kč za doporučení',
    html: `<p>Váš doporučovací kód: <b>KUBA447</b>. Přátelé ho zadají při registraci a oba dostanete 200 Kč.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'záhlaví sloupce a kód pod ním',
    subject: 'Přístup do studijního systému',
    html: `<table><tr><th>Osobní číslo</th><th>Jednorázové heslo</th></tr><tr><td>330718</td><td>158 407</td></tr></table>`,
    text: `Osobní číslo: 330718
Jednorázové heslo: 158 407`,
    code: '158407',
    link: null,
  },
  {
    name: 'vysvětlení až po čísle',
    subject: 'Pražírna Úsvit',
    html: `<p style="font-size:36px">26 09 31</p><p>Na tohle číslo se vás zeptá aplikace. Máte čtvrt hodiny.</p>`,
    code: '260931',
    link: null,
  },
]
