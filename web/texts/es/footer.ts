import type { FooterTexts } from '../en/footer.ts'

export const footer: FooterTexts = {
  navigation: 'Más sobre Mayfly',
  aboutUs: 'Quiénes somos',
  faq: 'Preguntas frecuentes',
  partner: 'Nuestro sitio asociado',
  privacy: 'Privacidad',
  terms: 'Condiciones',
  source: 'Código fuente',
  copyright: p => `© ${p.year} ${p.site}`,
}
