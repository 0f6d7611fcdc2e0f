/** Attachments of one mailbox's mail: by token, and by a link that needs none (decision 18, case W04). */
import { type Context, Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { attachmentLinkSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import { responseEndSignal } from '../connections/response-end.ts'
import type { HttpEnv } from '../env.ts'
import type { MailPorts } from '../mail-ports.ts'
import { answers, BEARER } from '../openapi/openapi.ts'
import { requireMailbox } from '../requests/mailbox-token.ts'
import { download } from '../responses/download.ts'

export function attachmentRoutes(ports: MailPorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { mail } = ports

  app.get(
    routes.attachment,
    describeRoute({ summary: 'The bytes of one attachment', security: BEARER, responses: answers(200, 'bytes', 'attachment_not_found') }),
    async c => {
      const { id, index } = attachmentOf(c)
      const attachment = await mail.readAttachment(await requireMailbox(c, ports), id, index, responseEndSignal(c.env))
      if (!attachment) throw new AppError('attachment_not_found')
      return download(c, { ...attachment, etag: `${id}-${index}` })
    },
  )

  app.post(
    routes.attachmentLink,
    describeRoute({
      summary: 'A URL that downloads one attachment for 60 s without the token',
      security: BEARER,
      responses: answers(200, attachmentLinkSchema, 'attachment_not_found'),
    }),
    async c => {
      const { id, index } = attachmentOf(c)
      const link = await mail.createAttachmentLink(await requireMailbox(c, ports), id, index)
      if (!link) throw new AppError('attachment_not_found')
      return c.json(link)
    },
  )

  app.get(
    routes.download,
    describeRoute({ summary: 'What an attachment link downloads', responses: answers(200, 'bytes', 'link_expired') }),
    async c => {
      const attachment = await mail.openAttachmentLink(c.req.param('capability'), responseEndSignal(c.env))
      if (!attachment) throw new AppError('link_expired')
      // The same capability always names the same bytes, and nothing of it may stand in a header.
      return download(c, { ...attachment, etag: `${attachment.bytes.length}` })
    },
  )

  return app
}

/** Digits of ASCII only: other spellings of a number are other, unknown, attachments. */
function attachmentOf(c: Context<HttpEnv>): { id: string; index: number } {
  const { id = '', index = '' } = c.req.param() as Record<string, string>
  return { id, index: /^\d{1,6}$/.test(index) ? Number(index) : -1 }
}
