/** All words of an HTML mail, including hidden ones, for the text view of a mail without plain text. */

const UNREAD = 'script, style, template, title, noscript, svg, math, object, iframe'
const LINES =
  'p, div, br, hr, tr, table, li, ul, ol, dl, dt, dd, h1, h2, h3, h4, h5, h6, blockquote, pre, center, section, article, header, footer, address'

/** Parsed into a document without a window: nothing loads and nothing runs. */
export function htmlText(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const element of body.querySelectorAll(UNREAD)) element.remove()
  const texts = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  // Line breaks of the source are blanks; only elements make lines.
  while (texts.nextNode()) texts.currentNode.nodeValue = (texts.currentNode.nodeValue ?? '').replace(/\s+/g, ' ')
  for (const element of body.querySelectorAll(LINES)) element.before('\n')
  for (const element of body.querySelectorAll('p, div, li, tr, h1, h2, h3, h4, h5, h6')) element.after('\n')
  for (const cell of body.querySelectorAll('td, th')) cell.append(' ')
  return (body.textContent ?? '')
    .split('\n')
    .map(line => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
