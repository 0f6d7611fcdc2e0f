/**
 * Messages of one mailbox and their attachments, by its token or, for one attachment, by a link that needs none. The id of another
 * mailbox's message gets the same response as an unknown id.
 */

import * as contract from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { toIso } from '#server/platform/clock.ts'
import { parseCursor, readCondition, toReader } from '../requests/input.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

export function messageRoutes({ mail }: HttpDeps): BoundRoute[] {
  return [
    defineRoute(contract.listMessages, async ({ c, mailbox, query, fail }) => {
      const before = query.before === undefined ? Number.POSITIVE_INFINITY : parseCursor(query.before)
      const wanted = { condition: readCondition(query), before, limit: query.limit ?? Number.POSITIVE_INFINITY }
      return (await mail.listMessages(mailbox, wanted, toReader(c))) ?? fail('mailbox_not_found')
    }),
    defineRoute(contract.readMessage, async ({ c, mailbox, params, fail }) => {
      return (await mail.readMessage(mailbox, params.id, toReader(c))) ?? fail('message_not_found')
    }),
    defineRoute(contract.deleteMessage, async ({ mailbox, params, fail }) => {
      if (!(await mail.deleteMessage(mailbox, params.id))) fail('message_not_found')
    }),
    defineRoute(contract.readRawMessage, async ({ c, mailbox, params: { id }, fail }) => {
      const bytes = (await mail.readRaw(mailbox, id, toReader(c))) ?? fail('message_not_found')
      return { filename: 'message.eml', contentType: 'message/rfc822', bytes, etag: id }
    }),
    defineRoute(contract.readAttachment, async ({ c, mailbox, params: { id, index }, fail }) => {
      const found = await mail.readAttachment(mailbox, id, attachmentIndex(index), toReader(c))
      return { ...(found ?? fail('attachment_not_found')), etag: `${id}-${index}` }
    }),
    defineRoute(contract.createAttachmentLink, async ({ c, mailbox, params: { id, index }, fail }) => {
      const created = (await mail.createAttachmentLink(mailbox, id, attachmentIndex(index), toReader(c))) ?? fail('attachment_not_found')
      return { url: pathTo(routes.download, { capability: created.link }), expiresAt: toIso(created.expiresAt) }
    }),
    defineRoute(contract.downloadAttachment, async ({ c, params, query, fail }) => {
      const found = (await mail.openAttachmentLink(params.capability, toReader(c))) ?? fail('link_expired')
      // A link always names the same bytes, and no part of it may appear in a header.
      return { ...found, etag: `${found.bytes.length}`, isViewWanted: query.view === '1' }
    }),
  ]
}

/** ASCII digits only: other spellings of a number are unknown attachments. */
function attachmentIndex(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : -1
}
