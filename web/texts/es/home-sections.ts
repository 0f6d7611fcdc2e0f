import type { HomeSectionsTexts } from '../en/home-sections.ts'

export const homeSections: HomeSectionsTexts = {
  howItWorks: {
    title: 'Cómo funciona',
    intro: 'Cuatro pasos, y de ninguno tienes que preocuparte.',
    steps: [
      { title: 'Se genera', text: 'Tu dirección se crea al abrir la página. No hay nada que rellenar.' },
      { title: 'Úsala donde quieras', text: 'Cópiala en cualquier formulario que pida un correo electrónico.' },
      { title: 'Recibe al instante', text: 'El correo aparece aquí en cuanto llega, adjuntos incluidos.' },
      { title: 'Se borra sola', text: 'A los diez minutos se destruyen la dirección y todo lo que recibió.' },
    ],
  },
  useCases: {
    title: 'Para qué se usa',
    intro: 'Siempre que un formulario quiera tu dirección más de lo que tú quieres su correo.',
    cases: [
      { title: 'Registros', text: 'Prueba un servicio antes de confiarle tu dirección de verdad.' },
      { title: 'Descargas', text: 'Consigue el documento sin el boletín que viene detrás.' },
      { title: 'Pruebas', text: 'Revisa tus propios correos de alta con una dirección nueva cada vez.' },
      { title: 'Compras en línea', text: 'Quédate con el descuento de bienvenida y olvida las ofertas diarias.' },
      { title: 'Acceso a contenidos', text: 'Lee el artículo que se esconde tras un formulario.' },
      { title: 'Wi-Fi público', text: 'Conéctate en la cafetería o el aeropuerto sin dejar tu dirección.' },
    ],
  },
  faq: {
    title: 'Preguntas y respuestas',
    intro: 'Lo que se pregunta antes de confiar en una dirección que mañana no estará.',
    items: [
      {
        question: '¿Qué es un correo temporal?',
        answer:
          'Una dirección real que recibe correo real, creada para un solo uso y por poco tiempo. La das donde no quieres dar la tuya y desaparece sola.',
      },
      {
        question: '¿Cuánto dura mi dirección?',
        answer:
          'Diez minutos, con la cuenta atrás a la vista. Después se destruye junto con todos los mensajes que recibió. El plazo no se puede ampliar, pero puedes generar otra dirección cuando quieras.',
      },
      {
        question: '¿Es gratis?',
        answer: 'Sí. Genera todas las direcciones que necesites, sin registrarte y sin darnos ningún dato tuyo.',
      },
      {
        question: '¿Puedo enviar correo desde ella?',
        answer:
          'No. La dirección solo recibe. Así nadie puede usarla para enviar spam y conserva su buena fama en los sitios donde la usas.',
      },
      {
        question: '¿Puedo recibir archivos adjuntos?',
        answer: 'Sí, hasta 25 MB por mensaje. Los adjuntos se destruyen con la dirección: descarga lo que quieras conservar.',
      },
      {
        question: '¿Quién puede leer mi correo?',
        answer:
          'Solo el navegador que tiene la llave de tu dirección. Cada mensaje se cifra para esa llave antes de guardarse, y nosotros no nos quedamos con ninguna copia.',
      },
      {
        question: '¿Puedo recuperar una dirección o un mensaje borrado?',
        answer: 'No. Cuando desaparece, desaparece también la llave que podía abrirlo. Nadie puede recuperarlo, tampoco nosotros.',
      },
      {
        question: '¿Cuándo no debería usarla?',
        answer:
          'Para nada que vayas a necesitar después: el banco, el trabajo, la administración o una cuenta que quieras conservar. Sin la dirección no se puede restablecer la contraseña.',
      },
    ],
  },
  callToAction: {
    title: 'Tu dirección te espera.',
    text: 'Se creó al abrir esta página.',
    button: 'Ir a mi bandeja',
  },
}
