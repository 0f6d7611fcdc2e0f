/** What the contact form, the report form and the blog call. */
import * as site from '#contract/site.ts'
import { pageRoute } from './page-route.ts'

export const sendContact = pageRoute(site.sendContact)
export const reportAbuse = pageRoute(site.reportAbuse)
export const listBlogViews = pageRoute(site.listBlogViews)
export const readBlogViews = pageRoute(site.readBlogViews)
/** Counts this visitor once per article and day; its reply is the new count. */
export const countBlogView = pageRoute(site.countBlogView)
