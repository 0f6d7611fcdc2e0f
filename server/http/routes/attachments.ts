/** Attachments, by mailbox token or by a link that needs none. */
import { createAttachmentLink, downloadAttachment, readAttachment } from '#contract/mailbox.ts'
import { pathTo, routes } from '#contract/routes.ts'
import { toReader } from '../requests/reader.ts'
import { downloadResponse } from '../responses/download.ts'
import { type BoundRoute, defineRoute } from './define-route.ts'
import type { HttpDeps } from './http-deps.ts'

const tag = 'Messages'

export function attachmentRoutes({ mail }: Pick<HttpDeps, 'mail'>): BoundRoute[] {
  return [
    defineRoute(readAttachment, {
      tag,
      summary: 'Download one attachment',
      async handle({ c, mailbox, params: { id, index }, fail }) {
        const found = await mail.readAttachment(mailbox, id, attachmentIndex(index), toReader(c))
        return downloadResponse(c, { ...(found ?? fail('attachment_not_found')), etag: `${id}-${index}` })
      },
    }),
    defineRoute(createAttachmentLink, {
      tag,
      summary: 'Create a link to one attachment',
      description: 'The link works for 60 seconds and needs no token.',
      async handle({ c, mailbox, params: { id, index }, fail }) {
        const link = (await mail.createAttachmentLink(mailbox, id, attachmentIndex(index), toReader(c))) ?? fail('attachment_not_found')
        return { url: pathTo(routes.download, { capability: link.capability }), expiresAt: new Date(link.expiresAt).toISOString() }
      },
    }),
    defineRoute(downloadAttachment, {
      tag,
      summary: 'Download what an attachment link points to',
      description: 'The file is saved. With `view=1` a PDF is shown by the browser instead, in a sandbox without scripts and network.',
      async handle({ c, params, query, fail }) {
        const found = (await mail.openAttachmentLink(params.capability, toReader(c))) ?? fail('link_expired')
        // A capability always names the same bytes, and no part of it may appear in a header.
        return downloadResponse(c, { ...found, etag: `${found.bytes.length}` }, query.view === '1')
      },
    }),
  ]
}

/** ASCII digits only: other spellings of a number are unknown attachments. */
function attachmentIndex(text: string): number {
  return /^\d{1,6}$/.test(text) ? Number(text) : -1
}
