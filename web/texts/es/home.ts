import type * as english from '../en/home.ts'

export const home: typeof english.home = {
  headline: 'Correo que vive %lifetime%.',
  subheadline: 'Una dirección temporal gratis, tuya al instante.',
  subheadlineMore: 'Recibe correo, no revela quién eres y\u00a0después desaparece.',
  benefits: {
    label: 'Lo que obtienes',
    anonymous: { title: 'Anónimo', text: 'Sin registro, sin\u00a0nombre, sin\u00a0contraseña.' },
    autoDestroy: { title: 'Efímero', text: 'La dirección y sus mensajes se destruyen tras %lifetime%.' },
    instant: { title: 'Instantáneo', text: 'Listo al abrir la página. El\u00a0correo aparece en cuanto llega.' },
  },
}

export const homeSections: typeof english.homeSections = {
  howItWorks: {
    title: 'Cómo funciona',
    intro: 'Cuatro pasos, y de ninguno tienes que preocuparte.',
    steps: [
      { title: 'Se genera', text: 'Tu dirección se crea al abrir la página. No hay nada que rellenar.' },
      { title: 'Úsala donde quieras', text: 'Cópiala en cualquier formulario que pida un correo electrónico.' },
      { title: 'Recibe al instante', text: 'El correo aparece aquí en cuanto llega, adjuntos incluidos.' },
      { title: 'Se borra sola', text: 'Tras %lifetime% se destruyen la dirección y todo lo que recibió.' },
    ],
  },
  useCases: {
    title: 'Para qué se usa',
    intro: 'Para cuando un formulario quiere tu dirección más de lo que tú quieres su correo.',
    cases: [
      { title: 'Registros', text: 'Prueba un servicio antes de confiarle tu dirección de verdad.' },
      { title: 'Descargas', text: 'Consigue el documento sin el boletín que viene detrás.' },
      { title: 'Pruebas', text: 'Revisa tus propios mensajes de alta con una dirección nueva cada vez.' },
      { title: 'Compras en línea', text: 'Quédate con el descuento de bienvenida y olvida las ofertas diarias.' },
      { title: 'Acceso a contenidos', text: 'Lee el artículo que se esconde tras un formulario.' },
      { title: 'Wifi pública', text: 'Conéctate en la cafetería o el aeropuerto sin dejar tu dirección.' },
    ],
  },
  faq: {
    title: 'Preguntas y respuestas',
    intro: 'Lo que se pregunta antes de confiar en una dirección que mañana no estará.',
    items: [
      {
        question: '¿Cuánto dura mi dirección?',
        answer:
          'Vive %lifetime%, con la cuenta atrás a la vista. Después se destruye junto con todos los mensajes que recibió. El plazo no se puede ampliar, pero puedes generar otra dirección cuando quieras.',
      },
      {
        question: '¿Es gratis? ¿Tiene algún límite?',
        answer:
          'Es gratis, sin registrarte, y puedes usar todas las direcciones que necesites. Para que no entren robots, un dispositivo puede generar cinco cada cinco minutos. En una dirección caben %messagesMax% mensajes o %quotaBytes%.',
      },
      {
        question: '¿Quién puede leer mi correo?',
        answer:
          'Quien tenga la clave de tu dirección: tu navegador y cualquier dispositivo donde abras el buzón con su enlace o código QR. Cada mensaje se cifra para esa clave antes de guardarse, y no guardamos ninguna copia de la clave. Una copia de nuestra base de datos no mostraría ni el remitente, ni el asunto, ni el texto. Con una dirección Pro es distinto: nuestro servidor guarda su clave, cifrada a su vez, para que tus otros dispositivos puedan abrirla. No compartas el enlace, y recuerda que quien envía también tiene el mensaje.',
      },
      {
        question: '¿Puedo recibir archivos adjuntos?',
        answer:
          'Sí, hasta %messageBytesMax% por mensaje. Siempre se descargan, nunca se abren en la página, y se destruyen con la dirección: guarda lo que quieras conservar.',
      },
      {
        question: '¿Puedo enviar correo o responder?',
        answer: 'No. La dirección solo recibe. Así nadie puede usarla para enviar spam y los sitios donde la usas siguen fiándose de ella.',
      },
      {
        question: 'Mi correo no llega, o borré la dirección. ¿Qué puedo hacer?',
        answer:
          'Casi todo llega en segundos; si no es así, pide al sitio que lo envíe de nuevo y comprueba que copiaste la dirección entera. Lo que se destruyó no vuelve: nadie puede recuperar una dirección ni un mensaje, y nosotros tampoco. Por eso no la uses para el banco, el trabajo ni una cuenta que quieras conservar.',
      },
      {
        question: '¿Qué añade una cuenta Pro?',
        answer:
          'Direcciones que viven %proLifetime% en lugar de %lifetime%, hasta diez a la vez, con los nombres que elijas, y las mismas en todos los dispositivos donde inicies sesión. Pide un correo electrónico y una contraseña, y nuestro servidor guarda la clave de ese correo.',
      },
      {
        question: '¿En qué idiomas está Mayfly?',
        answer:
          'En español y en inglés; elígelo en el menú de arriba. El correo que recibas puede estar en cualquier idioma y cualquier alfabeto.',
      },
    ],
  },
  callToAction: {
    coming: {
      title: 'Correo de %lifetime%, después nada.',
      text: 'Tu dirección se crea al principio de esta página. No hay que rellenar nada.',
    },
    live: {
      title: 'Tu dirección te espera.',
      text: p => `Le quedan ${p.time} de vida, y su correo aparece solo.`,
    },
    ended: { title: 'Tu dirección ya no existe.', text: 'No se guardó nada. Crea otra cuando la necesites.' },
    none: { title: 'Ahora no tienes dirección.', text: 'Crea una cuando la necesites.' },
    button: 'Ir a mi buzón',
    generate: 'Generar una dirección nueva',
  },
}
