/** Tells whether a body contains HTML, and decodes entities in one that does not. In linear time, no parser: HTML is sanitised later. */

/** Elements that mails use. `<stdio.h>`, `<int>` and `<ada@example.com>` are not tags. */
const NAMES =
  'html|head|body|title|meta|link|style|script|base|p|br|div|span|a|strong|b|em|i|u|s|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|hr|img|table|caption|' +
  'colgroup|col|thead|tbody|tfoot|tr|td|th|center|font|small|big|sub|sup|del|ins|code|pre|tt|section|article|header|footer|main|nav|figure|' +
  'form|input|button|select|textarea|iframe|svg|video|audio|object|embed'
const TAG = `<(?:!doctype|/?(?:${NAMES}))(?:\\s[^<>]*|/)?>`
const ONE_TAG = new RegExp(TAG, 'i')
const ENTITIES: Readonly<Record<string, string>> = { '&nbsp;': ' ', '&lt;': '<', '&gt;': '>', '&amp;': '&' }

export function containsTag(text: string): boolean {
  return ONE_TAG.test(text)
}

/** nbsp, lt, gt and amp, each decoded once: `&amp;lt;` becomes `&lt;`. */
export function decodeEntities(text: string): string {
  return text.replace(/&(?:nbsp|lt|gt|amp);/gi, entity => ENTITIES[entity.toLowerCase()] ?? entity)
}
