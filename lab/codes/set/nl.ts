/** Labelled mails in Dutch. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'inlogcode met spatie',
    subject: 'Je inlogcode voor Fietspunt',
    text: `Hoi Sanne,

Hier is je inlogcode: 408 773

Vul hem binnen 10 minuten in. Heb je niets aangevraagd? Gooi deze mail dan gewoon weg.

Fietspunt BV, Oudegracht 118, 3511 AW Utrecht`,
    code: '408773',
    link: null,
  },
  {
    name: 'bank met bedrag en pasnummer',
    subject: 'Bevestig je betaling van € 219,00',
    html: `<p>Beste mevrouw De Wit,</p><p>U betaalt <b>€&nbsp;219,00</b> aan Witgoed Direct met pas 048.</p><p>Neem onderstaande bevestigingscode over in het scherm van de winkel:</p><table><tr><td style="font-size:34px;background:#eef6ee">7310 5528</td></tr></table><p>Wij bellen u nooit om deze code. Polderbank, 020 555 0144, BTW NL004418820B01</p>`,
    code: '73105528',
    link: null,
  },
  {
    name: 'code in het onderwerp',
    subject: '9062 is je verificatiecode',
    text: `Je kunt nu verder met je account bij Stroopje. Deel deze code met niemand.`,
    html: `<p>Je kunt nu verder met je account bij Stroopje.</p><p style="color:#aa2211">Deel deze code met niemand.</p>`,
    code: '9062',
    link: null,
  },
  {
    name: 'letters en cijfers',
    subject: 'Koppel je tv aan Kijkdoos',
    text: `Ga op je telefoon naar kijkdoos.example/koppel en typ daar

BQ7-R2X

Het streepje hoort erbij. Lukt het niet? Bel 088 555 0102 (klantnummer 5501837).`,
    html: `<p>Ga op je telefoon naar <b>kijkdoos.example/koppel</b> en typ daar</p><h1>BQ7-R2X</h1><p>Het streepje hoort erbij. Lukt het niet? Bel 088 555 0102 (klantnummer 5501837).</p>`,
    code: 'BQ7-R2X',
    link: null,
  },
  {
    name: 'gemeenteloket',
    subject: 'Uw toegangscode – zaak 2026-118443',
    text: `Geachte heer Bakker,

Op 23-11-2026 om 08:14 uur is een toegangscode aangevraagd voor het digitaal loket van de gemeente Oosterlee.

Zaaknummer    2026-118443
Toegangscode  660291
Geldig tot    08:44 uur`,
    code: '660291',
    link: null,
  },
  {
    name: 'wachtwoord herstellen met code',
    subject: 'Wachtwoord kwijt?',
    html: `<p>Geen zorgen, het overkomt de besten. Typ deze vijf cijfers over op de site:</p><p><span style="font-family:Courier;font-size:28px;letter-spacing:10px">19835</span></p><p>Daarna kies je een nieuw wachtwoord. Groetjes van Kaasplankje!</p>`,
    code: '19835',
    link: null,
  },
  {
    name: 'code en inloglink',
    subject: 'Inloggen bij Klusbord',
    html: `<p><a href="https://klusbord.example/in/9c0ab?e=1&amp;u=77120">Log in bij Klusbord</a></p><p>Op een ander apparaat bezig? Gebruik dan code <b>552 408</b>.</p><p><a href="https://klusbord.example/uitschrijven/77120">Uitschrijven</a></p>`,
    text: `Log in bij Klusbord:
https://klusbord.example/in/9c0ab?e=1&u=77120

Op een ander apparaat bezig? Gebruik dan code 552 408.`,
    code: '552408',
    link: 'https://klusbord.example/in/9c0ab?e=1&u=77120',
  },
  {
    name: 'Nederlands en Frans uit België',
    subject: 'Uw code / Votre code',
    text: `Uw eenmalige code: 314-902
Votre code à usage unique : 314-902

Spoorwijk NV/SA, 1000 Brussel/Bruxelles, KBO/BCE 0448.201.773`,
    code: '314902',
    link: null,
  },
  {
    name: 'cijfers los van elkaar',
    subject: 'Nog één stap',
    html: `<style>.d{display:inline-block;width:32px;border:1px solid #990033}</style><p>Voer dit in op het scherm waar je was gebleven:</p><div><span class="d">0</span><span class="d">2</span><span class="d">7</span><span class="d">7</span><span class="d">4</span><span class="d">1</span></div><p>Zorgloket, kenmerk 30041982</p>`,
    code: '027741',
    link: null,
  },
  {
    name: 'code tussen de regels',
    subject: 'Even checken',
    text: `Dag Pim, wil je het nieuwe mailadres van je Tuintje-account bevestigen? Tik 77120 in bij Instellingen en klaar ben je. Niet gedaan binnen een uur? Dan laten we alles bij het oude.`,
    code: '77120',
    link: null,
  },
  {
    name: 'bestelling',
    subject: 'Bedankt voor je bestelling 71920438',
    html: `<h1>Bedankt!</h1><p>Bestelnummer: <b>71920438</b></p><table><tr><td>Theepot</td><td>1x</td><td>€ 34,95</td></tr><tr><td>Totaal</td><td></td><td>€ 38,90</td></tr></table><p>Bezorging: 25 november, 1017 EK Amsterdam</p><a href="https://theehuis.example/bestelling/71920438">Bekijk je bestelling</a>`,
    text: `Bestelnummer: 71920438
Theepot 1x € 34,95
Totaal € 38,90
https://theehuis.example/bestelling/71920438`,
    code: null,
    link: null,
  },
  {
    name: 'kortingscode',
    subject: 'Jouw persoonlijke code: SINT2026',
    html: `<div style="background:#8b0000;color:#ffe9a8"><h2>Sint trakteert!</h2><p>Vul je code in bij het afrekenen:</p><p style="font-size:36px">SINT2026</p><a href="https://pepernoot.example/actie?nb=1126">Shop nu</a></div><small><a href="https://pepernoot.example/af/40122">Afmelden</a></small>`,
    code: null,
    link: null,
  },
  {
    name: 'code per sms gestuurd',
    subject: 'Bevestig dat jij het bent',
    text: `We hebben een code van 6 cijfers naar je mobiel gestuurd (06-****4417). Vul die code in om verder te gaan.

Geen sms gekregen? Vraag op de inlogpagina een nieuwe aan of bel 0900-0555.`,
    code: null,
    link: null,
  },
  {
    name: 'nepmail over pakket',
    subject: '772041',
    text: `Uw pakket 772041 kon niet worden bezorgd. Betaal € 1,45 aan bezorgkosten: https://pakket-nl.example/b/772041

Binnen 24 uur betalen, anders gaat het retour.`,
    code: null,
    link: null,
  },
  {
    name: 'waarschuwing phishing',
    subject: 'Trap er niet in',
    html: `<p>Er gaan valse berichten rond met het onderwerp ‘Uw code: 118920’. Polderbank vraagt <b>nooit</b> om uw pincode of bevestigingscode.</p><p>Verdachte mail? Stuur door naar valse-mail@polderbank.example of bel 020 555 0144.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'e-mailadres bevestigen',
    subject: 'Bevestig je e-mailadres',
    html: `<p>Leuk dat je er bent, Youssef!</p><p><a href="https://account.boekenkast.example/bevestig?token=ae8810c3" style="background:#1d4ed8;color:#fff">Ja, dit is mijn adres</a></p><p>Werkt de knop niet? Kopieer dan https://account.boekenkast.example/bevestig?token=ae8810c3</p><p><a href="https://boekenkast.example/privacy">Privacy</a></p>`,
    code: null,
    link: 'https://account.boekenkast.example/bevestig?token=ae8810c3',
  },
  {
    name: 'nieuw wachtwoord via link',
    subject: 'Nieuw wachtwoord instellen',
    text: `Beste klant,

Via deze link stelt u binnen 2 uur een nieuw wachtwoord in:
https://mijn.waterstroom.example/wachtwoord/nieuw/20418-b7f0e1

Uw klantnummer is 20418377. Vragen? https://waterstroom.example/contact`,
    code: null,
    link: 'https://mijn.waterstroom.example/wachtwoord/nieuw/20418-b7f0e1',
  },
  {
    name: 'nieuwe aanmelding',
    subject: 'Nieuwe aanmelding op je account',
    html: `<p>Er is ingelogd vanaf een nieuw apparaat.</p><table><tr><td>Tijd</td><td>22-11-2026 23:05</td></tr><tr><td>IP-adres</td><td>203.0.113.171</td></tr></table><p>Was jij dit niet? <a href="https://id.stroopje.example/beveilig/118204">Beveilig je account</a></p>`,
    text: `Er is ingelogd vanaf een nieuw apparaat (203.0.113.171, 22-11-2026 23:05).
Was jij dit niet? https://id.stroopje.example/beveilig/118204`,
    code: null,
    link: null,
  },
  {
    name: 'factuur',
    subject: 'Factuur 2026110482',
    text: `Factuurnummer 2026110482
Klantnummer 84417
Te betalen € 52,50 voor 07-12-2026
IBAN NL91 POLD 0417 1643 00 o.v.v. 2026110482

https://facturen.glasnet.example/2026110482`,
    code: null,
    link: null,
  },
  {
    name: 'code verlopen',
    subject: 'Je code is verlopen',
    text: `Hoi, de inlogcode 204 881 werkt niet meer: hij was maar 10 minuten geldig. Vraag in de app een nieuwe aan.`,
    code: null,
    link: null,
  },
  {
    name: 'pincode volgt per post',
    subject: 'Je nieuwe betaalpas komt eraan',
    html: `<p>Je nieuwe pas (eindigend op 9027) ligt binnen 5 werkdagen op de mat. De pincode van 4 cijfers krijg je in een aparte brief.</p><p>Rekening NL20 POLD 0118 2044 71 · volgnummer 049</p>`,
    text: `Je nieuwe pas (eindigend op 9027) ligt binnen 5 werkdagen op de mat. De pincode van 4 cijfers krijg je in een aparte brief.`,
    code: null,
    link: null,
  },
  {
    name: 'bestelnummer en code even lang',
    subject: 'Nog even bevestigen: bestelling 330718',
    html: `<p>We sturen bestelling <b>330718</b> naar een nieuw adres. Ben jij dit?</p><p>Vul dan deze code in: <b>551926</b></p><p>Klant 118204</p>`,
    text: `We sturen bestelling 330718 naar een nieuw adres. Ben jij dit?

Vul dan deze code in: 551926

Klant 118204`,
    code: '551926',
    link: null,
  },
  {
    name: 'tijdelijk wachtwoord',
    subject: 'Eenmalig wachtwoord',
    text: `Beste leverancier,

Uw eenmalige wachtwoord voor het portaal is wR4kT8n (let op hoofdletters). Leveranciersnummer 7000418.`,
    code: 'wR4kT8n',
    link: null,
    kind: 'password',
  },
  {
    name: 'pas activeren',
    subject: 'Activeer je bibliotheekpas',
    html: `<p>Pasnummer 20048291 ligt klaar. Klik <a href="https://bieb.example/activeer?pas=20048291&amp;x=7ce0">hier</a> om hem te activeren.</p><p><a href="https://bieb.example/openingstijden">Openingstijden</a></p>`,
    code: null,
    link: 'https://bieb.example/activeer?pas=20048291&x=7ce0',
  },
  {
    name: 'andere codes',
    subject: 'Foutcode 40312 bij streepjescode 8712345678906',
    html: `<p>De scanner geeft foutcode 40312 bij streepjescode 8712345678906. Postcode magazijn: 5657 EX. Storing 118204.</p>`,
    text: `De scanner geeft foutcode 40312 bij streepjescode 8712345678906. Postcode magazijn: 5657 EX. Storing 118204.`,
    code: null,
    link: null,
  },
  {
    name: 'vriendencode',
    subject: 'Geef € 10, krijg € 10',
    html: `<p>Jouw vriendencode</p><h2>SANNE447</h2><p>Laat je vrienden hem invullen bij hun eerste rit.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'kolomkop met code eronder',
    subject: 'Tijdelijke toegang studentenportaal',
    html: `<table><tr><th>Studentnr.</th><th>Eenmalig wachtwoord</th></tr><tr><td>3307182</td><td>470 518</td></tr></table><p>Studentenbalie, kamer 118</p>`,
    text: `Studentnr.: 3307182
Eenmalig wachtwoord: 470 518`,
    code: '470518',
    link: null,
  },
  {
    name: 'uitleg na het getal',
    subject: 'Koffiebranderij Ochtendrood',
    html: `<p style="font-size:36px">60 93 12</p><p>Dit getal vraagt de app van je. Het blijft een kwartier geldig.</p>`,
    code: '609312',
    link: null,
  },
  {
    name: 'meterstand',
    subject: 'Je meterstand is ontvangen',
    text: `Meterstand: 048291
Meternummer: E0048291307741
EAN: 871687140004829137`,
    code: null,
    link: null,
  },
]
