/** HTML that was sent as plain text, a common slip: page, preview, codes and links all read it as a person would. */

/** Elements that mails use. `<stdio.h>`, `<int>` and `<ada@example.com>` are not tags, nor is what stands in `a<b and c>d`. */
const NAMES =
  'html|head|body|title|meta|link|style|script|base|p|br|div|span|a|strong|b|em|i|u|s|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|hr|img|table|caption|' +
  'colgroup|col|thead|tbody|tfoot|tr|td|th|center|font|small|big|sub|sup|del|ins|code|pre|tt|section|article|header|footer|main|nav|figure|' +
  'form|input|button|select|textarea|iframe|svg|video|audio|object|embed'
const TAG = `<(?:!doctype(?:\\s[^<>]*)?|/(?:${NAMES})\\s*|(?:${NAMES})(?:\\s+[\\w:-]+\\s*=[^<>]*|\\s*/?)|(?:map|area)\\s[^<>=]+=[^<>]*)>`
const ONE_TAG = new RegExp(TAG, 'i')
/** In what says that it is HTML, other elements are tags too, and any name with an attribute. Most of these hide what is in them. */
const HTML_NAMES = `${NAMES}|template|noscript|noembed|noframes|frameset|xmp|plaintext|math|datalist|option|optgroup|progress|meter|dialog|details|ruby|rp|applet|nobr`
const HTML_TAG = new RegExp(
  `<(?:!doctype(?:\\s[^<>]*)?|/?(?:${HTML_NAMES})\\s*/?|[a-z][\\w:.-]*\\s+(?:hidden(?:\\s[^<>]*|/)?|[\\w:-]+\\s*=[^<>]*))>`,
  'i',
)
const TAG_OR_LINE = new RegExp(`${TAG}|<|\\r?\\n`, 'gi')
/** What makes lines by itself, so that the breaks of its source are none. */
const OWN_LINES = /<(?:!doctype|html|body|br|hr|\/(?:p|div|li|tr|table|center|h[1-6]))[\s/>]/i

/** Whether HTML holds a tag. In linear time, no parser: what is shown as HTML is sanitised later. */
export const containsTag = (html: string): boolean => html.includes('<') && HTML_TAG.test(html)

const LINE_OR_BRACKET = /\r?\n|<(?![!?/])/g

/** HTML without a tag is a text that a program declared wrongly: it keeps its lines, and each `<` that begins no comment. */
export function withLines(html: string): string {
  return containsTag(html) ? html : html.replace(LINE_OR_BRACKET, found => (found === '<' ? '&lt;' : '<br>\n'))
}

/** A plain text that holds tags as HTML: it keeps its lines and each other `<`, unless it is HTML altogether. `undefined` without a tag. */
export function taggedText(text: string): string | undefined {
  if (!text.includes('<') || !ONE_TAG.test(text)) return undefined
  if (OWN_LINES.test(text)) return text
  return text.replace(TAG_OR_LINE, found => (found === '<' ? '&lt;' : found.endsWith('\n') ? '<br>\n' : found))
}
