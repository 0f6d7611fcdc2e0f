import type { Sight } from './css-hiding.ts'

/**
 * Where hidden elements end. A browser repairs wrong nesting in ways that only a whole HTML parser repeats (HTML 13.2.6), so this does not
 * guess: an element that hides ends where every parser ends it, and else lasts until the end of the mail; one that shows what is around it
 * hidden ends as soon as it may have. What is taken for visible is therefore visible in a browser (e2e/message/seen.spec.ts).
 */
export class OpenElements {
  readonly #tables = new OpenTables()
  #frames: Frame[] = []
  /** The state after elements that hide and may never end. */
  #rest: State = VISIBLE
  #showing = 0
  #isInLink = false

  /** The table or cell that is open, if any. */
  get place(): Place | undefined {
    return this.#tables.place
  }

  get state(): State {
    return this.#frames.at(-1)?.state ?? this.#rest
  }

  /** Whether all that follows is hidden, too. */
  get isOver(): boolean {
    return this.#rest.gone
  }

  hideRest(sight: Sight): void {
    this.#keepAll()
    const { gone, small } = this.#rest
    this.#rest = { ...this.#rest, gone: gone || sight.gone, small: sight.small ?? small }
  }

  /** After `closeImplied`. `sight`: what its attributes and styles make of it. Void elements are not opened. */
  open(tag: string, sight: Sight): void {
    const { state } = this
    const hides = sight.gone || sight.small === true
    // Outside of a table a browser ignores its tags, and with them the end of what they would have ended.
    const isIgnored = CELLS.has(tag) && !this.#tables.isIn
    const mayShow = sight.small === false && !NEVER_SHOWING.has(tag) && (!state.isFormatted || INLINE_START.has(tag))
    const shows = mayShow && !hides && !isIgnored && state.small
    const top = this.#frames.at(-1)
    if (tag === 'a') this.#isInLink = true
    if (hides && isIgnored) this.hideRest(sight)
    else if (hides || shows) {
      const small = hides && (state.small || sight.small === true)
      const isFormatted = state.isFormatted || (hides && FORMATTING.has(tag))
      this.#push(new Frame(tag, { gone: state.gone || sight.gone, small, isFormatted }, !hides))
    }
    // The end tag of a form does not end what is open in it.
    else if (top && (top.isShowing || tag === top.tag || top.tag === 'form' || !FORMATTING.has(tag))) top.push(tag)
  }

  close(tag: string): void {
    this.#tables.close(tag)
    if (tag === 'a') this.#isInLink = false
    for (let top = this.#frames.at(-1); top; top = this.#frames.at(-1)) {
      const ended = top.end(tag)
      if (ended === 'inner') return
      if (ended === 'frame' || top.isShowing) this.#pop()
      if (ended === 'frame') return
      if (top.isShowing) continue
      if (ended === 'unclear' || (!FORMATTING.has(tag) && this.#showing > 0)) this.#keepAll()
      return
    }
  }

  #push(frame: Frame): void {
    this.#frames.push(frame)
    if (frame.isShowing) this.#showing++
  }

  #pop(): void {
    if (this.#frames.pop()?.isShowing) this.#showing--
  }

  /** Before each start tag: ends `<li>` before `<li>`, and the like, and counts the tables that are open. */
  closeImplied(tag: string): void {
    this.#tables.open(tag)
    for (let top = this.#frames.at(-1); top; top = this.#frames.at(-1)) {
      if (!(top.isShowing ? top.mayEndBefore(tag, this.#isInLink) : top.endsBefore(tag))) return
      this.#pop()
    }
  }

  #keepAll(): void {
    const states = [this.#rest, ...this.#frames.map(({ state }) => state)]
    const any = (name: keyof State) => states.some(state => state[name])
    this.#rest = { gone: any('gone'), small: any('small'), isFormatted: any('isFormatted') }
    this.#frames = []
    this.#showing = 0
  }
}

/** `isFormatted`: an element of formatting hides, whose end tag puts it into the blocks that are open in it. */
type State = { readonly gone: boolean; readonly small: boolean; readonly isFormatted: boolean }
const VISIBLE: State = { gone: false, small: false, isFormatted: false }

const set = (names: string) => new Set(names.split(' '))
/**
 * They may be closed in any order (the adoption agency of HTML), and hold nothing open. One that is not closed begins again behind what it
 * stands in, so that one that hides is told apart in hidden elements, too.
 */
export const FORMATTING = set('a b big code em font i nobr s small strike strong tt u')
/** Their end tags are often left out. */
const OPTIONAL = set('p li dd dt tr td th tbody thead tfoot colgroup option optgroup rt rp')
/** Their end tags end what is open in them; that of others, such as `span`, is ignored behind a block. */
const BLOCKS = set(
  'address article aside blockquote center dd details dialog dir div dl dt fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup li listing main ' +
    'menu nav ol p pre search section summary table tbody td tfoot th thead tr ul',
)
const ENDS_P = set(
  'address article aside blockquote center details dialog dir div dl fieldset figcaption figure footer h1 h2 h3 h4 h5 h6 header hgroup hr li listing main menu ' +
    'nav ol p pre search section summary ul dd dt',
)
/** An element that is open in one of these is not closed from outside of it. */
const SCOPES = set('applet caption html table td th marquee object template button select')
/**
 * They never show what is hidden around them: a browser puts words that stand directly in a table before it, and ignores a form in a form,
 * and the page leaves `<object>` out and keeps what it holds.
 */
const NEVER_SHOWING = set('table tbody thead tfoot tr colgroup object form')
const CELLS = set('td th tr tbody thead tfoot caption col colgroup')
const ROWS = set('tr tbody thead tfoot')
/** The content of these may be read as text, or by rules of its own. */
const OTHER_RULES = set('template noscript iframe noembed noframes xmp')
const INLINE_START = set(
  'a abbr acronym b bdi bdo big br cite code del em font i img ins kbd mark q s samp small span strike strong sub sup tt u var wbr',
)

/** `isLeft`: what follows is not in this cell, or not before this table, where a browser puts what stands directly in it. */
export type Place = { readonly isCell: boolean; isLeft: boolean }

/** The tables and cells that are surely open, by the rules for cells (HTML 13.2.6.4.9 and on): never more than in a browser. */
class OpenTables {
  readonly #open: Place[] = []
  #isUnclear = false

  get isIn(): boolean {
    return this.#open.length > 0 && !this.#isUnclear
  }

  get place(): Place | undefined {
    return this.#open.at(-1)
  }

  open(tag: string): void {
    const top = this.place
    if (OTHER_RULES.has(tag)) this.#isUnclear = true
    // Directly in another table it ends that one.
    else if (tag === 'table' && top?.isCell !== false) this.#open.push({ isCell: false, isLeft: false })
    if (!top || !CELLS.has(tag)) return
    top.isLeft = true
    if (top.isCell) this.#open.pop()
    if (tag === 'td' || tag === 'th' || tag === 'caption') this.#open.push({ isCell: true, isLeft: false })
  }

  close(tag: string): void {
    if (CELLS.has(tag) && this.place?.isCell) this.#leave()
    else if (tag === 'table') {
      if (this.place?.isCell) this.#leave()
      this.#leave()
    }
  }

  #leave(): void {
    const left = this.#open.pop()
    if (left) left.isLeft = true
  }
}

class Frame {
  readonly tag: string
  readonly state: State
  readonly isShowing: boolean
  readonly #inner: string[] = []
  readonly #counts = new Map<string, number>()

  constructor(tag: string, state: State, isShowing: boolean) {
    this.tag = tag
    this.state = state
    this.isShowing = isShowing
  }

  push(tag: string): void {
    // Its sibling ends it.
    if (tag === this.#inner.at(-1) && OPTIONAL.has(tag)) return
    this.#inner.push(tag)
    this.#counts.set(tag, this.#count(tag) + 1)
  }

  /** Tells what an end tag ends: an element in this one, this one, nothing here, or it is unclear what. */
  end(tag: string): 'inner' | 'frame' | 'nothing' | 'unclear' {
    const isInner = this.#count(tag) > 0
    if (!isInner && tag !== this.tag) return 'nothing'
    if (BLOCKS.has(tag) && !this.isShowing) while (this.#inner.at(-1) !== tag && OPTIONAL.has(this.#inner.at(-1) ?? '')) this.#pop()
    if (isInner) {
      if (this.#inner.at(-1) !== tag) return 'unclear'
      this.#pop()
      return 'inner'
    }
    return this.#inner.length === 0 ? 'frame' : 'unclear'
  }

  /** Whether a start tag surely ends this element. */
  endsBefore(tag: string): boolean {
    if (this.tag === 'p') return ENDS_P.has(tag) && !this.#hasAny(SCOPES)
    if (this.tag === 'li') return tag === 'li' && this.#hasOnly('p', 'div')
    if (this.tag === 'td' || this.tag === 'th') return (tag === 'td' || tag === 'th' || ROWS.has(tag)) && !this.#hasAny(SCOPES)
    return this.tag === 'tr' && ROWS.has(tag) && this.#hasOnly('td', 'th')
  }

  /** Whether a start tag may end this element, directly or with one that is around it. */
  mayEndBefore(tag: string, isInLink: boolean): boolean {
    if (CELLS.has(tag)) return this.#count('table') === 0
    if (tag === 'li') return this.#count('ul') + this.#count('ol') === 0
    if (tag === 'dd' || tag === 'dt') return this.#count('dl') === 0
    if (tag === this.tag && (FORMATTING.has(tag) || tag === 'button')) return true
    if (tag === 'a') return isInLink
    if (tag === 'nobr' || tag === 'button') return this.#count(tag) > 0 || !BLOCKS.has(this.tag)
    if (/^h[1-6]$/.test(tag) && /^h[1-6]$/.test(this.tag)) return true
    return !INLINE_START.has(tag) && (!BLOCKS.has(this.tag) || this.tag === 'p' || /^h[1-6]$/.test(this.tag))
  }

  #count(tag: string): number {
    return this.#counts.get(tag) ?? 0
  }

  #hasAny(tags: ReadonlySet<string>): boolean {
    for (const tag of tags) if (this.#count(tag) > 0) return true
    return false
  }

  #hasOnly(...tags: readonly string[]): boolean {
    return this.#inner.length === tags.reduce((sum, tag) => sum + this.#count(tag), 0)
  }

  #pop(): void {
    const tag = this.#inner.pop()
    if (tag !== undefined) this.#counts.set(tag, this.#count(tag) - 1)
  }
}
