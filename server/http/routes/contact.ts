import { DEFAULT_LANGUAGE } from '#contract/languages.ts'
import { sendContact } from '#contract/site.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { Guards } from './guards.ts'
import type { HttpDeps } from './http-deps.ts'

export function contactRoutes({ operator, limits }: Pick<HttpDeps, 'operator' | 'limits'>, guards: Guards): BoundRoute[] {
  return [
    defineRoute(sendContact, {
      tag: 'Site',
      summary: 'Write to the operator',
      async handle(request) {
        const { botCheck, language, ...form } = request.body
        await guards.limit(request, limits.publicWrites)
        await guards.botCheck(request, botCheck, 'contact')
        await operator.contact.receive(form, language ?? DEFAULT_LANGUAGE)
        return undefined
      },
    }),
  ]
}
