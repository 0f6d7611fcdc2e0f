import type { MailboxDialogTexts } from '../en/mailbox-dialogs.ts'

export const mailboxDialogs: MailboxDialogTexts = {
  qr: {
    title: 'Abre este buzón en tu móvil',
    text: 'Escanéalo con la cámara del móvil. Dirección, mensajes y tiempo restante son los mismos en ambos.',
    otherTitle: 'Abrir en otro dispositivo',
    otherText: 'O escanea esto con el otro dispositivo. Dirección, mensajes y tiempo restante son los mismos en ambos.',
    secret: 'Quien tenga este enlace o código puede leer los mensajes hasta que la dirección desaparezca.',
    alt: 'Código QR que abre este buzón',
    copyLink: 'Copiar enlace',
    share: 'Compartir enlace',
  },
  keys: {
    title: 'Atajos de teclado',
    copy: 'Copiar la dirección',
    generate: 'Generar una dirección nueva',
    undo: 'Deshacer el último cambio, durante seis segundos',
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
  linkQuestion: {
    title: '¿Abrir el buzón del enlace?',
    text: p => `Aquí tienes abierta ${p.here}, y el enlace abre ${p.linked}. La otra queda a una pulsación.`,
    openLink: 'Abrir el del enlace',
    stay: 'Quedarme aquí',
  },
}
