/** The endpoints of the reader: one function each. Each parses its reply and throws `ProblemError`. */
import type { AttachmentLink, Message } from '#contract/mailbox.ts'
import { pathTo, visitorRoutes as routes } from '#contract/visitor-routes.ts'
import * as replies from './page-replies.ts'
import { request, send } from './request.ts'

/** The whole message; its `html` is hostile until sanitised. */
export function readMessage(token: string, id: string, signal?: AbortSignal): Promise<Message> {
  return request(pathTo(routes.message, { id }), replies.message, { token, signal })
}

/** The message byte for byte as it arrived. */
export async function readRaw(token: string, id: string, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await send(pathTo(routes.raw, { id }), { token, signal, isTimed: false })
  return response.arrayBuffer()
}

/** The decoded bytes of one attachment, for showing images the mail itself carries. */
export async function readAttachment(token: string, id: string, index: number, signal?: AbortSignal): Promise<ArrayBuffer> {
  const response = await send(pathTo(routes.attachment, { id, index }), { token, signal, isTimed: false })
  return response.arrayBuffer()
}

/** A URL that downloads this one attachment for 60 s and contains no token. */
export async function createAttachmentLink(token: string, id: string, index: number): Promise<AttachmentLink['url']> {
  const { url } = await request(pathTo(routes.attachmentLink, { id, index }), replies.attachmentLink, { method: 'POST', token })
  if (!url) throw new Error('No download URL received')
  return url
}
