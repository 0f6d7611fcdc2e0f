import type { NoticeTexts } from '../en/notices.ts'

export const notices: NoticeTexts = {
  errorTitle: 'Error',
  generateFailed: 'No se pudo generar el correo. Inténtalo de nuevo.',
  away: 'Un momento, por favor',
  awayText: 'Ahora mismo no se pueden crear direcciones nuevas. La tuya aparecerá aquí sola, en cuanto se pueda.',
  full: 'Tienes diez direcciones',
  fullText: 'Es lo máximo que admite una cuenta. Borra una para hacer sitio.',
  emailDeleted: '¡Dirección de correo borrada!',
  destroyed: 'Tu dirección temporal se ha destruido. Genera otra para continuar.',
  rateLimitTitle: 'Espera antes de generar un correo nuevo',
  rateLimit: p => `Espera ${p.seconds} segundos antes de generar otro correo.`,
  botCheckTitle: 'La verificación de seguridad ha fallado',
  botCheck: {
    script: 'No se pudo cargar el script de reCAPTCHA',
    token: 'No se pudo generar el token de CAPTCHA. Inténtalo de nuevo.',
    verification: 'La verificación CAPTCHA ha fallado',
  },
  handedOver: 'El mismo buzón, en este dispositivo',
  handedOverText: 'La dirección y sus mensajes están abiertos también aquí.',
  handOverFailed: 'Ese buzón ya no existe',
  handOverFailedText: 'Su tiempo terminó antes de abrirlo aquí.',
  handOverUnreachable: 'El enlace no se ha podido abrir todavía',
  handOverUnreachableText: 'No se puede contactar con el servidor. El enlace se conserva y se intentará de nuevo.',
  handOverRefused: 'Ya hay dos direcciones abiertas aquí',
  handOverRefusedText: 'Borra una de ellas y vuelve a abrir el enlace.',
  deleteFailed: 'No se pudo borrar la dirección. Sigue viva. Inténtalo de nuevo.',
}
