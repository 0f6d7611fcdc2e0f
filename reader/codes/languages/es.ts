import { type CodeLanguage, words } from '../code-language.ts'

export const es: CodeLanguage = {
  hints: words`token|codigo|coordenada|código|clave|contraseña|sesión|para entrar|para acceder|para confirm|para valid|v[eé]rif`,
  sure: words`
    (?:clave|c[oó]digo|n[uú]mero) de (?:firma|operaciones|seguridad|un uso|confirmaci[oó]n|verificaci[oó]n|acceso|vinculaci[oó]n
      |dispositivo)
    (?:clave|c[oó]digo|contraseña) (?:sms|otp|de un solo uso)|c[oó]digo de (?:cuatro|cinco|seis|ocho|4|5|6|8) (?:d[ií]gitos|cifras)
    c[oó]digo (?:temporal )?(?:de (?:verificaci[oó]n|seguridad|confirmaci[oó]n|acceso|inicio de sesi[oó]n|autenticaci[oó]n
      |autorizaci[oó]n|activaci[oó]n|un solo uso|[uú]nico uso|validaci[oó]n|recuperaci[oó]n|registro|entrega|firma|identificaci[oó]n
      |desbloqueo|vinculaci[oó]n|emparejamiento|enlace)|temporal|[uú]nico)
    c[oó]digo para (?:iniciar|entrar|acceder|verificar|confirmar|validar|restablecer)
    (?:clave|contraseña|pin) (?:de (?:un solo uso|[uú]nico uso|acceso|verificaci[oó]n|seguridad)|din[aá]mica|temporal|provisional)
    coordenada
  `,
  other: words`
    c[oó]digo (?:de (?:verificaci[oó]n|autenticidad) del? documento|seguro de verificaci[oó]n)
    c[oó]digo (?:de la puerta|del portal|de la caja|de recogida|del wifi|de alarma)
    c[oó]digos? (?:postal|promocional|[eé]tico|de (?:descuento|reserva|cliente|barras|error|pedido|seguimiento|rastreo|producto
      |art[ií]culo|referencia|[aá]rea|pa[ií]s|regalo|invitaci[oó]n|referido|empleado|cup[oó]n|vale|oferta|proyecto|lote|estaci[oó]n
      |aeropuerto|departamento|moneda|vestimenta|tarifa|color|modelo|tienda|oficina|sucursal|salida|estado|centro|la asignatura
      |asignatura|conducta|convenio|env[ií]o|paquete|pago|reembolso|premio|ahorro)|qr|fuente|civil|penal|laboral|t[eé]cnico|m[aá]quina
      |morse|swift|iban)
    (?:termin[oó]|fall[oó]|sali[oó]|acab[oó]|respondi[oó])(?: con)?(?: el| un)? c[oó]digo
    clave de (?:b[uú]squeda|[eé]xito|producto|pedido|cliente)|palabras? clave
    c[oó]digos? (?:(?:d[aeo]|del|de la) )?(?:caso|expediente|tr[aá]mite|solicitud|incidencia|operaci[oó]n|transacci[oó]n|transferencia
      |banco|banc[aá]rio|interbancario)
    pin (?:de|para) (?:su|tu|la) (?:nueva )?tarjeta
  `,
  bare: words`c[oó]digos?|clave|pin`,
  identity: words`
    valida[rc]|verific|autentic|autoriz|confirm(?:a|ar|e) (?:tu|su|el cambio)
    (?:restablec|recuper|crear una|cambiar).{0,20}(?:contraseña|correo)|iniciar sesión|inicio de sesión|un solo uso|comprobar que este
    vincula|(?:demostrar|comprobar|confirm(?:a|ar)) (?:que eres|tu identidad)|no lo compart|tu código para entrar|código para
    v[aá]lid[oa] (?:durante|por|hasta)|activa[r]?|identidad|suscripción|acceso a (?:tu|su)|para (?:el )?acceso|caduca|vence|expira
  `,
  yours: words`
    tu|pediste|solicitaste|has (?:pedido|solicitado)|su|este|siguiente|aqu[ií]|introduce|introduzca|escribe|ingresa|usa|utiliza
  `,
  is: words`es|será|sería|siguiente|a continuación`,
  isYour: words`(?:es|como) (?:tu|su|el|la|un|una|vuestro)`,
  enter: words`
    (?:con|us[ae]|utili[cz][ae]|introdu(?:ce|zca|cid)|escrib[ae]|ingres[ae]|digit[ae]|tecle[ae])(?: el| la| el código| la clave)?
  `,
  to: words`puede[s]?|podr[aá]s?|para|en|como`,
  purposes: words`autoriz|aprob|firmar|verific|confirm|restablec|continu|autori|activ|complet|registr|acced|entrar|inici|identi|valid`,
  shop: words`
    descuento|finalizar la compra|carrito|amig[oa]s|cup[oó]n|rebajas|ahorra|regalo|canjea|\bofertas?\b|env[ií]o gratis|\bvale de\b
  `,
  labels: words`
    pedido|factura|recibo|billete|entrada|caso|incidencia|operaci[oó]n|referencia|reserva|localizador|seguimiento|paquete|env[ií]o
    albar[aá]n|gu[ií]a|radicado|folio|(?:cuenta|cliente|socio)(?: (?:n[ºo°]|no|id))
    n[uú]mero de (?:cliente|cuenta|pedido|operaci[oó]n|serie|socio|contrato|p[oó]liza|expediente|tel[eé]fono|referencia|seguimiento
      |env[ií]o|paquete|factura|tarjeta)
    solicitud|tr[aá]mite|contrato|p[oó]liza|expediente|cliente|cuenta|socio|matr[ií]cula|historia cl[ií]nica|historia|cups|nif|cif|rfc
    ley|secci[oó]n|sector|tel[eé]fono|m[oó]vil|llam(?:a|e|ar) al|extensi[oó]n|(?:terminad|acabad)[oa] en|tarjeta|importe|total|saldo
    calle|c\/|av(?:enida)?|plaza|apartado|piso|habitaci[oó]n|consulta|puerta|asiento|tienda|grupo|c\.?p|año
  `,
  files: words`
    expediente|factura|p[oó]liza|radicado|paquete|env[ií]o|aduanas?|reembolso|devoluci[oó]n|impuestos?|hacienda|multa|tarjeta
    localizador|premio|contribuyente|deuda|tasas
  `,
  travel: words`vuelo|noches|alojamiento|estancia|hotel|billete|localizador|embarque|reserva`,
  meetings: words`\bid de (?:la )?reuni[oó]n\b|\bid del (?:seminario web|webinar)`,
  reports: words`error(?:es)?|rechazad[oa]s?|denegad[oa]s?|fallo|fall[oó]|excepci[oó]n|aviso del sistema|rechaz[oó]|deneg[oó]`,
  doors: words`puerta|llaves?|taquilla|portero autom[aá]tico|cerradura`,
  told: words`
    mu[eé]str[ae](?:lo|la|selo| (?:el|este) c[oó]digo)|presente (?:este|el) (?:c[oó]digo|n[uú]mero)|ens[eé]ñ[ae](?:lo|la)
    (?<!ni |siquiera )(?:al|tu|su) (?:repartidor|mensajero|transportista|conductor|cartero|rider)|a la repartidora
  `,
  enters: words`
    indi(?:ca|que|car)\b|anot[ae]\b|rellen[ae]|(?:us[ae]|utili[cz][ae])\b(?= [^.]{0,25}(?:dígitos|cifras|número|caracteres))|escrib[aei]
    mete\b|introdu(?:ce|zca|cir|cid|ciendo)|ingres[ae]|teclea|tecle[eé]|digit[ae]|copi[ae]|peg[ae]|pon(?:lo|la|er|ga)?\b|marca\b
  `,
  places: words`
    (?:apps?|aplicaci[oó]n|p[aá]gina|formulario|web|sitio|campo|pantalla|casilla|sede electr[oó]nica|donde (?:lo |la )?(?:dejaste
      |estabas|estaba)|ventana|ajustes|navegador|portal|pestaña)\b
  `,
  digits: words`(?:d[ií]gitos|n[uú]meros|cifras|caracteres|letras)\b`,
  numbers: words`(?:d[ií]gitos|n[uú]meros?|cifras|caracteres|letras)\b`,
  asks: words`pide|pedir[aá]|solicita|pregunta`,
  cards: words`(?:y|con) (?:los datos|el n[uú]mero) de (?:su|tu|la) tarjeta`,
  expired: words`
    (?:ha|han|est[aá]) (?:caducad|expirad|vencid)|ya no (?:es v[aá]lid|sirve|vale|funciona|se puede)|\bcaduc[oó]\b(?! )|expir[oó]\b
    venci[oó]\b|no coincid
  `,
  fraud: words`estafa|fraude|phishing|(?:correos|mensajes|sms) fals|suplanta`,
  bills: words`factura|recibo|extracto|pagos?\b|transferencia|adeudo|pedido|compra|env[ií]o|paquete|entrega|reembolso`,
  warns: words`(?:nunca|jamás|no) (?:te |le |os )?(?:pedi|solicita|pregunta|llama)`,
  three: words`(?:tres|3) (?:cifras|d[ií]gitos|n[uú]meros)`,
  approves: words`autori(?:za|ce|zar)\b|aprueb|aprobar\b|comprobar que|firmar\b`,
  confirms: words`
    (?:eliminar|borrar) definitivamente
    confirm(?:a|ar|e|o|en)\b|verific(?:a|ar|o|ue)\b|activ(?:a|ar|e|o|arla|arlo)\b|valid(?:a|ar|e)\b|complet(?:a|ar)\b.{0,20}registr
    restablec|recuper[ae]|(?:crea|crear|elige|elegir|cambiar|nueva).{0,15}contraseña|enlace mágico|aceptar.{0,20}invit|desbloque
    olvid.{0,12}contraseña|cambi(?:a|e)\b.{0,10}contraseña
  `,
  signsIn: words`(?:inicia|iniciar) sesión|acced(?:e|er) a|entrar (?:en|a|sin)\b|inicio de sesión|acceso`,
  invites: words`te (?:ha )?invit|invitación`,
  accepts: words`unirme|unirse|únete|aceptar`,
  here: words`(?:(?:haz|haga) clic |pulsa |pincha )?(?:aqu[ií]|este enlace|el enlace|s[ií][^?]{0,40}|continuar)`,
  besides: words`
    baja\b(?<=\bbaja\b)|\/baja|privacidad|condiciones|ayuda|soporte|denunci|no fui|no (?:has|fuiste|eres|lo)|no solicit|ajustes|pedido
    factura|seguimiento|reserva|consejos|cancelar|proteg|asegur|escríbenos|paquete|env[ií]o|aduana|reembolso|multa|devoluci
  `,
  alerts: words`
    aviso de seguridad|alerta|nuevo (?:inicio|acceso|dispositivo)|contraseña (?:ha sido )?(?:cambiad|modificad)|sospechos|inusual|estafa
    fraude|protege
  `,
  ignored: words`
    ignor(?:a|e|ar)\b|haz caso omiso|no (?:tienes|tiene|hay|hace falta|necesitas) (?:que )?hacer nada|no hagas nada|no pasar[aá] nada
    descarta este|borra este|elimina este
  `,
  lasts: words`enlace\b[^.!?]{0,40}(?:caduca|v[aá]lido|vence|expira|funciona|una (?:sola )?vez)`,
  nearlyDone: words`
    un (?:[uú]ltimo |solo )?(?:clic|paso)\b|(?:falta|queda) (?:solo )?un|casi (?:est[aá]|listo|hecho|lo tienes)|[uú]ltimo paso
  `,
}
