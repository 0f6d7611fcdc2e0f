import type { PreviewTexts } from '../en/preview.ts'

export const preview: PreviewTexts = {
  keywords: 'correo temporal, correo desechable, email temporal, correo anónimo, correo de 10 minutos',
  imageAlt: 'Una efímera de trazo fino sobre el agua en calma al atardecer',
}
