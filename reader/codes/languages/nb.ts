import { type CodeLanguage, words } from '../code-language.ts'

export const nb: CodeLanguage = {
  hints: words`kode|passord|pin\b(?<=\bpin)`,
  sure: words`
    (?:verifiserings|bekreftelses|sikkerhets|kontroll|signerings|betalings|enhets|sms|opplåsings|registrerings|engangs)-?(?:kode(?:n)?
      |nummer(?:et)?)
    (?:fire|fem|seks|åtte)sifret kode|kode(?:n)? for å
    (?:bekreftelses|verifiserings|sikkerhets|engangs|aktiverings|tilgangs|innloggings|påloggings|gjenopprettings|godkjennings
      |paringskoblings|parings)-?(?:kode(?:n)?|passord|pin)
    midlertidig(?:e)? (?:kode|passord)
  `,
  other: words`
    (?:dør|port|alarm|skap|låse)-?kode(?:n)?
    (?:rabatt|kampanje|gavekorts?|tilbuds|strek|qr|kunde|produkt|feil|invitasjons|pakke|hente|bestillings)-?koder?n?|postnummer
    pin-?kode(?:n)? (?:til|for) (?:ditt|det) (?:nye )?(?:kort|bankkort)
  `,
  bare: words`kode|koden|pin(?:kode)?`,
  identity: words`
    del (?:den|koden) ikke|ikke deles|innlogging|logg(?:e)? inn|pålogging|bekreft|verifis|passord|identitet|engangs|gyldig|utløper
    ikke del|aktiver
  `,
  yours: words`din|denne|følgende|her|skriv|bruk|oppgi|tast`,
  is: words`er`,
  isYour: words`er (?:din|en|koden)`,
  enter: words`(?:med|skriv inn|bruk|oppgi|tast inn)(?: koden)?`,
  to: words`kan du|(?=logger)|for|til|i|på|som`,
  purposes: words`godkjenn|logg(?:e)? inn|logger du inn|bekreft|verifis|fortsett|fullfør|aktiver|tilbakestill|registrer`,
  shop: words`venner|rabatt|gratis frakt|tilbud|\bsalg\b|\bspar\b|gavekort|kassen`,
  labels: words`
    ordre|ordrenummer|faktura|fakturanummer|kundenummer|sak|saksnummer|pakke|sending|sporingsnummer|bestilling|konto|beløp|telefon|tlf
    referanse|kid
  `,
  files: words`sak|saksnummer|faktura|pakke|pakken|sending|sendingen|toll|refusjon|skatt|bot|kort|kortet`,
  reports: words`feil(?:en)?|mislyktes|avvist|avslått|avviste|avslo`,
  doors: words`dør(?:en|a)?|nøkkel(?:en|boksen)?|porten|skap(?:et)?`,
  told: words`vis (?:koden|den|fram|frem)|(?:budet|sjåføren|kureren|postbudet)`,
  enters: words`bruk\b(?= [^.]{0,25}(?:tallene|sifrene|siffer|nummeret))|skriv|tast|fyll|lim inn|kopier`,
  places: words`
    \p{L}{0,20}(?:app|appen|siden|side|skjema(?:et)?|nettsted(?:et)?|felt(?:et)?|skjerm(?:en)?|vindu(?:et)?|innstillinger
      |nettleser(?:en)?|portalen|fanen)\b
  `,
  digits: words`(?:siffer|sifrene|siffrene|tallene|tegn(?:ene)?|bokstaver)\b`,
  numbers: words`(?:siffer|sifrene|siffrene|tall(?:et|ene)?|nummer(?:et)?|tegn(?:ene)?|bokstaver)\b`,
  asks: words`spør|ber|vil ha`,
  expired: words`
    (?:er|har) (?:nå |allerede )?(?:utløpt|utgått|gått ut|ugyldig)|(?:gjelder|virker) ikke (?:lenger|mer)|ikke lenger (?:gyldig|brukes)
  `,
  fraud: words`svind|phishing|nettfiske|falske (?:e-?poster|sms|meldinger)`,
  bills: words`faktura|regning|kvittering|betaling|overføring|ordre|bestilling|kjøp\b|pakke|sending|levering|refusjon`,
  warns: words`aldri.{0,25}(?:spørre|be deg|ringe)|(?:spør|ber|ringer)(?: deg)? aldri`,
  three: words`tresifre|3-sifre|(?:tre|3) (?:siffer|tall)`,
  approves: words`godkjenn(?!t)|signer|underskriv`,
  confirms: words`
    bekreft(?!et|else av)|verifiser(?!t)|aktiver(?!t)|tilbakestill|(?:velg|nytt|opprett).{0,15}passord|fullfør|lås opp|godta.{0,20}invit
    glemt.{0,12}passord|bytt.{0,8}passord
  `,
  signsIn: words`logg(?:e)? inn|innlogging`,
  invites: words`har invitert deg|inviterer deg`,
  accepts: words`bli med|godta`,
  here: words`(?:(?:klikk|trykk) )?(?:her|på lenken|lenken|ja[^?]{0,40}|fortsett)`,
  besides: words`
    meld (?:meg |deg )?av|avmeld|personvern|vilkår|hjelp|kundeservice|ikke deg|ikke (?:bedt|bestilt)|innstilling|bestilling|ordre
    faktura|spor pakk|sikre kont|sperr|åpningstid|pakke|sending|toll|refusjon|bot\b|levering
  `,
  alerts: words`advarsel|sikkerhetsvars|ny (?:pålogging|innlogging|enhet)|passord(?:et)? (?:er|ble) endret|mistenkelig|uvanlig|svind`,
  ignored: words`ignorer|se bort fra|trenger (?:du )?ikke (?:[aå] )?gj[oø]re|ingenting|skjer det ikke|slett (?:e-?posten|meldingen)`,
  lasts: words`lenke[nr]?\b[^.!?]{0,40}(?:gyldig|utl[oø]p|virker|gjelder|[eé]n gang)`,
  nearlyDone: words`ett (?:siste |lite )?(?:klikk|steg|trinn)\b|siste (?:steg|trinn)|nesten (?:ferdig|klar|i m[aå]l)`,
  travel: words`fly|hotell|netter|opphold|overnatting|bestilling|billett|innsjekking`,
}
