/**
 * Break opportunities in words that are longer than those of any language: one word of 250,000 letters kept Chromium busy for up to a
 * minute, and with a `<wbr>` after each thousand for half a second. A `<wbr>` leaves nothing in copied text.
 */

const UNBROKEN_CHARS_MAX = 1000
/** A soft hyphen and a hyphen are not among them, because the mail's CSS decides whether a line may break there. */
const BREAK = /[\t\n\f\r \u200b]/
/** A letter or symbol that belongs to nothing before it. Chinese has no blanks, and no line of it begins with a full stop. */
const BEGINS = /^[^\p{M}\p{P}\p{Emoji_Modifier}\u200d]/u
const LOW_SURROGATE = /[\udc00-\udfff]/

/** Splits a text into the parts between which a line may break; together they are the text. Most texts are one part. */
export function splitLongWords(text: string): string[] {
  return longWordSplitter()(text)
}

/** For texts that follow each other, because a word may go through many elements. The first part is empty if a line may break before it. */
function longWordSplitter(): (text: string) => string[] {
  let chars = 0
  return text => {
    const parts: string[] = []
    let start = 0
    const breakAt = (at: number) => {
      parts.push(text.slice(start, at))
      start = at
      chars = 0
    }
    const end = text.search(BREAK)
    if (chars > 0 && chars + (end < 0 ? text.length : end) > UNBROKEN_CHARS_MAX && BEGINS.test(text)) breakAt(0)
    for (let at = 0; at < text.length; at++) {
      if (BREAK.test(text.charAt(at))) chars = 0
      else {
        if (chars >= UNBROKEN_CHARS_MAX && mayBreakAt(text, at, chars)) breakAt(at)
        chars++
      }
    }
    parts.push(text.slice(start))
    return parts
  }
}

/** No letter has a thousand accents, so a longer run of them is parted as well. */
function mayBreakAt(text: string, at: number, chars: number): boolean {
  if (LOW_SURROGATE.test(text.charAt(at))) return false
  return chars >= 2 * UNBROKEN_CHARS_MAX || (text.charAt(at - 1) !== '\u200d' && BEGINS.test(text.slice(at, at + 2)))
}

/** Puts break opportunities into the long words of a mail that is not shown yet. */
export function breakLongWords(body: HTMLElement): void {
  const { ownerDocument } = body
  const walker = ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts: Text[] = []
  while (walker.nextNode()) if (walker.currentNode instanceof Text) texts.push(walker.currentNode)
  const split = longWordSplitter()
  for (const text of texts) {
    const [first = '', ...rest] = split(text.data)
    if (rest.length === 0) continue
    text.replaceWith(first, ...rest.flatMap(part => [ownerDocument.createElement('wbr'), part]))
  }
}
