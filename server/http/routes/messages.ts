/** Reading the mail of one mailbox. An identifier that is not this mailbox's is one that does not exist (case W03). */
import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { messageListSchema, messageSchema } from '#contract/mailbox.ts'
import { routes } from '#contract/routes.ts'
import { AppError } from '#server/errors.ts'
import { holdUntilSent } from '../connections/bytes-in-flight.ts'
import { responseEndSignal } from '../connections/response-end.ts'
import type { HttpEnv } from '../env.ts'
import type { MailPorts } from '../mail-ports.ts'
import { answers, BEARER } from '../openapi/openapi.ts'
import { requireMailbox } from '../requests/mailbox-token.ts'
import { download } from '../responses/download.ts'
import { unshared } from '../responses/unshared-bytes.ts'

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
      const json = await mail.readMessage(await requireMailbox(c, ports), c.req.param('id'), responseEndSignal(c.env))
      if (!json) throw new AppError('message_not_found')
      holdUntilSent(c, json.length)
      return c.body(unshared(json), 200, { 'content-type': 'application/json' })
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
      const bytes = await mail.readRaw(await requireMailbox(c, ports), id, responseEndSignal(c.env))
      if (!bytes) throw new AppError('message_not_found')
      return download(c, { filename: 'message.eml', contentType: 'message/rfc822', bytes, etag: id })
    },
  )

  return app
}
