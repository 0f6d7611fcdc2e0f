import type { NotFoundTexts } from '../en/not-found.ts'

export const notFound: NotFoundTexts = {
  meta: {
    title: 'Página no encontrada: Mayfly',
    description: 'Esta página no existe.',
  },
  code: '404',
  message: '¡Vaya! Esta página no existe',
  remedy: 'Quizá la dirección está mal escrita, o la página ya no está aquí.',
  home: 'Volver al inicio',
  offlineTitle: 'No tienes conexión',
  offlineText:
    'Esta página no se guardó en tu dispositivo. Cuando vuelvas a tener conexión, recárgala: tu dirección y su correo te esperan mientras les quede tiempo.',
  reload: 'Intentarlo de nuevo',
}
