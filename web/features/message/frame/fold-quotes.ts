/** Folds quoted mail with `<details>`, which needs no script. Works on sanitised nodes and only moves them. */

/** Shorter quotes stay visible. */
const FOLDED_CHARS_MIN = 40
/** No ordinary reply has more quotes. A `<details>` costs the browser a hundred times as much as a quote. */
const FOLDED_MAX = 100

export function foldQuotes(body: HTMLElement, label: string): void {
  let left = FOLDED_MAX
  for (const quote of Array.from(body.querySelectorAll('blockquote'))) {
    if (quote.parentElement?.closest('blockquote') || quote.textContent.trim().length < FOLDED_CHARS_MIN) continue
    if (!isAnswered(body, quote)) continue
    fold(quote, label)
    left -= 1
    if (left === 0) return
  }
}

/**
 * A quote of the mail that is being answered, not a quotation: its author is announced before it ("Grace wrote:"), in any language. Reads
 * backwards only to the last word before the quote, because reading everything before each of ten thousand quotes would take minutes.
 */
function isAnswered(body: HTMLElement, quote: Element): boolean {
  const texts = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  texts.currentNode = quote
  for (let text = texts.previousNode(); text; text = texts.previousNode()) {
    const words = text.textContent?.trimEnd() ?? ''
    if (words !== '') return /[:：]$/.test(words.slice(-1))
  }
  return false
}

function fold(quote: Element, label: string): void {
  const { ownerDocument } = quote
  const details = ownerDocument.createElement('details')
  // A mail may have its own, which look as their sender designed them.
  details.dataset.folded = ''
  const summary = ownerDocument.createElement('summary')
  summary.textContent = label
  quote.replaceWith(details)
  details.append(summary, quote)
}
