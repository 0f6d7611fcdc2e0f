/** The blank page that the reader writes a sanitised mail into (web/features/message/frame/mail-frame.tsx), with a policy of its own. */
import type { Context } from 'hono'
import type { HttpEnv } from '../env.ts'

const PAGE = '<!doctype html><html><head><meta charset="utf-8"><base target="_blank"><title>Mail</title></head><body></body></html>'

/** With `?images=1` the frame may load pictures from elsewhere: the visitor asked for them. */
export function mailFrame(c: Context<HttpEnv>): Response {
  c.header('content-security-policy', framePolicy(c.req.query('images') === '1' ? 'data: https: http:' : 'data:'))
  // Said here as well as for the whole site: no picture's server learns where the visitor reads mail, whatever the site's own pages need one day.
  c.header('referrer-policy', 'no-referrer')
  c.header('x-frame-options', 'SAMEORIGIN')
  return c.body(PAGE, 200, { 'content-type': 'text/html; charset=UTF-8', 'cache-control': 'no-cache' })
}

/** Mail runs nothing, sends nothing and loads only the images that the visitor asked for. */
function framePolicy(images: string): string {
  return `default-src 'none'; img-src ${images}; style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; frame-ancestors 'self'`
}
