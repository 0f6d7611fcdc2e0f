/** Finds what the words of a text mean, in one pass and in every language at once: `code`, `enter`, `order`. */
import concepts from './concepts.json' with { type: 'json' }

export type Concept = keyof typeof concepts
export type Hit = { readonly concept: Concept; readonly start: number; readonly end: number }

/**
 * A stem begins a word. `*` also stands within one, as in German and Swedish names, `=` is a whole word, and `*=` also the end of one; `_`
 * is a blank. Stems of scripts without blanks or with prefixes stand anywhere.
 */
type WrittenStem = { readonly stem: string; readonly isWithin: boolean; readonly isWhole: boolean }
type Stem = Omit<WrittenStem, 'stem'> & { readonly concept: number }

const WORD_BEGINS = /^(?:[ -\u058f]|[\u0900-\u0dff\uac00-\ud7ff])/
/** Letters that Unicode does not take apart, or that are written in two ways. */
const FOLDED = new Map(
  Object.entries({
    ı: 'i',
    ł: 'l',
    ø: 'o',
    đ: 'd',
    أ: 'ا',
    إ: 'ا',
    آ: 'ا',
    ى: 'ي',
    ی: 'ي',
    ک: 'ك',
    ة: 'ه',
    '’': "'",
    '\u00a0': ' ',
  }),
)
/** Units that are compared as they are. */
const UNFOLDED = { from: 0x2100, to: 0xff00 }
const UNITS = 0x10000
/** More than the letters of all stems. */
const LETTERS_MAX = 2048
const IN_WORD = LETTERS_MAX
/** Latin letters have a class each, all others share as many. */
const CLASS_BITS = 6
const CLASSES = 1 << CLASS_BITS
const KEYS = CLASSES ** 3
const CONCEPTS = Object.keys(concepts) as Concept[]
/** Where among the hits each concept of the search stands last: one for all, since an array for each takes longer than to search a line. */
const LATEST = new Int32Array(CONCEPTS.length)

/**
 * For each UTF-16 unit the number of its small letter without accents, which many mails leave out, or 0 for what is in no stem; whether it
 * is of letters and digits; and above these its class.
 */
const UNIT = new Uint32Array(UNITS)
const CLASS_SHIFT = 12
/**
 * A tree of letters. `TREE` has each node with a letter, at the place that its hash says or the next free one, and behind it the node that
 * follows; `STEMS` has what ends at a node. Maps would take four times as long.
 */
const EDGES = 0x10000
const TREE = new Int32Array(2 * EDGES)
const STEMS: (Stem[] | undefined)[] = [undefined]
const [WORD_START, ANYWHERE] = [1, 2]
/** By the classes of three letters whether a stem begins with them: two bits for each search, of which there are at most four. */
const BEGINS = new Uint8Array(KEYS)
type Search = { readonly shift: number; readonly wanted?: ReadonlySet<Concept> }
let searches = 0
const WRITTEN = new Map(CONCEPTS.map(concept => [concept, concepts[concept].join(' ').split(' ').map(readStem)]))
numberLetters()
const ANY = searchOf(CONCEPTS)
for (const [at, stems] of [...WRITTEN.values()].entries()) for (const stem of stems) plant(stem, at)

/** Each thread that reads mail waits for it, so what takes long is done once, or only for the units that it may concern. */
function numberLetters(): void {
  const units = new TextDecoder('utf-16le').decode(Uint16Array.from(UNIT.keys()))
  for (const { 0: run, index } of units.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) UNIT.fill(IN_WORD, index, index + run.length)
  const stems = [...WRITTEN.values()].flat().map(({ stem }) => stem)
  const written = new Set(`abcdefghijklmnopqrstuvwxyz${stems.join('')}`.split(''))
  const letters = new Map(Array.from(new Set(Array.from(written, plainOf)), (letter, at) => [letter, at + 1]))
  for (const char of [...letters.keys(), ...units.slice(0, UNFOLDED.from), ...units.slice(UNFOLDED.to)]) {
    const letter = letters.get(plainOf(char))
    if (letter === undefined) continue
    const kind = letter < CLASSES / 2 ? letter : CLASSES / 2 + (letter % (CLASSES / 2))
    UNIT[char.charCodeAt(0)] = (kind << CLASS_SHIFT) + (unitAt(char, 0) & IN_WORD) + letter
  }
}

function plainOf(char: string): string {
  const unit = char.charCodeAt(0)
  if (unit >= UNFOLDED.from && unit < UNFOLDED.to) return char
  const small = char.toLowerCase()
  return FOLDED.get(small) ?? small.normalize('NFKD')[0] ?? small
}

function readStem(written: string): WrittenStem {
  const [, within, whole, word = ''] = /^(\*?)(=?)(.*)$/.exec(written) ?? []
  const stem = word.replaceAll('_', ' ').trimStart()
  return { stem, isWhole: whole === '=', isWithin: within === '*' || (whole === '' && !WORD_BEGINS.test(stem)) }
}

function plant({ stem, isWithin, isWhole }: WrittenStem, concept: number): void {
  let node = 0
  for (let at = 0; at < stem.length; at++) {
    const letter = letterAt(stem, at)
    const edge = edgeOf(node, letter)
    if (TREE[edge] === 0) {
      TREE[edge] = node * LETTERS_MAX + letter
      TREE[edge + 1] = STEMS.push(undefined) - 1
    }
    node = TREE[edge + 1] ?? 0
  }
  STEMS[node] = [...(STEMS[node] ?? []), { isWithin, isWhole, concept }]
}

function searchOf(concepts: Iterable<Concept>): Search {
  const shift = 2 * searches++
  for (const { stem, isWithin } of [...concepts].flatMap(concept => WRITTEN.get(concept) ?? [])) {
    // Any letter may follow a stem of one or two.
    const open = CLASS_BITS * Math.max(0, 3 - stem.length)
    const first = (((classAt(stem, 0) << (2 * CLASS_BITS)) | (classAt(stem, 1) << CLASS_BITS) | classAt(stem, 2)) >> open) << open
    for (let key = first; key < first + (1 << open); key++)
      BEGINS[key] = (BEGINS[key] ?? 0) | ((isWithin ? WORD_START | ANYWHERE : WORD_START) << shift)
  }
  return { shift }
}

/** Where the tree has this letter after this node, or would have it. */
function edgeOf(node: number, letter: number): number {
  const key = node * LETTERS_MAX + letter
  let edge = (Math.imul(key, 0x9e3779b1) >>> 15) & (2 * EDGES - 2)
  while (TREE[edge] !== 0 && TREE[edge] !== key) edge = (edge + 2) & (2 * EDGES - 2)
  return edge
}

function unitAt(text: string, at: number): number {
  return at < text.length ? (UNIT[text.charCodeAt(at)] as number) : 0
}

function inWordAt(text: string, at: number): number {
  return (unitAt(text, at) >> 11) & 1
}

function letterAt(text: string, at: number): number {
  return unitAt(text, at) & (LETTERS_MAX - 1)
}

function classAt(text: string, at: number): number {
  return unitAt(text, at) >> CLASS_SHIFT
}

/** In order of their places, between two of them. Linear in the text: few stems begin alike. */
export function findConcepts(text: string, from = 0, to = text.length, { shift, wanted }: Search = ANY): Hit[] {
  const hits: Hit[] = []
  let place = WORD_START + (from > 0 ? inWordAt(text, from - 1) : 0)
  let unit = unitAt(text, from)
  let second = unitAt(text, from + 1)
  let key = ((unit >> CLASS_SHIFT) << CLASS_BITS) | (second >> CLASS_SHIFT)
  for (let at = from; at < to; at++) {
    const third = unitAt(text, at + 2)
    key = ((key << CLASS_BITS) | (third >> CLASS_SHIFT)) & (KEYS - 1)
    const begins = (BEGINS[key] as number) >> shift
    if ((begins & place) !== 0) {
      addHits(text, at, to, place === WORD_START, hits, wanted)
      if (wanted && hits.length > 0) return hits
    }
    // A sum, since a branch at the end of each word is guessed wrongly.
    place = WORD_START + ((unit >> 11) & 1)
    unit = second
    second = third
  }
  return hits
}

/** Tells whether a text has any of these concepts, in a third of the time that all take: few words begin as theirs do. */
export function searchFor(wanted: ReadonlySet<Concept>): (text: string, from?: number, to?: number) => boolean {
  const search = { ...searchOf(wanted), wanted }
  return (text, from, to) => findConcepts(text, from, to, search).length > 0
}

function addHits(text: string, start: number, to: number, isWordStart: boolean, hits: Hit[], wanted?: ReadonlySet<Concept>): void {
  let node = 0
  for (let at = start; at < to; at++) {
    const letter = letterAt(text, at)
    node = letter === 0 ? 0 : (TREE[edgeOf(node, letter) + 1] ?? 0)
    if (node === 0) return
    const stems = STEMS[node]
    if (stems === undefined) continue
    for (const { isWithin, isWhole, concept } of stems) {
      const end = at + 1
      if ((!isWordStart && !isWithin) || (isWhole && inWordAt(text, end) === 1)) continue
      const name = CONCEPTS[concept] as Concept
      if (wanted?.has(name) === false) continue
      const place = LATEST[concept] ?? 0
      const previous = hits[place]?.concept === name ? hits[place] : undefined
      const hit = { concept: name, start, end }
      if (previous?.start === start) hits[place] = hit
      else if (!previous || previous.end <= start) LATEST[concept] = hits.push(hit) - 1
    }
  }
}
