/** Writes the mail into the frame's blank document, with as little CSS of our own as makes it readable. */

import { emptyBackgrounds, type HeldPictures, holdImages } from './held-pictures.ts'
import { PICTURE_VARIABLE } from './mail-images.ts'
import { SCREEN_VH } from './safe-css.ts'
import type { CleanMail, MailView } from './sanitize.ts'

/**
 * Sandbox of a mail's frame: no scripts, no forms, no navigation. `allow-same-origin` lets our page write nodes into it and measure it;
 * without `allow-scripts` it gives the mail nothing. `allow-modals` is for our own call of its print dialog.
 */
export const SANDBOX = 'allow-same-origin allow-modals allow-popups allow-popups-to-escape-sandbox'

/** Shorter mail is laid out as a whole. So long a text is far taller than its frame may be, so guessed heights never change the frame. */
const CUT_CHARS_MIN = 1_048_576
/** Some screens of a phone. */
const PIECE_CHARS = 8192
/** On a phone; a wrong guess only moves the scroll bar. */
const PX_PER_CHAR = 0.6
const BLOCKS = new Set(['P', 'DIV', 'UL', 'OL', 'BLOCKQUOTE', 'HR', 'H1', 'H2', 'H3', 'H4', 'H5', 'H6', 'DETAILS'])

/**
 * Cuts a very long mail in the simple view into boxes, so that the browser lays out only what is near the screen: all of 4 MiB took it ten
 * seconds and more. Works on sanitised nodes and only moves them. The original layout stays as it is, because boxes would come between the
 * mail and its rules. Call it before the nodes enter the shown document, where moving them costs ten times as much.
 */
function cutIntoPieces(body: HTMLElement): void {
  if (body.textContent.length >= CUT_CHARS_MIN) cut(body)
}

function cut(container: HTMLElement): void {
  let piece: Node[] = []
  let chars = 0
  const close = () => {
    if (piece.length > 0) wrap(piece, chars)
    piece = []
    chars = 0
  }
  for (const node of Array.from(container.childNodes)) {
    const length = node.textContent?.length ?? 0
    // Many mails are one box around everything.
    if (node.nodeName === 'DIV' && length > 2 * PIECE_CHARS) {
      close()
      cut(node as HTMLElement)
      continue
    }
    piece.push(node)
    chars += length
    // Only where a line ends anyway.
    if (chars >= PIECE_CHARS && (node.nodeName === 'BR' || BLOCKS.has(node.nodeName))) close()
  }
  close()
}

function wrap(nodes: readonly Node[], chars: number): void {
  const [first] = nodes
  const box = first?.ownerDocument?.createElement('div')
  if (!first || !box) return
  box.style.cssText = `content-visibility: auto; contain-intrinsic-size: auto none auto ${Math.ceil(chars * PX_PER_CHAR)}px`
  first.parentNode?.insertBefore(box, first)
  for (const node of nodes) box.append(node)
}

// Weak selectors (`:where`) give way to the mail's own rules; only a table of a fixed 600 px must give way itself, to a phone (`fitWidth`).
// Ink and link are the tokens of web/styles.css, which does not reach in here.
const BASE_CSS = `
html { color-scheme: light dark; overflow-x: auto; background: transparent; }
html[data-night] { color-scheme: dark; }
html[data-on-white] { color-scheme: light; }
html[data-cut] { overflow-x: hidden; }
body { margin: 1rem 1.25rem 1.25rem; font: 16px/1.55 "Helvetica Neue", Helvetica, Arial, system-ui, sans-serif; }
:where(body:not([text])) { color: light-dark(#000, #ece8e0); }
[data-view=simple] body { font-size: 1rem; font-family: "Instrument Sans", "Helvetica Neue", Helvetica, Arial, system-ui, sans-serif; color: light-dark(#1d2230, #ece8e0); overflow-wrap: break-word; }
[data-view=simple] a { color: light-dark(oklch(0.46 0.08 200), oklch(0.79 0.085 195)); }
[data-view=simple] [data-picture] { font-size: 0.8125rem; color: light-dark(#4b5162, #aab0bf); }
[data-view=simple] [data-picture]::before { content: var(--picture-label, ""); }
[data-view=simple] a [data-picture] { font-size: inherit; color: inherit; }
[data-view=simple] a [data-picture]::before { content: none; }
:where([data-view=layout]) body:where(:has(table)) { margin: 8px; }
:where(body:not([link]) a) { color: light-dark(#1a5fb4, #f0a35e); }
@media (width >= 37.5rem) { body { margin-inline: 1.5rem; } }
@media (width < 600px) {
[data-narrow] :is(table, div) { max-width: 100% !important; }
[data-narrow] [data-wide] { box-sizing: border-box !important; width: 100% !important; min-width: 0 !important; }
[data-narrow] :is(td, th)[data-wide] { width: auto !important; }
}
[data-narrow] img { max-width: 100%; }
[data-narrow] img:is([src]:not([data-spacer]), [width][height]:not([width$="%"], [height$="%"], [data-spacer])) { height: auto; }
:where(img[alt]:not([alt=""], [src])) { display: inline-block; position: relative; overflow: hidden; outline: 1px dashed #8a8f9c; outline-offset: -1px; padding: 2px 4px; box-sizing: border-box; font-size: 13px; line-height: 1.4; }
img[alt]:not([alt=""], [src])::before { content: attr(alt); content: attr(alt) / ""; position: absolute; inset: 0; display: grid; place-content: safe center; box-sizing: border-box; padding: 2px 4px; overflow: hidden; border: 1px dashed #8a8f9c; font: 13px/1.4 Arial, system-ui, sans-serif; text-align: center; color: light-dark(#4b5162, #aab0bf); background: light-dark(#f4f2ec, #191c24); }
:where(ul, ol) { padding-inline-start: 1.75em; }
[data-wrap] body, [data-wrap] body * { overflow-wrap: anywhere !important; }
[data-wrap] pre { white-space: pre-wrap !important; }
[data-wrap] [data-keep], [data-wrap] [data-keep] * { overflow-wrap: break-word !important; }
[data-open] { overflow: visible !important; }
html:has(> body[data-open]), body[data-open] { height: auto !important; max-height: none !important; }
[data-scroll] { display: block !important; box-sizing: border-box !important; width: var(--scroll-width) !important; min-width: 0 !important; max-width: none !important; overflow-x: auto !important; }
[data-low] { height: auto !important; min-height: 0 !important; max-height: 3.5em !important; }
:where([data-button]) { display: inline-block; box-sizing: border-box; padding: 2px 7px; border: 1px solid #767676; font: 13.333px Arial, sans-serif; text-align: center; color: #000; background: #efefef; }
:where([data-button], [data-field]):where(:not([style*="border"], [style*="background"])) { border-radius: 3px; }
:where([data-button]):empty::before, :where([data-field=text], [data-field=color], [data-field=range])::before { content: "\\200b"; }
:where([data-button][disabled], [data-field][disabled]) { opacity: 0.4; }
:where([data-field]) { display: inline-block; max-width: calc(100% - 8px); padding: 2px 3px; border: 1px solid #767676; overflow: clip; font: 13.333px Arial, sans-serif; text-align: start; white-space: pre; color: #000; background: #fff; }
:where([data-field=text]) { width: 169px; width: calc(attr(size type(<number>), 20) * 8px + 9px); }
:where([data-field=area]) { width: 176px; width: calc(attr(cols type(<number>), 20) * 8px + 16px); height: 30px; height: calc(attr(rows type(<number>), 2) * 15px); padding: 2px; overflow: hidden; font-family: monospace; white-space: pre-wrap; }
:where([data-field=choice]) { padding-block: 1px; white-space: normal; }
:where([data-field=choice])::after { content: "▾"; }
:where([data-field=list]) { padding: 0; line-height: 16px; vertical-align: text-bottom; }
:where([data-field=list] > span) { display: block; padding: 0 2px 1px; }
:where([data-field=checkbox], [data-field=radio]) { width: 11px; height: 11px; padding: 0; margin: 3px 3px 0 4px; overflow: hidden; text-align: center; font: 700 10px/11px Arial, sans-serif; color: #fff; }
:where([data-field=radio]) { margin-inline-start: 5px; border-radius: 50%; }
:where([data-field][checked]) { border-color: #0075ff; background: #0075ff; }
:where([data-field=checkbox][checked])::after { content: "✓"; }
:where([data-field=radio][checked]) { box-shadow: inset 0 0 0 2px #fff; }
:where([data-field=range]) { width: 129px; height: 16px; margin: 2px; padding: 0; border: 0; line-height: 16px; background: linear-gradient(#dcdcdc, #dcdcdc) center / 100% 6px no-repeat; }
:where([data-field=color]) { width: 42px; height: 21px; line-height: 21px; background: #efefef; }
[data-field], body:has([data-field]:not([data-field=checkbox], [data-field=radio])) [data-button]:not(a *, :has(a)) { opacity: 0.6 !important; filter: grayscale(1) !important; cursor: not-allowed !important; }
:where([data-field]) { background: #e3e4e8; border-style: dashed; }
:where(q[data-plain])::before { content: "“"; }
:where(q[data-plain])::after { content: "”"; }
:where([data-hint]) { color: #757575; }
[data-folded] > summary { display: inline-block; margin: 8px 0; padding: 2px 10px; border-radius: 9px; font: 500 max(13px, 0.8125rem)/1.5 system-ui, sans-serif; color: light-dark(#4b5162, #aab0bf); background: light-dark(#eceae4, #262b37); cursor: pointer; }
[data-folded][open] > summary { margin-bottom: 4px; }
[data-view=simple] body { max-width: 34em; }
[data-view=simple] blockquote { margin: 0 0 0 4px; padding-left: 12px; border-left: 2px solid light-dark(#d5d3cc, #3a4150); }
[data-view=simple] :is(h1, h2, h3, h4, h5, h6) { margin: 0.7em 0 0.4em; font-size: 1em; line-height: 1.3; text-wrap: balance; }
[data-view=simple] h1 { font-size: 1.5em; } [data-view=simple] h2 { font-size: 1.3em; } [data-view=simple] h3 { font-size: 1.125em; }
[data-view=simple] :is(ul, ol) { padding-inline-start: 1.5em; } [data-view=simple] li { margin: 0.25em 0; }
:is([data-view=simple], [data-narrow]) :is(blockquote, ul, ol) :is(blockquote, ul, ol) :is(blockquote, ul, ol) :is(blockquote, ul, ol) :is(blockquote, ul, ol) { margin-inline: 0 !important; border-inline: 0 !important; padding-inline: 0 !important; list-style-position: inside; }
[data-view=simple] hr { border: 0; border-top: 1px solid light-dark(#d5d3cc, #3a4150); margin: 1.25em 0; }
[data-view=simple] body > :first-child { margin-top: 0; }
@media print { html { color-scheme: light; } body { margin: 0; } [data-folded] > summary { display: none; } }
`

/** What stood in each mail's body: written once, its nodes belong to a frame. */
const contents = new WeakMap<CleanMail, readonly Node[]>()

/** Nodes are adopted, never parsed again. Remote pictures are held back until their places are measured (held-pictures.ts). */
export function writeMail(inner: Document, mail: CleanMail, view: MailView, quoted: string): HeldPictures {
  const { documentElement: root, body } = inner
  copyAttributes(root, mail.rootAttributes)
  root.dataset.view = view
  const backgroundStyle = styleSheet(inner, emptyBackgrounds(mail.backgrounds))
  // The text of the simple view is as large as the page's.
  const { fontSize } = getComputedStyle(document.documentElement)
  const ownCss = `:root { ${SCREEN_VH}: ${window.innerHeight / 100}px }[data-view=simple] { font-size: ${fontSize} }${BASE_CSS}`
  const imageStyle = inner.adoptNode(mail.imageStyle)
  // A mail that styles every element (`* { display: block }`) would show our own style sheets as its text.
  inner.head.style.setProperty('display', 'none', 'important')
  inner.head.replaceChildren(noReferrer(inner), styleSheet(inner, ownCss), styleSheet(inner, mail.css), imageStyle, backgroundStyle)
  copyAttributes(body, mail.bodyAttributes)
  if (view === 'simple' && !contents.has(mail)) cutIntoPieces(mail.body)
  const nodes = contents.get(mail) ?? Array.from(mail.body.childNodes)
  contents.set(mail, nodes)
  body.replaceChildren()
  const images = holdImages(nodes)
  // All of it changes documents at once, and enters the shown one at once.
  inner.adoptNode(mail.body)
  const fragment = inner.createDocumentFragment()
  // Straight into the body, where the mail's own rules (`body > table`) look for them; one by one, as a mail may have sixty thousand.
  for (const node of nodes) fragment.append(node)
  for (const element of fragment.querySelectorAll(`[style*="${PICTURE_VARIABLE}"]`)) readStyleAgain(element)
  body.append(fragment)
  foldQuotes(body, quoted)
  return { images, backgrounds: mail.backgrounds, backgroundStyle }
}

function styleSheet(inner: Document, css: string): HTMLStyleElement {
  const style = inner.createElement('style')
  style.textContent = css
  return style
}

/** The page that the server sends has this policy, too (server/http/routes/deployment.ts). */
function noReferrer(inner: Document): HTMLMetaElement {
  const meta = inner.createElement('meta')
  meta.name = 'referrer'
  meta.content = 'no-referrer'
  return meta
}

/** Firefox asks for its pictures under the referrer policy of the document that first read a style, which the mail was only cleaned in. */
function readStyleAgain(element: Element): void {
  const style = element.getAttribute('style') ?? ''
  element.removeAttribute('style')
  element.setAttribute('style', style)
}

function copyAttributes(element: Element, attributes: CleanMail['bodyAttributes']): void {
  for (const name of element.getAttributeNames()) element.removeAttribute(name)
  for (const [name, value] of attributes) element.setAttribute(name, value)
}

/** The mail's height in the frame, with its margins and a horizontal scroll bar. */
export function contentHeight(inner: Document): number {
  const { documentElement: root, body } = inner
  const barHeight = (inner.defaultView?.innerHeight ?? 0) - root.clientHeight
  return Math.max(root.getBoundingClientRect().height, body.scrollHeight * Number(body.style.zoom || 1)) + Math.max(0, barHeight)
}

/** Shorter quotes stay visible. */
const FOLDED_CHARS_MIN = 40
/** No ordinary reply has more quotes. A `<details>` costs the browser a hundred times as much as a quote. */
const FOLDED_MAX = 100

/** Folds quoted mail with `<details>`, which needs no script. Works on sanitised nodes and only moves them. */
function foldQuotes(body: HTMLElement, label: string): void {
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

/** A mail whose height grows with its frame (`height: 110vh`) is resized this often and no further. */
const STEPS_MAX = 3
/**
 * Taller mails scroll inside their frame: a frame of a million pixels would stall the page. On a phone a second scroller under the thumb is
 * worse than a long page, and there the same mail is longer.
 */
const HEIGHT_MAX_PX = { phone: 200_000, desktop: 20_000 }
const PHONE_WIDTH_PX = 600
const HEIGHT_MIN_PX = 48

export type FrameFit = { readonly height: number; readonly width: number; readonly steps: number }

export const INITIAL_FIT: FrameFit = { height: HEIGHT_MIN_PX, width: 0, steps: 0 }

/**
 * The next fit, or the same object if the frame stays as it is. A new width restarts the count, because the text is laid out again. @param
 * screenWidth of the window around the frame, which may be far wider than a mail's text
 */
export function nextFit(fit: FrameFit, contentHeight: number, width: number, screenWidth: number): FrameFit {
  const heightMax = screenWidth < PHONE_WIDTH_PX ? HEIGHT_MAX_PX.phone : HEIGHT_MAX_PX.desktop
  const height = Math.min(heightMax, Math.max(HEIGHT_MIN_PX, Math.ceil(contentHeight)))
  if (width !== fit.width) return { height, width, steps: 1 }
  if (height === fit.height || fit.steps >= STEPS_MAX) return fit
  return { height, width, steps: fit.steps + 1 }
}
