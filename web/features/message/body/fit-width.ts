/**
 * Makes a mail in its frame fit the frame's width: narrower pictures and boxes first, then broken words, then wide tables in a box of
 * their own that scrolls, then a smaller mail.
 */

/** A mail drawn for a wider screen is drawn smaller, as phones do; beyond this it scrolls inside its frame. */
const ZOOM_MIN = 0.5
/** Words are not drawn smaller than this, unless their sender did. */
const SHRUNK_PX_MIN = 9
/** A change to the mail is worth it when it is drawn larger by this much. */
const GAIN_MIN = 0.05
/** Words of 12 px in a picture that is drawn smaller than this are below 9 px. */
const PICTURE_SHARE_MIN = 0.75
/** Not everything of larger mails is measured. */
const MEASURED_MAX = 5000
/** A table with so many cells in a row is one of data, and not only there for the layout. */
const COLUMNS_MIN = 3
/** Beside a table in a box of its own. */
const EDGE_PX_MIN = 8
/** Longer words may break. */
const SHORT_WORD = /(?<!\S)\p{L}{2,12}(?=[\s.,:;!?]|$)/gu

const MARKS = ['wide', 'keep', 'open', 'scroll', 'low'] as const

/**
 * Once the mail is laid out at `inner`'s width. Returns whether its words, or words in its pictures, are now smaller than their sender drew
 * them. `isZoomed` leaves the mail its own width, and it scrolls in the frame.
 */
export function fitWidth(inner: Document, isZoomed = false): boolean {
  reset(inner)
  if (isZoomed) return false
  openScrollers(inner)
  lowerEmptyPictures(inner)
  const { documentElement: root, body } = inner
  if (root.scrollWidth <= root.clientWidth) return false
  if (fitsWithoutEmptyEdges(inner)) {
    root.dataset.cut = ''
    return false
  }
  const largePictures = Array.from(body.querySelectorAll<HTMLElement>('img[src]:not([data-spacer])'), image => ({
    image,
    width: image.getBoundingClientRect().width,
  })).filter(({ width }) => width > root.clientWidth)
  narrow(inner)
  const share = Number(body.style.zoom || 1)
  return share <= 1 - GAIN_MIN || largePictures.some(({ image, width }) => image.getBoundingClientRect().width < width * PICTURE_SHARE_MIN)
}

function narrow(inner: Document): void {
  const { documentElement: root, body } = inner
  markWide(inner)
  const shareNow = () => root.clientWidth / root.scrollWidth
  let share = shareNow()
  for (const step of ['narrow', 'wrap'] as const) {
    if (share >= 1) return
    root.dataset[step] = ''
    const stepShare = shareNow()
    if (stepShare < share + GAIN_MIN) delete root.dataset[step]
    else share = stepShare
  }
  if (root.dataset.wrap !== undefined && keepShortWords(inner)) share = shareNow()
  if (share >= 1) return
  const smallest = smallestPx(inner)
  if (smallest * share < SHRUNK_PX_MIN) share = scrollTables(inner, share)
  // What fits in no other way scrolls in the box that its sender made for it.
  if (smallest * share < SHRUNK_PX_MIN && unmark(body, 'open')) share = shareNow()
  // The second time for letters that are a little wider when they are smaller.
  for (let times = 0; times < 2 && share < 1; times++, share *= shareNow())
    body.style.setProperty('zoom', String(Math.min(1, Math.max(ZOOM_MIN, share, SHRUNK_PX_MIN / smallest))))
}

function reset(inner: Document): void {
  const { documentElement: root, body } = inner
  body.style.removeProperty('zoom')
  for (const mark of ['narrow', 'wrap', 'cut']) delete root.dataset[mark]
  for (const mark of MARKS) unmark(body, mark)
  delete body.dataset.open
}

function unmark(body: HTMLElement, mark: (typeof MARKS)[number]): boolean {
  const boxes = Array.from(body.querySelectorAll(`[data-${mark}]`))
  for (const box of boxes) box.removeAttribute(`data-${mark}`)
  return boxes.length > 0
}

/** A box of the mail's own that scrolls sideways hides how wide its content is. */
function openScrollers(inner: Document): void {
  const boxes = Array.from(inner.body.querySelectorAll<HTMLElement>('div, table, td, section, center, pre')).slice(0, MEASURED_MAX)
  // One that scrolls upwards, too, would spill over what follows.
  const wide = boxes.filter(box => box.scrollWidth > box.clientWidth + 1 && box.clientWidth > 0 && box.scrollHeight <= box.clientHeight + 1)
  const scrolls = (box: HTMLElement) => /auto|scroll/.test(inner.defaultView?.getComputedStyle(box).overflowX ?? '')
  for (const box of wide.filter(scrolls)) box.dataset.open = ''
  const { body } = inner
  // Nothing of a mail is below the end of its body.
  const isCut = body.scrollHeight > body.clientHeight + 1 && /hidden|clip/.test(inner.defaultView?.getComputedStyle(body).overflowY ?? '')
  if (isCut) body.dataset.open = ''
}

/** The part of a screen that may be empty. */
const EMPTY_MAX = 0.5
const EMPTY_PX_MIN = 64

/** Blocked pictures that fill half a screen above the first word, and the cells that are as high, are drawn low. */
function lowerEmptyPictures(inner: Document): void {
  const { body, documentElement: root } = inner
  if (!body.querySelector('img:not([src])')) return
  const top = firstWordTop(inner)
  if (top === undefined || top < window.innerHeight * EMPTY_MAX) return
  const boxes = Array.from(body.querySelectorAll<HTMLElement>('img:not([src]), td[height], [style*="height"]')).slice(0, MEASURED_MAX)
  const empty = boxes.filter(box => {
    const place = box.getBoundingClientRect()
    const above = place.bottom + root.scrollTop <= top + 1 && place.height >= EMPTY_PX_MIN
    return above && (box.nodeName === 'IMG' || box.innerText.trim() === '')
  })
  for (const box of empty) box.dataset.low = ''
}

function firstWordTop(inner: Document): number | undefined {
  const texts = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT)
  const range = inner.createRange()
  let left = MEASURED_MAX
  for (let text = texts.nextNode(); text && left > 0; text = texts.nextNode(), left--) {
    if (!/[\p{L}\p{N}]/u.test(text.nodeValue ?? '') || !text.parentElement?.checkVisibility({ opacityProperty: true })) continue
    range.selectNodeContents(text)
    const { top, height, width } = range.getBoundingClientRect()
    if (height > 2 && width > 2) return top
  }
  return undefined
}

/** Marks boxes wider than the frame. A `max-width` alone does nothing for a table in a cell, which grows with it. */
function markWide(inner: Document): void {
  const { documentElement: root, body } = inner
  const boxes = Array.from(body.querySelectorAll<HTMLElement>('table, td, th, div, img')).slice(0, MEASURED_MAX)
  const wide = boxes.filter(box => box.getBoundingClientRect().width > root.clientWidth)
  for (const box of wide) box.dataset.wide = ''
}

/** Words that may break anywhere let a table squeeze its columns to letters. Returns whether a table was kept from it. */
function keepShortWords(inner: Document): boolean {
  const texts = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT)
  const range = inner.createRange()
  let hasKept = false
  let left = MEASURED_MAX
  for (let text = texts.nextNode(); text && left > 0; text = texts.nextNode()) {
    const table = text.parentElement?.closest('table')
    if (!table || table.dataset.keep !== undefined || columnsOf(table) < 2) continue
    for (const { 0: word, index } of (text.nodeValue ?? '').matchAll(SHORT_WORD)) {
      range.setStart(text, index)
      range.setEnd(text, index + word.length)
      const lines = new Set(Array.from(range.getClientRects(), ({ top }) => Math.round(top)))
      if (left-- === 0) break
      if (lines.size === 1) continue
      table.dataset.keep = ''
      hasKept = true
      break
    }
  }
  return hasKept
}

function columnsOf(table: HTMLTableElement): number {
  return Math.max(
    0,
    ...Array.from(table.rows)
      .slice(0, 20)
      .map(({ cells }) => cells.length),
  )
}

/** Puts the tables of data that stick out, innermost first, each in its own box. Returns the share that is then to be zoomed to. */
function scrollTables(inner: Document, share: number): number {
  const { documentElement: root, body } = inner
  const wasNarrow = root.dataset.narrow !== undefined
  root.dataset.narrow = ''
  if (root.dataset.wrap !== undefined) keepShortWords(inner)
  const tables = Array.from(body.querySelectorAll<HTMLTableElement>('table')).slice(0, MEASURED_MAX)
  const sticksOut = (table: HTMLElement) => table.getBoundingClientRect().right > root.clientWidth + 1
  const wide = tables.filter(table => sticksOut(table) && columnsOf(table) >= COLUMNS_MIN)
  for (const table of wide.filter(table => !wide.some(other => other !== table && table.contains(other)))) {
    const edge = Math.max(EDGE_PX_MIN, Math.min(table.getBoundingClientRect().left, root.clientWidth / 4))
    table.style.setProperty('--scroll-width', `${Math.floor(root.clientWidth - 2 * edge)}px`)
    table.dataset.scroll = ''
  }
  const scrolled = root.clientWidth / root.scrollWidth
  if (scrolled >= share + GAIN_MIN) return scrolled
  unmark(body, 'scroll')
  if (!wasNarrow) delete root.dataset.narrow
  return share
}

/** The smallest size of words that are not smaller already than words are drawn here. */
function smallestPx(inner: Document): number {
  const texts = inner.createTreeWalker(inner.body, NodeFilter.SHOW_TEXT)
  const seen = new Set<Element>()
  let smallest = Number.POSITIVE_INFINITY
  for (let text = texts.nextNode(); text && seen.size < MEASURED_MAX; text = texts.nextNode()) {
    const element = text.parentElement
    if (!element || seen.has(element) || !/[\p{L}\p{N}]/u.test(text.nodeValue ?? '')) continue
    seen.add(element)
    const px = Number.parseFloat(inner.defaultView?.getComputedStyle(element).fontSize ?? '')
    if (px >= SHRUNK_PX_MIN && element.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
      smallest = Math.min(smallest, px)
  }
  return smallest
}

/** Whether only empty edges stick out, such as those of a box that was moved aside: then nothing is lost when they are cut. */
function fitsWithoutEmptyEdges(inner: Document): boolean {
  const { documentElement: root, body } = inner
  if (inner.defaultView?.getComputedStyle(root).direction !== 'ltr') return false
  const nodes = inner.createTreeWalker(body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  const range = inner.createRange()
  let left = MEASURED_MAX
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const isText = node.nodeType === Node.TEXT_NODE
    if (isText ? (node.nodeValue ?? '').trim() === '' : !/^(?:table|img|hr|meter|progress)$/i.test(node.nodeName)) continue
    if (left-- === 0) return false
    // The rectangles of a range around a box are those of all its words, too, and 400 nested tables have them 400 times.
    if (isText) range.selectNode(node)
    // Blanks at the end of a line are part of the box around the text, and nobody misses them.
    if (Array.from((isText ? range : (node as Element)).getClientRects()).some(({ right }) => right > root.clientWidth + 1)) return false
  }
  return true
}
