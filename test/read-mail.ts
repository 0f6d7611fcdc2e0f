import { attachmentsOf, bodyOf, textPrefix } from '#server/mime/content.ts'
import { parseMessage } from '#server/mime/structure/parse.ts'

/** A mail written in a test, read the way the service reads it. */
export function readMail(text: string, encoding: BufferEncoding = 'latin1') {
  const raw = Buffer.from(text, encoding)
  const parsed = parseMessage(raw)
  return { raw, parsed, body: bodyOf(raw, parsed), attachments: attachmentsOf(raw, parsed), preview: textPrefix(raw, parsed, 100) }
}
