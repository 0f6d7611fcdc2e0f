import { encodedBody } from '../encodings/transfer-encoding.ts'
import { bodyParts, textKind } from '../structure/body-parts.ts'
import type { ParsedMessage } from '../types.ts'
import { htmlToText } from './html-text.ts'
import { decodeWindow } from './preview.ts'

/**
 * The start of the readable text, with line breaks: the first part of the given kind, decoded from at most `bytesMax` encoded bytes, HTML
 * as text. Empty if the message has no such part.
 */
export function textSample(raw: Uint8Array, parsed: ParsedMessage, kind: 'plain' | 'html', bytesMax: number): string {
  const text = sample(raw, parsed, kind, bytesMax)
  return kind === 'html' ? htmlToText(text) : text
}

/** The start of the HTML, with its tags. */
export function markupSample(raw: Uint8Array, parsed: ParsedMessage, bytesMax: number): string {
  return sample(raw, parsed, 'html', bytesMax)
}

function sample(raw: Uint8Array, parsed: ParsedMessage, kind: 'plain' | 'html', bytesMax: number): string {
  const parts = bodyParts(parsed)
  const part = (kind === 'html' ? parts.html : parts.text).find(candidate => textKind(candidate) === kind)
  if (!part) return ''
  const encoded = encodedBody(raw, part)
  const window = encoded.subarray(0, bytesMax)
  return decodeWindow(part, window, window.length === encoded.length)
}
