import type { TermsTexts } from '../en/terms.ts'

export const terms: TermsTexts = {
  meta: {
    title: 'Condiciones: Mayfly',
    description: 'Qué hace este servicio, qué no promete y para qué no sirve.',
  },
  heading: 'Condiciones',
  runBy: p => `${p.operator} gestiona este servicio. Al usarlo aceptas esta página.`,
  unnamed: 'Al usar este sitio aceptas estas condiciones. Preguntas:',
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
        'Viene de desconocidos. Aquí nadie lo lee ni busca virus en él: abre los adjuntos con cuidado.',
        'Quien tenga el enlace o el código QR de tu buzón puede leerlo.',
      ],
    },
    {
      title: 'Si algo va mal',
      points: [
        'Las direcciones y redes de las que se abusa se bloquean.',
        'El programa de este sitio es software libre con licencia MIT. Quien gestiona este sitio es responsable de él, no los autores del programa.',
      ],
    },
  ],
  changed: 'Última modificación: 22 de noviembre de 2026.',
  ask: 'Preguntas, o abusos que denunciar:',
}
