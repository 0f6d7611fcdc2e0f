/**
 * Ends paragraphs in which the direction of writing changes without end, since a browser orders each in quadratic time: 200 KB of Hebrew
 * and Latin letters in turn kept Chromium busy for more than a minute and a half. A page of mixed text has some fifty changes.
 */

import { LineBoxes } from './line-boxes.ts'

const CHANGES_MAX = 500
/** The end is put behind a blank if there is one in the last letters. Few URLs are longer. */
const WORD_CHARS_MAX = 2000
/** Letters that belong to each other are no more. */
const LETTER_CHARS_MAX = 100
const RIGHT_TO_LEFT = /[\u0590-\u08ff\u200e\u200f\u202a-\u202e\u2066-\u2069\ud802\ud803\ud83a\ud83b\ufb1d-\ufdff\ufe70-\ufefc]/
/** Marks, embeddings and isolates count as a change each. */
const CONTROL = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/
/** The first halves of letters that take two are taken for such: few of them are from the right to the left. */
const LEFT_TO_RIGHT = /[\p{L}\p{N}\ud800-\udbff]/u
/** Marks that belong to the letter before them. */
const GOES_ON = /^(?:\p{M}|\p{Emoji_Modifier}|\u200d|[\udc00-\udfff])/u
/** A letter that joins the next one to it, or the first of the two that are a flag. */
const JOINS = /(?:\u200d|(?<!\p{RI})(?:\p{RI}{2})*\p{RI})$/u

/** Counts the changes in texts that follow each other. */
class DirectionCounter {
  changes = 0
  #isRightToLeft = false

  /** The place in the text at which there are more than `max`; `undefined` if they are few up to its end. */
  end(text: string, from: number, max = CHANGES_MAX): number | undefined {
    for (let at = from; at < text.length; at++) {
      const letter = text.charAt(at)
      const isRightToLeft = RIGHT_TO_LEFT.test(letter)
      const isChange = isRightToLeft ? !this.#isRightToLeft || CONTROL.test(letter) : this.#isRightToLeft && LEFT_TO_RIGHT.test(letter)
      if (!isChange) continue
      this.#isRightToLeft = isRightToLeft
      if (++this.changes > max) return at
    }
    return undefined
  }

  /** How many are in the next text. */
  count(text: string): number {
    const before = this.changes
    // Most texts have no such letter.
    if (!this.#isRightToLeft && !RIGHT_TO_LEFT.test(text)) return 0
    this.end(text, 0, Number.POSITIVE_INFINITY)
    return this.changes - before
  }

  startAnew(): void {
    this.changes = 0
    this.#isRightToLeft = false
  }
}

/** The paragraphs of a text in one line; together they are the text. */
export function splitDirections(text: string): string[] {
  // Most texts have no such letter.
  if (!RIGHT_TO_LEFT.test(text)) return [text]
  const counter = new DirectionCounter()
  const parts: string[] = []
  let start = 0
  for (let end = counter.end(text, 0); end !== undefined; end = counter.end(text, start)) {
    const cut = cutBefore(text, start, end)
    parts.push(text.slice(start, cut))
    start = cut
    counter.startAnew()
  }
  parts.push(text.slice(start))
  return parts
}

/** Where a text may be parted: behind the last blank before `end`, else between two letters, and behind `start` in any case. */
export function cutBefore(text: string, start: number, end: number): number {
  const blank = text.slice(Math.max(start, end - WORD_CHARS_MAX), end).search(/\s\S*$/)
  if (blank >= 0) return Math.max(start, end - WORD_CHARS_MAX) + blank + 1
  let cut = Math.max(end, start + 1)
  while (cut < end + LETTER_CHARS_MAX && goesOn(text, cut)) cut++
  return cut
}

function goesOn(text: string, at: number): boolean {
  if (GOES_ON.test(text.slice(at, at + 2))) return true
  return at < text.length && JOINS.test(text.slice(Math.max(0, at - WORD_CHARS_MAX), at)) && !/^[\s\w]/.test(text.charAt(at))
}

/** A block with more ends its paragraph. */
const BLOCK_CHANGES_MAX = 50
/** Elements that turn a line, or are a paragraph of their own in it, count as a change each. A rule may make one of any. */
const TURNS = 'bdo, bdi, [dir], [style*="bidi"]'
const RULE_TURNS = /bidi|\\/i
/**
 * Ends such paragraphs of a mail that is not shown yet, also those that go through many elements, and through blocks that its styles put in
 * a line: `sheets` are its own. There is also an end behind what a block ends with, where nobody sees it if the block is one.
 */
export function endParagraphs(body: HTMLElement, sheets: readonly string[]): void {
  if (!RIGHT_TO_LEFT.test(body.textContent) && !body.querySelector(TURNS) && !sheets.some(sheet => RULE_TURNS.test(sheet))) return
  const lines = new LineBoxes(sheets)
  const isBlock = (node: Node) => node instanceof Element && (!lines.has(node) || node.hasAttribute('data-line'))
  partTexts(body)
  const counts = new Map<Node | null, number>()
  const counter = new DirectionCounter()
  let block: Element | null = null
  let before: Text | undefined
  for (const text of wordsOf(body)) {
    const own = blockAround(text, isBlock)
    if (own !== block) {
      if (counter.changes > BLOCK_CHANGES_MAX && before && isLast(before, block)) {
        before.after(body.ownerDocument.createElement('br'))
        counter.startAnew()
      }
      block = own
    }
    before = text
    let changes = counter.count(text.data)
    for (let at = text.parentElement; at && at !== own; at = at.parentElement) if (!counts.has(at) && lines.turns(at)) changes += 1
    for (let at: Node | null = text; at; at = at === own ? null : at.parentNode) counts.set(at, (counts.get(at) ?? 0) + changes)
  }
  for (const [at, changes] of counts) if (changes > CHANGES_MAX && at instanceof Element && isBlock(at)) boxChildren(at, counts, isBlock)
}

/** The paragraphs of single texts. */
function partTexts(body: HTMLElement): void {
  for (const text of wordsOf(body)) {
    const parts = splitDirections(text.data)
    if (parts.length > 1) text.replaceWith(...parts.map(part => paragraph(body.ownerDocument, [part])))
  }
}

/** Lines end behind half of the changes if there is a line break, which is not seen at the end of a box. */
function boxChildren(parent: Element, counts: ReadonlyMap<Node | null, number>, isBlock: (node: Node) => boolean): void {
  let line: ChildNode[] = []
  let changes = 0
  const close = (next: ChildNode | null) => {
    if (changes > 0) parent.insertBefore(paragraph(parent.ownerDocument, line), next)
    line = []
    changes = 0
  }
  for (const child of Array.from(parent.childNodes)) {
    const own = counts.get(child) ?? 0
    const isLong = own > CHANGES_MAX && child instanceof Element
    if (isLong || isBlock(child) || changes + own > CHANGES_MAX) close(child)
    if (isBlock(child)) continue
    if (isLong) {
      boxChildren(child, counts, isBlock)
      continue
    }
    line.push(child)
    changes += own
    if (child.nodeName === 'BR' && changes > CHANGES_MAX / 2) close(child.nextSibling)
  }
  close(null)
}

function blockAround(text: Text, isBlock: (node: Node) => boolean): Element | null {
  let around = text.parentElement
  while (around && !isBlock(around)) around = around.parentElement
  return around
}

/** A box of its own: a browser orders all lines of a box together, also between its line breaks. */
function paragraph(ownerDocument: Document, words: readonly (string | Node)[]): HTMLElement {
  const box = ownerDocument.createElement('span')
  box.setAttribute('style', 'display: block !important')
  box.setAttribute('data-line', '')
  for (const each of words) box.append(each)
  return box
}

function isLast(node: ChildNode, block: Element | null | undefined): boolean {
  for (let at: Node | null = node; at && at !== block; at = at.parentNode) {
    let next = at.nextSibling
    while (next instanceof Text && next.data.trim() === '') next = next.nextSibling
    if (next) return false
  }
  return true
}

function wordsOf(body: HTMLElement): Text[] {
  const nodes = body.ownerDocument.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const found: Text[] = []
  while (nodes.nextNode()) if (nodes.currentNode instanceof Text && nodes.currentNode.data.trim() !== '') found.push(nodes.currentNode)
  return found
}
