import { countBlogView, listBlogViews, readBlogViews } from '#contract/site.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Site'

export function blogRoutes({ views, limits }: Pick<HttpDeps, 'views' | 'limits'>, guards: Guards): BoundRoute[] {
  return [
    defineRoute(listBlogViews, {
      tag,
      summary: 'List how often each article was read',
      handle: async () => ({ posts: await views.all() }),
    }),
    defineRoute(readBlogViews, {
      tag,
      summary: 'Read how often one article was read',
      handle: async ({ params, fail }) => (await views.find(params.slug)) ?? fail('not_found'),
    }),
    defineRoute(countBlogView, {
      tag,
      summary: 'Count a reading of an article',
      description: 'Counts once per visitor, article and day.',
      async handle(request) {
        const { c, params, fail } = request
        await guards.limit(request, limits.publicWrites)
        const visitor = { address: c.var.clientIp, userAgent: c.req.header('user-agent') ?? '' }
        return (await views.count(params.slug, visitor)) ?? fail('not_found')
      },
    }),
  ]
}
