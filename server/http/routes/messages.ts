/**
 * Messages of one mailbox and their attachments, by its token or, for one attachment, by a link that needs none. The id of another
 * mailbox's message gets the same response as an unknown id.
 */

import type { Context } from 'hono'
import {
  createAttachmentLink,
  deleteMessage,
  downloadAttachment,
  listMessages,
  readAttachment,
  readMessage,
  readRawMessage,
} from '#contract/mailbox.ts'
import { pathTo } from '#contract/path-to.ts'
import { routes } from '#contract/routes.ts'
import { toIso } from '#server/platform/clock.ts'
import { reserveResponseBytes } from '../connections/response-budget.ts'
import type { HttpEnv } from '../env.ts'
import { parseCursor, readCondition, toReader } from '../requests/input.ts'
import { copySharedBytes, downloadResponse } from '../responses/download.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

export function messageRoutes({ mail }: HttpDeps): BoundRoute[] {
  return [
    defineRoute(listMessages, {
      summary: 'List the messages, newest first',
      description:
        'A page has `limit` messages; for the next one send the `cursor` of the last message as `before`. Without `limit` all are listed.',
      async handle({ c, mailbox, query, fail }) {
        const before = query.before === undefined ? Number.POSITIVE_INFINITY : parseCursor(query.before)
        const wanted = { condition: readCondition(query), before, limit: query.limit ?? Number.POSITIVE_INFINITY }
        return jsonResponse(c, (await mail.listMessages(mailbox, wanted, toReader(c))) ?? fail('mailbox_not_found'))
      },
    }),
    defineRoute(readMessage, {
      summary: 'Read a whole message',
      description: '`html` is as the sender wrote it, unsanitised.',
      async handle({ c, mailbox, params, fail }) {
        return jsonResponse(c, (await mail.readMessage(mailbox, params.id, toReader(c))) ?? fail('message_not_found'))
      },
    }),
    defineRoute(deleteMessage, {
      summary: 'Delete a message',
      async handle({ mailbox, params, fail }) {
        if (!(await mail.deleteMessage(mailbox, params.id))) fail('message_not_found')
      },
    }),
    defineRoute(readRawMessage, {
      summary: 'Download a message byte for byte as it arrived',
      async handle({ c, mailbox, params: { id }, fail }) {
        const bytes = (await mail.readRaw(mailbox, id, toReader(c))) ?? fail('message_not_found')
        return downloadResponse(c, { filename: 'message.eml', contentType: 'message/rfc822', bytes, etag: id })
      },
    }),
    defineRoute(readAttachment, {
      summary: 'Download one attachment',
      async handle({ c, mailbox, params: { id, index }, fail }) {
        const found = await mail.readAttachment(mailbox, id, attachmentIndex(index), toReader(c))
        return downloadResponse(c, { ...(found ?? fail('attachment_not_found')), etag: `${id}-${index}` })
      },
    }),
    defineRoute(createAttachmentLink, {
      summary: 'Create a link to one attachment',
      description: 'The link works for 60 seconds and needs no token.',
      async handle({ c, mailbox, params: { id, index }, fail }) {
        const created = (await mail.createAttachmentLink(mailbox, id, attachmentIndex(index), toReader(c))) ?? fail('attachment_not_found')
        return { url: pathTo(routes.download, { capability: created.link }), expiresAt: toIso(created.expiresAt) }
      },
    }),
    defineRoute(downloadAttachment, {
      summary: 'Download what an attachment link points to',
      description: 'The file is saved. With `view=1` a PDF is shown by the browser instead, in a sandbox without scripts and network.',
      async handle({ c, params, query, fail }) {
        const found = (await mail.openAttachmentLink(params.capability, toReader(c))) ?? fail('link_expired')
        // A link always names the same bytes, and no part of it may appear in a header.
        return downloadResponse(c, { ...found, etag: `${found.bytes.length}` }, query.view === '1')
      },
    }),
  ]
}

function jsonResponse(c: Context<HttpEnv>, json: Uint8Array): Response {
  reserveResponseBytes(c, json.length)
  return c.body(copySharedBytes(json), 200, { 'content-type': 'application/json' })
}

/** ASCII digits only: other spellings of a number are unknown attachments. */
function attachmentIndex(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : -1
}
