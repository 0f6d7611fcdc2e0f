import { type CodeLanguage, words } from '../code-language.ts'

export const cs: CodeLanguage = {
  hints: words`kl[ií][cč]|k[oó]d|heslo|ově[rř]`,
  sure: words`
    sms[- ]kl[ií][cč](?:em)?
    (?:ověřovací|kontrolní|bezpečnostní|potvrzovací|autorizační|podpisový|sms|platební|odblokovací|jednorázov[ýé])(?:ho
      |m)?[ -]?(?:k[oó]d(?:em|u)?|č[ií]slo|pin)
    k[oó]d (?:pro|k|ke) (?:změn|podpis|dokončení|obnov|odemčení|registraci|spárování|vstup|přístup)|k[oó]d z e-?mailu
    (?:čtyř|pěti|šesti|osmi)místný k[oó]d
    (?:ověřovací|potvrzovací|bezpečnostní|přihlašovací|jednorázov[ýé]|aktivační|autorizační|přístupov[ýé]|obnovovací|registrační
      |párovací)(?:ho|m)? (?:k[oó]d(?:em|u)?|heslo)
    k[oó]d (?:pro|k) (?:přihlášení|ověření|potvrzení)|dočasné heslo
  `,
  other: words`
    k[oó]d (?:ke (?:dveřím|vchodu|schránce)|od (?:dveří|vchodu|brány)|k (?:alarmu|výdeji))
    (?:slevov[ýé]|promo|dárkov[ýé]|čárov[ýé]|qr|zákaznick[ýé]|chybov[ýé]|výdejní|rezervační|poštovní|akční)(?:ho|m)?[ -]?k[oó]d(?:y|em
      |u)?
    psč|pin (?:k|ke) (?:vaší|nové) kartě
  `,
  bare: words`k[oó]d|k[oó]dem|k[oó]du|pin`,
  identity: words`p[rř]ihl[aá][sš]en|přihláš|přihlas|ověř|potvrď|potvrz|heslo|totožnost|jednoráz|platný|platnost|nesděluj|aktiv`,
  yours: words`váš|tvůj|tento|následující|zde|zadejte|zadej|použijte|použij`,
  is: words`je|zní`,
  isYour: words`je (?:váš|tvůj|k[oó]d)`,
  enter: words`(?:zadejte|zadej|použijte|použij|opište)(?: k[oó]d)?`,
  to: words`pro|k|ke|do|na`,
  purposes: words`schv[aá]l|přihláš|ověř|potvrz|dokonč|pokrač|aktiv|obnov|registr`,
  shop: words`přátel|kamarád|přítel|sleva|slevu|slevy|doprava zdarma|výprodej|ušetř|poukaz`,
  labels: words`
    objednávk[ay]|faktur[ay]|číslo (?:objednávky|faktury|zákazníka|zásilky|účtu|jednací|rezervace|smlouvy)|zásilk[ay]|rezervace|účet
    částka|tel|telefon|variabilní symbol|vs|spis|kart[ay]
  `,
  files: words`faktur[aye]|zásilk[ayu]|balík|celní|vrácení|daň|daně|pokut[ay]|kart[ay]|spis`,
  reports: words`chyb(?:a|ou|y)|selhal[aoy]?|zamítnut[aoy]?|odmítnut[aoy]?|porucha|zamítl|odmítl[ao]?`,
  doors: words`dve[rř](?:e|í)|vchodu?|br[aá]n[ay]|schr[aá]nk[ay]|boxu|klí[cč](?:e)?`,
  told: words`uka[zž]te|p[rř]edlo[zž]te|(?:kur[yý]rovi|[rř]idi[cč]i|doru[cč]ovateli|po[sš][tť][aá]kovi)`,
  enters: words`
    použij(?:te)?\b(?= [^.]{0,25}(?:čísl|znak))|zadej|zadat|opi[sš]|napi[sš]|vlo[zž]|vypl[nň]|zkop[ií]r|vepi[sš]|na[tť]ukej
  `,
  places: words`
    (?:aplikac|app|str[aá]n(?:k|ce)|formul[aá][rř]|web|pol(?:e|i|[ií][cč]k)|obrazov|okn|nastaven|prohl[ií][zž]e|port[aá]l|z[aá]lo[zž]k)
  `,
  digits: words`(?:[cč][ií]slic|[cč][ií]sla\b|znak|p[ií]smen)`,
  numbers: words`(?:[cč][ií]sl[oai]\b|[cč][ií]slic|[cč][ií]slo|znak|p[ií]smen)`,
  asks: words`zept|pt[aá]|[zž][aá]d[aá]|chce|vyzve`,
  expired: words`
    (?:vypr[sš]el|skon[cč]il|propadl|pozbyl)|u[zž] (?:nen[ií] platn|nelze|neplat|nefunguje)|ji[zž] (?:nen[ií]|nelze|neplat)
    nen[ií] ji[zž]|nen[ií] u[zž]
  `,
  fraud: words`podvod|phishing|fale[sš]n`,
  bills: words`faktur|účtenk|vyúčtov|platb|převod|objednáv|nákup|zásilk|balík|doruč|vrác`,
  warns: words`nikdy.{0,25}(?:nežád|nechce|nevol|neptá|nebude)`,
  three: words`tro[jh]m[ií]st|t[rř][ií]m[ií]st|trojcifern|3-?m[ií]st|(?:tři|3) (?:číslice|čísla)`,
  approves: words`schv[aá]l|autoriz|podepsat|podpis`,
  confirms: words`
    potvr[dďz](?!en[ií] (?:o|objedn))|ov[eě][rř]it|ov[eě][rř]te|aktivuj|aktivovat|aktivace|obnovit|nov[eé].{0,15}heslo
    (?:zvol|nastav|vytvo[rř]).{0,20}heslo|dokon[cč][ií]|odemk|p[rř]ijmout pozv|zapomn.{0,15}hesl|zm[eě][nň](?:te|it|).{0,10}heslo
  `,
  signsIn: words`p[rř]ihl[aá][sš](?:it|te|ovac|í[sš]|íte|en[ií])`,
  invites: words`v[aá]s (?:zve|pozval)|pozvánka`,
  accepts: words`p[rř]ipoj|p[rř]ijmout`,
  here: words`(?:klikn[eě]te )?(?:zde|sem|na tento odkaz|na odkaz|ano[^?]{0,40}|pokra[cč]ovat)`,
  besides: words`
    odhl[aá]s|nezas[ií]lat|soukrom|podm[ií]nk|n[aá]pov|podpor|nahl[aá]s|nejste to|neb?yl|ne[zž][aá]dal|nastaven|objedn[aá]v|faktur
    z[aá]silk|sledov|zabezpe|zablok|otev[ií]r|bal[ií]k|celn|vr[aá]cen|pokut|doru[cč]
  `,
  alerts: words`
    upozorn[eě]n|varov[aá]n|nov[eé] p[rř]ihl[aá][sš]|nov[eé] za[rř][ií]zen|heslo (?:bylo )?zm[eě]n|podez[rř]el|podvod|neobvykl
  `,
  ignored: words`
    ignoruj|nemus[ií]te (?:nic|d[eě]lat)|nemus[ií][sš] (?:nic|d[eě]lat)|nic (?:ne(?:d[eě]l|stane|mus))|nevs[ií]mej|sma[zž]te
    pova[zž]ujte .{0,20}bezp[rř]edm
  `,
  lasts: words`odkaz\p{L}{0,2}\b[^.!?]{0,40}(?:plat[ií]|vypr[sš]|funguje|jednor)`,
  nearlyDone: words`
    posledn[ií] krok|je[sš]t[eě] jeden|(?:jedno|jedn[ií]m|jeden|posledn[ií]) (?:krok|klik)|u[zž] (?:skoro|jen)|skoro hotovo
  `,
  travel: words`let|letu|hotel|noci|noclehy|pobyt|ubytov[aá]n[ií]|rezervac[eií]|jízdenka|p[rř]íjezd`,
}
