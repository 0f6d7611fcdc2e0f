import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { routes } from '#contract/routes.ts'
import { blogViewsListSchema, blogViewsSchema } from '#contract/site.ts'
import { AppError } from '#server/errors.ts'
import type { HttpEnv } from '#server/http/env.ts'
import { enforce } from '#server/limiter/limiter.ts'
import { answers } from '../openapi/openapi.ts'
import { sameSiteOnly } from '../requests/cross-site.ts'
import type { SitePorts } from './site-ports.ts'

export function blogRoutes({ config, site, limiter, limits }: SitePorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()

  app.get(
    routes.blogViews,
    describeRoute({ summary: 'How often each article was read', responses: answers(200, blogViewsListSchema) }),
    async c => c.json({ posts: await site.views.all() }),
  )

  app.get(
    routes.blogViewsOf,
    describeRoute({ summary: 'How often one article was read', responses: answers(200, blogViewsSchema, 'not_found') }),
    async c => {
      const counted = await site.views.of(c.req.param('slug'))
      if (!counted) throw new AppError('not_found')
      return c.json(counted)
    },
  )

  app.post(
    routes.blogViewsOf,
    describeRoute({
      summary: 'Count a reading: once per visitor, article and day',
      responses: answers(200, blogViewsSchema, 'forbidden', 'not_found', 'rate_limited'),
    }),
    sameSiteOnly(config.publicUrl),
    async c => {
      await enforce(limiter, limits.api, c.var.network)
      const visitor = { address: c.var.clientIp, userAgent: c.req.header('user-agent') ?? '' }
      const counted = await site.views.count(c.req.param('slug'), visitor)
      if (!counted) throw new AppError('not_found')
      return c.json(counted)
    },
  )

  return app
}
