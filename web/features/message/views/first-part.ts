/** The part of a very long HTML mail that is shown at first. Pure: no DOM. */

/**
 * 256 Ki characters: more than any newsletter, twice what Gmail shows, and sanitised in a tenth of a second on a phone. A mail of 4 MiB
 * takes the page seconds, so the reader is asked first.
 */
export const FIRST_CHARS_MAX = 262_144
/** A mail that is only a little longer is shown completely. */
const SPARED_CHARS_MIN = 65_536

/** The beginning up to a tag, or the whole mail if it is short. The parser closes elements that are cut. */
export function firstPart(html: string): string {
  if (html.length < FIRST_CHARS_MAX + SPARED_CHARS_MIN) return html
  const tag = html.lastIndexOf('<', FIRST_CHARS_MAX)
  return html.slice(0, tag > FIRST_CHARS_MAX / 2 ? tag : FIRST_CHARS_MAX)
}
