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
  pageFailed: {
    title: 'This page did not load',
    text: 'The connection broke off, or Mayfly has just been updated. Reload the page: your address and its mail are kept.',
    reload: 'Reload',
  },
}

export type LayoutTexts = typeof layout
