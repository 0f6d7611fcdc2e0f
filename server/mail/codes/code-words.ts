/**
 * The words around one-time codes, English and Spanish. Every pattern is tried on a window of a few hundred characters at most, and none
 * nests one repetition in another over the same characters, so that the work stays linear in the text.
 */

/** Codes that are typed in shops, on envelopes and by programmers. They contain the word `code`, so they are looked for first. */
const OTHER_CODES = [
  '(?:booking|reservation|order|tracking|promo(?:tional)?|discount|coupon|voucher|gift(?: ?card)?|referral|post(?:al)?|zip|area|country|dial(?:l?ing)?|sort|swift|bank|branch|error|exit|status|source|product|item|bar|qr|dress|customer|client|member|student|employee|class|course|school|tax|model|style|colou?r|code|building|tariff|currency|batch|project|department|cost|location|station|airport|unit|machine|html|http|morse)[- ]codes?',
  '(?:exit(?:ed|s)?|fail(?:ed|s)?|end(?:ed|s)?|return(?:ed|s)?|responded|finished|crashed|stopped)(?: with)?(?: an?| the)? codes?',
  'codes? (?:of (?:conduct|practice|ethics)|review|path|base|snippet|requests?)',
  'c[oó]digos? (?:postal|promocional|[eé]tico|de (?:descuento|reserva|cliente|barras|error|pedido|seguimiento|rastreo|producto|art[ií]culo|referencia|[aá]rea|pa[ií]s|regalo|invitaci[oó]n|referido|empleado|cup[oó]n|vale|oferta|proyecto|lote|estaci[oó]n|aeropuerto|departamento|moneda|vestimenta|tarifa|color|modelo|tienda|oficina|sucursal|salida|estado|centro|la asignatura|asignatura|conducta|convenio|env[ií]o)|qr|fuente|civil|penal|laboral|t[eé]cnico|m[aá]quina|morse|swift|iban)',
  '(?:termin[oó]|fall[oó]|sali[oó]|acab[oó]|respondi[oó])(?: con)?(?: el| un)? c[oó]digo',
  'clave de (?:b[uú]squeda|[eé]xito|producto|pedido|cliente)|palabras? clave',
].join('|')

/** Codes that only ever mean: prove that it is you. */
const SURE_CODES = [
  '(?:verification|security|confirmation|log-?in|sign-?in|sign-?up|authentication|authori[sz]ation|auth|access|activation|one-?time|single-use|two-factor|two-step|2fa|mfa|temporary|recovery|reset|validation|registration|guard|delivery|pairing)(?: (?:login|log-in|sign-in|sign in|access|security|verification))? (?:code|pin|passcode|password|key|number)s?',
  String.raw`(?:log|sign) in code|one-?time (?:code|pin|passcode|password)|passcode|\botp\b|delivery pin`,
  'c[oó]digo (?:temporal )?(?:de (?:verificaci[oó]n|seguridad|confirmaci[oó]n|acceso|inicio de sesi[oó]n|autenticaci[oó]n|autorizaci[oó]n|activaci[oó]n|un solo uso|[uú]nico uso|validaci[oó]n|recuperaci[oó]n|registro|entrega|firma|identificaci[oó]n|desbloqueo)|temporal|[uú]nico)',
  '(?:clave|contraseña|pin) (?:de (?:un solo uso|[uú]nico uso|acceso|verificaci[oó]n|seguridad)|din[aá]mica|temporal|provisional)|coordenada',
].join('|')

const BARE_CODES = String.raw`(?<plain>\b(?:code|pin)\b|\bc[oó]digo\b|\bclave\b)|\b(?:codes|token)\b|\bc[oó]digos\b`

/** One pass over a window: group `other`, `sure` or `bare` says what was found. */
export const CODE_WORDS = new RegExp(`(?<other>${OTHER_CODES})|(?<sure>${SURE_CODES})|(?<bare>${BARE_CODES})`, 'giu')

/** Cheap first question: a mail without any of these words has no code. */
export const ANY_CODE_WORD =
  /cod(?:e|igo)|código|clave|\bpin\b|\botp\b|token|passcode|password|contraseña|verif|log ?in|sign ?in|sesión|para (?:entrar|acceder)/i

/** The mail is about who somebody is; without this a bare "code" may be anything. */
export const IDENTITY_WORDS =
  /verif|validat|valida[rc]|sign(?:ing)?[- ]?(?:in|up)\b|log(?:ging)?[- ]?in\b|passcode|\botp\b|2fa|two-(?:factor|step)|authenti|authori[sz]|autentic|autoriz|confirm(?:a|ar|e)? (?:your|tu|su|el cambio|your account)|(?:reset|restablec|recuper|crear una|cambiar).{0,20}(?:password|contraseña|correo)|iniciar sesión|inicio de sesión|un solo uso|one-?time|prove (?:it|that)|(?:demostrar|comprobar|confirm(?:a|ar)) (?:que eres|tu identidad)|(?:do not|don't|never|no lo) (?:share|compart)|tu código para entrar|código para|activa(?:r|te|tion)?\b|identi(?:ty|dad)|subscription|suscripción|access|acceso|expir|caduca|vence/i

/** What a shop says beside its code. */
export const SHOP_WORDS =
  /\d ?%|\boff\b|discount|descuento|checkout|coupon|cup[oó]n|promo|\bsale\b|rebajas|\bsave\b|ahorra|referral|invite friends/i
/** What a mail that sells says anywhere: a plain "code" in it is one to buy with. */
export const SHOP_CONTEXT = new RegExp(
  String.raw`${SHOP_WORDS.source}|voucher|\bgift|regalo|\bofertas?\b|free (?:shipping|delivery)|env[ií]o gratis|\bvale de\b`,
  'i',
)
/** What a machine's report says on the line of its codes. */
export const REPORT_WORDS =
  /\b(?:errors?|exception|exit(?:ed)?|fail(?:ed|ure)|crash(?:ed)?|http|warning|fallo|fall[oó]|excepci[oó]n|aviso del sistema)\b/i
/** `Here is your code`: the line says whose code the next line holds. */
export const OFFERS_CODE = /\b(?:your|this|following|here|tu|su|este|siguiente|aqu[ií])\b/i
/** Six letters and digits beside these are a booking. */
export const TRAVEL_WORDS = /flight|hotel|itinerary|e-?ticket|boarding|check-in|nights|vuelo|noches|billete|localizador|embarque|reserva\b/i

/** What a number is called when it is no code; it counts only right before the number. */
const LABELS = [
  'orders?|pedido|invoice|factura|receipt|recibo|ticket|billete|entrada|case|caso|incidencia|transaction|txn|operaci[oó]n|txid',
  'reference|referencia|ref|booking|reservation|reserva|localizador|tracking|seguimiento|shipment|parcel|paquete|env[ií]o|albar[aá]n|gu[ií]a|radicado|folio',
  '(?:account|cuenta|customer|cliente|client|member|socio|company|serial|card|policy|contract|phone|plan|survey|job|application|model|donation|school|gift card|meeting|vehicle|transaction|order|case|receipt|invoice|tracking)(?: (?:number|no|id|n[ºo°]|ref|reference))',
  'n[uú]mero de (?:cliente|cuenta|pedido|operaci[oó]n|serie|socio|contrato|p[oó]liza|expediente|tel[eé]fono|referencia)',
  'contrato|p[oó]liza|expediente|cliente|matr[ií]cula|historia cl[ií]nica|historia|cups|nif|cif|vat|rfc|iban|uid|req|act|ley|secci[oó]n|section|sector',
  'phone|tel(?:[eé]fono)?|m[oó]vil|mobile|fax|whatsapp|call(?: us)?(?: on| at)?|llam(?:a|e|ar) al|ring|dial|ext(?:ensi[oó]n)?|helpline|line|report fraud to',
  'ending(?: in)?|ends in|(?:terminad|acabad)[oa] en|card|tarjeta|visa|mastercard',
  String.raw`street|st|ave(?:nue)?|road|calle|c\/|av(?:enida)?|plaza|po box|box|apartado|suite|unit|floor|piso|room|habitaci[oó]n|consulta|gate|puerta|seat|asiento|store|tienda|group|grupo|block|building|c\.?p|zip|school|sku|id|ip|issue|pr|user|section|version|release|build|commit`,
  String.raw`year|año|copyright|©|\(c\)`,
].join('|')
export const LABEL_BEFORE = new RegExp(
  String.raw`(?:^|[^\p{L}\p{N}])(?:${LABELS})\.?(?:\s*(?:[:#.=–—-]|n\.?[ºo°]\.?|no\.|num(?:ber|ero)?|número|id|is|es)){0,4}\s*$`,
  'iu',
)

/** Between the word and the code: nothing but a copula and signs. */
export const LINK_ONLY =
  /^[\s"“”«»'‘’:=>[({\-–—*|]*(?:(?:is|es|are|será|sería|below|siguiente|a continuación)\b)?[\s"“”«»'‘’:=>[({\-–—*|]*$/iu
/** The sentence comes to the point right before the code. */
export const LINK_AT_END = /(?:\b(?:is|es)|siguiente|following|:)[\s"“«'‘[({*]*$/iu
/** `481516 is your … code`. */
export const CLAIM_AFTER = /^["”»'’\])}*]*,?\s+(?:is|es|as|como)\s+(?:your|the|a|tu|su|el|la|vuestro|un|una)\b/iu
/** `Use 481516 to sign in`: what stands before … */
export const TYPE_BEFORE =
  /(?:^|[^\p{L}])(?:enter|use|type|input|paste|submit|us[ae]|utili[cz][ae]|introdu(?:ce|zca|cid)|escrib[ae]|ingres[ae]|digit[ae]|tecle[ae])(?: the| el| la)?[\s"“«'‘]*$/iu
/** … and after. */
export const PURPOSE_AFTER =
  /^["”»'’]?\s+(?:to|on|in|as|into|para|en|como)\b.{0,60}?(?:sign|log ?in|verif|confirm|reset|restablec|continu|finish|authori|autori|activ|complet|registr|acced|entrar|inici|identi)/iu
