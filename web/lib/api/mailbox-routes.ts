/** What every visitor's page calls, and what it receives besides. */
import * as z from 'zod/mini'
import * as mail from '#contract/mailbox.ts'
import { problemSchema } from '#contract/route.ts'
import * as site from '#contract/site.ts'
import { pageRoute, shapeOf } from './page-route.ts'

export const readMailbox = pageRoute(mail.readMailbox)
export const listMessages = pageRoute(mail.listMessages)
export const deleteMessage = pageRoute(mail.deleteMessage)
export const streamEvents = pageRoute(mail.streamEvents)
export const readConfig = pageRoute({ ...site.readConfig, response: site.siteConfigSchema })

export const mailboxEvent = shapeOf(mail.mailboxEventSchema)
export const delivery = shapeOf(mail.deliveryProgressSchema)
export const streamEvent = shapeOf(mail.streamEventSchema)
export const siteConfig = shapeOf(site.siteConfigSchema)
/** What pages need of it. A newer server may know a code that this page does not. */
export const problem = shapeOf(z.extend(z.pick(problemSchema, { detail: true, retryAfterSeconds: true }), { code: z.string() }))
