import { createHash } from 'node:crypto'
import { decodedHeaders, readCc, readDate, readSender, readSubject, readTo } from '#reader/mime/headers/headers.ts'
import { decodeAttachment, listAttachments } from '#reader/mime/structure/attachments.ts'
import { readBody } from '#reader/mime/structure/body.ts'
import { parseMessage } from '#reader/mime/structure/parse.ts'
import { textKind } from '#reader/mime/structure/text-part.ts'
import type { MailAddress, MimePart } from '#reader/mime/types.ts'

/** Everything that a reader sees of a mail, in a comparable form. */
export function shown(raw: Buffer) {
  const parsed = parseMessage(raw)
  const { text, html } = readBody(raw, parsed)
  return {
    status: parsed.status,
    from: readSender(parsed),
    to: readTo(parsed),
    cc: readCc(parsed),
    subject: readSubject(parsed),
    date: readDate(parsed)?.toISOString(),
    headers: decodedHeaders(parsed),
    text,
    html,
    attachments: listAttachments(raw, parsed).map(attachment => {
      const bytes = decodeAttachment(raw, attachment)
      return { filename: attachment.filename, contentType: attachment.contentType, bytes: Buffer.from(bytes) }
    }),
  }
}

/** The text of one part as it arrived, whatever its type: lines that flow are not joined. */
export function partText(raw: Uint8Array, part: MimePart): string {
  const contentType = textKind(part) === undefined ? 'text/plain' : part.contentType
  const root: MimePart = {
    ...part,
    contentType,
    disposition: undefined,
    filename: undefined,
    children: [],
    format: { flowed: false, delSp: false },
  }
  const { html, text } = readBody(raw, { root, status: 'ok', warnings: [] })
  return html ?? text ?? ''
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Text with normalised line ends. */
export function withLf(text: string): string {
  return text.replace(/\r\n?/g, '\n')
}

export function withoutSpaces(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}

/** A word without an at sign is shown as a name, never as an address, so expected values are converted first. */
export function withWordsAsNames({ name, address }: MailAddress): MailAddress {
  return address.includes('@') ? { name, address } : { name: name || address, address: '' }
}
