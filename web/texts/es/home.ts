import type { HomeTexts } from '../en/home.ts'

export const home: HomeTexts = {
  headline: 'Correo que vive diez minutos.',
  subheadline: 'Un correo temporal gratuito, tuyo al instante.',
  subheadlineMore: 'Lo recibe todo, no dice quién eres y después desaparece.',
  benefits: {
    label: 'Lo que obtienes',
    anonymous: { title: 'Anónimo', text: 'Sin registro, sin\u00a0nombre, sin\u00a0contraseña.' },
    autoDestroy: { title: 'Efímero', text: 'La dirección y sus mensajes se destruyen a los diez minutos.' },
    instant: { title: 'Instantáneo', text: 'Listo al abrir la página. El\u00a0correo aparece en cuanto llega.' },
  },
}
