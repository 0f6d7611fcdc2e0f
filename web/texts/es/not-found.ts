import type { NotFoundTexts } from '../en/not-found.ts'

export const notFound: NotFoundTexts = {
  code: '404',
  message: '¡Vaya! Esta página no existe',
  remedy: 'Quizá la dirección está mal escrita, o la página ya no está aquí.',
  home: 'Volver al inicio',
}
