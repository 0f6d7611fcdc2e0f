/** Elements that mails use. `<stdio.h>`, `<int>` and `<ada@example.com>` are not tags. */
const NAMES =
  'html|head|body|title|meta|link|style|script|base|p|br|div|span|a|strong|b|em|i|u|s|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|hr|img|table|caption|' +
  'colgroup|col|thead|tbody|tfoot|tr|td|th|center|font|small|big|sub|sup|del|ins|code|pre|tt|section|article|header|footer|main|nav|figure|' +
  'form|input|button|select|textarea|iframe|svg|video|audio|object|embed'
const TAGS = new RegExp(`<!--[^<>]*-->|<(?:!doctype|/?(?:${NAMES}))(?:\\s[^<>]*|/)?>`, 'gi')
/** A text that was cut may end within a tag. */
const CUT_TAG = new RegExp(`<(?:/?(?:${NAMES}))\\s[^<>]*$`, 'i')
const ENTITIES: Readonly<Record<string, string>> = { '&nbsp;': ' ', '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/**
 * Removes HTML from plain text: tags stripped, four entities decoded, white space collapsed. Linear, and not a sanitiser: the result is
 * never shown as HTML. Text without HTML stays unchanged. Each entity is decoded once: `&amp;lt;` becomes `&lt;`.
 */
export function stripMarkup(text: string): string {
  if (!text.includes('<')) return text
  const stripped = text.replace(TAGS, '').replace(CUT_TAG, '')
  if (stripped === text) return text
  return stripped
    .replace(/&(?:nbsp|lt|gt|amp);/gi, entity => ENTITIES[entity.toLowerCase()] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}
