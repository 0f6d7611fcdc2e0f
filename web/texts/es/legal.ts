import type * as english from '../en/legal.ts'

function period(days: number | undefined): string {
  if (days === undefined) return 'un tiempo limitado'
  return days === 365 ? 'un año como máximo' : `${days} días como máximo`
}

export const privacy: typeof english.privacy = {
  meta: {
    title: 'Privacidad: Mayfly',
    description: 'Qué guarda este servicio, durante cuánto tiempo y qué no guarda nunca. Una página, en palabras sencillas.',
  },
  heading: 'Privacidad',
  runBy: p => `${p.operator} gestiona este servicio y responde de él.`,
  unnamed: 'Qué se guarda, cuánto tiempo y quién puede verlo. Preguntas:',
  sections: [
    {
      title: 'En pocas palabras',
      points: [
        'Sin cuenta no nos das ningún dato tuyo, y solo la clave que tiene tu navegador abre tu correo guardado.',
        'Tras %lifetime% se destruyen la dirección y su correo. Nadie puede recuperarlos.',
        'Sin publicidad, sin rastreo y sin registro de quién leyó qué.',
      ],
    },
    {
      title: 'Qué se guarda y hasta cuándo',
      points: [
        [
          'El correo, sin cuenta',
          'Cifrado para una clave que está en tu navegador y en los dispositivos donde abras el buzón con su enlace o código QR. No guardamos ninguna copia de la clave. Se guarda hasta que borres el mensaje, o %lifetime% como máximo.',
        ],
        [
          'El correo, con una cuenta Pro',
          'También cifrado, pero nuestro servidor guarda la clave, cifrada a su vez, para que todos tus dispositivos puedan abrirlo. Así que técnicamente podríamos abrir este correo, y el de una dirección que obtuviste sin cuenta y luego conservaste. Se guarda hasta que borres el mensaje, o %proLifetime% como máximo.',
        ],
        [
          'La dirección',
          'Cifrada como su correo, y como una huella digital que no permite recuperar la dirección. Se guarda hasta que se acabe su tiempo. El nombre que hayas elegido queda reservado 90 días más, solo como huella.',
        ],
        ['Cifras', 'El tamaño y la hora de cada mensaje se pueden leer sin clave, hasta que el mensaje se borra.'],
        [
          'Una cuenta',
          'Tu correo electrónico y tu idioma, tal cual; tu contraseña, tus claves de API y las redes desde las que entras, solo como huellas digitales. Se guarda hasta que borres la cuenta; las redes, 90 días desde el último uso.',
        ],
        [
          'Lo que nos escribes',
          p =>
            `Lo que envías con el formulario de contacto o como denuncia de abuso se guarda ${period(p.contactDays)}. Una copia puede llegar al correo de quien gestiona este sitio.`,
        ],
      ],
    },
    {
      title: 'Qué no se guarda',
      points: [
        'Tu dirección IP, el nombre de tu navegador y lo que lees.',
        'Para frenar los abusos contamos las peticiones de cada red durante unos minutos, como mucho un día, y después las olvidamos. Una red que bloqueamos queda en una lista hasta que la quitamos.',
        'Mientras esperas, la página muestra lo que hace el servidor de correo para tu dirección: nunca lo que dice un mensaje, y no se guarda en ningún sitio.',
      ],
    },
    {
      title: 'Qué guarda tu navegador',
      points: [
        'La clave de tu dirección, tus ajustes y cuántas direcciones has creado hace poco, en su propio almacenamiento.',
        'Dos cookies como mucho: tu idioma y tu sesión mientras está iniciada. Ninguna es para publicidad.',
      ],
    },
    {
      title: 'Qué ven otros',
      points: [
        'Quien te envía correo también lo tiene, igual que su proveedor y las redes por las que pasa. Nuestro servidor ve un mensaje sin cifrar solo mientras llega y mientras lo abres.',
        'Los avisos se envían solo si los pides. El fabricante de tu navegador transmite entonces una nota cifrada, sin tu dirección y sin nada del mensaje, y sabe cuándo se envió.',
        'Las imágenes remotas están bloqueadas. Al mostrarlas, o al seguir un enlace, ese servidor conoce tu dirección IP y sabe que abriste el mensaje.',
      ],
    },
  ],
  device: {
    title: 'En este dispositivo',
    lead: 'Esto es lo que el sitio guarda ahora en este navegador. Lo lee tu propio navegador: para mostrarlo aquí no se nos envió nada.',
    none: 'Nada',
    stored: 'Guardado',
    address: 'Tu dirección',
    addressPurpose: 'Con su clave, para que al recargar y en otras pestañas veas el mismo buzón.',
    deletions: 'Direcciones borradas',
    deletionsPurpose: 'Sus claves, hasta que nuestro servidor responda y las borre también.',
    settings: 'Tus ajustes',
    settingsPurpose: 'Para que elijas una sola vez.',
    settingNames: {
      language: 'idioma',
      domain: 'dominio de las direcciones nuevas',
      notifications: 'avisos',
      shortcuts: 'atajos de teclado',
      mailView: 'cómo se muestra el correo',
      pictures: 'remitentes cuyas imágenes se muestran',
    },
    attempts: 'Direcciones nuevas',
    attemptsPurpose: 'Se cuentan durante cinco minutos, para que la página avise cuando el límite está cerca.',
    attemptsUsed: p => (p.count === 1 ? '1 en los últimos cinco minutos' : `${p.count} en los últimos cinco minutos`),
    readMarks: 'Mensajes leídos',
    readMarksPurpose: 'Qué mensajes has abierto, para que destaquen los demás.',
    account: 'Tu cuenta',
    accountPurpose:
      'Tu correo mientras tienes la sesión abierta, para la cabecera de cada página. La sesión es una cookie: se quita al cerrarla.',
    security: 'Registro de seguridad',
    securityPurpose: 'Las últimas 100 comprobaciones y límites, para que la página note una actividad inusual.',
    lastHour: p =>
      `En la última hora: ${p.captcha_success} comprobaciones superadas, ${p.captcha_failure} fallidas, límite alcanzado ${p.rate_limit_hit} ${p.rate_limit_hit === 1 ? 'vez' : 'veces'}`,
    events: 'Los diez sucesos más recientes',
    eventNames: {
      captcha_success: 'Comprobación superada',
      captcha_failure: 'Comprobación fallida',
      rate_limit_hit: 'Límite de direcciones nuevas alcanzado',
    },
    score: p => `puntuación ${p.score}`,
    clear: 'Borrar todo esto',
    clearNow: 'Borrar ahora',
    keep: 'Conservar',
    confirm: p => `Este navegador olvidará la clave de ${p.emails}. Sin una cuenta, nadie podrá volver a abrir su correo.`,
    cleared: 'Borrado. Aquí ya no se guarda nada de esto.',
  },
  recaptcha: 'Para distinguir personas de programas, este servicio usa Google reCAPTCHA, que ve tu navegador y tu dirección IP.',
  changed: 'Última modificación: 29 de noviembre de 2026.',
  ask: 'Preguntas sobre esta página:',
}

export const terms: typeof english.terms = {
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
        'Una dirección que recibe correo durante %lifetime%, o durante %proLifetime% con una cuenta. No puede enviar.',
        'Es gratis y se ofrece tal cual: nadie promete que llegue cada mensaje ni que el servicio esté siempre disponible.',
        'Lo que ha terminado ya no existe. Nadie puede recuperar una dirección ni su correo, tampoco nosotros.',
      ],
    },
    {
      title: 'Para qué no es',
      points: [
        'Para nada a lo que necesites volver: ni tu banco, ni una administración pública, ni una cuenta que quieras conservar.',
        'Para nada ilegal: ni fraude, ni acoso, ni saltarse una expulsión.',
        'Para un uso por encima de los límites indicados. Los programas y las pruebas tienen una API con límites propios.',
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
