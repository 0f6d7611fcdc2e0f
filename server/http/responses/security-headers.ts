/** Headers of every response. */
import type { Context, MiddlewareHandler } from 'hono'
import type { Config } from '#server/config/config.ts'
import type { HttpEnv } from '../env.ts'
import { ALREADY_SENT } from './event-stream.ts'

/** One year, as the preload list requires. Without subdomains, which are not ours to decide about. */
const HSTS = 'max-age=31536000'
const GOOGLE = 'https://www.google.com'
const GSTATIC = 'https://www.gstatic.com'

type SecurityHeaders = ReadonlyMap<string, string>

/** Names in lower case. HSTS only if the site uses https. */
export function securityHeaders(config: Pick<Config, 'publicUrl' | 'botCheck' | 'recaptcha'>): SecurityHeaders {
  const headers = new Map([
    ['content-security-policy', pagePolicy(config)],
    ['x-content-type-options', 'nosniff'],
    ['referrer-policy', 'no-referrer'],
    ['permissions-policy', 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()'],
    ['cross-origin-opener-policy', 'same-origin'],
    ['cross-origin-resource-policy', 'same-origin'],
    ['x-dns-prefetch-control', 'off'],
    ['x-frame-options', 'DENY'],
  ])
  if (config.publicUrl.startsWith('https:')) headers.set('strict-transport-security', HSTS)
  return headers
}

/** Sets each header that the response does not set itself. */
export function addSecurityHeaders(headers: SecurityHeaders): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    await next()
    addHeaders(c, headers)
  }
}

/**
 * Adds headers to a finished response. `c.header()` would copy the whole response for each of them, and turn its body into a stream: half
 * of the main thread's work for a small response.
 */
export function addHeaders(c: Context<HttpEnv>, added: Iterable<readonly [name: string, value: string]>): void {
  // All streams share this object, and write their own headers.
  if (c.res === ALREADY_SENT) return
  const { headers } = c.res
  for (const [name, value] of added) if (!headers.has(name)) headers.set(name, value)
}

/** Inline styles are allowed, inline scripts never. Google's origins are allowed only if the operator chose reCAPTCHA. */
function pagePolicy({ botCheck, recaptcha }: Pick<Config, 'botCheck' | 'recaptcha'>): string {
  const google = botCheck === 'recaptcha' ? ` ${[...new Set([GOOGLE, GSTATIC, new URL(recaptcha.scriptUrl).origin])].join(' ')}` : ''
  return [
    "default-src 'none'",
    `script-src 'self'${google}`,
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
