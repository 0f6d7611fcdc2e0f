/** Labelled mails in German. */
import type { LabelledMail } from './entry.ts'

export const mails: LabelledMail[] = [
  {
    name: 'Einmal-TAN der Bank',
    subject: 'Ihre Einmal-TAN',
    text: `Sehr geehrte Frau Petersen,

Ihre Einmal-TAN für die Überweisung über 1.480,00 EUR an DE44 **** 3317 lautet: 291 746

Die TAN gilt 5 Minuten. Geben Sie sie niemals am Telefon weiter.

Ihre Sparbank Wesermarsch
BLZ 280 501 99`,
    code: '291746',
    link: null,
  },
  {
    name: 'Bestätigungscode in der Tabelle',
    subject: 'Bitte bestätige deine E-Mail-Adresse',
    html: `<table width="600" bgcolor="#f4f4f4"><tr><td style="padding:20px">Moin Jonas,</td></tr><tr><td>dein Bestätigungscode für Hafenkante:</td></tr><tr><td align="center" style="font-size:40px;font-weight:bold;color:#112233">385014</td></tr><tr><td style="font-size:11px;color:#888888">Hafenkante GmbH, Am Kaiserkai 62, 20457 Hamburg, HRB 148203</td></tr></table>`,
    code: '385014',
    link: null,
  },
  {
    name: 'Code im Betreff vorn',
    subject: '7719 ist Ihr Freischaltcode für Fahrwerk',
    text: `Guten Tag,

mit dem Freischaltcode aus dem Betreff (7719) schalten Sie Ihr Konto in der Fahrwerk-App frei.

Mit freundlichen Grüßen
Fahrwerk Carsharing eG`,
    code: '7719',
    link: null,
  },
  {
    name: 'Buchstaben und Ziffern mit Bindestrich',
    subject: 'Gerät koppeln',
    text: `Öffne koppeln.klangwerk.example und gib dort den Kopplungscode

        VWRT-48KP

mit Bindestrich ein. Seriennummer deines Lautsprechers: 40918827`,
    code: 'VWRT-48KP',
    link: null,
  },
  {
    name: 'Code und Anmeldelink',
    subject: 'Dein Login für Notizgarten',
    html: `<p>Hallo,</p><p>mit einem Klick bist du drin:</p><p><a href="https://notizgarten.example/login/einmal?t=77ab0192cd" style="background:#2f855a;color:#fff">Jetzt anmelden</a></p><p>Klappt der Knopf nicht? Dann tippe 604 118 in das Feld auf der Anmeldeseite.</p><p><a href="https://notizgarten.example/abmelden/8812">Keine Mails mehr</a></p>`,
    text: `Hallo,

mit einem Klick bist du drin:
https://notizgarten.example/login/einmal?t=77ab0192cd

Klappt der Link nicht? Dann tippe 604 118 in das Feld auf der Anmeldeseite.`,
    code: '604118',
    link: 'https://notizgarten.example/login/einmal?t=77ab0192cd',
  },
  {
    name: 'Sicherheitscode mit Aktenzeichen',
    subject: 'Ihr Sicherheitscode – Vorgang 2026-44812',
    html: `<p>Sehr geehrter Herr Dr. Brandl,</p><p>Sie haben sich am 23.11.2026 um 08:14 Uhr am Bürgerportal der Stadt Neuenried angemeldet.</p><p>Sicherheitscode: <b>00482917</b></p><p>Vorgang: 2026-44812<br>Bürgertelefon: 08171 555 010</p>`,
    code: '00482917',
    link: null,
  },
  {
    name: 'Passwort zurücksetzen per Code',
    subject: 'Passwort vergessen?',
    text: `Kein Problem! Gib auf der Seite einfach diesen Code ein:

53082

Danach kannst du dir ein neues Passwort ausdenken. Deine Kundennummer bleibt 1180422.

Dein Team von Brotzeit24`,
    code: '53082',
    link: null,
  },
  {
    name: 'Zahlung freigeben',
    subject: 'Zahlung freigeben: 89,95 €',
    html: `<p>Einkauf bei <i>Laufladen Köln</i> mit Karte **** 2204</p><p style="font-size:22px">mTAN 917 350</p><p>Tragen Sie die mTAN im Fenster Ihres Händlers ein. Fragen? 0221 555 0133, rund um die Uhr.</p>`,
    text: `Einkauf bei Laufladen Köln mit Karte **** 2204

mTAN 917 350

Tragen Sie die mTAN im Fenster Ihres Händlers ein.`,
    code: '917350',
    link: null,
  },
  {
    name: 'Code im Satz mittendrin',
    subject: 'Schön, dass du da bist!',
    text: `Hi Selin! Damit wir wissen, dass die Adresse wirklich dir gehört, trag bitte 118-264 in der App ein, dann geht's los. Wir freuen uns auf dich! Deine Leute von Radlust, Leopoldstr. 77, 80802 München`,
    code: '118264',
    link: null,
  },
  {
    name: 'zweisprachig',
    subject: 'Zugangscode / Access code',
    html: `<p>Ihr Zugangscode für das Gäste-Portal: <b>K7M2QX</b></p><p>Your access code for the guest portal: <b>K7M2QX</b></p><p>Hotel Zirbenhof, A-6293 Tux, +43 5287 555 01</p>`,
    code: 'K7M2QX',
    link: null,
  },
  {
    name: 'Rechnung',
    subject: 'Ihre Rechnung RE-2026-100482',
    text: `Rechnungsnummer:  RE-2026-100482
Kundennummer:     5510384
Betrag:           47,60 EUR (inkl. 19 % MwSt.)
Fällig:           07.12.2026

Den Betrag buchen wir vom Konto DE12 5001 0517 0648 4898 90 ab.
USt-IdNr. DE294417730`,
    code: null,
    link: null,
  },
  {
    name: 'Paket unterwegs',
    subject: 'Ihr Paket kommt morgen',
    html: `<p>Sendungsnummer <b>00340434161094042557</b></p><p>Zustellung: Di, 24.11.2026, 10:15–12:15 Uhr<br>PLZ 50667</p><p><a href="https://sendung.blitzpost.example/v?nr=00340434161094042557">Sendung verfolgen</a></p>`,
    code: null,
    link: null,
  },
  {
    name: 'Gutscheincode',
    subject: 'Dein 10-€-Gutschein: HERBST10',
    html: `<h2 style="color:#b45309">10 € geschenkt</h2><p>Code an der Kasse eingeben:</p><div style="font-size:38px">HERBST10</div><p>Gültig bis 30.11.2026, Mindestbestellwert 60 €.</p><a href="https://wollreich.example/herbst?k=481029">Zum Shop</a> <a href="https://wollreich.example/nl/ab?u=481029">Abmelden</a>`,
    text: `10 € geschenkt! Code an der Kasse eingeben: HERBST10
Gültig bis 30.11.2026.`,
    code: null,
    link: null,
  },
  {
    name: 'Code kommt per SMS',
    subject: 'Anmeldung bestätigen',
    text: `Sehr geehrte Kundin, sehr geehrter Kunde,

wir haben Ihnen soeben eine TAN per SMS an die Nummer ****4471 gesendet. Bitte geben Sie diese TAN innerhalb von 5 Minuten ein.

Sollten Sie keine SMS erhalten, wählen Sie 0800 555 0120.`,
    code: null,
    link: null,
  },
  {
    name: 'Zollbetrug mit nackter Zahl',
    subject: '418820',
    text: `Ihre Sendung 418820 wird zurückgehalten.
Zollgebühr: 1,99 EUR
Jetzt bezahlen: https://zoll-sendung.example/z/418820
Frist: 24.11.2026`,
    code: null,
    link: null,
  },
  {
    name: 'Warnung vor Betrug',
    subject: 'Aktuelle Warnung vor falschen Bankmitarbeitern',
    html: `<p>Betrüger rufen derzeit mit der Nummer 0441 555 010 an. <b>Wir fragen Sie nie nach Ihrer TAN oder Ihrem Sicherheitscode.</b></p><p>Stand: 11/2026 · Dokument 30417-08</p>`,
    code: null,
    link: null,
  },
  {
    name: 'Double-Opt-in',
    subject: 'Nur noch ein Klick zum Newsletter',
    text: `Hallo,

bitte bestätigen Sie Ihre Anmeldung zum Newsletter der Buchhandlung Lesezeit:

https://news.lesezeit.example/doi/3391044/c81b20

Haben Sie sich nicht angemeldet, löschen Sie diese Mail einfach.

Impressum: Buchhandlung Lesezeit, 79098 Freiburg, Tel. 0761 555 019`,
    code: null,
    link: 'https://news.lesezeit.example/doi/3391044/c81b20',
  },
  {
    name: 'Passwort zurücksetzen per Link',
    subject: 'Neues Passwort für Ihr Kundenkonto',
    html: `<p>Guten Tag Herr Yıldız,</p><p>über den folgenden Link können Sie innerhalb von 24 Stunden ein neues Passwort vergeben:</p><p><a href="https://konto.gartenwelt.example/passwort?hash=0f9a77e2&amp;kd=204418">Neues Passwort vergeben</a></p><p>Ihre Kundennummer: 204418</p><p><a href="https://konto.gartenwelt.example/datenschutz">Datenschutz</a></p>`,
    code: null,
    link: 'https://konto.gartenwelt.example/passwort?hash=0f9a77e2&kd=204418',
  },
  {
    name: 'Anmeldung von neuem Gerät',
    subject: 'Neue Anmeldung bei Notizgarten',
    text: `Am 22.11.2026 um 22:41 Uhr hat sich jemand mit Chrome unter Linux angemeldet (IP 198.51.100.200, Raum Graz).

Warst du das nicht? Dann sichere dein Konto: https://notizgarten.example/konto/sichern/40117`,
    code: null,
    link: null,
  },
  {
    name: 'Code abgelaufen',
    subject: 'Ihr Code ist abgelaufen',
    text: `Guten Tag, der am 20.11. angeforderte Bestätigungscode 448019 ist abgelaufen. Bitte fordern Sie im Bürgerportal einen neuen an.`,
    code: null,
    link: null,
  },
  {
    name: 'Terminbestätigung',
    subject: 'Ihr Termin am 03.12.2026 um 09:20 Uhr',
    html: `<table><tr><td>Praxis</td><td>Dr. med. Anke Sommer</td></tr><tr><td>Termin-Nr.</td><td>774102</td></tr><tr><td>Versicherten-Nr.</td><td>M482913077</td></tr></table><p>Absagen bitte bis 24 Stunden vorher unter 030 555 0117.</p>`,
    text: `Praxis Dr. med. Anke Sommer
Termin-Nr. 774102
Versicherten-Nr. M482913077`,
    code: null,
    link: null,
  },
  {
    name: 'Bestellnummer und Code gleich lang',
    subject: 'Bestellung 661820: bitte bestätigen',
    html: `<p>Bevor wir Bestellung <b>661820</b> an die neue Adresse liefern, bestätige bitte, dass du es bist.</p><p>Code: <b>907143</b></p><p>Kunde 330718 · 90,71&nbsp;€</p>`,
    text: `Bevor wir Bestellung 661820 an die neue Adresse liefern, bestätige bitte, dass du es bist.

Code: 907143

Kunde 330718 · 90,71 €`,
    code: '907143',
    link: null,
  },
  {
    name: 'Ziffern in Kästchen',
    subject: 'Noch ein Schritt zur Mitgliedschaft',
    html: `<style>i{border:1px solid #336699;font-style:normal}</style><p>Diese Zahlen bitte auf der Anmeldeseite eintragen:</p><p><i>1</i> <i>1</i> <i>9</i> <i>0</i> <i>4</i></p><p>Alpenverein Sektion Oberland, Mitgliedsnr. 204/00/118204</p>`,
    code: '11904',
    link: null,
  },
  {
    name: 'Einmalpasswort mit Groß- und Kleinschreibung',
    subject: 'Ihr Einmalpasswort',
    html: `<p>Sehr geehrte Damen und Herren,</p><p>für die erste Anmeldung am Lieferantenportal verwenden Sie bitte das Einmalpasswort</p><p><code>qT7mW2xB</code></p><p>Lieferantennummer: 7000418</p>`,
    text: `Sehr geehrte Damen und Herren,

für die erste Anmeldung am Lieferantenportal verwenden Sie bitte das Einmalpasswort

qT7mW2xB

Lieferantennummer: 7000418`,
    code: 'qT7mW2xB',
    link: null,
    kind: 'password',
  },
  {
    name: 'Konto aktivieren',
    subject: 'Aktivieren Sie Ihr Benutzerkonto',
    html: `<p>Ihr Bibliotheksausweis 0048291 ist angelegt. <a href="https://stadtbib.example/konto/aktivieren?nr=48291&amp;p=e0c7">Hier</a> aktivieren Sie Ihr Konto.</p><p><a href="https://stadtbib.example/oeffnungszeiten">Öffnungszeiten</a></p>`,
    code: null,
    link: 'https://stadtbib.example/konto/aktivieren?nr=48291&p=e0c7',
  },
  {
    name: 'andere Codes',
    subject: 'Fehlercode 40312 an Terminal 118',
    html: `<p>Am Terminal 118 trat der Fehlercode 40312 auf. Betroffen ist der Strichcode 4006381333931, SWIFT-Code WEMADE21XXX.</p><p>Quellcode-Stand 7f3c9a1</p>`,
    text: `Am Terminal 118 trat der Fehlercode 40312 auf. Betroffen ist der Strichcode 4006381333931, SWIFT-Code WEMADE21XXX.`,
    code: null,
    link: null,
  },
  {
    name: 'Zwei-Faktor-App',
    subject: 'Zwei-Faktor-Anmeldung aktiviert',
    html: `<p>Ab sofort fragen wir bei jeder Anmeldung nach dem sechsstelligen Code aus deiner Authenticator-App. Per Mail schicken wir keine Codes.</p><p>Gerät: Pixel 9, 23.11.2026, 08:14</p>`,
    text: `Ab sofort fragen wir bei jeder Anmeldung nach dem sechsstelligen Code aus deiner Authenticator-App. Per Mail schicken wir keine Codes.`,
    code: null,
    link: null,
  },
  {
    name: 'Freunde werben',
    subject: '15 € für dich und deine Freunde',
    html: `<p>Dein Empfehlungscode:</p><p style="font-size:30px">JONAS4471</p><p>Wer ihn bei der Anmeldung eingibt, bekommt 15 € – und du auch.</p>`,
    code: null,
    link: null,
  },
  {
    name: 'Spaltenkopf und Code darunter',
    subject: 'Zugangsdaten Prüfungsamt',
    html: `<table><tr><th>Matrikel-Nr.</th><th>Transaktionsnummer</th><th>gültig bis</th></tr><tr><td>3307182</td><td>884 510</td><td>23.11.2026, 09:15</td></tr></table><p>Die Transaktionsnummer brauchen Sie gleich zur Bestätigung Ihrer Anmeldung im Portal.</p>`,
    code: '884510',
    link: null,
  },
  {
    name: 'Erklärung nach dem Code',
    subject: 'Rösterei Morgenrot: gleich geschafft',
    text: `23 90 66

Das ist die Nummer, nach der dich die App fragt. Sie gilt eine Viertelstunde.`,
    html: `<p style="font-size:36px">23 90 66</p><p>Das ist die Nummer, nach der dich die App fragt. Sie gilt eine Viertelstunde.</p>`,
    code: '239066',
    link: null,
  },
  {
    name: 'Zählerstand',
    subject: 'Ihr Zählerstand ist angekommen',
    html: `<p>Zählerstand: <b>048291</b> kWh<br>Zählernummer: 1EMH0048291307<br>Marktlokation: 51482913077</p>`,
    text: `Zählerstand: 048291 kWh
Zählernummer: 1EMH0048291307`,
    code: null,
    link: null,
  },
]
