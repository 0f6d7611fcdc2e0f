/** Builds a whole message, or its row in a list, for the owner. */
import { hash } from 'node:crypto'
import { MIB } from '#contract/limits.ts'
import type { Message, MessageSummary } from '#contract/mailbox.ts'
import { withPlainLineEnds } from '#reader/mime/text/blocks.ts'
import { readMail } from '#reader/read-mail.ts'
import { explainWarnings } from '#reader/warnings/warnings.ts'
import { senderVerdict } from '../authentication/sender-verdict.ts'
import { type ShownSummary, type StoredRow, type StoredSummary, withRow } from './stored-summary.ts'

/** How much of an unparseable message is shown as text. The raw view shows all of it. */
const RAW_TEXT_BYTES_MAX = MIB

export const toMessageSummary = (row: StoredRow, sealed: StoredSummary): MessageSummary => withRow(row, toShownSummary(sealed))

export function toShownSummary({
  envelopeFrom: _,
  envelopeTo = [],
  link,
  siteClaim,
  authentication,
  ...summary
}: StoredSummary): ShownSummary {
  const verdict = senderVerdict(summary.from, authentication, siteClaim)
  const shownLink = link && verdict.verdict !== 'contradicted' ? { link } : {}
  return { ...summary, envelopeTo, ...shownLink, ...(authentication ? { authentication } : {}), ...verdict }
}

/** Never throws: a message that cannot be parsed is shown as text. */
export function toMessage(summary: MessageSummary, envelopeFrom: string, raw: Uint8Array): Message {
  if (summary.parseStatus === 'failed') return unparsedMessage(summary, envelopeFrom, raw)
  try {
    const { parseStatus, ...mail } = readMail(raw, bytes => hash('sha256', bytes))
    return {
      ...summary,
      ...mail,
      parseStatus: parseStatus === 'ok' ? summary.parseStatus : 'partial',
      attachmentCount: mail.attachments.length,
      envelopeFrom,
    }
  } catch {
    return unparsedMessage(summary, envelopeFrom, raw)
  }
}

/** A message that must not be parsed again. */
export function unparsedMessage(summary: MessageSummary, envelopeFrom: string, raw: Uint8Array): Message {
  const text = withPlainLineEnds(Buffer.from(raw.subarray(0, RAW_TEXT_BYTES_MAX)).toString('utf8'))
  const nothing = { to: [], cc: [], replyTo: [], headers: [], links: [], allLinks: [] }
  return { ...summary, parseStatus: 'failed', envelopeFrom, ...nothing, text, warnings: explainWarnings(['not_parsed']) }
}
