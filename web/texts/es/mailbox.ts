import type * as english from '../en/mailbox.ts'

const UNREACHED = 'Nuestro servidor no responde.'
const OFFLINE = 'No tienes conexión.'

export const notices: typeof english.notices = {
  errorTitle: 'Error',
  generateFailed: 'No se pudo generar la dirección. Inténtalo de nuevo.',
  unreached: UNREACHED,
  offline: OFFLINE,
  away: 'Un momento, por favor',
  awayText: 'Ahora mismo no se pueden crear direcciones nuevas. La tuya aparecerá aquí sola, en cuanto se pueda.',
  full: 'Tienes diez direcciones',
  fullText: 'Es lo máximo que admite una cuenta. Borra una para hacer sitio.',
  emailDeleted: '¡Dirección borrada!',
  ended: 'La dirección anterior ya no existe',
  endedText: 'Se destruyó con su correo.',
  replacedElsewhere: 'Otra pestaña ha cambiado la dirección',
  replacedElsewhereText: 'Esta muestra ahora la misma.',
  closedElsewhere: 'Otra pestaña ha borrado o cerrado la dirección',
  notLoaded:
    'No se puede mostrar ningún mensaje: esta página no se ha cargado del todo. Recárgala. Si no ayuda, algo en este navegador o en su red bloquea archivos de este sitio.',
  destroyed: 'Tu dirección temporal se ha destruido. Genera otra para continuar.',
  rateLimitTitle: 'Espera para generar otra dirección',
  rateLimit: p => `Espera ${p.seconds} segundos antes de generar otra dirección.`,
  botCheckTitle: 'La verificación de seguridad ha fallado',
  botCheck: {
    script: 'No se pudo cargar el script de reCAPTCHA',
    token: 'No se pudo generar el token de CAPTCHA. Inténtalo de nuevo.',
    verification: 'La verificación de CAPTCHA ha fallado',
  },
  handedOver: 'El mismo buzón, en este dispositivo',
  handedOverText: 'La dirección y sus mensajes están abiertos también aquí.',
  handOverFailed: 'Este enlace no abre ningún buzón',
  handOverFailedText: 'Se acabó su tiempo o el enlace está incompleto.',
  handOverUnreachable: 'El enlace aún no se puede abrir',
  handOverUnreachableText: 'No se puede contactar con el servidor. El enlace se conserva y se intentará de nuevo.',
  handOverRefused: 'Ya hay dos direcciones abiertas aquí',
  handOverRefusedText: 'Borra una de ellas y vuelve a abrir el enlace.',
  deleteFailed: 'No se pudo borrar la dirección. Sigue viva. Inténtalo de nuevo.',
  notifyClosed: 'Puedes cerrar esta página: el navegador te avisa cuando llegue correo, hasta que la dirección caduque.',
  newMailIn: p => `Correo nuevo en ${p.email}`,
  notifyOn: 'Avisos activados',
}

export const mailboxDialogs: typeof english.mailboxDialogs = {
  domain: { label: 'Dominio', refused: 'Este sitio la rechaza' },
  tabs: 'Tus direcciones',
  receipt: {
    what: p =>
      [
        p.mails === 1 ? '1 mensaje' : `${p.mails} mensajes`,
        p.codes > 0 && (p.codes === 1 ? '1 código' : `${p.codes} códigos`),
        p.trackers > 0 && (p.trackers === 1 ? '1 rastreador bloqueado' : `${p.trackers} rastreadores bloqueados`),
      ]
        .filter(Boolean)
        .join(', ')
        .concat('.'),
    when: p => `Se borró a las ${p.time}.`,
    save: 'Guardar como imagen',
  },
  qr: {
    title: 'Abre este buzón en tu móvil',
    text: 'Escanéalo con la cámara del móvil. Dirección, mensajes y tiempo restante son los mismos en ambos.',
    otherTitle: 'Abrir en otro dispositivo',
    otherText: 'O escanea esto con el otro dispositivo. Dirección, mensajes y tiempo restante son los mismos en ambos.',
    secret: 'Quien tenga este enlace o código puede leer los mensajes hasta que la dirección desaparezca.',
    alt: 'Código QR que abre este buzón',
    copyLink: 'Copiar enlace',
    share: 'Compartir enlace',
  },
  keys: {
    title: 'Atajos de teclado',
    copy: 'Copiar la dirección',
    generate: 'Generar una dirección nueva',
    undo: 'Deshacer el último cambio, mientras se muestra su aviso',
    refresh: 'Actualizar el buzón',
    next: 'Mensaje siguiente',
    previous: 'Mensaje anterior',
    open: 'Abrir el mensaje',
    copyCode: 'Copiar el código más reciente',
    close: 'Cerrar lo que está abierto',
    help: 'Mostrar esta lista',
    enabled: 'Usar atajos de una sola tecla',
    or: 'o',
  },
  linkQuestion: {
    title: '¿Abrir el buzón del enlace?',
    text: p =>
      p.here === undefined
        ? `Es el buzón de ${p.linked}.`
        : `Aquí tienes abierta ${p.here}, y el enlace abre ${p.linked}. Si lo abres, la tuya queda a una pulsación.`,
    sender: 'Quien te envió este enlace también puede leer este correo.',
    openLink: 'Abrir el buzón del enlace',
    own: 'Crear una dirección propia',
    stay: 'Quedarme aquí',
  },
}

export const delivery: typeof english.delivery = {
  connected: p =>
    p.encrypted ? `${p.server} trae correo para ti, por una conexión cifrada.` : `${p.server} trae correo para ti, sin cifrar.`,
  receiving: p => `Recibiendo ${p.size || 'correo'} de ${p.server}…`,
  disconnected: p => `Se cortó la conexión con ${p.server}. La mayoría de los servidores reintentan el envío en unos minutos.`,
  refused: {
    too_large: p => `Rechazado: el mensaje de ${p.server} es demasiado grande.`,
    mailbox_full: () => 'Rechazado: este buzón está lleno. Borra un mensaje para hacer sitio.',
    ended: () => 'Rechazado: esta dirección acaba de caducar.',
    busy: p => `Se ha pedido a ${p.server} que lo intente de nuevo en unos minutos.`,
    rejected: p => `Rechazado: el mensaje de ${p.server} no se pudo aceptar.`,
    certificate: p =>
      `${p.server} quiso entregar correo aquí y no confió en el certificado. Haz que envíe sin TLS, o mira el registro del servidor.`,
    plain_only: p => `${p.server} quiso entregar correo aquí con TLS, que no se le ofrece. Desactívalo también allí.`,
    handshake: p => `${p.server} quiso entregar correo aquí y TLS falló. El registro del servidor dice por qué.`,
  },
  aProgram: 'Un programa cercano al servidor',
}

export const errors: typeof english.errors = {
  title: 'Error',
  network: `${UNREACHED} Inténtalo de nuevo en un momento.`,
  offline: `${OFFLINE} Inténtalo de nuevo cuando vuelva la conexión.`,
  invalid_request: 'Algo en esta petición no es correcto. Revisa lo que has escrito e inténtalo de nuevo.',
  sign_in_required: 'Inicia sesión para hacer esto.',
  token_required: 'Esta dirección ya no está abierta en este navegador.',
  api_token_required: 'Esto necesita una clave de API.',
  api_token_invalid: 'Esta clave de API no es válida aquí.',
  api_mailboxes_max: 'Ya hay todas las direcciones activas que permite una clave de API. Borra alguna para hacer sitio.',
  idempotency_key_in_use: 'Esto ya se está procesando. Inténtalo de nuevo en un momento.',
  idempotency_key_reused: 'Esto ya se usó para otra petición. Recarga la página e inténtalo de nuevo.',
  webhook_target_refused: 'No se pueden enviar webhooks a esta dirección.',
  push_refused: 'El servicio de avisos de este navegador no se admite aquí. Los avisos funcionan con la página abierta.',
  push_subscriptions_max: 'Ya reciben avisos de esta dirección todos los navegadores que se permiten. Desactívalos en uno de ellos.',
  webhooks_max: 'Ya hay todos los webhooks que se permiten. Quita uno para hacer sitio.',
  bot_check_failed: 'La verificación de CAPTCHA ha fallado',
  forbidden: 'Esto no está permitido desde aquí. Recarga la página e inténtalo de nuevo.',
  not_found: 'Aquí no hay nada. Recarga la página e inténtalo de nuevo.',
  mailbox_not_found: 'Esta dirección ya no existe. Genera una nueva para continuar.',
  message_not_found: 'Este mensaje ya no existe.',
  attachment_not_found: 'Este adjunto ya no existe.',
  link_expired: 'Este enlace ha caducado. Pide uno nuevo.',
  method_not_allowed: 'Esto no es posible aquí. Recarga la página e inténtalo de nuevo.',
  local_part_taken: 'Este nombre ya está en uso. Elige otro.',
  mailboxes_max: 'Ya tienes todas las direcciones que admite una cuenta. Borra una para hacer sitio.',
  body_too_large: 'Es demasiado grande para enviarlo. Acórtalo e inténtalo de nuevo.',
  unsupported_media_type: 'El servidor no puede leer esto. Recarga la página e inténtalo de nuevo.',
  local_part_reserved: 'Este nombre no se puede usar. Elige otro.',
  domain_not_served: 'Este dominio no está disponible. Elige otro.',
  rate_limited: 'Demasiadas peticiones. Espera un momento e inténtalo de nuevo.',
  streams_max: 'Este buzón está abierto en demasiadas pestañas. Cierra una y recarga.',
  internal: 'Algo ha fallado por nuestra parte. Inténtalo de nuevo.',
  unavailable: 'El servicio está ocupado. Inténtalo de nuevo en un momento.',
  account_exists: 'Este correo ya está registrado. Inicia sesión con él.',
  api_keys_max: 'Ya tienes todas las claves de API que admite una cuenta. Revoca una para hacer sitio.',
  passkey_refused:
    'Esta llave de acceso no abre ninguna cuenta aquí. Inicia sesión con tu contraseña. Si acabas de registrarte, abre antes el enlace del correo.',
  passkey_closed: 'No has elegido ninguna llave de acceso. Inténtalo de nuevo o usa una contraseña.',
  passkey_known: 'Este dispositivo ya tiene una llave de acceso de esta cuenta.',
  passkeys_max: 'Ya tienes el máximo de llaves de acceso de una cuenta. Borra una para hacer sitio.',
  passkeys_unavailable: 'Las llaves de acceso no funcionan en este sitio. Usa una contraseña.',
  credentials_wrong: 'El correo o la contraseña no son correctos. Revísalos e inténtalo de nuevo.',
  email_not_allowed: 'Con este correo no se puede abrir una cuenta. Usa otro.',
  email_not_confirmed: 'Primero confirma tu correo: te hemos enviado un enlace.',
  account_suspended: 'Esta cuenta está suspendida. Escríbenos.',
  registration_closed: 'Ahora mismo no se abren cuentas nuevas. Inténtalo otro día.',
  network_blocked: 'Tu red está bloqueada aquí. Escríbenos desde la página de contacto.',
  second_factor_required: 'Introduce primero el código de tu aplicación de autenticación.',
  second_factor_wrong: 'Este código no es correcto o ya se ha usado. Espera al siguiente.',
  storage_full: 'Ahora mismo no hay sitio para esto. Inténtalo de nuevo más tarde.',
}
