/** What the reader and notifications call. */
import * as z from 'zod/mini'
import * as mail from '#contract/mailbox.ts'
import * as push from '#contract/notifications.ts'
import { pageRoute } from './page-route.ts'

/** Its `html` is hostile until sanitised. */
export const readMessage = pageRoute(mail.readMessage)
export const readRawMessage = pageRoute(mail.readRawMessage)
export const readAttachment = pageRoute(mail.readAttachment)
/** The reader has an error of its own for a reply without a URL. */
export const createAttachmentLink = pageRoute({ ...mail.createAttachmentLink, response: z.partial(mail.attachmentLinkSchema) })

export const readPushKey = pageRoute(push.readPushKey)
export const subscribeToPush = pageRoute(push.subscribeToPush)
export const unsubscribeFromPush = pageRoute(push.unsubscribeFromPush)
