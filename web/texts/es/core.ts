import { lifetimeIn } from '#contract/limits.ts'
import type * as english from '../en/core.ts'

export const meta: typeof english.meta = {
  home: {
    title: 'Mayfly: correo temporal que vive %lifetime%',
    description:
      'Una dirección de correo gratuita y anónima, lista al instante. Recibe mensajes y adjuntos durante %lifetime%; después, todo se destruye. Sin registro.',
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
  back: 'Volver a la aplicación',
  close: 'Cerrar',
  dismiss: 'Cerrar aviso',
  undo: 'Deshacer',
  copy: 'Copiar',
  copied: 'Copiado',
  notifications: 'Avisos',
  offline: 'No tienes conexión. Lo que ya ves se queda; el correo nuevo aparecerá cuando la recuperes.',
  partFailed: {
    text: 'Esta parte no se ha cargado. Tu dirección y sus mensajes se conservan.',
    retry: 'Reintentar',
  },
  pageFailed: {
    title: 'Esta página no se ha cargado',
    text: 'Se cortó la conexión o Mayfly acaba de actualizarse. Recarga la página: tu dirección y sus mensajes se conservan.',
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
  addressClicked: '¡Dirección copiada al portapapeles!',
  timeLeft: 'Tiempo restante',
  goneAt: p => `Se borra a las\u00a0${p.time}, con todos sus mensajes.`,
  goneLater: p => `Se borra ${p.day} a las\u00a0${p.time}, con todos sus mensajes.`,
  warning: 'Caduca pronto. Copia lo que necesites o genera otra.',
  destroying: 'Destruyendo la dirección y sus mensajes…',
  destroyed: p => `Se borró a las\u00a0${p.time}. No se guardó nada.`,
  gone: 'Caducada',
  generate: 'Generar nueva',
  another: 'Añadir otra',
  anotherHint: 'Una segunda dirección, junto a esta',
  delete: 'Borrar dirección',
  deleting: 'Se borrará en unos segundos',
  handOff: 'Abrir en el móvil',
  share: 'Compartir',
  shortcuts: 'Atajos de teclado',
  minutesLeft: p => (p.minutes === 1 ? 'Queda 1 minuto' : `Quedan ${p.minutes} minutos`),
  secondsLeft: p => (p.seconds === 1 ? 'Queda 1 segundo' : `Quedan ${p.seconds} segundos`),
  notices: {
    generated: '¡Nueva dirección generada!',
    activeFor: p => `Estará activa durante ${lifetimeIn('es', p.seconds)}.`,
    copiedTitle: 'Copiado',
    copied: 'Dirección de correo copiada al portapapeles.',
    deleting: 'Borrando la dirección',
  },
  security: {
    label: 'Estado de seguridad',
    remaining: p => `Puedes generar ${p.count === 1 ? 'otra' : `${p.count} más`}`,
    warning: 'Las direcciones nuevas tienen un límite: conserva por ahora la que tienes.',
    full: 'Borra una para hacer sitio',
    reached: 'Límite alcanzado. Espera unos minutos antes de generar más direcciones.',
    sealed: 'Solo recibe, todo cifrado',
  },
}

export const inbox: typeof english.inbox = {
  title: 'Buzón',
  loading: 'Cargando el buzón',
  empty: 'Aún no ha llegado nada.',
  kept: 'El correo que ya llegó se conserva. Aparecerá aquí cuando haya conexión con el servidor.',
  emptyWithout: 'Cuando tengas una dirección, su correo aparecerá aquí.',
  refresh: 'Actualizar',
  nothingNew: 'Nada nuevo',
  notify: 'Avisarme',
  tone: 'Sonido',
  notifyOn: 'Avisos activados',
  notifyBlocked: 'Los avisos están bloqueados',
  notifyUnblock: 'Permítelos para este sitio en los ajustes del navegador y vuelve a pulsar la campana.',
  state: {
    connecting: 'Conectando',
    live: 'Conectado',
    reconnecting: 'Reconectando',
    polling: 'Se comprueba cada minuto',
    away: 'Sin respuesta',
    offline: 'Sin conexión',
  },
  away: {
    text: 'Nuestro servidor no responde. Quien te envía correo suele volver a intentarlo.',
    again: p => `Nuevo intento en ${p.seconds} s`,
    trying: 'Intentándolo de nuevo…',
    retry: 'Probar ahora',
  },
  unread: 'Sin leer',
  ago: { now: 'ahora', minutes: p => `${p.minutes} min` },
  noSubject: '(sin asunto)',
  noSender: 'Remitente desconocido',
  noPreview: 'Sin vista previa',
  attachmentsAndMore: p => `${p.count} adjuntos y ${p.more} más`,
  attachments: p => (p.count === 1 ? '1 adjunto' : `${p.count} adjuntos`),
  copyThisCode: 'Copiar código',
  openLink: 'Abrir enlace',
  copied: 'Copiado',
  codeCopied: 'Código copiado al portapapeles.',
  delete: 'Borrar mensaje',
  forTag: p => `para ${p.name}`,
  checkSender: p => `Comprueba el remitente: ${p.domain}`,
  deleting: 'La dirección se está borrando y sus mensajes ya no se abren. «Deshacer» lo conserva todo.',
  deleted: 'Borrando el mensaje',
  sendersUnchecked: 'Ahora mismo no se puede comprobar quién envía los mensajes.',
  deleteFailed: 'No se pudo borrar. Inténtalo de nuevo.',
  open: p => `Abrir «${p.subject}» de ${p.sender}`,
  arrived: p => `Correo nuevo de ${p.sender}: ${p.subject}`,
  arrivedMany: p => `${p.count} mensajes nuevos`,
  newMails: p => (p.count === 1 ? '1 mensaje nuevo' : `${p.count} mensajes nuevos`),
  notificationTitle: p => `Correo de ${p.sender}`,
}

const homeFile = () => import('./home.ts')
const mailboxFile = () => import('./mailbox.ts')
const messageFile = () => import('./message.ts')
const accountFile = () => import('./account.ts')
const operatorFile = () => import('./operator.ts')
const siteFile = () => import('./site.ts')
const blogFile = () => import('./blog.ts')
const legalFile = () => import('./legal.ts')

export const lazyAreas: typeof english.lazyAreas = {
  home: homeFile,
  homeSections: homeFile,
  errors: mailboxFile,
  notices: mailboxFile,
  mailboxDialogs: mailboxFile,
  delivery: mailboxFile,
  message: messageFile,
  auth: accountFile,
  account: accountFile,
  operator: operatorFile,
  report: siteFile,
  contact: siteFile,
  blog: blogFile,
  preview: siteFile,
  extension: siteFile,
  footer: siteFile,
  notFound: siteFile,
  privacy: legalFile,
  terms: legalFile,
}
