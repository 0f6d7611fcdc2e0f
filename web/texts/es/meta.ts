import type { MetaTexts } from '../en/meta.ts'

export const meta: MetaTexts = {
  home: {
    title: 'Mayfly: correo temporal que vive diez minutos',
    description:
      'Una dirección de correo gratuita y anónima, lista al instante. Recibe mensajes y adjuntos durante diez minutos; después, todo se destruye. Sin registro.',
  },
}
