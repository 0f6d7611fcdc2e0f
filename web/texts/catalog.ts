/**
 * Every text of the site by area and language. An area in `core` is there before the first paint; every other area is
 * fetched with the page or dialog that needs it, and only in the page's language.
 */
import type { Language } from '#contract/languages.ts'

const en = {
  core: () => import('./en/core.ts'),
  homeSections: () => import('./en/home-sections.ts').then(module => module.homeSections),
  errors: () => import('./en/errors.ts').then(module => module.errors),
  mailboxDialogs: () => import('./en/mailbox-dialogs.ts').then(module => module.mailboxDialogs),
  message: () => import('./en/message.ts').then(module => module.message),
  auth: () => import('./en/auth.ts').then(module => module.auth),
  account: () => import('./en/account.ts').then(module => module.account),
  operator: () => import('./en/operator.ts').then(module => module.operator),
  report: () => import('./en/report.ts').then(module => module.report),
  contact: () => import('./en/contact.ts').then(module => module.contact),
  blog: () => import('./en/blog.ts').then(module => module.blog),
  notFound: () => import('./en/not-found.ts').then(module => module.notFound),
  privacy: () => import('./en/privacy.ts').then(module => module.privacy),
  terms: () => import('./en/terms.ts').then(module => module.terms),
}

const es: typeof en = {
  core: () => import('./es/core.ts'),
  homeSections: () => import('./es/home-sections.ts').then(module => module.homeSections),
  errors: () => import('./es/errors.ts').then(module => module.errors),
  mailboxDialogs: () => import('./es/mailbox-dialogs.ts').then(module => module.mailboxDialogs),
  message: () => import('./es/message.ts').then(module => module.message),
  auth: () => import('./es/auth.ts').then(module => module.auth),
  account: () => import('./es/account.ts').then(module => module.account),
  operator: () => import('./es/operator.ts').then(module => module.operator),
  report: () => import('./es/report.ts').then(module => module.report),
  contact: () => import('./es/contact.ts').then(module => module.contact),
  blog: () => import('./es/blog.ts').then(module => module.blog),
  notFound: () => import('./es/not-found.ts').then(module => module.notFound),
  privacy: () => import('./es/privacy.ts').then(module => module.privacy),
  terms: () => import('./es/terms.ts').then(module => module.terms),
}

export const catalogs: Record<Language, typeof en> = { en, es }

type Loaders = typeof en
export type Core = Awaited<ReturnType<Loaders['core']>>
type Lazy = { [Area in Exclude<keyof Loaders, 'core'>]: Awaited<ReturnType<Loaders[Area]>> }
export type LazyArea = keyof Lazy
export type Texts = Omit<Core, LazyArea> & Lazy
export type Area = keyof Texts
