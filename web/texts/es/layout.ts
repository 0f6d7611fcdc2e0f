import type { LayoutTexts } from '../en/layout.ts'

export const layout: LayoutTexts = {
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
  pageFailed: {
    title: 'Esta página no se ha cargado',
    text: 'Se cortó la conexión o Mayfly se acaba de actualizar. Recarga la página: tu dirección y sus mensajes se conservan.',
    reload: 'Recargar',
  },
}
