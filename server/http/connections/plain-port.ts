/** The responses of the plain port where the server has its own HTTPS port: challenges of the certificate authority, and redirects. */
import type { IncomingMessage, RequestListener } from 'node:http'
import { canonicalIp, IpRanges } from '#server/platform/net/ip-address.ts'

const CHALLENGE = '/.well-known/acme-challenge/'
/** Asked by programs on their way past the site's name: probes and Prometheus. */
const UNREDIRECTED = new Set(['/healthz', '/readyz', '/metrics'])
const LOOPBACK = new IpRanges(['127.0.0.0/8', '::1'])
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?$/

export type PlainPort = {
  /** Where visitors are sent: an https origin. */
  readonly publicUrl: string
  keyAuthorization(token: string): string | undefined
  /** Whether the HTTPS port shows a certificate that browsers trust. Until then the site is served here. */
  canRedirect(): boolean
}

export function plainPortListener({ publicUrl, keyAuthorization, canRedirect }: PlainPort, serve: RequestListener): RequestListener {
  return (incoming, outgoing) => {
    const target = requestTarget(incoming)
    if (target.startsWith(CHALLENGE)) {
      const reply = keyAuthorization(target.slice(CHALLENGE.length))
      outgoing.writeHead(reply === undefined ? 404 : 200, { 'content-type': 'text/plain', 'cache-control': 'no-store' }).end(reply)
      return
    }
    if (!canRedirect() || UNREDIRECTED.has(target.replace(/\?.*$/, '')) || isFromThisMachine(incoming)) return serve(incoming, outgoing)
    // 308 keeps the method; the body, which nobody reads, ends with the connection.
    const isReading = incoming.method === 'GET' || incoming.method === 'HEAD'
    outgoing.writeHead(isReading ? 301 : 308, { location: publicUrl + target, 'content-length': 0, connection: 'close' }).end()
  }
}

/** Path and query, also of a request in absolute form (RFC 9112 section 3.2.2). */
function requestTarget({ url = '/' }: IncomingMessage): string {
  if (url.startsWith('/')) return url
  if (!URL.canParse(url)) return '/'
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The doctor, a health check or `curl` on this machine, but neither a proxy nor a visitor who used the site's name. */
function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined
  return !isForwarded && LOOPBACK.has(canonicalIp(socket.remoteAddress ?? '') ?? '') && LOCAL_HOST.test(headers.host ?? '')
}
