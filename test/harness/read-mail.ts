import { listAttachments } from '#reader/mime/structure/attachments.ts'
import { readBody } from '#reader/mime/structure/body.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { textPrefix } from '#reader/seen/preview.ts'

/** Reads a mail written in a test in the way the server does. */
export function readMail(text: string, encoding: BufferEncoding = 'latin1') {
  const raw = Buffer.from(text, encoding)
  const parsed = parseMessage(raw)
  return { raw, parsed, body: readBody(raw, parsed), attachments: listAttachments(raw, parsed), preview: textPrefix(raw, parsed, 100) }
}
