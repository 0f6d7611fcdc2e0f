import type { DeliveryTexts } from '../en/delivery.ts'

export const delivery: DeliveryTexts = {
  connected: p =>
    p.encrypted ? `${p.server} trae correo para ti, por una conexión cifrada.` : `${p.server} trae correo para ti, sin cifrar.`,
  receiving: p => `Recibiendo ${p.size || 'correo'} de ${p.server}…`,
  disconnected: p => `Se cortó la conexión con ${p.server}. La mayoría de los servidores reintentan el envío en unos minutos.`,
  refused: {
    too_large: p => `Rechazado: el mensaje de ${p.server} es demasiado grande.`,
    mailbox_full: () => 'Rechazado: este buzón está lleno. Borra un mensaje para hacer sitio.',
    ended: () => 'Rechazado: esta dirección acaba de terminar.',
    busy: p => `Se ha pedido a ${p.server} que lo intente de nuevo en unos minutos.`,
    rejected: p => `Rechazado: el mensaje de ${p.server} no se pudo aceptar.`,
  },
}
