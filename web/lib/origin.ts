/** The site's public origin: what the served HTML says, since a canonical link must not follow whatever host name was typed. */
const PLACEHOLDER = 'https://mayfly.invalid'

/** The server replaces the placeholder in every file it serves; `vite dev` does not, so the address bar stands in. */
export function siteOrigin(): string {
  if (typeof document === 'undefined') return PLACEHOLDER
  const served = document.documentElement.dataset.origin ?? PLACEHOLDER
  return served === PLACEHOLDER ? location.origin : served
}
