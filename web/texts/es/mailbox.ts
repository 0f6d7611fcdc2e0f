import type { MailboxTexts } from '../en/mailbox.ts'

export const mailbox: MailboxTexts = {
  title: 'Tu dirección de correo temporal',
  generating: 'Generando tu dirección…',
  noAddress: 'Aún no hay dirección',
  expired: 'Genera una dirección nueva para continuar',
  copy: 'Copiar dirección',
  copyThis: p => `Copiar ${p.email}`,
  copied: '¡Correo copiado al portapapeles!',
  timeLeft: 'Tiempo restante',
  goneAt: p => `Desaparece a las\u00a0${p.time}, con todo su correo.`,
  goneTomorrow: p => `Desaparece mañana a las\u00a0${p.time}, con todo su correo.`,
  warning: 'Caduca pronto. Copia lo que necesites o genera otra.',
  destroying: 'Destruyendo la dirección y sus mensajes…',
  destroyed: 'Ya no existe. No se guardó nada.',
  gone: 'Desaparecida',
  generate: 'Generar nueva',
  nextIn: p => `Próxima dirección en ${p.time}`,
  afterwards: 'La siguiente tarda un segundo.',
  remove: 'Borrar dirección',
  deleting: 'Se borrará en unos segundos',
  other: p => `También abierta: ${p.email}`,
  switchToOther: 'Cambiar',
  domain: 'Dominio',
  handOff: 'Abrir en el móvil',
  shortcuts: 'Atajos de teclado',
  minutesLeft: p => (p.minutes === 1 ? 'Queda 1 minuto' : `Quedan ${p.minutes} minutos`),
  secondsLeft: p => (p.seconds === 1 ? 'Queda 1 segundo' : `Quedan ${p.seconds} segundos`),
  notices: {
    generated: '¡Nuevo correo temporal generado!',
    generatedBrief: 'Dirección nueva',
    activeFor: p =>
      p.seconds % 3600 === 0
        ? `Tu correo estará activo durante ${p.seconds / 3600} ${p.seconds === 3600 ? 'hora' : 'horas'}.`
        : p.seconds % 60 === 0
          ? `Tu correo estará activo durante ${p.seconds / 60} ${p.seconds === 60 ? 'minuto' : 'minutos'}.`
          : `Tu correo estará activo durante ${p.seconds} segundos.`,
    copiedTitle: 'Copiado',
    copied: 'Dirección de correo copiada al portapapeles.',
    deleting: 'Borrando la dirección',
  },
  security: {
    label: 'Estado de seguridad',
    remaining: p => (p.count === 1 ? 'Queda 1 dirección nueva' : `Quedan ${p.count} direcciones`),
    warning: 'Las direcciones nuevas tienen un límite: conserva por ahora la que tienes.',
    reached: 'Límite alcanzado. Espera unos minutos antes de generar más correos.',
    sealed: 'Solo recibe, cifrada',
    suspicious: 'Actividad inusual desde este dispositivo. Espera unos minutos antes de la próxima dirección.',
  },
}
