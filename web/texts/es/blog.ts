import type * as english from '../en/blog.ts'

export const blog: typeof english.blog = {
  meta: {
    title: 'Privacidad y seguridad, bien explicadas: Mayfly',
    description: 'Artículos claros sobre correo temporal, spam, phishing y cómo mantener tu buzón solo para ti.',
  },
  title: 'Blog',
  intro: 'Artículos claros sobre el correo temporal, la privacidad y los engaños que conviene conocer.',
  breadcrumb: 'Estás aquí',
  home: 'Inicio',
  blog: 'Blog',
  empty: 'Todavía no hay artículos. ¡Vuelve pronto!',
  readMore: 'Leer más',
  readMoreAbout: p => `: ${p.title}`,
  views: p => `${new Intl.NumberFormat('es').format(p.count)} ${p.count === 1 ? 'visita' : 'visitas'}`,
  published: 'Publicado el',
  callToAction: {
    title: 'Una dirección gratis, ya lista',
    text: 'Sin registrarte. Recibe correo durante %lifetime% y después desaparece.',
    button: 'Generar una dirección gratis',
    live: {
      label: 'Tu dirección',
      title: p => `Tu dirección está activa: quedan ${p.time}`,
      button: 'Volver a mi buzón',
    },
  },
  faq: 'Preguntas y respuestas',
  author: 'Quién lo escribe',
  related: 'Artículos relacionados',
  backToAll: 'Volver a todos los artículos',
}
