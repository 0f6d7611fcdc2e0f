/** The contact form, reports of abuse, and how often articles are read. */
import { DEFAULT_LANGUAGE } from '#contract/languages.ts'
import { countBlogView, listBlogViews, readBlogViews, reportAbuse, sendContact } from '#contract/site.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function siteRoutes({ operator, views, admission: { limits } }: HttpDeps, guards: Guards): BoundRoute[] {
  return [
    defineRoute(sendContact, async request => {
      const { botCheck, language, ...form } = request.body
      await guards.enforceLimit(request, limits.publicWrites)
      await guards.botCheck(request, botCheck, 'contact')
      await guards.enforceLimit(request, limits.messagesPerDay)
      await operator.contact.receive(form, language ?? DEFAULT_LANGUAGE)
    }),
    defineRoute(reportAbuse, async request => {
      const { botCheck, ...report } = request.body
      await guards.enforceLimit(request, limits.publicWrites)
      await guards.botCheck(request, botCheck, 'report')
      await guards.enforceLimit(request, limits.messagesPerDay)
      await operator.reports.receive(report)
    }),
    defineRoute(listBlogViews, async () => ({ posts: await views.all() })),
    defineRoute(readBlogViews, async ({ params, fail }) => (await views.find(params.slug)) ?? fail('not_found')),
    defineRoute(countBlogView, async request => {
      const { c, params, fail } = request
      await guards.enforceLimit(request, limits.publicWrites)
      const visitor = { address: c.get('clientIp'), userAgent: c.req.header('user-agent') ?? '' }
      return (await views.count(params.slug, visitor)) ?? fail('not_found')
    }),
  ]
}
