/** The blank page that sanitised mail is shown in (web/features/message/body/mail-frame.tsx), with its own content security policy. */
import type { Context } from 'hono'
import type { HttpEnv } from '../env.ts'

const PAGE = '<!doctype html><html><head><meta charset="utf-8"><base target="_blank"><title>Mail</title></head><body></body></html>'

/** With `?images=1`, on the visitor's request, the frame may load remote images. */
export function serveMailFrame(c: Context<HttpEnv>): Response {
  c.header('content-security-policy', framePolicy(c.req.query('images') === '1' ? 'data: https: http:' : 'data:'))
  // Set here as well as for the whole site, so that image servers never learn where the visitor reads mail, even if the site's policy
  // changes.
  c.header('referrer-policy', 'no-referrer')
  c.header('x-frame-options', 'SAMEORIGIN')
  return c.body(PAGE, 200, { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'no-cache' })
}

/** Mail runs no script, sends no form and loads only the images that the visitor asked for. */
function framePolicy(images: string): string {
  return `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
}
