/**
 * The simple view has no boxes and few styles of a mail. In place of its boxes it leaves lines: without them the cells of a table would run
 * together, with too many a newsletter starts half a screen down.
 */
import { JUDGED } from './legible-style.ts'
import { safeValue } from './safe-css.ts'

const LINES = new Set(
  'TR TABLE CENTER SECTION ARTICLE HEADER FOOTER MAIN ASIDE NAV ADDRESS PRE DL DT DD FIGURE FIGCAPTION CAPTION FORM FIELDSET OPTION'.split(
    ' ',
  ),
)
/** A list to choose from is not one of them: its choices are text. */
const FIELDS = new Set(['INPUT', 'TEXTAREA'])
const CELLS = new Set(['TD', 'TH'])
export const BLOCKS = `br, hr, p, div, h1, h2, h3, h4, h5, h6, ul, ol, li, blockquote, ${[...LINES].join(', ').toLowerCase()}`
/** A cell with one of these is no figure. */
const WHOLE = `${BLOCKS}, a, img, input, select, textarea`
export const READABLE = /[\p{L}\p{N}\p{P}\p{S}]/u
/** One ends the line, one leaves it blank. */
const BREAKS_MAX = 2

/** Whether the element holds nothing to read: it is a field, or a picture without a text. */
export function isWordless(node: Element, tag: string): boolean {
  return FIELDS.has(tag) || (tag === 'IMG' && (node.getAttribute('alt') ?? '').trim() === '')
}

/**
 * Called before `node` is removed: leaves a line break or a space in its place, and of a field nothing, not even its empty line. Elements
 * are made by the page's document: `<img name=createElement>` hides what the mail's own has.
 */
export function leaveGap(node: Element, tag: string): void {
  if (FIELDS.has(tag)) takeLine(node)
  else if (CELLS.has(tag)) {
    if (textOf(node.lastChild) !== CELL_DOT) node.append(runsOn(node) ? (isListed(node) ? CELL_DOT : ' ') : document.createElement('br'))
  }
  // A picture is replaced by its alternative text, without which many links would be empty.
  else if (tag === 'IMG') leaveWords(node)
  else if (LINES.has(tag)) {
    if (tag === 'TABLE') listFigures(node)
    node.append(document.createElement('br'))
    if (tag === 'TR' && isCaptioned(node)) node.append(document.createElement('br'))
  }
}

/** Whether words in this row belong to its picture, and not to that of the next row. */
const isCaptioned = (row: Element) =>
  row.querySelector('img[alt]:not([alt=""])') !== null && !row.querySelector('tr') && READABLE.test(row.textContent)

/** Whether the next cell may follow on the same line: cells of a few words, or those that a block separates already. */
function runsOn(cell: Element): boolean {
  const next = cell.nextElementSibling
  if (!next || !CELLS.has(next.tagName) || ![cell, next].some(each => each.querySelector(BLOCKS))) return true
  return isBlockAt(cell, 'lastChild') || isBlockAt(next, 'firstChild')
}

const CELL_DOT = ' · '

/** Longer words are a text of their own. */
const FIGURE_CHARS_MAX = 60

/**
 * A table of names and figures, as of prices, is listed as a whole: dots that come and go between its cells would look like a fault. Its
 * cells are marked before the table goes, because by their turn its rows are gone.
 */
function listFigures(table: Element): void {
  if (table.querySelector('table')) return
  const rows = Array.from(table.querySelectorAll('tr'), row => Array.from(row.children).filter(({ tagName }) => CELLS.has(tagName)))
  const columns = rows[0]?.length ?? 0
  if (rows.length < 2 || columns < 2) return
  const isListing = rows.every((cells, at) => {
    const [name = '', ...figures] = cells.map(({ textContent }) => textContent.trim())
    const isShort = [name, ...figures].every(words => words.length <= FIGURE_CHARS_MAX) && !cells.some(cell => cell.querySelector(WHOLE))
    const hasFigure = at === 0 || figures.some(words => /\d/.test(words))
    return cells.length === columns && isShort && hasFigure && /\p{L}/u.test(name) && !name.endsWith(':')
  })
  if (!isListing) return
  for (const cells of rows) {
    const filled = cells.filter(({ textContent }) => textContent.trim() !== '')
    for (const cell of filled.slice(0, -1)) cell.append(CELL_DOT)
  }
}

/** Whether this cell and the next one name a thing and say something of it, as in a receipt. Figures in cells may be one code. */
function isListed(cell: Element): boolean {
  const [name = '', value = ''] = [cell, cell.nextElementSibling].map(each =>
    each && !each.querySelector(BLOCKS) ? each.textContent.trim() : '',
  )
  // The following cells of the row are more of it.
  if (textOf(besides(cell, 'previousSibling')) === CELL_DOT) return name !== '' && value !== ''
  return /\p{L}{2}/u.test(name) && !/[:,.;?!]/.test(name.slice(-1)) && value.length > 1
}

function isBlockAt(cell: Element, end: 'firstChild' | 'lastChild'): boolean {
  let node: Node | null = cell
  while (node instanceof Element && (node === cell || !node.matches(BLOCKS))) {
    const child: Node | null = node[end]
    node =
      child instanceof Text && child.data.trim() === '' ? besides(child, end === 'lastChild' ? 'previousSibling' : 'nextSibling') : child
  }
  return node instanceof Element
}

/** Marked, so that they are not taken for words of the mail. DOMPurify has passed their place already, and they are nothing but text. */
function leaveWords(picture: Element): void {
  const words = picture.getAttribute('alt')?.trim() ?? ''
  if (words === '') return
  const box = document.createElement('span')
  box.dataset.picture = ''
  box.textContent = words
  // In place of the picture's edges.
  if (/[\p{L}\p{N}]/u.test(textOf(picture.previousSibling).slice(-1))) picture.before(' ')
  picture.before(box)
  if (!/^[\s\p{P}]/u.test(textOf(picture.nextSibling))) picture.before(' ')
}

/** The words beside a picture, with their blanks. */
const textOf = (node: Node | null) => (node instanceof Text ? node.data : '')

/** Removes the line break behind a field that is alone on its line. */
function takeLine(field: Element): void {
  const next = besides(field, 'nextSibling')
  const before = besides(field, 'previousSibling')
  if (next instanceof HTMLBRElement && (before === null || before instanceof HTMLBRElement)) next.remove()
}

/** The sibling on this side, without blank text. */
function besides(node: Node, side: 'nextSibling' | 'previousSibling'): Node | null {
  let beside = node[side]
  while (beside instanceof Text && beside.data.trim() === '') beside = beside[side]
  return beside
}

/** An empty item of a list would keep its bullet, an empty box its colour. */
export function removeEmpty(boxes: Iterable<Element>, body: HTMLElement): void {
  for (let box of boxes) {
    while (box !== body && body.contains(box) && box.textContent.trim() === '' && !box.querySelector('hr')) {
      const { parentElement } = box
      box.remove()
      if (!parentElement) break
      box = parentElement
    }
  }
}

/** No blank lines before the first word, and one at most between two: nested tables leave a dozen. */
export function closeGaps(body: HTMLElement): void {
  for (const link of Array.from(body.getElementsByTagName('a'))) moveBreaksOut(link)
  const nodes = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const surplus: Element[] = []
  let breaks = BREAKS_MAX
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    if (node instanceof HTMLBRElement) {
      breaks += 1
      if (breaks > BREAKS_MAX) surplus.push(node)
    } else if (node instanceof HTMLHRElement || (node instanceof Text && READABLE.test(node.data) && !isUnseen(node))) breaks = 0
  }
  for (const element of surplus) element.remove()
}

/** A line break at the end of a link, as in a button made of a table, would be shown as part of the button. */
function moveBreaksOut(link: HTMLAnchorElement): void {
  while (link.lastChild instanceof HTMLBRElement || (link.lastChild instanceof Text && link.lastChild.data.trim() === ''))
    link.after(link.lastChild)
}

/** Is this the hidden preview line that newsletters put first? */
function isUnseen(node: Text): boolean {
  return node.parentElement?.closest('[style*="display: none"]') !== null
}

const KEPT = 'font-weight font-style text-decoration-line text-transform text-align direction unicode-bidi list-style-type'.split(' ')
/** Longer link texts are sentences, however they are dressed. */
const BUTTON_CHARS_MAX = 48
/** Whole names or parts of them, as the common builders of newsletters write them: `btn`, `btn-primary`, `mcnButton`, `button__text`. */
const BUTTON_CLASS = /(?:^|[\s_-])(?:btn|cta)(?:$|[\s_-])|button/i
const NO_COLOR = /^(?:|none|transparent|initial|inherit|unset|rgba\(0, 0, 0, 0\))$/

/**
 * The declarations that a style attribute keeps in the simple view: emphasis, alignment and the like, and those that are judged once all
 * parents are known (legible-style.ts). Empty when the element needs no style.
 */
export function simpleStyle({ style }: HTMLElement): string {
  if (isHidden(style)) return 'display: none'
  const kept = [...KEPT, ...JUDGED].flatMap(property => {
    const safe = safeValue(property, style.getPropertyValue(property), () => undefined)
    return safe === undefined ? [] : [`${property}: ${safe}`]
  })
  if (style.getPropertyValue('white-space-collapse') === 'preserve' || /^pre/.test(style.whiteSpace)) kept.push('white-space: pre-wrap')
  return kept.join('; ')
}

/** The line for the list of mails that newsletters hide at their top, in the ways they hide it. */
export function isHidden(style: CSSStyleDeclaration): boolean {
  const isZero = (property: string) => /^0(?:[a-z]+|%)?$/.test(style.getPropertyValue(property))
  return (
    style.display === 'none' ||
    style.visibility === 'hidden' ||
    isZero('opacity') ||
    ((isZero('max-height') || isZero('height')) && /hidden|clip/.test(style.overflow || style.overflowY))
  )
}

/** Whether the sender designed this link as a button: with a background, a border, or a class name that says so. */
export function isButtonLink(link: HTMLAnchorElement): boolean {
  return (
    hasButtonText(link) && (BUTTON_CLASS.test(link.className) || (isPadded(link.style) && (hasBackground(link) || hasFrame(link.style))))
  )
}

/** The one link of a table cell or box that is drawn as a button around it. */
export function buttonInside(box: HTMLElement): HTMLAnchorElement | undefined {
  const isNamed = BUTTON_CLASS.test(box.className)
  // Called for every element, so the cheap checks come first.
  if (!isNamed && !hasBackground(box)) return undefined
  const [link, second] = Array.from(box.querySelectorAll('a'))
  if (!link || second || !hasButtonText(link) || (box.textContent ?? '').trim() !== (link.textContent ?? '').trim()) return undefined
  if (isNamed) return link
  const isPlainLink = !/none/.test(link.style.textDecorationLine || link.style.textDecoration) && !isPadded(link.style)
  return isPlainLink ? undefined : link
}

function hasButtonText(link: HTMLAnchorElement): boolean {
  const text = (link.textContent ?? '').trim()
  return text !== '' && text.length <= BUTTON_CHARS_MAX && link.hasAttribute('href')
}

function hasBackground(element: HTMLElement): boolean {
  const { backgroundColor } = element.style
  return element.hasAttribute('bgcolor') || !NO_COLOR.test(backgroundColor) || /gradient\(/.test(element.style.backgroundImage)
}

function hasFrame(style: CSSStyleDeclaration): boolean {
  return Number.parseFloat(style.borderTopWidth) > 0 && style.borderTopStyle !== 'none'
}

function isPadded(style: CSSStyleDeclaration): boolean {
  return Number.parseFloat(style.paddingTop) > 0 || Number.parseFloat(style.borderTopWidth) >= 5
}
