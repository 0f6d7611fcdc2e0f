import { type CodeLanguage, words } from '../code-language.ts'

export const sv: CodeLanguage = {
  hints: words`kod|lösenord|pin\b(?<=\bpin)|verifier`,
  sure: words`
    (?:verifierings|bekräftelse|säkerhets|kontroll|signerings|betalnings|enhets|login|sms|byte|upplåsnings|registrerings
      |engångs)-?(?:kod(?:en)?|nummer|numret|siffra)
    (?:fyr|fem|sex|åtta)siffrig(?:a)? kod(?:en)?|kod(?:en)? för att
    (?:verifierings|säkerhets|bekräftelse|inloggnings|engångs|aktiverings|åtkomst|återställnings|autentiserings|identifierings|parnings
      |parkopplings|ihopparnings)-?(?:kod(?:en)?|lösen(?:ord(?:et)?)?|pin)
    (?:tillfällig|tillfälliga) (?:kod|koden|lösenord)|kod för att logga in
  `,
  other: words`
    (?:port|dörr|larm|grind|skåp|lås)-?kod(?:en)?
    (?:rabatt|kampanj|presentkorts?|värde|post|streck|qr|kund|produkt|fel|inbjudnings|värvnings|paket|hämt|bokning|boknings|port
      |erbjudande)-?kod(?:en|er)?
    pin-?kod(?:en)? (?:till|för) (?:ditt|ert) (?:nya )?(?:kort|bankkort)
  `,
  bare: words`kod|koden|pin|pinkod(?:en)?`,
  identity: words`
    dela (?:den|koden) inte|inte delas|logga in|inloggning|verifier|bekräft|lösenord|identitet|engångs|giltig|dela inte|går ut|aktiver
  `,
  yours: words`din|denna|följande|här|ange|använd|skriv`,
  is: words`är`,
  isYour: words`är (?:din|en|koden)`,
  enter: words`(?:med|ange|använd|skriv in|mata in)(?: koden)?`,
  to: words`kan du|kommer du|(?=logga)|för|i|på|som`,
  purposes: words`godkän|logga in|loggar du in|verifier|bekräft|slutför|fortsätt|aktiver|återställ|registrer`,
  shop: words`vänner|rabatt|fri frakt|kassan|erbjudande|\brea\b|spara|presentkort`,
  labels: words`
    order|ordernummer|faktura|fakturanummer|kundnummer|ärende|ärendenummer|paket|försändelse|kollinummer|bokning|bokningsnummer|konto
    belopp|telefon|tel|referens|referensnummer|ocr|diarienummer
  `,
  files: words`
    ärende|ärendenummer|faktura|paket|paketet|försändelse|tull|återbetalning|skatt|böter|kort|kortet|bokningsnummer|skatteverket|skuld
    återbäring(?:en)?
  `,
  reports: words`felmeddelande|felet|misslyckades|misslyckats|avvisad(?:es)?|nekad(?:es)?|avslogs|nekade|avvisade|avslog`,
  doors: words`dörr(?:en)?|port(?:en|telefonen)|nyckeln?|nyckelskåp(?:et)?|skåp(?:et)?`,
  told: words`visa (?:koden|upp|den)|(?:budet|chauffören|föraren|kuriren|brevbäraren)`,
  enters: words`
    använd\b(?= [^.]{0,25}(?:siffr|talen|numret|tecknen))|ange\b|skriv|ange (?:kod|siff)|fyll|mata in|knappa in|klistra|kopiera|slå in
  `,
  places: words`
    \p{L}{0,20}(?:app|appen|sidan|sida|formulär(?:et)?|webbplats(?:en)?|fält(?:et)?|rutan?|där du (?:var|höll)|skärmen|fönstret
      |inställningar(?:na)?|webbläsaren?|portalen|fliken)\b
  `,
  digits: words`(?:siffror(?:na)?|talen|tecken|tecknen|bokstäver(?:na)?)\b`,
  numbers: words`(?:siffror(?:na)?|nummer|numret|tal(?:et)?|tecken|tecknen|bokstäver(?:na)?)\b`,
  asks: words`frågar|ber|begär|efterfrågar`,
  cards: words`(?:och|med) (?:dina |ditt )?(?:kortuppgifter|kortnummer|bankuppgifter)`,
  expired: words`
    (?:har|hann) (?:nu |redan )?(?:gå(?:tt)? ut|upphört|löpt ut)|(?:är|gäller|fungerar) (?:inte|ej) (?:längre|giltig)
    inte längre (?:giltig|gäller|använd)|ogiltig|utgången|st[aä]mmer inte
  `,
  fraud: words`bedräg|bluff|phishing|nätfiske|falska? (?:mejl|sms|meddel)`,
  bills: words`faktura|räkning|kvitto|betalning|överföring|autogiro|beställning|order|köp\b|paket|försändelse|leverans|återbetalning`,
  warns: words`aldrig\b.{0,20}(?:fråga|be dig|ringa)|(?:frågar|ber|ringer)(?: dig)? aldrig`,
  three: words`tresiffrig|3-siffrig|(?:tre|3) siffror`,
  approves: words`godkänn(?!t|s)|signera|underteckna|skriva under`,
  confirms: words`
    bekräfta(?!d|t)|verifiera(?!d|t)|aktivera(?!d|t)|återställ|(?:välj|nytt|skapa).{0,15}lösenord|slutför|lås upp|acceptera.{0,20}inbjud
    klicka på länken|glömt.{0,12}lösenord|byt(?:a)?\b.{0,10}lösenord
  `,
  signsIn: words`logga in|inloggningslänk|inloggning`,
  invites: words`bjuder in dig|har bjudit in dig|inbjudan`,
  accepts: words`gå med|acceptera`,
  here: words`(?:(?:klicka|tryck) )?(?:här|på länken|länken|ja[^?]{0,40}|fortsätt)`,
  besides: words`
    avregistr|avprenum|avanmäl|integritet|villkor|hjälp|kundtjänst|anmäl|inte (?:du|beställ|begär)|inställning|beställning|order|faktura
    spåra|säkra|spärra|öppettider|paket|försändelse|tull|återbäring|böter|leverans
  `,
  alerts: words`varning|säkerhetsmed|ny inloggning|ny enhet|lösenord(?:et)? (?:har )?(?:ändrat|bytt)|misstänkt|ovanlig|bedräg|bluff`,
  ignored: words`
    ignorera|bortse fr|beh[oö]ver (?:du |ni )?inte g[oö]ra n[aå]got|inget (?:mer )?(?:h[aä]nder|att g[oö]ra)
    h[aä]nder (?:det )?(?:ingenting|inget)|radera (?:det|mejlet)|sl[aä]ng mejlet
  `,
  lasts: words`l[aä]nken\b[^.!?]{0,40}(?:giltig|g[aä]ller|fungerar|slutar|upph[oö]r|en g[aå]ng)`,
  nearlyDone: words`ett (?:sista |litet )?(?:klick|steg)\b|sista steget|n[aä]stan (?:klar|framme|d[aä]r)`,
  travel: words`flyg|hotell|n[aä]tter|vistelse|boende|bokning|biljett|incheckning`,
}
