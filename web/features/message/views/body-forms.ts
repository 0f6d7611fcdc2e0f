import type { Message } from '#contract/mailbox.ts'
import { containsTag, decodeEntities } from '#web/lib/mailbox/html-tags.ts'

type BodyForms = {
  /** What is sanitised and shown as HTML; absent when the body holds no tag. */
  readonly html?: string
  readonly text: string
}

/**
 * A body is HTML if it contains a tag, whatever the mail calls it; otherwise it is plain text with its line breaks.
 * Without a body there is still the preview.
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
