/** Labelled mails in Danish. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'engangskode i sætning',
    subject: 'Din engangskode til Havnefront',
    text: `Hej Mathilde

Din engangskode er 307 884. Skriv den på loginsiden inden for 10 minutter.

Har du ikke bedt om koden, kan du se bort fra denne mail.

Havnefront ApS, CVR 48291307`,
    code: '307884',
    link: null,
  },
  {
    name: 'koden i emnet',
    subject: '8813 er din bekræftelseskode',
    html: `<p>Hej! Kopiér koden ovenfor ind i Løbehjulet, så kører det.</p>`,
    text: `Hej! Kopiér koden ovenfor ind i Løbehjulet, så kører det.`,
    code: '8813',
    link: null,
  },
  {
    name: 'bank med beløb',
    subject: 'Godkend betaling på 849,00 kr.',
    html: `<p>Kære Henrik Møller</p><table><tr><td>Beløb</td><td>849,00 DKK</td></tr><tr><td>Forretning</td><td>Cykelsmeden Aarhus</td></tr><tr><td>Kort</td><td>**** 7719</td></tr></table><p>Kode til godkendelse:</p><p style="font-size:30px;color:#14213d">5502 1187</p><p>Vi ringer aldrig og beder om koden. Limfjordsbanken, tlf. 96 55 50 12</p>`,
    code: '55021187',
    link: null,
  },
  {
    name: 'bogstaver og tal',
    subject: 'Tilslut dit tv',
    text: `1. Åbn biografen.example/tv på din telefon
2. Indtast tilslutningskoden L4MX-9QW (bindestregen skal med)
3. Find popcornene frem

Enhedsnr. 00-4418-8827`,
    html: `<ol><li>Åbn <b>biografen.example/tv</b> på din telefon</li><li>Indtast tilslutningskoden <b>L4MX-9QW</b> (bindestregen skal med)</li><li>Find popcornene frem</li></ol>`,
    code: 'L4MX-9QW',
    link: null,
  },
  {
    name: 'nulstil med kode',
    subject: 'Glemt adgangskode',
    text: `Vi har modtaget en anmodning om at nulstille adgangskoden til din konto (medlem 118204).

Kode: 06 61 93

Koden udløber kl. 09.14.`,
    code: '066193',
    link: null,
  },
  {
    name: 'kode og loginlink',
    subject: 'Log ind på Opslagstavlen',
    html: `<p><a href="https://opslagstavlen.example/ind/9bc0e1?h=1&amp;x=dk" style="background:#fca311">Log ind</a></p><p>Virker knappen ikke? Brug koden <b>TQ73VX</b> i stedet.</p><p><a href="https://opslagstavlen.example/frameld/4418">Frameld</a></p>`,
    text: `Log ind: https://opslagstavlen.example/ind/9bc0e1?h=1&x=dk

Virker linket ikke? Brug koden TQ73VX i stedet.`,
    code: 'TQ73VX',
    link: 'https://opslagstavlen.example/ind/9bc0e1?h=1&x=dk',
  },
  {
    name: 'kommunen',
    subject: 'Selvbetjening: sag 2026-0418',
    text: `Du er ved at oplyse en ny mailadresse i sag 2026-0418.

Indtast kontrolkoden nedenfor i selvbetjeningen.

118403

Venlig hilsen
Borgerservice, Bøgelund Kommune
Rådhuspladsen 4, 8870 Bøgelund`,
    code: '118403',
    link: null,
  },
  {
    name: 'dansk og engelsk',
    subject: 'Adgangskode til gæstenet / Guest access code',
    html: `<p>Din adgangskode / Your access code: <b>60417</b></p><p>Skal indtastes på velkomstsiden / Enter it on the welcome page.</p><p>Badehotel Vesterhav, værelse/room 214</p>`,
    code: '60417',
    link: null,
  },
  {
    name: 'uformel',
    subject: 'Så er du næsten i mål',
    text: `Hej Freja 👋 Vil du lige taste 772-051 ind i appen, så vi ved, det er dig? Mange hilsner fra os på Bageriet, Istedgade 18, 1650 København V`,
    code: '772051',
    link: null,
  },
  {
    name: 'kode i stor celle',
    subject: 'Bekræft din e-mail',
    html: `<style>td.k{font-size:40px;background:#e5e5e5;color:#0a9396}</style><table><tr><td>Indtast koden på skærmen:</td></tr><tr><td class="k">449017</td></tr><tr><td>Koden gælder i 20 minutter</td></tr></table><img src="https://m.klubhuset.example/o.gif?i=8830174">`,
    text: `Indtast koden på skærmen:

449017

Koden gælder i 20 minutter`,
    code: '449017',
    link: null,
  },
  {
    name: 'ordre',
    subject: 'Tak for din ordre nr. 550293',
    html: `<p>Ordrenr. <b>550293</b></p><table><tr><td>Uldsokker</td><td>3 par</td><td>237,00 kr.</td></tr><tr><td>Moms</td><td></td><td>47,40 kr.</td></tr></table><p>Pakkenr. 00370731118204477193</p>`,
    code: null,
    link: null,
  },
  {
    name: 'rabatkode',
    subject: 'Brug koden JUL24 – kun i dag',
    html: `<div style="background:#9b2226;color:#ffffff"><h1>24 %</h1><p>Indtast koden ved kassen:</p><p style="font-size:44px">JUL24</p></div><p><a href="https://legeland.example/jul?kamp=241126">Køb nu</a> · <a href="https://legeland.example/ud/33081">Afmeld</a></p>`,
    text: `24 % på alt legetøj. Indtast koden ved kassen: JUL24
https://legeland.example/jul?kamp=241126`,
    code: null,
    link: null,
  },
  {
    name: 'kode på sms',
    subject: 'Vi har sendt dig en sms',
    text: `Vi har sendt en sekscifret kode til dit mobilnummer, der ender på 17. Tast koden på siden for at fortsætte.

Har du skiftet nummer? Ring til 70 55 50 18.`,
    code: null,
    link: null,
  },
  {
    name: 'skattesvindel',
    subject: '290418',
    text: `Du har 2.904,18 kr. til gode i skat. Sagsnr. 290418. Udfyld formularen inden 25-11-2026: https://skat-refusion.example/290418`,
    html: `<p>Du har 2.904,18 kr. til gode i skat.</p><p>Sagsnr. 290418</p><p><a href="https://skat-refusion.example/290418">Udfyld formularen</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'advarsel',
    subject: 'Del aldrig dine koder',
    text: `Får du et opkald fra 96 55 50 99 om en "mistænkelig overførsel på 14.900 kr.", så læg på. Limfjordsbanken beder aldrig om koder, pinkode eller kortnummer.`,
    code: null,
    link: null,
  },
  {
    name: 'bekræft tilmelding',
    subject: 'Bekræft din tilmelding til nyhedsbrevet',
    html: `<p>Tak, fordi du vil høre fra Haveglæde!</p><p><a href="https://haveglaede.example/nyt/bekraeft?id=20418&amp;s=0c77f1">Bekræft tilmelding</a></p><p>Ikke dig? <a href="https://haveglaede.example/nyt/afmeld?id=20418">Afmeld her</a></p>`,
    text: `Tak, fordi du vil høre fra Haveglæde!

Bekræft tilmelding: https://haveglaede.example/nyt/bekraeft?id=20418&s=0c77f1
Ikke dig? Afmeld her: https://haveglaede.example/nyt/afmeld?id=20418`,
    code: null,
    link: 'https://haveglaede.example/nyt/bekraeft?id=20418&s=0c77f1',
  },
  {
    name: 'ny adgangskode via link',
    subject: 'Vælg en ny adgangskode',
    text: `Hej Jens

Klik her for at vælge en ny adgangskode til Mit Vandværk:
https://mit.vandvaerk.example/adgangskode/ny/e01c-7734

Kundenr. 8800417. Linket kan bruges i 4 timer.`,
    code: null,
    link: 'https://mit.vandvaerk.example/adgangskode/ny/e01c-7734',
  },
  {
    name: 'nyt login',
    subject: 'Nyt login på din konto',
    html: `<p>Odense, 22. november 2026 kl. 21.55, IP 198.51.100.91</p><p>Var det ikke dig? <a href="https://id.lobehjulet.example/sikr?k=771820">Sikr din konto</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'regning',
    subject: 'Regning for 4. kvartal',
    text: `Fakturanr. 2026-48291
Kundenr. 331807
I alt 1.118,75 kr.
Betalingslinje: +71<000048291307718+88412204<`,
    html: `<table><tr><td>Fakturanr.</td><td>2026-48291</td></tr><tr><td>I alt</td><td>1.118,75 kr.</td></tr><tr><td>Betalingslinje</td><td>+71&lt;000048291307718+88412204&lt;</td></tr></table>`,
    code: null,
    link: null,
  },
  {
    name: 'udløbet kode',
    subject: 'Din kode er udløbet',
    text: `Koden 904 417 er udløbet, fordi den ikke blev brugt inden for 10 minutter. Bestil en ny på loginsiden.`,
    code: null,
    link: null,
  },
  {
    name: 'månedsrapport',
    subject: 'Dit forbrug i oktober',
    html: `<table><tr><th>Uge</th><th>kWh</th></tr><tr><td>40</td><td>4471</td></tr><tr><td>41</td><td>3902</td></tr><tr><td>42</td><td>5188</td></tr></table><p>Målernr. 571313174118204477</p>`,
    code: null,
    link: null,
  },
  {
    name: 'ordrenummer af samme længde',
    subject: 'Ordre 551820: bekræft ny adresse',
    html: `<p>Vi vil være sikre på, at det er dig, der ændrer adressen på ordre <b>551820</b>.</p><p>Kode: <b>730269</b></p><p>Kunde 118204</p>`,
    text: `Vi vil være sikre på, at det er dig, der ændrer adressen på ordre 551820.

Kode: 730269

Kunde 118204`,
    code: '730269',
    link: null,
  },
  {
    name: 'midlertidig adgangskode',
    subject: 'Midlertidig adgangskode til forældreportalen',
    html: `<p>Kære forældre</p><p>Jeres midlertidige adgangskode er <b>nH36rVx9</b>. Der er forskel på store og små bogstaver.</p><p>Skovskolen, tlf. 75 55 01 70</p>`,
    code: 'nH36rVx9',
    link: null,
    kind: 'password',
  },
  {
    name: 'aktivér lånerkort',
    subject: 'Aktivér dit lånerkort',
    html: `<p>Lånerkort 0048291 er klar. <a href="https://biblioteket.example/aktiver?kort=48291&amp;n=7e0c">Aktivér det her</a>.</p><p><a href="https://biblioteket.example/abningstider">Åbningstider</a></p>`,
    code: null,
    link: 'https://biblioteket.example/aktiver?kort=48291&n=7e0c',
  },
  {
    name: 'andre koder',
    subject: 'Fejlkode 40312',
    html: `<p>Scanneren viser fejlkode 40312 ved stregkode 5701234567899. Landekode 45, SWIFT-kode LIMFDK22.</p>`,
    text: `Scanneren viser fejlkode 40312 ved stregkode 5701234567899. Landekode 45, SWIFT-kode LIMFDK22.`,
    code: null,
    link: null,
  },
  {
    name: 'godkend i appen',
    subject: 'Godkend dit login i appen',
    html: `<p>Åbn appen på din telefon, og tryk på tallet <i>i appen</i>, der passer til skærmen. Du skal ikke bruge en kode fra denne mail.</p><p>Forespørgsel 330718</p>`,
    code: null,
    link: null,
  },
  {
    name: 'kolonneoverskrift og kode nedenunder',
    subject: 'Midlertidigt login til studieportalen',
    html: `<table><tr><th>Studienr.</th><th>Engangsadgangskode</th></tr><tr><td>330718</td><td>704 815</td></tr></table>`,
    text: `Studienr.: 330718
Engangsadgangskode: 704 815`,
    code: '704815',
    link: null,
  },
  {
    name: 'måleraflæsning',
    subject: 'Tak for din aflæsning',
    text: `Målerstand: 048291
Målernummer: 30774118
Installation: 571313174800048291`,
    code: null,
    link: null,
  },
]
