/** The endpoints of the contact form and the blog: one function each. Each parses its reply and throws `ProblemError`. */
import type { Language } from '#contract/languages.ts'
import { routes } from '#contract/routes.ts'
import type { AbuseReport, BlogViews, ContactForm } from '#contract/site.ts'
import { pathTo } from '#contract/visitor-routes.ts'
import * as replies from './page-replies.ts'
import { request, send } from './request.ts'

export async function sendContact(form: ContactForm & { language: Language; botCheck?: string }): Promise<void> {
  await send(routes.contact, { method: 'POST', json: form })
}

export async function readAllBlogViews(signal?: AbortSignal): Promise<BlogViews[]> {
  const list = await request(routes.blogViews, replies.blogViewsList, { signal })
  return list.posts
}

export function readBlogViews(slug: string, signal?: AbortSignal): Promise<BlogViews> {
  return request(pathTo(routes.blogViewsOf, { slug }), replies.blogViews, { signal })
}

/** Counts this visitor once per article and day; resolves to the new count. */
export function countBlogView(slug: string): Promise<BlogViews> {
  return request(pathTo(routes.blogViewsOf, { slug }), replies.blogViews, { method: 'POST' })
}

export async function reportAbuse(report: AbuseReport & { botCheck?: string }): Promise<void> {
  await send(routes.reports, { method: 'POST', json: report })
}
