import type { MetaTexts } from '../en/meta.ts'

export const meta: MetaTexts = {
  home: {
    title: 'Mayfly: correo temporal que vive diez minutos',
    description:
      'Una dirección de correo gratuita y anónima, lista al instante. Recibe mensajes y adjuntos durante diez minutos; después, todo se destruye. Sin registro.',
  },
  auth: {
    title: 'Entrar o crear cuenta: Mayfly Pro',
    description:
      'Una cuenta Pro conserva las direcciones 24 horas, mantiene diez a la vez y te deja elegir su nombre. Basta un correo y una contraseña.',
  },
  contact: {
    title: 'Contacto: Mayfly',
    description: '¿Preguntas, problemas o ideas sobre Mayfly? Escríbenos. Una persona lee cada mensaje.',
  },
  blog: {
    title: 'Blog: privacidad y seguridad, bien explicadas: Mayfly',
    description: 'Artículos claros sobre correo temporal, spam, phishing y cómo mantener tu buzón solo para ti.',
  },
  notFound: {
    title: 'Página no encontrada: Mayfly',
    description: 'Esta página no existe.',
  },
  keywords: 'correo temporal, correo desechable, email temporal, correo anónimo, correo de 10 minutos',
  socialAlt: 'Una efímera de trazo fino sobre el agua en calma al atardecer',
}
