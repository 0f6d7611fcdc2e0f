import type { TermsTexts } from '../en/terms.ts'

export const terms: TermsTexts = {
  meta: {
    title: 'Condiciones: Mayfly',
    description: 'Qué hace este servicio, qué no promete y para qué no sirve.',
  },
  heading: 'Condiciones',
  runBy: p => `${p.operator} gestiona este servicio. Al usarlo aceptas esta página.`,
  sections: [
    {
      title: 'Qué obtienes',
      points: [
        'Una dirección que recibe correo durante diez minutos, o durante 24 horas con una cuenta. No puede enviar.',
        'Es gratis y se ofrece tal cual: nadie promete que llegue cada mensaje ni que el servicio esté siempre disponible.',
        'Lo que ha terminado ya no existe. Nadie puede recuperar una dirección ni su correo, tampoco nosotros.',
      ],
    },
    {
      title: 'Para qué no es',
      points: [
        'Para nada a lo que necesites volver: ni tu banco, ni una administración pública, ni una cuenta que quieras conservar.',
        'Para nada ilegal: ni fraude, ni acoso, ni saltarse una expulsión.',
        'Para cargas por encima de los límites indicados. Los programas y las pruebas tienen una API con límites propios.',
      ],
    },
    {
      title: 'El correo que recibes',
      points: [
        'Viene de desconocidos. No se lee ni se buscan virus en él: abre los adjuntos con cuidado.',
        'Quien tenga el enlace o el código de tu buzón puede leerlo.',
      ],
    },
    {
      title: 'Si algo va mal',
      points: [
        'Las direcciones y redes de las que se abusa se bloquean.',
        'Mayfly es software libre con licencia MIT. El responsable de esta copia es quien la gestiona, no sus autores.',
      ],
    },
  ],
  ask: 'Preguntas, o abusos que denunciar:',
}
