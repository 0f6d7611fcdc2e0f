/** The areas that every page shows, and where the others are. */
export { inbox } from './inbox.ts'
export { layout } from './layout.ts'
export { mailbox } from './mailbox.ts'
export { meta } from './meta.ts'

export const lazyAreas = {
  home: () => import('./home.ts').then(module => module.home),
  homeSections: () => import('./home-sections.ts').then(module => module.homeSections),
  errors: () => import('./errors.ts').then(module => module.errors),
  notices: () => import('./notices.ts').then(module => module.notices),
  mailboxDialogs: () => import('./mailbox-dialogs.ts').then(module => module.mailboxDialogs),
  delivery: () => import('./delivery.ts').then(module => module.delivery),
  message: () => import('./message.ts').then(module => module.message),
  auth: () => import('./auth.ts').then(module => module.auth),
  account: () => import('./account.ts').then(module => module.account),
  operator: () => import('./operator.ts').then(module => module.operator),
  report: () => import('./report.ts').then(module => module.report),
  contact: () => import('./contact.ts').then(module => module.contact),
  blog: () => import('./blog.ts').then(module => module.blog),
  preview: () => import('./preview.ts').then(module => module.preview),
  footer: () => import('./footer.ts').then(module => module.footer),
  notFound: () => import('./not-found.ts').then(module => module.notFound),
  privacy: () => import('./privacy.ts').then(module => module.privacy),
  terms: () => import('./terms.ts').then(module => module.terms),
}
