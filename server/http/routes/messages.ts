/** Reading the mail of one mailbox. An identifier that is not this mailbox's is one that does not exist (case W03). */
import { type Context, Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { attachmentLinkSchema, messageListSchema, messageSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import { requireMailbox } from '../bearer.ts'
import { holdUntilSent } from '../bytes-under-way.ts'
import { readerGone } from '../connection-end.ts'
import { download } from '../download.ts'
import type { HttpEnv } from '../env.ts'
import type { MailPorts } from '../mail-ports.ts'
import { answers, BEARER } from '../openapi.ts'

export function messageRoutes(ports: MailPorts): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>()
  const { mail } = ports

  app.get(
    routes.messages,
    describeRoute({
      summary: 'The inbox, newest first',
      security: BEARER,
      responses: answers(200, messageListSchema, 'mailbox_not_found'),
    }),
    async c => {
      const list = await mail.listMessages(await requireMailbox(c, ports))
      if (!list) throw new AppError('mailbox_not_found')
      return c.json({ messages: list.messages, cursor: String(list.cursor) })
    },
  )

  app.get(
    routes.message,
    describeRoute({
      summary: 'A whole message',
      description: '`html` is the sender’s, unsanitised.',
      security: BEARER,
      responses: answers(200, messageSchema, 'mailbox_not_found', 'message_not_found'),
    }),
    async c => {
      const message = await mail.readMessage(await requireMailbox(c, ports), c.req.param('id'), readerGone(c.env))
      if (!message) throw new AppError('message_not_found')
      const json = JSON.stringify(message)
      holdUntilSent(c, json.length)
      return c.body(json, 200, { 'content-type': 'application/json' })
    },
  )

  app.delete(
    routes.message,
    describeRoute({
      summary: 'Remove a message',
      security: BEARER,
      responses: answers(204, undefined, 'mailbox_not_found', 'message_not_found'),
    }),
    async c => {
      if (!(await mail.removeMessage(await requireMailbox(c, ports), c.req.param('id')))) throw new AppError('message_not_found')
      return c.body(null, 204)
    },
  )

  app.get(
    routes.raw,
    describeRoute({
      summary: 'The message byte for byte as it arrived',
      security: BEARER,
      responses: answers(200, 'bytes', 'message_not_found'),
    }),
    async c => {
      const id = c.req.param('id')
      const bytes = await mail.readRaw(await requireMailbox(c, ports), id, readerGone(c.env))
      if (!bytes) throw new AppError('message_not_found')
      return download(c, { filename: 'message.eml', contentType: 'message/rfc822', bytes, etag: id })
    },
  )

  app.get(
    routes.attachment,
    describeRoute({ summary: 'The bytes of one attachment', security: BEARER, responses: answers(200, 'bytes', 'attachment_not_found') }),
    async c => {
      const { id, index } = attachmentOf(c)
      const attachment = await mail.readAttachment(await requireMailbox(c, ports), id, index, readerGone(c.env))
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
      const attachment = await mail.openAttachmentLink(c.req.param('capability'), readerGone(c.env))
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
