/** Every page that is prerendered, listed in the sitemap and walked by the browser tests. */
export const pagePaths = [
  '/',
  '/auth',
  '/contact',
  '/blog',
  '/blog/why-use-temporary-email',
  '/blog/identify-ai-phishing',
  '/privacy',
  '/terms',
] as const

/**
 * Prerendered too, so that they are served with status 200, but for nobody to find: links in mails, the account's own
 * pages, the contact page and security.txt lead there.
 */
export const privatePaths = ['/auth/confirm', '/auth/forgot-password', '/auth/new-password', '/account', '/operator', '/report'] as const
