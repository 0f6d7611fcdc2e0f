import type { UnsignedPart } from '#contract/mailbox.ts'
import type * as english from '../en/message.ts'

const ANYONE =
  'Cualquiera pudo escribir este nombre. Si pediste este mensaje, sigue adelante. Si no, no abras sus enlaces ni escribas contraseñas.'

const UNSIGNED: Readonly<Record<UnsignedPart, string>> = {
  body: 'final del texto',
  from: 'remitente',
  subject: 'asunto',
  date: 'fecha',
  to: 'destinatario',
  'content-type': 'tipo de contenido',
}

const verdict: english.MessageTexts['verdict'] = {
  signed: { word: p => `firmado por ${p.domain}`, sentence: p => `Firmado por ${p.domain}` },
  server: {
    word: p => `desde un servidor de ${p.domain}`,
    sentence: p => `Enviado desde un servidor de ${p.domain}`,
  },
  signed_in_part: {
    word: () => 'firmado en parte',
    sentence: p => `${p.domain} solo firmó una parte de este mensaje`,
    explained: 'Cualquiera pudo escribir o cambiar el resto, que la última línea nombra. No te fíes de él.',
  },
  signed_by_other: {
    word: () => 'sin verificar',
    sentence: p => `Firmado por ${p.domain}, no por el dominio del remitente`,
    explained: ANYONE,
  },
  server_of_other: {
    word: () => 'sin verificar',
    sentence: p => `Enviado desde un servidor de ${p.domain}, no del dominio del remitente`,
    explained: ANYONE,
  },
  several_senders: {
    word: () => 'sin verificar',
    sentence: () => 'Este mensaje nombra a varios remitentes',
    explained: `Solo se muestra uno, y nadie responde por él. ${ANYONE}`,
  },
  unverified: { word: () => 'sin verificar', sentence: () => 'No se pudo verificar el remitente', explained: ANYONE },
  unchecked: { word: () => 'comprobando…', sentence: () => 'Comprobando el remitente…' },
  policy: {
    word: () => 'comprobación fallida',
    sentence: p => `Probablemente no viene de ${p.domain}: la comprobación del remitente ha fallado`,
    explained:
      'Este mensaje no pasa los controles que pide el dueño de este dominio. No abras sus enlaces ni adjuntos, ni escribas contraseñas.',
  },
  imitation: {
    word: () => 'comprueba el remitente',
    sentence: () => 'El remitente imita a otro',
    explained: 'No abras sus enlaces ni adjuntos, ni escribas contraseñas.',
  },
}

export const message: typeof english.message = {
  loading: 'Abriendo el mensaje',
  failed: 'No se pudo abrir el mensaje. Inténtalo de nuevo.',
  busy: 'Desde tu red se abren demasiados mensajes ahora mismo. Prueba otra vez en unos segundos.',
  gone: 'Este mensaje ya no existe.',
  destroyed: 'Ya no existe. No se guardó nada.',
  retry: 'Reintentar',
  noSubject: '(sin asunto)',
  noSender: 'Remitente desconocido',
  from: 'De',
  sentVia: 'Enviado a través de',
  details: 'Detalles',
  deliveryReport: 'Un informe de entrega: no tiene remitente propio.',
  to: 'Para',
  cc: 'Copia',
  replyTo: 'Responder a',
  date: 'Enviado',
  received: 'Recibido',
  verdict,
  listed: p => `El servidor que lo envió está en una lista de bloqueo: ${p.lists}`,
  checks: ({ spf, dkim, dmarc, arc, policy, policyDomain, unsigned = [] }) => {
    const asks = policy ? ` (p=${policy}${policyDomain ? ` de ${policyDomain}` : ''})` : ''
    const gaps = unsigned.length > 0 ? ` (sin firmar: ${unsigned.map(part => UNSIGNED[part]).join(', ')})` : ''
    return `SPF ${spf} · DKIM ${dkim}${gaps} · DMARC ${dmarc}${asks} · ARC ${arc}`
  },
  senderWarning: {
    otherAddress: p => `El nombre muestra otra dirección: este mensaje viene de ${p.name}`,
    lookalike: p => `${p.name} imita otro nombre con letras de otro alfabeto`,
    lookalikeName: p => `El nombre imita otro con letras de otro alfabeto: este mensaje viene de ${p.name}`,
    brand: p => `El nombre dice ${p.brand}, pero este mensaje viene de ${p.name}`,
    brandAlone: p => `El nombre dice ${p.brand}, pero este mensaje no tiene dirección de remitente`,
  },
  freeReplyTo: p => `Las respuestas van a un buzón gratuito, no al remitente: ${p.address}`,
  subjectWarning: 'El asunto esconde letras de otro alfabeto que parecen normales',
  list: {
    title: 'Lista de correo',
    note: 'Darte de baja sirve de poco: esta dirección desaparece pronto y el remitente sabría que alguien lee este buzón.',
    leave: p => `Darse de baja en ${p.host}`,
    leaveByMail: p => `La lista atiende bajas en ${p.address}.`,
  },
  invitation: {
    label: 'Invitación',
    add: 'Añadir al calendario',
    untitled: 'Evento sin título',
    cancelled: 'Cancelado',
    repeated: 'Se repite',
    allDay: 'todo el día',
    elsewhere: p => `hora de ${p.zone}`,
    noZone: 'hora local',
  },
  codes: 'Códigos en este mensaje',
  copyFirstCode: 'Copiar código',
  links: 'Enlaces de confirmación',
  openLink: p => `Abrir ${p.host}`,
  copyLink: 'Copiar enlace',
  partial: 'Una parte de este mensaje no se pudo mostrar. El código fuente lo contiene todo.',
  unreadable: 'Este mensaje no se pudo leer como correo. Aquí está tal como llegó.',
  views: {
    label: 'Cómo mostrar el mensaje',
    simple: 'Vista sencilla',
    layout: 'Original',
    text: 'Texto',
    headers: 'Cabeceras',
    raw: 'Fuente',
    check: 'Revisión',
  },
  check: {
    title: 'Revisar este correo',
    note: 'Para quien envía este correo: qué hacen con él los programas de correo. No se pidió nada, ni enlaces ni imágenes.',
    partOnly: 'Este mensaje es muy largo: solo se revisó su comienzo.',
    problems: {
      title: 'Por mejorar',
      none: 'No se encontró nada.',
      link_broken: 'Un enlace no funciona',
      image_broken: p =>
        p.count === 1 ? '1 imagen nombra una parte que el correo no tiene' : `${p.count} imágenes nombran partes que el correo no tiene`,
      image_without_alt: p => (p.count === 1 ? '1 imagen no tiene texto alternativo' : `${p.count} imágenes no tienen texto alternativo`),
      images_heavy: p => `Las imágenes pesan ${p.size}`,
      html_clipped: p => `El HTML ocupa ${p.size}: Gmail solo muestra el comienzo`,
      text_missing: 'No hay texto sin formato junto al HTML',
      list_unsubscribe_missing: 'Parece un envío masivo y no tiene la cabecera List-Unsubscribe',
      dark_mode_unstated: 'Nada indica «color-scheme»: algunos programas pueden invertir los colores en modo oscuro',
    },
    unsupported: {
      title: 'HTML y CSS que algunos programas no admiten',
      none: 'Todos los programas que se conocen aquí admiten lo que usa este correo.',
    },
    links: p => (p.count === 1 ? '1 enlace' : `${p.count} enlaces`),
    images: p => (p.count === 1 ? '1 imagen' : `${p.count} imágenes`),
    remote: 'remota',
    missing: 'no está en el correo',
    withoutAlt: 'sin texto alternativo',
    source: 'Datos: caniemail.com, licencia MIT, © 2019 HTeuMeuLeu. En una prueba, message.check() también comprueba enlaces e imágenes.',
  },
  frame: 'El mensaje',
  empty: 'Este mensaje no tiene texto.',
  encrypted:
    'Este mensaje está cifrado. Solo quien tenga la clave del destinatario puede leerlo: guárdalo y ábrelo en tu programa de correo.',
  blocked: p =>
    [
      p.images > 0 && (p.images === 1 ? '1 imagen remota' : `${p.images} imágenes remotas`),
      p.pixels > 0 && (p.pixels === 1 ? '1 píxel de rastreo' : `${p.pixels} píxeles de rastreo`),
    ]
      .filter(Boolean)
      .join(', '),
  blockedState: p => `Bloqueado: ${p.count}`,
  showImages: 'Mostrar imágenes',
  alwaysShow: 'Siempre de este remitente',
  askAgain: 'Volver a preguntar',
  showImagesCost: 'Quien lo envía vería que lo abriste, y tu IP.',
  imagesShown: p =>
    p.images === 1
      ? 'Se muestra 1 imagen remota: su servidor sabe que abriste el mensaje y tu dirección IP.'
      : `Se muestran ${p.images} imágenes remotas: sus servidores saben que abriste el mensaje y tu dirección IP.`,
  noneShown: 'Aquí no se muestra ninguna de sus imágenes.',
  pixelsStay: p => (p.pixels === 1 ? '1 píxel de rastreo sigue bloqueado.' : `${p.pixels} píxeles de rastreo siguen bloqueados.`),
  heavyStyles: {
    some: 'Parte de sus estilos pesa demasiado y se omite.',
    all: 'Sus estilos pesan demasiado y se omiten.',
  },
  shownLight: 'Se muestra en claro.',
  shownDark: 'Se muestra con sus propios colores oscuros.',
  showLight: 'Mostrar en claro',
  showDark: 'Mostrar en oscuro',
  zoom: 'Tamaño real',
  fitWidth: 'Ajustar al ancho',
  longMessage: 'Este es el comienzo de un mensaje muy largo.',
  showWhole: 'Mostrarlo entero',
  flagged: {
    title: p => (p.count === 1 ? '1 enlace no es lo que parece' : `${p.count} enlaces no son lo que parecen`),
    mismatch: p => `Un enlace que nombra otro sitio abre ${p.host}`,
    lookalike: p => `${p.host} imita otro nombre con letras de otro alfabeto`,
    credentials: p => `Un enlace que parece de otro sitio abre ${p.host}`,
  },
  target: p => `Abre ${p.url}`,
  quoted: p => (p.lines === 1 ? '1 línea citada' : `${p.lines} líneas citadas`),
  quotedText: 'Texto citado',
  picture: 'Imagen:',
  attachments: p => (p.count === 1 ? '1 adjunto' : `${p.count} adjuntos`),
  download: 'Descargar',
  downloadAll: 'Descargar todo',
  previous: 'Mensaje anterior',
  next: 'Mensaje siguiente',
  previewThis: p => `Ver ${p.filename}`,
  openThis: p => `Abrir ${p.filename} en una pestaña nueva`,
  closePreview: 'Cerrar la vista previa',
  noPreview: 'Sin vista previa',
  noPreviewText: 'Este archivo no se puede mostrar aquí. Descárgalo para abrirlo.',
  downloadFailed: 'La descarga ha fallado',
  downloadFailedText: 'No se pudo descargar el adjunto. Inténtalo de nuevo.',
  downloadStarted: 'Descarga iniciada',
  downloading: p => `Descargando ${p.filename}.`,
  embedded: 'se muestra en el mensaje',
  kind: {
    image: 'Imagen',
    video: 'Vídeo',
    pdf: 'PDF',
    spreadsheet: 'Hoja de cálculo',
    archive: 'Archivo comprimido',
    text: 'Texto',
    other: 'Archivo',
  },
  more: 'Más acciones',
  downloadEml: 'Descargar como .eml',
  ownWindow: 'Abrir en su propia ventana',
  print: 'Imprimir',
  delete: 'Borrar mensaje',
  rawTooLarge: p => `La primera parte de ${p.size}. Descarga el archivo .eml para verlo entero.`,
}
