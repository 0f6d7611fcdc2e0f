import type { ReportTexts } from '../en/report.ts'

export const report: ReportTexts = {
  title: 'Denunciar un abuso: Mayfly',
  description: 'Denuncia correo no deseado, suplantación o algo peor con una dirección de este servicio.',
  heading: 'Denunciar un abuso',
  lead: '¿Se usa una dirección de este servicio para enviar correo no deseado, suplantar o algo peor? Cuéntaselo a quien gestiona este sitio.',
  byMail: 'También puedes escribir a:',
  kind: '¿Qué es?',
  kinds: { spam: 'Correo no deseado', phishing: 'Suplantación', harassment: 'Acoso', illegal: 'Contenido ilegal', other: 'Otra cosa' },
  address: 'Dirección o dominio',
  addressHint: 'La de este servicio, p. ej. nombre@este.dominio',
  addressError: 'Indica la dirección o el dominio.',
  message: '¿Qué ha pasado?',
  messageHint: 'Con hora, remitente y cabeceras si las tienes. De 10 a 5000 caracteres.',
  messageError: 'Descríbelo con entre 10 y 5000 caracteres.',
  email: 'Tu correo, si quieres una respuesta',
  emailError: 'Introduce una dirección de correo válida',
  send: 'Enviar denuncia',
  sending: 'Enviando...',
  sent: 'Gracias. La denuncia ha llegado.',
  sentText: 'Quien gestiona este sitio ya puede leerla. Las direcciones viven solo unos minutos; lo que quede de una se destruye.',
  failed: 'La denuncia no se ha enviado',
}
