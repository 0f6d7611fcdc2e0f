import type { Message } from '#contract/mailbox.ts'
import { containsTag, decodeEntities } from './html-tags.ts'

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
