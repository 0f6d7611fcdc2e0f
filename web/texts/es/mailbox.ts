import type { MailboxTexts } from '../en/mailbox.ts'

export const mailbox: MailboxTexts = {
  title: 'Tu dirección de correo temporal',
  generating: 'Generando tu dirección…',
  noAddress: 'Aún no hay dirección',
  expired: 'Genera un correo nuevo para continuar',
  copy: 'Copiar dirección',
  copyThis: p => `Copiar ${p.email}`,
  copied: '¡Correo copiado al portapapeles!',
  timeLeft: 'Tiempo restante',
  goneAt: p => `Desaparece a las ${p.time}. No se guarda nada.`,
  goneTomorrow: p => `Desaparece mañana a las ${p.time}. No se guarda nada.`,
  warning: 'Este correo caduca pronto. Genera uno nuevo para seguir recibiendo.',
  destroying: 'Destruyendo la dirección y sus mensajes…',
  destroyed: 'Destruida. No se ha guardado nada.',
  generate: 'Generar nueva',
  remove: 'Borrar dirección',
  domain: 'Dominio',
  handOff: 'Abrir en el móvil',
  shortcuts: 'Atajos de teclado',
  minutesLeft: p => (p.minutes === 1 ? 'Queda 1 minuto' : `Quedan ${p.minutes} minutos`),
  secondsLeft: p => (p.seconds === 1 ? 'Queda 1 segundo' : `Quedan ${p.seconds} segundos`),
  notices: {
    errorTitle: 'Error',
    generateFailed: 'No se pudo generar el correo. Inténtalo de nuevo.',
    generated: '¡Nuevo correo temporal generado!',
    activeFor: p =>
      p.seconds % 3600 === 0
        ? `Tu correo estará activo durante ${p.seconds / 3600} ${p.seconds === 3600 ? 'hora' : 'horas'}.`
        : p.seconds % 60 === 0
          ? `Tu correo estará activo durante ${p.seconds / 60} ${p.seconds === 60 ? 'minuto' : 'minutos'}.`
          : `Tu correo estará activo durante ${p.seconds} segundos.`,
    full: 'Tienes diez direcciones',
    fullText: 'Es lo máximo que admite una cuenta. Borra una para hacer sitio.',
    copiedTitle: 'Copiado',
    copied: 'Dirección de correo copiada al portapapeles.',
    emailDeleted: '¡Dirección de correo borrada!',
    destroyed: 'Tu correo temporal se ha destruido. Genera uno nuevo para continuar.',
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
    handOverFailedText: 'Su tiempo terminó antes de abrirlo aquí. Tienes una dirección nueva en su lugar.',
  },
  security: {
    label: 'Estado de seguridad',
    remaining: p =>
      p.count === 1
        ? 'Queda 1 dirección nueva para los próximos minutos'
        : `Quedan ${p.count} direcciones nuevas para los próximos minutos`,
    warning: 'Las direcciones nuevas tienen un límite: conserva por ahora la que tienes.',
    reached: 'Límite alcanzado. Espera unos minutos antes de generar más correos.',
    sealed: 'Solo recibe y está sellado',
    suspicious: 'Actividad inusual desde este dispositivo. Espera unos minutos antes de la próxima dirección.',
  },
  qr: {
    title: 'Abre este buzón en tu móvil',
    text: 'Escanéalo con la cámara del móvil. Dirección, mensajes y tiempo restante son los mismos en ambos.',
    secret: 'Quien lo escanee puede leer los mensajes. Desaparece junto con la dirección.',
    alt: 'Código QR que abre este buzón',
    copyLink: 'Copiar enlace',
  },
  keys: {
    title: 'Atajos de teclado',
    copy: 'Copiar la dirección',
    generate: 'Generar una dirección nueva',
    refresh: 'Actualizar el buzón',
    next: 'Mensaje siguiente',
    previous: 'Mensaje anterior',
    open: 'Abrir el mensaje',
    copyCode: 'Copiar el código más reciente',
    close: 'Cerrar lo que está abierto',
    help: 'Mostrar esta lista',
    enabled: 'Usar atajos de una sola tecla',
    or: 'o',
  },
}
