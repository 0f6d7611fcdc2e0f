import privacySections from '../../../content/legal/es/privacy.md'
import termsSections from '../../../content/legal/es/terms.md'
import type * as english from '../en/legal.ts'

export const privacy: typeof english.privacy = {
  meta: {
    title: 'Privacidad: Mayfly',
    description: 'Qué guarda este servicio, durante cuánto tiempo y qué no guarda nunca. Una página, en palabras sencillas.',
  },
  heading: 'Privacidad',
  runBy: p => `${p.operator} gestiona este servicio y responde de él.`,
  unnamed: 'Qué se guarda, cuánto tiempo y quién puede verlo. Preguntas:',
  sections: privacySections,
  contactPeriod: ({ days }) => {
    if (days === undefined) return 'un tiempo limitado'
    return days === 365 ? 'un año como máximo' : `${days} días como máximo`
  },
  device: {
    title: 'En este dispositivo',
    lead: 'Esto es lo que el sitio guarda ahora en este navegador. Lo lee tu propio navegador: para mostrarlo aquí no se nos envió nada.',
    none: 'Nada',
    stored: 'Guardado',
    address: 'Tu dirección',
    addressPurpose: 'Con su clave, para que al recargar y en otras pestañas veas el mismo buzón.',
    wanted: 'Dirección por conservar',
    wantedPurpose: 'La que pediste conservar, hasta que inicies sesión o crees tu cuenta.',
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
  sections: termsSections,
  changed: 'Última modificación: 22 de noviembre de 2026.',
  ask: 'Preguntas, o abusos que denunciar:',
}
