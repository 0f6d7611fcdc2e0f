/** Quoted mail folded away, in a document that runs no script: `<details>` opens by itself. Works on sanitised nodes, and moves them only. */

/** Less than this is read with the answer. */
const FOLDED_CHARS_MIN = 40

export function foldQuotes(body: HTMLElement, label: string): void {
  for (const quote of Array.from(body.querySelectorAll('blockquote'))) {
    if (quote.parentElement?.closest('blockquote') || quote.textContent.trim().length < FOLDED_CHARS_MIN) continue
    if (isAnswered(body, quote)) fold(quote, label)
  }
}

/** A mail that is being answered, not a saying set apart: its author is announced ("Grace wrote:"), in whatever language. */
function isAnswered(body: HTMLElement, quote: Element): boolean {
  const before = body.ownerDocument.createRange()
  before.setStart(body, 0)
  before.setEndBefore(quote)
  return /[:：]\s*$/.test(before.toString())
}

function fold(quote: Element, label: string): void {
  const { ownerDocument } = quote
  const details = ownerDocument.createElement('details')
  const summary = ownerDocument.createElement('summary')
  summary.textContent = label
  quote.replaceWith(details)
  details.append(summary, quote)
}
