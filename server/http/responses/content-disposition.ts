/** `Content-Disposition` with any file name (RFC 6266, RFC 8187). */

const NAME_CHARS_MAX = 200

/** An ASCII fallback that needs no escaping, and the whole name in UTF-8. */
export function attachmentDisposition(filename: string, disposition: 'attachment' | 'inline' = 'attachment'): string {
  const name =
    filename
      .toWellFormed()
      .replace(/[\p{Cc}\p{Cf}/\\]/gu, '_')
      .slice(0, NAME_CHARS_MAX)
      .toWellFormed() || 'attachment'
  const fallback = name.replace(/[^\w .()+-]/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)
  return `${disposition}; filename="${fallback}"; filename*=UTF-8''${encoded}`
}
