import type * as english from '../en/core.ts'

export const meta: typeof english.meta = {
  home: {
    title: 'Mayfly: correo temporal que vive diez minutos',
    description:
      'Una dirección de correo gratuita y anónima, lista al instante. Recibe mensajes y adjuntos durante diez minutos; después, todo se destruye. Sin registro.',
  },
}

export const layout: typeof english.layout = {
  skip: 'Saltar al contenido',
  blog: 'Blog',
  contact: 'Contacto',
  pro: 'Pro',
  account: 'Cuenta',
  mainNavigation: 'Principal',
  language: 'Idioma',
  close: 'Cerrar',
  dismiss: 'Descartar',
  undo: 'Deshacer',
  copy: 'Copiar',
  copied: 'Copiado',
  notifications: 'Avisos',
  offline: 'No tienes conexión. Lo que ves en pantalla se queda; el correo nuevo aparecerá cuando vuelva la conexión.',
  partFailed: {
    text: 'Esta parte no se ha cargado. Tu dirección y sus mensajes se conservan.',
    retry: 'Reintentar',
  },
  pageFailed: {
    title: 'Esta página no se ha cargado',
    text: 'Se cortó la conexión o Mayfly se acaba de actualizar. Recarga la página: tu dirección y sus mensajes se conservan.',
    reload: 'Recargar',
  },
}

export const mailbox: typeof english.mailbox = {
  title: 'Tu dirección de correo temporal',
  generating: 'Generando tu dirección…',
  noAddress: 'Aún no hay dirección',
  expired: 'Genera una dirección nueva para continuar',
  copy: 'Copiar dirección',
  copyThis: p => `Copiar ${p.email}`,
  copied: '¡Correo copiado al portapapeles!',
  timeLeft: 'Tiempo restante',
  goneAt: p => `Desaparece a las\u00a0${p.time}, con todo su correo.`,
  goneTomorrow: p => `Desaparece mañana a las\u00a0${p.time}, con todo su correo.`,
  warning: 'Caduca pronto. Copia lo que necesites o genera otra.',
  destroying: 'Destruyendo la dirección y sus mensajes…',
  destroyed: 'Ya no existe. No se guardó nada.',
  gone: 'Desaparecida',
  generate: 'Generar nueva',
  afterwards: 'La siguiente tarda un segundo.',
  remove: 'Borrar dirección',
  deleting: 'Se borrará en unos segundos',
  other: p => `También abierta: ${p.email}`,
  switchToOther: 'Cambiar',
  domain: 'Dominio',
  handOff: 'Abrir en el móvil',
  shortcuts: 'Atajos de teclado',
  minutesLeft: p => (p.minutes === 1 ? 'Queda 1 minuto' : `Quedan ${p.minutes} minutos`),
  secondsLeft: p => (p.seconds === 1 ? 'Queda 1 segundo' : `Quedan ${p.seconds} segundos`),
  notices: {
    generated: '¡Nuevo correo temporal generado!',
    activeFor: p =>
      p.seconds % 3600 === 0
        ? `Tu correo estará activo durante ${p.seconds / 3600} ${p.seconds === 3600 ? 'hora' : 'horas'}.`
        : p.seconds % 60 === 0
          ? `Tu correo estará activo durante ${p.seconds / 60} ${p.seconds === 60 ? 'minuto' : 'minutos'}.`
          : `Tu correo estará activo durante ${p.seconds} segundos.`,
    copiedTitle: 'Copiado',
    copied: 'Dirección de correo copiada al portapapeles.',
    deleting: 'Borrando la dirección',
  },
  security: {
    label: 'Estado de seguridad',
    remaining: p => (p.count === 1 ? 'Queda 1 dirección nueva' : `Quedan ${p.count} direcciones`),
    warning: 'Las direcciones nuevas tienen un límite: conserva por ahora la que tienes.',
    reached: 'Límite alcanzado. Espera unos minutos antes de generar más correos.',
    sealed: 'Solo recibe, cifrada',
  },
}

export const inbox: typeof english.inbox = {
  title: 'Buzón',
  loading: 'Cargando el buzón',
  empty: 'Aún no hay nada. El correo enviado a tu dirección aparece solo, en cuanto llega.',
  emptyWithout: 'Cuando tengas una dirección, su correo aparecerá aquí.',
  refresh: 'Actualizar',
  notify: 'Avisarme',
  notifyOffer: 'Avísame cuando llegue',
  notifyOn: 'Avisos activados',
  notifyClosed: 'Puedes cerrar esta página: el navegador te avisa cuando llegue correo, hasta que la dirección se acabe.',
  newMailIn: p => `Correo nuevo en ${p.email}`,
  notifyBlocked: 'Bloqueados en el navegador',
  state: { live: 'Conectado', reconnecting: 'Reconectando', polling: 'Se comprueba cada minuto' },
  unread: 'Sin leer',
  noSubject: '(sin asunto)',
  noSender: 'Remitente desconocido',
  noPreview: 'Sin vista previa',
  attachmentsAndMore: p => `${p.count} adjuntos y ${p.more} más`,
  attachments: p => (p.count === 1 ? '1 adjunto' : `${p.count} adjuntos`),
  copyThisCode: 'Copiar código',
  openLink: 'Abrir enlace',
  copied: 'Copiado',
  codeCopied: 'Código copiado al portapapeles.',
  remove: 'Borrar mensaje',
  removed: 'Mensaje borrado',
  removeFailed: 'No se borró. Inténtalo de nuevo.',
  open: p => `Abrir «${p.subject}» de ${p.sender}`,
  arrived: p => `Correo nuevo de ${p.sender}: ${p.subject}`,
  arrivedMany: p => `${p.count} mensajes nuevos`,
  newMails: p => (p.count === 1 ? '1 mensaje nuevo' : `${p.count} mensajes nuevos`),
  notificationTitle: p => `Correo de ${p.sender}`,
}

export const lazyAreas: typeof english.lazyAreas = {
  home: () => import('./home.ts').then(module => module.home),
  homeSections: () => import('./home.ts').then(module => module.homeSections),
  errors: () => import('./mailbox.ts').then(module => module.errors),
  notices: () => import('./mailbox.ts').then(module => module.notices),
  mailboxDialogs: () => import('./mailbox.ts').then(module => module.mailboxDialogs),
  delivery: () => import('./mailbox.ts').then(module => module.delivery),
  message: () => import('./message.ts').then(module => module.message),
  auth: () => import('./account.ts').then(module => module.auth),
  account: () => import('./account.ts').then(module => module.account),
  operator: () => import('./operator.ts').then(module => module.operator),
  report: () => import('./site.ts').then(module => module.report),
  contact: () => import('./site.ts').then(module => module.contact),
  blog: () => import('./blog.ts').then(module => module.blog),
  preview: () => import('./site.ts').then(module => module.preview),
  footer: () => import('./site.ts').then(module => module.footer),
  notFound: () => import('./site.ts').then(module => module.notFound),
  privacy: () => import('./legal.ts').then(module => module.privacy),
  terms: () => import('./legal.ts').then(module => module.terms),
}
