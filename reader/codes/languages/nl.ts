import { type CodeLanguage, words } from '../code-language.ts'

export const nl: CodeLanguage = {
  hints: words`code|wachtwoord|verificat`,
  sure: words`
    (?:verificatie|bevestigings|beveiligings|controle|teken|onderteken|betaal|apparaat|login|sms|wijzigings|ontgrendel|deblokkeer
      |eenmalige)-?(?:code|pincode|nummer)
    tan-?code|(?:vier|vijf|zes|acht)cijferige code|code van (?:vier|vijf|zes|acht|4|5|6|8) (?:cijfers|tekens)|code om (?:te|je|uw)[ ]
    (?:verificatie|beveiligings|bevestigings|inlog|aanmeld|toegangs|activatie|activerings|herstel|validatie|authenticatie|koppel
      |koppelings)-?(?:code|pincode|wachtwoord)s?
    eenmalige? (?:code|pincode|inlogcode|toegangscode|wachtwoord)|tijdelijke? (?:code|wachtwoord)
    code om (?:in te loggen|je aan te melden|uw aanmelding)
  `,
  other: words`
    (?:deur|poort|alarm|kluis|wifi|slot)-?code
    (?:kortings|actie|promotie|cadeau|kado|voucher|klant|product|fout|streep|qr|uitnodigings|vrienden|bestel|track|volg|pakket|afhaal
      |boekings|reserverings)-?codes?
    pincode van (?:je|uw) (?:nieuwe )?(?:pas|bankpas|kaart)|post-?code
  `,
  bare: words`codes?|pincode`,
  identity: words`
    deel (?:hem|de code)|inlog|in te loggen|aanmeld|verifi|bevestig|wachtwoord|identiteit|eenmalig|geldig|verloopt|deel deze code
  `,
  yours: words`je|jouw|uw|deze|volgende|hier|gebruik|voer`,
  is: words`is|luidt`,
  isYour: words`is (?:je|jouw|uw|de|een)`,
  enter: words`(?:met|voer|gebruik|typ|vul)(?: de(?: code)?)?`,
  to: words`kun je|kunt u|kom je|komt u|(?=log|meld)|om|in|voor|als`,
  purposes: words`
    goed te keuren|goedkeu|binnen|af te ronden|inlog|logt? (?:je|u) in|meldt? (?:je|u) (?:je |zich )?aan|in te loggen|verifi|bevestig
    aanmeld|voltooi|door te gaan|activer|herstel
  `,
  shop: words`korting|aanbieding|afreken|winkelwagen|vrienden|gratis verzending|bespaar|cadeaubon`,
  labels: words`
    bestelling|bestelnummer|ordernummer|factuur|factuurnummer|klantnummer|referentie|kenmerk|dossier|dossiernummer|zaaknummer|pakket
    zending|track(?:ing)?nummer|rekening|bedrag|telefoon|tel|polis|reservering|boekingsnummer|kaart
  `,
  files: words`
    dossier|factuur|pakket|pakketje|zending|douane|terugbetaling|belasting|boete|creditcard|bankpas|betaalpas|zaaknummer|belastingdienst
    toeslag|aanslag|schuld|teruggave
  `,
  reports: words`fout(?:en|melding)?|mislukt|geweigerd|afgewezen|storing|weiger(?:de|t)`,
  doors: words`deur|voordeur|sleutel|poort|kluis`,
  told: words`
    toon (?:de|deze|dit|je)|laat (?:de|deze|je) code|(?<!niet (?:aan |met )?)(?:de|onze|je|uw) (?:bezorger|koerier|chauffeur|postbode)
  `,
  enters: words`
    neem\b(?= [^.]{0,40}\bover\b)|over te nemen|gebruik\b(?= [^.]{0,25}(?:cijfers|nummer|getal|tekens))|voer\b|typ\b|tik\b|vul\b|plak\b
    kopieer\b|toets\b|invoeren\b|invullen\b|intypen\b|overtypen\b|in te (?:typen|vullen|voeren|tikken)|over te typen
  `,
  places: words`\p{L}{0,20}(?:app|pagina|formulier|site|website|veld|scherm|venster|instellingen|browser|portaal|tabblad)\b`,
  digits: words`(?:cijfers|getal(?:len)?|tekens|letters)\b`,
  numbers: words`(?:cijfers|getal(?:len)?|nummer|tekens|letters)\b`,
  asks: words`vraagt|vragen`,
  cards: words`(?:en|met) (?:uw|je) (?:rekeningnummer|kaartgegevens|bankgegevens)`,
  expired: words`
    (?:is|zijn) (?:inmiddels |al |nu )?(?:verlopen|ongeldig|vervallen)|(?:werkt|geldt) niet meer
    niet (?:meer|langer) (?:geldig|bruikbaar|te gebruiken)|komt niet overeen
  `,
  fraud: words`oplicht|fraude|phishing|nep(?:mail|bericht|-)|valse (?:mails?|sms)`,
  bills: words`
    factu(?:ur|ren)|rekening\b|kassabon|betaling|overboeking|overschrijving|incasso|bestelling|aankoop|pakket|zending|bezorging|levering
    terugbetaling
  `,
  warns: words`(?:nooit|niet)\b.{0,30}(?:vragen|bellen)\b|vra(?:gen|agt)\b.{0,8} nooit`,
  three: words`driecijferig|3-cijferig|(?:drie|3) cijfers`,
  approves: words`goedkeur|keur .{0,20}goed|autoris|onderteken|bewijs`,
  confirms: words`
    bevestig(?!d|ing van)|verifieer|verifi[eë]ren|activeer|activeren|registratie (?:voltooi|afrond)
    (?:nieuw|kies|maak|stel).{0,15}wachtwoord|wachtwoord (?:opnieuw|herstel|instel|wijzig)|herstel|deblokk|uitnodiging accept
    rond.{0,25}af\b|magische link|wachtwoord vergeten
  `,
  signsIn: words`inloggen|log in\b|aanmelden\b|inlog`,
  invites: words`nodigt (?:je|u)|heeft (?:je|u) uitgenodigd|uitnodiging`,
  accepts: words`deelnemen|word lid|accept|doe mee`,
  here: words`(?:(?:klik|tik|druk) )?(?:hier|(?:op )?deze link|de link|ja[^?]{0,40}|verder|doorgaan)`,
  besides: words`
    afmeld|uitschrij|privacy|voorwaarden|hulp\b(?<=\bhulp\b)|klantenservice|meld[ ]|niet (?:jij|u|aangevraagd)
    was (?:jij|u) (?:dit|het) niet|instellingen|bestelling|factuur|volg je|track|beveilig|openingstijden|pakket|douane|terugga|boete
    bezorg
  `,
  alerts: words`
    waarschuwing|beveiligingsmelding|nieuwe (?:aanmelding|inlog|login)|nieuw apparaat|wachtwoord (?:is )?gewijzigd|verdacht
    ongebruikelijk|oplicht|fraude|phishing
  `,
  ignored: words`negeer|negeren|niets (?:te )?doen|hoef(?:t|je)? (?:je |u )?niets|gebeurt er niets|verwijder dit|niets aan de hand`,
  lasts: words`link\b[^.!?]{0,40}(?:geldig|verloop|verloopt|vervalt|werkt|eenmalig)`,
  nearlyDone: words`nog (?:maar )?[eé][eé]n (?:klik|stap)|laatste (?:klik|stap)|bijna (?:klaar|zover|gelukt)`,
  travel: words`vlucht|hotel|nachten|verblijf|accommodatie|boeking|reservering|boekingscode|boarding|check-in`,
}
