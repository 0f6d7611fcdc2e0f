import { listAttachments } from '#server/mime/structure/attachments.ts'
import { readBody } from '#server/mime/structure/body.ts'
import { parseMessage } from '#server/mime/structure/parse.ts'
import { textPrefix } from '#server/mime/text/preview.ts'

/** A mail written in a test, read the way the service reads it. */
export function readMail(text: string, encoding: BufferEncoding = 'latin1') {
  const raw = Buffer.from(text, encoding)
  const parsed = parseMessage(raw)
  return { raw, parsed, body: readBody(raw, parsed), attachments: listAttachments(raw, parsed), preview: textPrefix(raw, parsed, 100) }
}
