/** In which forms the body of a mail can be shown, and how much of it at first. */
import type { Message } from '#contract/mailbox.ts'

const ENCRYPTED = /^\s*(?:multipart\/encrypted\b|application\/(?:x-)?pkcs7-mime\b(?!.*signed-data))/i

/** OpenPGP and S/MIME. The text of what is only signed is shown like any other. */
export function isEncrypted(headers: Message['headers']): boolean {
  return ENCRYPTED.test(headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '')
}

type BodyForms = {
  /** Sanitised and shown as HTML; missing if the body has no tag. */
  readonly html?: string
  readonly text: string
}

/**
 * A body with a tag is HTML, whatever its content type; otherwise it is plain text with line breaks. Without a body the preview is used.
 */
export function bodyForms({
  html,
  text,
  preview,
}: Pick<Message, 'preview'> & { html?: string | undefined; text?: string | undefined }): BodyForms {
  const marked = [html, text].find(body => body !== undefined && containsTag(body))
  const plain = text ?? (html !== undefined && marked === undefined ? decodeEntities(html) : undefined)
  if (marked !== undefined) return { html: marked, text: plain ?? '' }
  return { text: plain ?? preview }
}

/** Elements that mails use. `<stdio.h>`, `<int>` and `<ada@example.com>` are not tags. */
const NAMES =
  'html|head|body|title|meta|link|style|script|base|p|br|div|span|a|strong|b|em|i|u|s|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|hr|img|table|caption|' +
  'colgroup|col|thead|tbody|tfoot|tr|td|th|center|font|small|big|sub|sup|del|ins|code|pre|tt|section|article|header|footer|main|nav|figure|' +
  'form|input|button|select|textarea|iframe|svg|video|audio|object|embed'
const TAG = `<(?:!doctype|/?(?:${NAMES}))(?:\\s[^<>]*|/)?>`
const ONE_TAG = new RegExp(TAG, 'i')
const ENTITIES: Readonly<Record<string, string>> = { '&nbsp;': ' ', '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** Tells whether a body contains HTML, and decodes entities in one that does not. In linear time, no parser: HTML is sanitised later. */
function containsTag(text: string): boolean {
  return ONE_TAG.test(text)
}

/** nbsp, lt, gt and amp, each decoded once: `&amp;lt;` becomes `&lt;`. */
function decodeEntities(text: string): string {
  return text.replace(/&(?:nbsp|lt|gt|amp);/gi, entity => ENTITIES[entity.toLowerCase()] ?? entity)
}

/**
 * 128 Ki characters: more than Gmail shows, and of table rows, the dearest, sanitised in a tenth of a second. A mail of 4 MiB takes the
 * page seconds, so the reader is asked first.
 */
const FIRST_CHARS_MAX = 131_072
/** A mail that is only a little longer is shown completely. */
const SPARED_CHARS_MIN = 32_768

/** The beginning up to a tag, or the whole mail if it is short. The parser closes elements that are cut. */
export function firstPart(html: string): string {
  if (html.length < FIRST_CHARS_MAX + SPARED_CHARS_MIN) return html
  const tag = html.lastIndexOf('<', FIRST_CHARS_MAX)
  return html.slice(0, tag > FIRST_CHARS_MAX / 2 ? tag : FIRST_CHARS_MAX)
}
