import type { FooterTexts } from '../en/footer.ts'

export const footer: FooterTexts = {
  navigation: 'Más sobre Mayfly',
  aboutUs: 'Quiénes somos',
  faq: 'Preguntas',
  partner: 'Sitio asociado',
  privacy: 'Privacidad',
  terms: 'Condiciones',
  source: 'Código fuente',
  copyright: p => `© ${p.year} ${p.site}`,
}
