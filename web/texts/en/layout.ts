/** Header, footer and what every page shares. */
export const layout = {
  skip: 'Skip to content',
  home: 'Home',
  blog: 'Blog',
  contact: 'Contact',
  pro: 'Pro',
  account: 'Account',
  signIn: 'Sign in',
  mainNavigation: 'Main',
  footerNavigation: 'More about Mayfly',
  language: 'Language',
  languages: { en: 'English', es: 'Español' },
  tagline: 'Mail that lives ten minutes.',
  aboutUs: 'About us',
  faq: 'FAQ',
  partner: 'Our partner site',
  copyright: (p: { year: number; site: string }) => `© ${p.year} ${p.site}`,
  loading: 'Loading',
  close: 'Close',
  dismiss: 'Dismiss',
  copy: 'Copy',
  copied: 'Copied',
  notifications: 'Notifications',
  offline: 'You are offline. What is on the screen stays; new mail appears when the connection is back.',
  install: 'Install Mayfly',
}

export type LayoutTexts = typeof layout
