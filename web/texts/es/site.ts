import type * as english from '../en/site.ts'

export const report: typeof english.report = {
  title: 'Denunciar un abuso: Mayfly',
  description: 'Denuncia correo no deseado, suplantación o algo peor con una dirección de este servicio.',
  heading: 'Denunciar un abuso',
  lead: '¿Se usa una dirección de este servicio para enviar correo no deseado, suplantar o algo peor? Cuéntaselo a quien gestiona este sitio.',
  byMail: 'También puedes escribir a:',
  kind: '¿Qué es?',
  kinds: { spam: 'Correo no deseado', phishing: 'Suplantación', harassment: 'Acoso', illegal: 'Contenido ilegal', other: 'Otra cosa' },
  address: 'Dirección o dominio',
  addressHint: 'La de este servicio, p. ej. nombre@este.dominio',
  addressError: 'Indica la dirección o el dominio.',
  message: '¿Qué ha pasado?',
  messageHint: 'Con hora, remitente y cabeceras si las tienes. De 10 a 5000 caracteres.',
  messageError: 'Descríbelo con entre 10 y 5000 caracteres.',
  email: 'Tu correo, si quieres una respuesta',
  emailError: 'Introduce una dirección de correo válida',
  send: 'Enviar denuncia',
  sending: 'Enviando…',
  sent: 'Gracias. La denuncia ha llegado.',
  sentText: 'Quien gestiona este sitio ya puede leerla. Las direcciones viven solo unos minutos; lo que quede de una se destruye.',
  failed: 'No se pudo enviar la denuncia',
}

export const footer: typeof english.footer = {
  navigation: 'Más sobre Mayfly',
  aboutUs: 'Quiénes somos',
  faq: 'Preguntas',
  extension: 'Úsalo en tu navegador',
  api: 'API',
  partner: 'Sitio asociado',
  privacy: 'Privacidad',
  terms: 'Condiciones',
  source: 'Código fuente',
  copyright: p => `© ${p.year} ${p.site}`,
}

export const extension: typeof english.extension = {
  meta: {
    title: 'Úsalo en tu navegador: Mayfly',
    description:
      'Una extensión para Chromium y Firefox: una dirección desechable en el campo que estás rellenando y el código de su correo.',
  },
  heading: 'Úsalo en tu navegador',
  lead: 'Una dirección donde la necesitas, sin salir de la página que la pide.',
  does: [
    [
      'La dirección',
      'Haz clic en el campo, pulsa el icono o Alt+Mayús+M (Control+Mayús+M en un Mac) y ahí tienes una dirección nueva. También está en el menú del campo.',
    ],
    ['El tiempo', 'El icono es la puesta de sol de esta página, con los minutos que quedan.'],
    ['El código', 'Aparece en el icono. Una pulsación lo rellena, o lo copia si ningún campo lo pide. Nada se rellena por sí solo.'],
  ],
  popup: 'La ventana de la extensión: la dirección con el tiempo que le queda y el código de su último mensaje',
  forComputers: 'Es para navegadores de ordenador: abre esta página allí para instalarla.',
  install: 'Instala la extensión',
  download: 'Descarga la extensión y descomprímela en una carpeta que no vayas a borrar.',
  downloadButton: 'Descargar (40 kB)',
  chromium:
    'Chrome, Edge, Brave y otros: abre chrome://extensions, activa «Modo de desarrollador», pulsa «Cargar descomprimida» y elige la carpeta.',
  firefox:
    'Firefox: abre about:debugging, «Este Firefox», pulsa «Cargar complemento temporal» y elige el archivo manifest.json. Dura hasta que cierres Firefox.',
  handOver:
    'Vuelve a esta página y pulsa el icono de Mayfly. Te ofrece este sitio y tu navegador pregunta si la extensión puede acceder a él.',
  may: 'Qué puede hacer',
  mayText:
    'Accede a este sitio y a ningún otro, y solo ve una página cuando pulsas su icono en ella. Las direcciones están en memoria y se olvidan cuando terminan. Los límites son los de este sitio.',
}

export const notFound: typeof english.notFound = {
  meta: {
    title: 'Página no encontrada: Mayfly',
    description: 'Esta página no existe.',
  },
  code: '404',
  message: '¡Vaya! Esta página no existe',
  remedy: 'Quizá la dirección esté mal escrita o la página ya no esté aquí.',
  home: 'Volver al inicio',
  offlineTitle: 'No tienes conexión',
  offlineText:
    'Esta página no está guardada en tu dispositivo. Recárgala cuando recuperes la conexión: tu dirección y su correo te esperan mientras les quede tiempo.',
  reload: 'Intentarlo de nuevo',
}

export const preview: typeof english.preview = {
  keywords: 'correo temporal, correo desechable, email temporal, correo anónimo, correo de %lifetimeInDigits%',
  imageAlt: 'Una efímera de trazo fino sobre el agua en calma al atardecer',
}

export const contact: typeof english.contact = {
  meta: {
    title: 'Contacto: Mayfly',
    description: '¿Preguntas, problemas o ideas sobre Mayfly? Escribe a quien gestiona este sitio.',
  },
  heading: 'Contacto',
  lead: '¿Una pregunta, un problema, una idea? Tu mensaje llega a quien gestiona este sitio.',
  signOut: 'Cerrar sesión',
  signedInAs: 'Sesión iniciada como',
  name: 'Nombre',
  email: 'Correo electrónico',
  emailHint: 'Te responderemos a esta dirección, así que no uses una temporal.',
  subject: 'Asunto',
  message: 'Mensaje',
  send: 'Enviar mensaje',
  sending: 'Enviando…',
  report: 'Denunciar un abuso',
  urgent: '¿Es urgente? Escribe a',
  sent: '¡Mensaje enviado!',
  sentText: 'Gracias por escribirnos. Te responderemos pronto.',
  failed: 'No se pudo enviar el mensaje',
  failedText: 'Inténtalo más tarde o escríbenos directamente.',
  errors: {
    nameShort: 'El nombre debe tener al menos 2 caracteres',
    nameLong: 'El nombre debe tener menos de 100 caracteres',
    nameControls: 'El nombre tiene caracteres de control invisibles. Escríbelo de nuevo',
    emailInvalid: 'La dirección de correo no es válida',
    emailLong: 'El correo debe tener menos de 255 caracteres',
    subjectShort: 'El asunto debe tener al menos 5 caracteres',
    subjectLong: 'El asunto debe tener menos de 200 caracteres',
    subjectControls: 'El asunto tiene caracteres de control invisibles. Escríbelo de nuevo',
    messageShort: 'El mensaje debe tener al menos 10 caracteres',
    messageLong: 'El mensaje debe tener menos de 1000 caracteres',
    messageControls: 'El mensaje tiene caracteres de control invisibles. Pégalo como texto sin formato',
  },
}
