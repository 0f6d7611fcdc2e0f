/** The footer, fetched when it comes near. */
export const footer = {
  navigation: 'More about Mayfly',
  aboutUs: 'About us',
  faq: 'FAQ',
  partner: 'Our partner site',
  privacy: 'Privacy',
  terms: 'Terms',
  source: 'Source',
  copyright: (p: { year: number; site: string }) => `© ${p.year} ${p.site}`,
}

export type FooterTexts = typeof footer
