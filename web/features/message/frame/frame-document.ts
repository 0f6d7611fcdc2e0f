/** What is written into the blank document of a mail's frame: the mail, and as little of our own as makes it readable. */

import type { CleanMail, MailView } from '../sanitize/sanitize.ts'
import { foldQuotes } from './fold-quotes.ts'

/**
 * A mail with colours of its own and no dark mode was made for white: it gets white, in both themes. The simple view is ours to colour: at night
 * its words take the page's ink.
 */
export function usesPaper(mail: CleanMail, view: MailView): boolean {
  return view === 'layout' && mail.hasColors && !mail.hasDarkMode
}

// Weak selectors (`:where`) give way to the mail's own rules; only a table of a fixed 600 px must give way itself, to a phone. Ink and link are the tokens of web/styles.css, which does not reach in here.
export const BASE_CSS = `
html { color-scheme: light dark; overflow-x: auto; background: transparent; }
html[data-paper] { color-scheme: light; background: #fff; }
body { margin: 16px 20px 20px; font: 16px/1.55 "Helvetica Neue", Helvetica, Arial, system-ui, sans-serif; overflow-wrap: break-word; color: light-dark(#1d2230, #ece8e0); }
:where([data-view=layout]) body:where(:has(table)) { margin: 8px; }
:where(a) { color: light-dark(#1a5fb4, #f0a35e); }
@media (width >= 600px) { body { margin-inline: 24px; } }
@media (width < 600px) { table, div { max-width: 100% !important; } }
img { max-width: 100%; height: auto; }
summary { display: inline-block; margin: 8px 0; padding: 2px 10px; border-radius: 9px; font: 500 13px/1.5 system-ui, sans-serif; color: light-dark(#4b5162, #aab0bf); background: light-dark(#eceae4, #262b37); cursor: pointer; }
details[open] > summary { margin-bottom: 4px; }
[data-view=simple] blockquote { margin: 0 0 0 4px; padding-left: 12px; border-left: 2px solid light-dark(#d5d3cc, #3a4150); }
[data-view=simple] h1 { font-size: 1.5em; line-height: 1.25; } [data-view=simple] h2 { font-size: 1.3em; line-height: 1.3; }
@media (prefers-color-scheme: dark) { [data-view=simple] body, [data-view=simple] body :not(summary) { background: transparent !important; color: inherit !important; } [data-view=simple] body a { color: #f0a35e !important; } [data-view=simple] body { color: #ece8e0 !important; } }
@media print { html { color-scheme: light; } body { margin: 0; } summary { display: none; } }
`

/** Nodes are adopted, never parsed again. */
export function writeMail(inner: Document, mail: CleanMail, view: MailView, quoted: string): void {
  inner.documentElement.toggleAttribute('data-paper', usesPaper(mail, view))
  inner.documentElement.dataset.view = view
  const styles = [BASE_CSS, mail.css].map(css => {
    const style = inner.createElement('style')
    style.textContent = css
    return style
  })
  inner.head.replaceChildren(...styles, inner.adoptNode(mail.imageStyle))
  // The body's own attributes count as well, so that rules and colours for `body` find what they were written for.
  for (const name of inner.body.getAttributeNames()) inner.body.removeAttribute(name)
  for (const [name, value] of mail.bodyAttributes) inner.body.setAttribute(name, value)
  const content = inner.adoptNode(mail.body)
  // No box of its own: rules for `div` and heights in per cent mean what they meant in the mail.
  content.setAttribute('style', 'display: contents !important')
  inner.body.replaceChildren(content)
  foldQuotes(inner.body, quoted)
}

/** A mail drawn for a wider screen is drawn smaller, as phones do; beyond this it scrolls inside its frame. */
const ZOOM_MIN = 0.5

/** Makes what is too wide fit, once it is laid out at `inner`'s width. */
export function fitWidth(inner: Document): void {
  const { documentElement: root, body } = inner
  body.style.removeProperty('zoom')
  const zoom = root.clientWidth / root.scrollWidth
  if (zoom < 1) body.style.setProperty('zoom', String(Math.max(ZOOM_MIN, zoom)))
}

/** The whole mail's height in the frame, its margins and a scroll bar under it included. */
export function contentHeight(inner: Document): number {
  const { documentElement: root, body } = inner
  const barHeight = (inner.defaultView?.innerHeight ?? 0) - root.clientHeight
  return Math.max(root.getBoundingClientRect().height, body.scrollHeight * Number(body.style.zoom || 1)) + Math.max(0, barHeight)
}
