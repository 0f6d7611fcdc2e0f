/** The site's public origin: what the served HTML says, since a canonical link must not follow whatever host name was typed. */

/**
 * The server replaces the placeholder in every file it serves; `vite dev` does not, so there the address bar stands in. The placeholder
 * itself is named only where pages are prerendered: in a script it would be replaced too.
 */
export function siteOrigin(): string {
  if (import.meta.env.SSR) return 'https://mayfly.invalid'
  const served = document.documentElement.dataset.origin ?? ''
  return URL.canParse(served) && !new URL(served).hostname.endsWith('.invalid') ? served : location.origin
}
