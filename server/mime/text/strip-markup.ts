/** Plain text that holds HTML, without it: tags stripped, four entities decoded, white space collapsed. Linear, and no parser: nothing here is shown as HTML. */

/** Elements a mail is written with. `<stdio.h>`, `<int>` and `<ada@example.com>` are not tags. */
const NAMES =
  'html|head|body|title|meta|link|style|script|base|p|br|div|span|a|strong|b|em|i|u|s|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|hr|img|table|caption|' +
  'colgroup|col|thead|tbody|tfoot|tr|td|th|center|font|small|big|sub|sup|del|ins|code|pre|tt|section|article|header|footer|main|nav|figure|' +
  'form|input|button|select|textarea|iframe|svg|video|audio|object|embed'
const TAGS = new RegExp(`<!--[^<>]*-->|<(?:!doctype|/?(?:${NAMES}))(?:\\s[^<>]*|/)?>`, 'gi')
/** A text that was cut at a length may have lost the end of its last tag. */
const CUT_TAG = new RegExp(`<(?:/?(?:${NAMES}))\\s[^<>]*$`, 'i')
const ENTITIES: Readonly<Record<string, string>> = { '&nbsp;': ' ', '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/** One without HTML stays as it is. Each entity is decoded once: `&amp;lt;` is `&lt;`. */
export function stripMarkup(text: string): string {
  const stripped = text.replace(TAGS, '').replace(CUT_TAG, '')
  if (stripped === text) return text
  return stripped
    .replace(/&(?:nbsp|lt|gt|amp);/gi, entity => ENTITIES[entity.toLowerCase()] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()
}
