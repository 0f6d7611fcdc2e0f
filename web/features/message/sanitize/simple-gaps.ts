/**
 * What the simple view leaves where tables and boxes were: without it the cells of a table would run together, with too much of it a
 * newsletter starts half a screen down.
 */

const LINES = new Set(
  'TR TABLE CENTER SECTION ARTICLE HEADER FOOTER MAIN ASIDE NAV ADDRESS PRE DL DT DD FIGURE FIGCAPTION CAPTION FORM FIELDSET OPTION'.split(
    ' ',
  ),
)
/** A list to choose from is not one of them: its choices are text. */
export const FIELDS = new Set(['INPUT', 'TEXTAREA'])
const CELLS = new Set(['TD', 'TH'])
/** One ends the line, one leaves it blank. */
const BREAKS_MAX = 2

/** Called before `node` is removed: leaves a line break or a space in its place, and of a field nothing, not even its empty line. */
export function leaveGap(node: Element, tag: string): void {
  if (FIELDS.has(tag)) takeLine(node)
  else if (CELLS.has(tag)) node.append(' ')
  // A picture is replaced by its alternative text, without which many links would be empty.
  else if (tag === 'IMG') leaveWords(node)
  else if (LINES.has(tag)) node.append(node.ownerDocument.createElement('br'))
}

/** Marked, so that they are not taken for words of the mail. DOMPurify has passed their place already, and they are nothing but text. */
function leaveWords(picture: Element): void {
  const words = picture.getAttribute('alt')?.trim() ?? ''
  if (words === '') return
  const box = picture.ownerDocument.createElement('span')
  box.dataset.picture = ''
  box.textContent = words
  picture.before(box)
}

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

/** Boxes that held nothing but fields: an empty item of a list would keep its bullet. */
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
    } else if (node instanceof HTMLHRElement || (node instanceof Text && /[\p{L}\p{N}\p{P}\p{S}]/u.test(node.data) && !isHidden(node)))
      breaks = 0
  }
  for (const element of surplus) element.remove()
}

/** A line break at the end of a link, as in a button made of a table, would be shown as part of the button. */
function moveBreaksOut(link: HTMLAnchorElement): void {
  while (link.lastChild instanceof HTMLBRElement || (link.lastChild instanceof Text && link.lastChild.data.trim() === ''))
    link.after(link.lastChild)
}

/** Is this the hidden preview line that newsletters put first? */
function isHidden(node: Text): boolean {
  return node.parentElement?.closest('[style*="display: none"]') !== null
}
