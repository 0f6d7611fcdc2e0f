/** Every page that is prerendered, listed in the sitemap and walked by the browser tests. */
export const pagePaths = ['/', '/auth', '/contact', '/blog', '/blog/why-use-temporary-email', '/blog/identify-ai-phishing'] as const
