/** What opens when a link of a mail is pressed. */

/**
 * The URL of an attribute without what browsers leave out (URL standard): blanks and control characters around it, tabs and line breaks
 * within.
 */
export function openedUrl(value: string): string {
  let end = value.length
  while (end > 0 && value.charCodeAt(end - 1) <= 0x20) end--
  return value
    .slice(0, end)
    .replace(/^[^!-\uffff]+/, '')
    .replace(/[\t\n\r]/g, '')
}

/** For the simple view. */
export const SIMPLE_VIEW_SCHEMES: ReadonlySet<string> = new Set([
  'http:',
  'https:',
  'ftp:',
  'mailto:',
  'tel:',
  'callto:',
  'sms:',
  'cid:',
  'xmpp:',
])
/** For the original layout. */
export const ORIGINAL_VIEW_SCHEMES: ReadonlySet<string> = new Set(['http:', 'https:', 'mailto:'])

/**
 * The absolute URL to open, or `undefined` for a link that must not work: another scheme, a place in the mail itself, or a relative one
 * without a `base` (it would open this site).
 */
export function safeTarget(href: string, schemes: ReadonlySet<string>, base?: string): string | undefined {
  const written = openedUrl(href)
  if (written.startsWith('#')) return undefined
  const url = URL.parse(/^[\\/]{2}/.test(written) ? `https:${written}` : written, base)
  return url && schemes.has(url.protocol) ? url.href : undefined
}

const BASE_CHARS_MAX = 2048

/**
 * What relative links of a mail are relative to, by the `href` of its first `<base>`. A long one would be read again for each link.
 */
export function linkBase(href: string | undefined): string | undefined {
  return href === undefined || href.length > BASE_CHARS_MAX ? undefined : safeTarget(href, ORIGINAL_VIEW_SCHEMES)
}
