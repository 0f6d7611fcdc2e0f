import { decodeBody, isUnencoded } from '../encodings/transfer-encoding.ts'
import type { MimePart, ParsedMessage } from '../types.ts'
import { hasText } from './body-parts.ts'
import { parseMessage } from './parse.ts'

/** The bytes that the parts of `parsed` lie in. */
type ShownMessage = { readonly raw: Uint8Array; readonly parsed: ParsedMessage }

/**
 * The message whose text is shown: the given one, unless it is nothing but an encoded message (forbidden by RFC 2046 §5.2.1, and sent
 * anyway). Its parts are not in the raw bytes, so the decoded ones are parsed. Attachments are always those of the given message.
 */
export function shownMessage(raw: Uint8Array, parsed: ParsedMessage): ShownMessage {
  const [encoded, ...others] = hasText(parsed) ? [] : encodedMessages(parsed.root)
  if (!encoded || others.length > 0) return { raw, parsed }
  const known = decoded.get(encoded)
  if (known) return known
  const inner = decodeBody(raw, encoded)
  const { root } = parseMessage(inner)
  const part = { ...encoded, encoding: 'binary', bodyOffset: 0, bodyLength: inner.length, children: [root] }
  const shown = root.headers.length === 0 ? { raw, parsed } : { raw: inner, parsed: { ...parsed, root: part } }
  decoded.set(encoded, shown)
  return shown
}

/** Cached, because preview, codes and links of a message all need it. */
const decoded = new WeakMap<MimePart, ShownMessage>()

function encodedMessages(part: MimePart): MimePart[] {
  const isMessage = part.contentType === 'message/rfc822' || part.contentType === 'message/global'
  if (isMessage && part.children.length === 0 && !isUnencoded(part)) return [part]
  return part.children.flatMap(encodedMessages)
}
