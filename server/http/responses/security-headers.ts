/** Headers of every response: connections/http-server.ts sets them, and a handler may replace them. */
import type { Context } from 'hono'
import type { Config } from '#server/platform/config/config.ts'
import type { HttpEnv } from '../env.ts'

/** One year, as the preload list requires. Without subdomains, which are not ours to decide about. */
const HSTS = 'max-age=31536000'
const GOOGLE = 'https://www.google.com'
const GSTATIC = 'https://www.gstatic.com'

/** Names in lower case. HSTS only if the site uses https. */
export function securityHeaders(config: Config): ReadonlyMap<string, string> {
  const headers = new Map([
    ['content-security-policy', contentSecurityPolicy(config)],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-dns-prefetch-control', 'off'],
    ['x-frame-options', 'DENY'],
    // Redirects and refusals without one could be kept by a cache (RFC 9111 section 4.2.2).
    ['cache-control', 'no-store'],
  ])
  if (config.publicUrl.startsWith('https:')) headers.set('strict-transport-security', HSTS)
  return headers
}

/**
 * Sets headers of the response that is made later, which may replace them. With `c.header()` Hono and undici build, sort and copy objects
 * for all headers of each response: a tenth of the main thread's work for a small one.
 */
export function setHeaders(c: Context<HttpEnv>, headers: Iterable<readonly [name: string, value: string]>): void {
  const { outgoing } = c.env
  for (const [name, value] of headers) outgoing.setHeader(name, value)
}

/**
 * Inline styles are allowed. Inline scripts never, but for those of the built page with these hashes (`'sha256-…'`). Google's origins are
 * allowed only if the operator chose reCAPTCHA.
 */
export function contentSecurityPolicy({ botCheck }: Config, hashes: readonly string[] = []): string {
  const google = botCheck === 'recaptcha' ? ` ${GOOGLE} ${GSTATIC}` : ''
  return [
    "default-src 'none'",
    `script-src ${["'self'", ...hashes].join(' ')}${google}`,
    "worker-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self'${google}`,
    "manifest-src 'self'",
    `frame-src 'self'${google}`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "object-src 'none'",
  ].join('; ')
}
