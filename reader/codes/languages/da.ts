import { type CodeLanguage, words } from '../code-language.ts'

export const da: CodeLanguage = {
  hints: words`kode|adgangskode|pin\b(?<=\bpin)`,
  sure: words`
    (?:verifikations|bekræftelses|sikkerheds|kontrol|signerings|underskrifts|betalings|enheds|sms|login|oplåsnings|tilmeldings
      |engangs)-?(?:kode(?:n)?|nummer(?:et)?|tal)
    (?:fire|fem|seks|otte)cifrede? kode|kode(?:n)? til (?:godkendelse|at (?:logge|bekræfte))|nøgle(?:n)?kode
    (?:bekræftelses|verifikations|verificerings|sikkerheds|engangs|aktiverings|adgangs|login|gendannelses|godkendelses|tilslutnings
      |parrings|tilkoblings)-?(?:kode(?:n)?|adgangskode|pin)
    midlertidig(?:e)? (?:kode|adgangskode)
  `,
  other: words`
    (?:dør|port|alarm|boks|låse)-?kode(?:n)?
    (?:rabat|kampagne|gavekorts?|tilbuds|stregr?|qr|kunde|produkt|fejl|invitations|pakke|afhentnings|booking)-?koder?n?|postnummer
    pinkode(?:n)? til (?:dit|deres) (?:nye )?(?:kort|dankort)
  `,
  bare: words`kode|koden|pin(?:kode)?`,
  identity: words`
    del (?:den|koden) ikke|login|godkend|log(?:ge)? ind|bekræft|verific|adgangskode|identitet|engangs|gyldig|udløber|del ikke|aktiver
  `,
  yours: words`din|denne|følgende|her|indtast|brug|skriv`,
  is: words`er`,
  isYour: words`er (?:din|en|koden)`,
  enter: words`(?:med|indtast|brug|skriv|anvend)(?: koden)?`,
  to: words`kan du|(?=logger)|for|til|i|på|som`,
  purposes: words`godkend|log(?:ge)? ind|logger du ind|bekræft|verific|fortsæt|fuldfør|aktiver|nulstil|registrer`,
  shop: words`venner|rabat|gratis fragt|tilbud|udsalg|\bspar\b|gavekort|kassen`,
  labels: words`
    ordre|ordrenummer|faktura|fakturanummer|kundenummer|sag|sagsnummer|pakke|forsendelse|booking|konto|beløb|telefon|tlf|reference
  `,
  files: words`sag|sagsnummer|faktura|pakke|pakken|forsendelse|told|refusion|skat|bøde|kort|kortet`,
  reports: words`fejl(?:en)?|mislykkedes|afvist|afslået|afviste|afslog`,
  doors: words`dør(?:en)?|nøgle(?:n|boks|boksen)?|porten|boks(?:en)?`,
  told: words`vis (?:koden|den|denne)|(?:buddet|chaufføren|kureren|postbuddet)`,
  enters: words`brug\b(?= [^.]{0,25}(?:tallene|cifrene|cifre|nummeret))|skriv|indtast|tast|udfyld|indsæt|kopi[ée]r`,
  places: words`
    \p{L}{0,20}(?:app|appen|siden|side|formular(?:en)?|hjemmesiden?|felt(?:et|erne)?|skærm(?:en)?|vindue(?:t)?|indstillinger
      |browser(?:en)?|portalen|fanen|boksen)\b
  `,
  digits: words`(?:cifre(?:ne)?|tal(?:lene)?|tegn(?:ene)?|bogstaver(?:ne)?)\b`,
  numbers: words`(?:cifre(?:ne)?|tal(?:let|lene)?|nummer(?:et)?|tegn(?:ene)?|bogstaver(?:ne)?)\b`,
  asks: words`spørger|beder|vil have`,
  expired: words`
    er (?:nu |desværre |allerede )?(?:udløbet|ugyldig)|(?:gælder|virker|dur) ikke (?:længere|mere)|ikke længere (?:gyldig|bruges)
    udløb(?=[ .,]|$)
  `,
  fraud: words`svind|bedrag|phishing|falske (?:mails?|sms|beskeder)`,
  bills: words`faktura|regning|kvittering|betaling|overførsel|ordre|bestilling|køb\b|pakke|forsendelse|levering|refusion`,
  warns: words`aldrig.{0,25}(?:spørge|bede|ringe)|(?:spørger|beder|ringer)(?: dig)? aldrig`,
  three: words`trecifre|3-cifre|(?:tre|3) cifre`,
  approves: words`godkend(?!t)|underskriv`,
  confirms: words`
    bekræft(?!et|else af)|verific[eé]r(?!et)|aktiv[eé]r(?!et)|nulstil|(?:vælg|nyt?|opret|lav).{0,15}(?:adgangskode|kodeord)|fuldfør
    færdiggør|lås op|accept[eé]r.{0,20}invit|glemt.{0,12}(?:adgangskode|kodeord)|skift.{0,10}adgangskode
  `,
  signsIn: words`log(?:ge)? ind`,
  invites: words`har inviteret dig|inviterer dig`,
  accepts: words`deltag|bliv medlem|accept[eé]r`,
  here: words`(?:(?:klik|tryk) )?(?:her|på linket|linket|ja[^?]{0,40}|fortsæt)`,
  besides: words`
    afmeld|frameld|privatliv|vilkår|betingelser|hjælp|kundeservice|(?<!a)anmeld(?!ung|en\b|elink)|ikke dig|ikke (?:bedt|bestilt|selv)|indstilling|ordre
    faktura|spor din|sikr din|spær|åbningstid|pakke|forsendelse|told|refusion|bøde|levering
  `,
  alerts: words`
    advarsel|sikkerheds(?:advarsel|besked|meddel)|nyt login|ny enhed|adgangskode(?:n)? er (?:ændret|skiftet)|mistænkelig|usædvanlig
    svind|bedrag
  `,
  ignored: words`ignorer|se bort fra|beh[oø]ver (?:du )?ikke (?:at )?g[oø]re|ingenting|sker der ikke|slet (?:mailen|beskeden)`,
  lasts: words`link(?:et)?\b[^.!?]{0,40}(?:gyldig|udl[oø]b|virker|g[aæ]lder|[eé]n gang)`,
  nearlyDone: words`[eé]t (?:sidste |lille )?(?:klik|skridt|trin)\b|sidste (?:skridt|trin)|n[aæ]sten (?:f[aæ]rdig|klar|i m[aå]l)`,
  travel: words`fly|hotel|n[æa]tter|ophold|booking|bestilling|billet|indtjekning|check-in`,
}
