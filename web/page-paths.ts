/**
 * Pages that are prerendered, listed in the sitemap and visited by the browser tests. A new page needs a component in pages/, a route in
 * routes.tsx, a path here, and texts in texts/ (catalog.ts).
 */
export const pagePaths = [
  '/',
  '/auth',
  '/contact',
  '/blog',
  '/blog/why-use-temporary-email',
  '/blog/identify-ai-phishing',
  '/extension',
  '/privacy',
  '/terms',
] as const

/** Prerendered with status 200, but hidden from search engines: links in mails, the account's pages and security.txt lead there. */
export const privatePaths = ['/auth/confirm', '/auth/forgot-password', '/auth/new-password', '/account', '/operator', '/report'] as const
