/** The HTTP edge: who may ask, what is asked, how it is answered. Knows requests and codes; decides nothing about mail. */
import { Hono } from 'hono'
import { routes } from '#contract/routes.ts'
import type { Config } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { addressList, clientIp, networkOf } from './client-ip.ts'
import type { HttpEnv } from './env.ts'
import { notFound, problemOf } from './problem.ts'

export type HttpPorts = { readonly config: Config; readonly log: Log }

export function createHttp({ config, log }: HttpPorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const trusted = addressList(config.trustedProxies)

  app.use(async (c, next) => {
    const ip = clientIp(c.env.incoming.socket.remoteAddress, c.req.header('x-forwarded-for'), trusted)
    c.set('clientIp', ip)
    c.set('network', networkOf(ip))
    await next()
  })
  app.get(routes.healthz, c => c.json({ status: 'ok' }))
  app.onError(error => problemOf(error, log))
  app.notFound(notFound)
  return app
}
