import { type CodeLanguage, words } from '../code-language.ts'

export const de: CodeLanguage = {
  hints: words`die tan\b|ihre tan\b|diese tan\b|deine tan\b|folgende tan\b|code|passwort|kennwort|tan\b(?<=[\d-]tan)|mtan|einmal|bestätig|transaktionsn|freigab|pin\b(?<=\bpin)`,
  sure: words`
    (?:die|ihre|diese|folgende|deine) tan(?!\p{L})|(?<!\p{L})tan(?=:)|(?:bestätigungs|sicherheits|einmal|zugangs|freigabe)(?:zahl|nummer)
    einmalcode|(?:ger[aä]te|signatur|unterschrifts|freigabe|login|e-?mail|mobil|wechsel|änderungs|umzugs|sms)-?(?:code|tan|pin)
    (?:vier|f[uü]nf|sechs|acht|4|5|6|8)-?(?:stellig|ziffrig)\p{L}{1,2} (?:code|zahl|pin|nummer)
    (?:verifizierungs|verifikations|best[aä]tigungs|sicherheits|einmal|anmelde|zugangs|zugriffs|aktivierungs|freischalt
      |authentifizierungs|login|kopplungs|verkn[uü]pfungs|gast|tages|transaktions|registrierungs|wiederherstellungs|pr[uü]f
      |identifikations)-?(?:code|nummer|pin|kennwort|passwort|schl[uü]ssel|tan)
    (?:sms-?|mobile ?|einmal-?|push-?|m)tan(?!\p{L})|code zur (?:anmeldung|best[aä]tigung|verifizierung|freischaltung)
  `,
  other: words`
    (?:t[uü]r|tor|haust[uü]r|schlie[sß]fach|alarm|wlan|schloss)-?(?:codes?|pin|passwort)
    (?:gutschein|rabatt|aktions|promo|angebots|vorteils|vorgangs|kunden|artikel|produkt|fehler|bank|strich|bar|qr|quell|farb
      |empfehlungs|einladungs|bonus|gewinn|abhol|paket|sendungs)-?codes?
    (?:karten|girocard)-?pins?|pin (?:ihrer|deiner|zu ihrer|f[uü]r ihre) karte
  `,
  bare: words`codes?|pin|tan`,
  identity: words`best[aä]tig|anmeld|einlogg|passwort|kennwort|einmal|verifizier|g[uü]ltig|identit[aä]t|freischalt`,
  yours: words`dein|ihr|ihren|deinen|folgende[nr]?|hier|geben sie|gib`,
  is: words`ist|lautet`,
  isYour: words`(?:ist|als) (?:dein|ihr|der|ein)`,
  enter: words`
    (?:benutzen sie|benutze)(?: den(?: code)?)?|(?:mit|geben sie|gib|verwenden? sie|verwende|nutzen sie|nutze)(?: den(?: code)?)?
  `,
  to: words`können sie|kannst du|kommen sie|kommst du|melden sie|(?=logg|meld)|zu[mr]?|um|ein|auf|in`,
  purposes: words`
    genehmig|\b(?:he)?rein\b|freizugeben|freigeben|autorisier|anmeld|sich an|dich an|sich ein|dich ein|bestätig|einlogg|verif|fortfahr
    freischalt|zurückset|abschlie|aktiv|regist
  `,
  shop: words`rabatt|warenkorb|an der kasse|freunde|gutschein|versandkostenfrei|angebot|ersparnis|sichern sie`,
  labels: words`
    vorgang|fall|aktenzeichen|auftrag|bestellung|rechnung|konto|blz|bic|iban
    \p{L}{1,30}(?<!freigabe|einmal)(?:nummer|-?nr|kennung|zeichen)|buchung|sendung|paket|betrag|telefon|tel|kunde|vertrag|karte
  `,
  files: words`
    bankleitzahl|aktenzeichen|vorgang|vorgangsnummer|rechnung|sendung|sendungsnummer|paket|zoll|r[uü]ckerstattung|steuern?|bu[sß]geld
    kreditkarte|buchung|buchungsnummer|r[uü]ckzahlung|erstattung
  `,
  meetings: words`\b(?:meeting|besprechungs|webinar|konferenz)-id\b`,
  reports: words`fehler(?:meldung)?|fehlgeschlagen|abgelehnt|abgebrochen|störung|zurückgewiesen|lehnte?`,
  doors: words`haustür|tür|schlüssel|schlie[sß]fach|(?:haus|garagen)tor|fach|packstation|wlan`,
  told: words`
    (?:zeigen sie|zeig|nennen sie|legen sie)[^.!?]{0,40}(?:an der kasse|personal|filiale|schalter|tresen|vor\b)
    (?<!nicht |einmal )(?:dem|unserem|ihrem|deinem) (?:kurier|zusteller|boten|paketboten|fahrer|lieferanten|paketzusteller)
    der (?:zustellerin|fahrerin|botin|kurierin)|(?:zusteller|kurier|fahrer|bote) (?:fragt|wird sie|benötigt|braucht)
  `,
  enters: words`
    ben[oö]tigt\b|übertrag(?:en|e)?\b|(?:nutz|verwend|benutz)en?\b(?= [^.]{0,25}(?:ziffern|zahlen|nummer|zeichen))|gib\b|geben\b
    eingeben|tipp|eintippen|einzu(?:geben|tippen|tragen|f[uü]gen)|abtippen|trag(?:e|en)?\b|eintragen|schreib|f[uü]ge?n?\b|einf[uü]gen
    kopier
  `,
  places: words`\p{L}{0,25}(?:app|seite|formular|website|webseite|feld|bildschirm|fenster|einstellungen|browser|maske|portal)\b`,
  digits: words`(?:ziffern|zahlen|zeichen|buchstaben)(?:folge|kombination)?\b`,
  numbers: words`(?:ziffern|zahl(?:en)?|nummer|zeichen|buchstaben)\b`,
  asks: words`frag|verlang|will\b`,
  cards: words`
    (?:und|samt|zusammen mit) (?:(?:ihre[rn]?|deine[rn]?|den|die) )?(?:kartendaten|kartennummer|kontodaten|bankdaten|iban|pin und tan)
  `,
  expired: words`
    (?:ist|sind|war|wurde) (?:\p{L}{1,12} )?(?:abgelaufen|ung[uü]ltig|verfallen)|abgelaufen ist
    nicht mehr (?:g[uü]ltig|verwend|g[uü]ltig|nutzbar)|gilt nicht mehr|funktioniert nicht mehr|stimmt nicht [uü]berein
  `,
  fraud: words`betr[uü]g|phishing|gef[aä]lscht|falsche[nr]? (?:mails?|sms|bank)`,
  bills: words`
    rechnung|beleg\b|quittung|kontoauszug|abrechnung|mahnung|zahlung|überweisung|lastschrift|bestellung|einkauf|sendung|paket|lieferung
    versand|erstattung
  `,
  warns: words`
    (?:nie|niemals|nicht)\b.{0,40}(?:fragen|bitten|anrufen|auffordern|verlangen)\b|(?:fragen|bitten|fordern)\b.{0,20}\b(?:nie|niemals)\b
  `,
  three: words`dreistellig|3-stellig|(?:drei|3) (?:ziffern|zahlen)`,
  approves: words`freigeb|freigabe|autorisier|genehmig|unterzeichn|unterschreib|nachweis`,
  confirms: words`
    endgültig löschen
    best[aä]tig(?!t\b|ung (?:ihrer|deiner|der))|verifizier(?!t\b)|aktivier(?!t\b|ung)|freischalt|freigeschaltet(?<=noch nicht freigeschaltet)|adresse freigeben|zur[uü]cksetz
    (?:neues|ein) (?:neues )?(?:passwort|kennwort) (?:vergeben|w[aä]hlen|festlegen|setzen|erstellen)
    passwort (?:vergeben|w[aä]hlen|festlegen)|loslegen|abschlie[sß]en|einladung annehmen|entsperr|mit einem klick
    neues (?:passwort|kennwort)(?! wurde)|(?:passwort|kennwort) (?:vergessen|[aä]ndern)
  `,
  signsIn: words`einloggen|anmelden|anmeldelink|einlogg|login`,
  invites: words`l[aä]dt (?:sie|dich)|eingeladen|einladung`,
  accepts: words`beitreten|annehmen|mitmachen`,
  here: words`
    (?:(?:klick\p{L}{0,3}|tipp\p{L}{0,3}) )?(?:hier(?: klicken)?|diese[mn]? link|zum link|ja[^?]{0,40}|weiter|jetzt (?:anmelden
      |starten))
  `,
  besides: words`
    abmeld|abbestell|keine (?:mails?|newsletter)|datenschutz|agb|impressum|hilfe|kontakt\b|nicht (?:du|sie)\b|nicht (?:an|von)
    keine mails|einstellungen|bestellung|rechnung|sendung|sicher(?:n|e)[ ]|sperren|melden sie|öffnungszeiten|paket|sendung|zoll
    r[uü]ckerstattung|bu[sß]geld
  `,
  alerts: words`
    sicherheits(?:warnung|hinweis|meldung)|warnung|neue anmeldung|neues gerät|passwort (?:wurde )?ge[aä]ndert|verd[aä]chtig
    ungew[oö]hnlich|betrug
  `,
  ignored: words`
    ignorier|nichts (?:weiter )?(?:zu )?(?:tun|unternehmen)|brauchst du nichts|brauchen sie nichts|passiert nichts|gegenstandslos
    l[oö]schen sie diese|l[oö]sch diese|keine weiteren (?:e-?)?mails
  `,
  lasts: words`link\b[^.!?]{0,40}(?:g[uü]ltig|l[aä]uft|verf[aä]llt|funktioniert|einmal)`,
  nearlyDone: words`
    (?:letzter|letzten|ein|einen|einem|nur) (?:letzter |letzten |kleiner |kleinen )?(?:klick|schritt)\b|fast (?:fertig|geschafft|da)\b
    gleich geschafft
  `,
  travel: words`
    flug|hotel|n[aä]chte|unterkunft|aufenthalt|anreise|reise|check-in|boarding|buchung|hotelbuchung|flugbuchung|reisebuchung|fahrkarte
    ticket
  `,
}
