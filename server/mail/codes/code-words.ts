/**
 * The words around one-time codes: English and Spanish in full, Portuguese, French, German and Italian for what such mails say most. Every
 * pattern is tried on a window of a few hundred characters at most, and none nests one repetition in another over the same characters, so
 * that the work stays linear in the text.
 */
import { anyOf } from './any-of.ts'

/** Codes of shops, envelopes and programmers. They contain the word `code`, so they are searched for first. */
const OTHER_CODES = [
  'confirmation numbers?',
  '(?:meeting|webinar|conference|dial-?in|host|room) (?:pass-?codes?|passwords?|pins?|codes?)',
  '(?:booking|reservation|order|tracking|promo(?:tional)?|discount|coupon|voucher|gift(?: ?card)?|referral|post(?:al)?|zip|area|country|dial(?:l?ing)?|sort|swift|bank|branch|error|exit|status|source|product|item|bar|qr|dress|customer|client|member|student|employee|class|course|school|tax|model|style|colou?r|code|building|tariff|currency|batch|project|department|cost|location|station|airport|unit|machine|html|http|morse|geek|offer|invit(?:e|ation)|case|file|claim|ticket|incident|reference|transaction|routing|ifsc|merchant|terminal|payee|beneficiary|(?:sales )?rep|agent|dealer|affiliate|loyalty|partner|event|conference)[- ]codes?',
  '(?:exit(?:ed|s)?|fail(?:ed|s)?|end(?:ed|s)?|return(?:ed|s)?|responded|finished|crashed|stopped)(?: with)?(?: an?| the)? codes?',
  'codes? (?:of (?:conduct|practice|ethics)|review|path|base|block|snippet|requests?)',
  'c[oó]digos? (?:postal|promocional|[eé]tico|de (?:descuento|reserva|cliente|barras|error|pedido|seguimiento|rastreo|producto|art[ií]culo|referencia|[aá]rea|pa[ií]s|regalo|invitaci[oó]n|referido|empleado|cup[oó]n|vale|oferta|proyecto|lote|estaci[oó]n|aeropuerto|departamento|moneda|vestimenta|tarifa|color|modelo|tienda|oficina|sucursal|salida|estado|centro|la asignatura|asignatura|conducta|convenio|env[ií]o)|qr|fuente|civil|penal|laboral|t[eé]cnico|m[aá]quina|morse|swift|iban)',
  '(?:termin[oó]|fall[oó]|sali[oó]|acab[oó]|respondi[oó])(?: con)?(?: el| un)? c[oó]digo',
  'clave de (?:b[uú]squeda|[eé]xito|producto|pedido|cliente)|palabras? clave',
  'c[oó]digos? (?:(?:d[aeo]|del|de la) )?(?:caso|expediente|tr[aá]mite|solicitud|incidencia|operaci[oó]n|transacci[oó]n|transferencia|banco|banc[aá]rio|interbancario|processo|protocolo|chamado|atendimento|ocorr[eê]ncia|solicita[cç][aã]o|transa[cç][aã]o|opera[cç][aã]o|rastreio|rastreamento|boleto|ag[eê]ncia|desconto|cupom|produto|erro|refer[eê]ncia|encomenda|afiliado|indica[cç][aã]o|c[oó]digo-fonte)',
  'codes? (?:postal|promo|promotionnel|client|banque|guichet|article|produit|source|barres?|erreur|avantage|cadeau|parrainage|r[eé]duction|de (?:r[eé]duction|suivi|commande|parrainage|r[eé]f[eé]rence|dossier))',
  '(?:gutschein|rabatt|aktions|promo|angebots|vorteils|vorgangs|kunden|artikel|produkt|fehler|bank|strich|bar|qr|quell|farb|empfehlungs|einladungs)-?codes?',
  'codic[ei] (?:fiscale|cliente|postale|sconto|promo(?:zionale)?|prodotto|articolo|ordine|pratica|prenotazione|iban|bancario|abi|cab|swift|a barre|errore|invito|(?:di|del|della) (?:sconto|tracciamento|avviamento|spedizione|prenotazione|pratica|ordine|riferimento|errore))',
].join('|')

/** Codes that only ever mean: prove that it is you. */
const SURE_CODES = [
  '(?:verification|security|confirmation|log-?in|sign-?in|sign-?up|authentication|authori[sz]ation|auth|access|activation|one-?time|single-use|two-factor|two-step|2fa|mfa|temporary|recovery|reset|validation|registration|guard|delivery|pairing)(?: (?:login|log-in|sign-in|sign in|access|security|verification))? (?:code|pin|passcode|password|key|number)s?',
  String.raw`(?:log|sign) in code|one-?time (?:code|pin|passcode|password)|passcode|\botp\b|delivery pin`,
  'c[oó]digo (?:temporal )?(?:de (?:verificaci[oó]n|seguridad|confirmaci[oó]n|acceso|inicio de sesi[oó]n|autenticaci[oó]n|autorizaci[oó]n|activaci[oó]n|un solo uso|[uú]nico uso|validaci[oó]n|recuperaci[oó]n|registro|entrega|firma|identificaci[oó]n|desbloqueo)|temporal|[uú]nico)',
  '(?:clave|contraseña|pin) (?:de (?:un solo uso|[uú]nico uso|acceso|verificaci[oó]n|seguridad)|din[aá]mica|temporal|provisional)|coordenada',
  'c[oó]digo (?:de (?:verifica[cç][aã]o|seguran[cç]a|confirma[cç][aã]o|acesso|autentica[cç][aã]o|autoriza[cç][aã]o|ativa[cç][aã]o|valida[cç][aã]o|recupera[cç][aã]o|desbloqueio|uso [uú]nico|login)|tempor[aá]rio)|senha (?:tempor[aá]ria|provis[oó]ria|de uso [uú]nico)',
  `code (?:de (?:v[eé]rification|s[eé]curit[eé]|confirmation|connexion|validation|r[eé]cup[eé]ration|r[eé]initialisation)|d(?:['’]|e )(?:acc[eè]s|authentification|activation|identification|autorisation)|[àa] usage unique|temporaire)|mot de passe (?:[àa] usage unique|temporaire|provisoire)`,
  '(?:verifizierungs|verifikations|best[aä]tigungs|sicherheits|einmal|anmelde|zugangs|zugriffs|aktivierungs|freischalt|authentifizierungs|login|registrierungs|wiederherstellungs|pr[uü]f|identifikations)-?(?:code|pin|kennwort|passwort|schl[uü]ssel)|(?:sms-?|mobile ?|m)tan(?![a-z])',
  'codice (?:di (?:verifica|sicurezza|conferma|accesso|autenticazione|autorizzazione|attivazione|convalida|recupero|sblocco)|temporaneo|monouso|usa e getta)|password (?:temporanea|monouso|usa e getta)',
].join('|')

const BARE_CODES = String.raw`(?<plain>\b(?:code|pin)\b|\bc[oó]digo\b|\bcodice\b|\bclave\b)|\b(?:codes|token|codici)\b|\bc[oó]digos\b`

/** One pass over a window: the group `other`, `sure` or `bare` tells what was found. */
export const CODE_WORDS = new RegExp(`(?<other>${OTHER_CODES})|(?<sure>${SURE_CODES})|(?<bare>${BARE_CODES})`, 'giu')

/** Cheap first question: a mail without any of these words has no code. */
export const ANY_CODE_WORD = new RegExp(
  anyOf([
    ...['code', 'codigo', 'codice', 'codici', 'código', 'clave', String.raw`pin\b(?<=\bpin)`, String.raw`otp\b(?<=\botp)`, 'token'],
    ...[
      'passcode',
      'password',
      'contraseña',
      'senha',
      'mot de passe',
      'passwort',
      'kennwort',
      String.raw`tan\b(?<=\dtan)`,
      'mtan',
      'sms-?tan',
    ],
    ...['v[eé]rif', 'log ?in', 'sign ?in', 'sesión', 'para entrar', 'para acceder'],
    ...['para', 'pour', 'per', 'to'].map(word => `${word} (?:confirm|conferm|valid)`),
  ]),
  'i',
)

/** Words of sign-in, without which a bare "code" may be anything. */
export const IDENTITY_WORDS =
  /verif|validat|valida[rc]|sign(?:ing)?[- ]?(?:in|up)\b|log(?:ging)?[- ]?in\b|passcode|\botp\b|2fa|two-(?:factor|step)|authenti|authori[sz]|autentic|autoriz|confirm(?:a|ar|e)? (?:your|tu|su|el cambio|your account)|(?:reset|restablec|recuper|crear una|cambiar).{0,20}(?:password|contraseña|correo)|iniciar sesión|inicio de sesión|un solo uso|one-?time|prove (?:it|that)|(?:demostrar|comprobar|confirm(?:a|ar)) (?:que eres|tu identidad)|(?:do not|don't|never|no lo) (?:share|compart)|tu código para entrar|código para|activa(?:r|te|tion)?\b|identi(?:ty|dad)|subscription|suscripción|access (?:to )?your|acceso a (?:tu|su)|para (?:el )?acceso|expir|caduca|vence|confirme (?:o |a )?(?:seu|sua)|fa(?:ça|zer) login|acess(?:ar|e|o)\b|senha|uso único|vérifi|connexion|connect(?:er|ez)|authentif|confirmez|mot de passe|usage unique|best[aä]tig|anmeld|einlogg|passwort|kennwort|einmal|verific|acced|accesso|conferma|monouso/i

/** Words that a shop uses next to its codes. */
export const SHOP_WORDS =
  /\d ?%|\breduc|réduction|rabatt|gutschein|sconto|desconto|cupom|\boff\b|discount|descuento|checkout|coupon|cup[oó]n|promo|\bsale\b|rebajas|\bsave\b|ahorra|referral|invite friends/i
/** What a mail that sells says anywhere: a plain "code" in it is one to buy with. */
export const SHOP_CONTEXT = new RegExp(
  String.raw`${SHOP_WORDS.source}|voucher|\bgift|regalo|\bofertas?\b|free (?:shipping|delivery)|env[ií]o gratis|\bvale de\b`,
  'i',
)
/** What a machine's report says on the line of its codes. */
export const REPORT_WORDS =
  /\b(?:errors?|exception|exit(?:ed)?|fail(?:ed|ure)|crash(?:ed)?|http|warning|fallo|fall[oó]|excepci[oó]n|aviso del sistema)\b/i
/** What numbers files, invoices and bank accounts. A bare "code" next to these is another such number. */
export const FILE_WORDS =
  /\b(?:case|file|claim|invoice|order|ticket|policy|customer|reference|routing|account) (?:id|no|nr|num|ref|#)|\b(?:expediente|factura|p[oó]liza|radicado|processo|protocolo|chamado|boleto|fatura|ag[eê]ncia|facture|dossier|bankleitzahl|aktenzeichen|vorgang|rechnung|pratica|fattura|iban|swift|bic)\b/i
/** The number of a meeting: the passcode or access code next to it opens the meeting, not an account. */
export const MEETING_WORDS =
  /\b(?:meeting|webinar|conference) (?:id|number)\b|\bid (?:de (?:la )?reuni[oó]n|da reuni[aã]o|de r[eé]union|(?:della )?riunione)\b|\bid (?:del|do) (?:seminario web|webinar)|\b(?:meeting|besprechungs|webinar|konferenz)-id\b/i
/** `Here is your code`: the line announces the code of the next line. */
export const OFFERS_CODE =
  /\b(?:your|this|following|here|tu|su|este|siguiente|aqu[ií]|seu|teu|abaixo|seguinte|votre|ton|voici|suivant|ci-dessous|dein|ihr|folgende[nr]?|hier|tuo|suo|ecco|seguente)\b/i
/** Six letters and digits next to these are a booking. */
export const TRAVEL_WORDS = /flight|hotel|itinerary|e-?ticket|boarding|check-in|nights|vuelo|noches|billete|localizador|embarque|reserva\b/i

/** Names of numbers that are not codes. They count only right before the number. */
const LABELS = [
  'orders?|pedido|invoice|factura|receipt|recibo|ticket|billete|entrada|case|caso|incidencia|transaction|txn|operaci[oó]n|txid',
  'reference|referencia|ref|booking|reservation|reserva|localizador|tracking|seguimiento|shipment|parcel|paquete|env[ií]o|albar[aá]n|gu[ií]a|radicado|folio',
  '(?:account|cuenta|customer|cliente|client|member|socio|company|serial|card|policy|contract|phone|plan|survey|job|application|model|donation|school|gift card|meeting|vehicle|transaction|order|case|receipt|invoice|tracking)(?: (?:number|no|id|n[ºo°]|ref|reference))',
  'n[uú]mero de (?:cliente|cuenta|pedido|operaci[oó]n|serie|socio|contrato|p[oó]liza|expediente|tel[eé]fono|referencia)',
  'file|claim|incident|docket|request|complaint|petition|protocol|caso|processo|protocolo|chamado|atendimento|ocorr[eê]ncia|solicita[cç][aã]o|solicitud|fatura|boleto|nota fiscal|ag[eê]ncia|cpf|cnpj|encomenda|tr[aá]mite',
  String.raw`commande|facture|dossier|r[eé]f[eé]rence|colis|vorgang|fall|aktenzeichen|auftrag|bestellung|rechnung|konto|blz|bic|\p{L}{1,30}nummer|pratica|ordine|fattura|spedizione|riferimento|partita iva`,
  'contrato|p[oó]liza|expediente|cliente|matr[ií]cula|historia cl[ií]nica|historia|cups|nif|cif|vat|rfc|iban|uid|req|act|ley|secci[oó]n|section|sector',
  'phone|tel(?:[eé]fono)?|m[oó]vil|mobile|fax|whatsapp|call(?: us)?(?: on| at)?|llam(?:a|e|ar) al|ring|dial|ext(?:ensi[oó]n)?|helpline|line|report fraud to',
  'ending(?: in)?|ends in|(?:terminad|acabad)[oa] en|card|tarjeta|visa|mastercard',
  String.raw`street|st|ave(?:nue)?|road|calle|c\/|av(?:enida)?|plaza|po box|box|apartado|suite|unit|floor|piso|room|habitaci[oó]n|consulta|gate|puerta|seat|asiento|store|tienda|group|grupo|block|building|c\.?p|zip|school|sku|id|ip|issue|pr|user|section|version|release|build|commit`,
  String.raw`year|año|copyright|©|\(c\)`,
].join('|')
export const LABEL_BEFORE = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}])(?:${LABELS})\.?(?:\s*(?:[:#.=–—-]|n\.?[ºo°]\.?|no\.|num(?:ber|ero|éro)?|número|nr\.?|id|is|es|est|ist|é|è)){0,4}\s*$`,
  'iu',
)

/** Between the word and the code: nothing but a copula and signs. */
export const LINK_ONLY =
  /^[\s"“”«»'‘’:=>[({\-–—*|]*(?:(?:is|es|are|será|sería|below|siguiente|a continuación|est|ist|lautet|é|è|suivant|seguinte|seguente)(?![\p{L}\p{N}]))?[\s"“”«»'‘’:=>[({\-–—*|]*$/iu
/** The sentence ends with a colon or its like right before the code. */
export const LINK_AT_END =
  /(?:(?<![\p{L}\p{N}])(?:is|es|est|ist|lautet|é|è)|siguiente|following|suivant|seguinte|seguente|:)[\s"“«'‘[({*]*$/iu
/** `481516 is your … code`. */
export const CLAIM_AFTER =
  /^["”»'’\])}*]*,?\s+(?:is|es|as|como|é|est|ist|è|als)\s+(?:o |a |il )?(?:your|the|a|tu|su|el|la|vuestro|un|una|seu|sua|teu|votre|ton|le|dein|ihr|der|tuo|suo|il)\b/iu
/** `Use 481516 to sign in`: the words before … */
export const TYPE_BEFORE =
  /(?:^|[^\p{L}])(?:enter|use|type|input|paste|submit|us[ae]|utili[cz][ae]|introdu(?:ce|zca|cid)|escrib[ae]|ingres[ae]|digit[ae]|tecle[ae]|insira|informe|inserisci|utilizza|immetti|saisissez|entrez|utilisez|tapez|geben sie|gib|verwenden? sie|verwende|nutzen sie|nutze)(?: the| el| la| o| le| il| den code| den)?[\s"“«'‘]*$/iu
/** … and after. */
export const PURPOSE_AFTER =
  /^["”»'’]?\s+(?:to|on|in|as|into|para|en|como|pour|per|zu[mr]?|um|ein)\b.{0,60}?(?:sign|connect|valid|conferm|anmeld|bestätig|einlogg|log ?in|verif|confirm|reset|restablec|continu|finish|authori|autori|activ|complet|registr|acced|entrar|inici|identi)/iu
