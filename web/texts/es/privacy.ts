import type { PrivacyTexts } from '../en/privacy.ts'

export const privacy: PrivacyTexts = {
  meta: {
    title: 'Privacidad: Mayfly',
    description: 'Qué guarda este servicio, durante cuánto tiempo y qué no guarda nunca. Una página, sin letra pequeña.',
  },
  heading: 'Privacidad',
  runBy: p => `${p.operator} gestiona este servicio y responde de él.`,
  sections: [
    {
      title: 'Qué se guarda y hasta cuándo',
      points: [
        [
          'El correo que llega a tu dirección',
          'Cifrado con una clave que solo tiene tu navegador, hasta que lo borras o la dirección termina. Son diez minutos, o 24 horas con una cuenta.',
        ],
        ['La dirección', 'Como un resumen con clave (hash), hasta su fin.'],
        [
          'Una cuenta',
          'Tu correo, tu idioma y un resumen de tu contraseña, hasta que borras la cuenta. Las redes desde las que entraste se guardan como resumen durante 90 días.',
        ],
        [
          'Las claves de las direcciones de una cuenta',
          'Cifradas con el secreto del servidor, para que tus otros dispositivos puedan abrirlas. Quien gestiona el servidor podría abrir estas.',
        ],
        ['Lo que escribes en el formulario de contacto', 'Legible, hasta que llegan algunos miles de mensajes posteriores.'],
      ],
    },
    {
      title: 'Qué no se guarda',
      points: [
        'Ninguna dirección de red, ningún nombre de navegador, ningún registro de quién leyó qué.',
        'Los límites contra el abuso cuentan peticiones por red durante unos minutos y las olvidan.',
        'Mientras esperas, la página muestra lo que el servidor de correo ve para tu dirección. Se muestra y desaparece, y nunca lleva contenido.',
      ],
    },
    {
      title: 'Qué guarda tu navegador',
      points: [
        'La clave de tu dirección y algunos ajustes, en su propio almacenamiento.',
        'Dos cookies como mucho: tu idioma y tu sesión mientras estás dentro. Ninguna es para publicidad.',
      ],
    },
    {
      title: 'Qué ven otros',
      points: [
        'Quien te envía correo también lo tiene, igual que su proveedor.',
        'Los avisos se envían solo si los pides. El fabricante de tu navegador lleva entonces una nota cifrada, sin tu dirección y sin nada del correo, y sabe cuándo se envió.',
        'Las imágenes remotas están bloqueadas. Mostrarlas, o seguir un enlace, le dice a su servidor tu dirección de red.',
      ],
    },
  ],
  recaptcha: 'Para distinguir personas de programas, este servicio usa Google reCAPTCHA, que ve tu navegador y tu dirección de red.',
  ask: 'Preguntas sobre esta página:',
}
