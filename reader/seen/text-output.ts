/** All white space but a single space between words. */
const BLANKS = /(?! \S)\s+/g

/** A text of nothing but entities has a piece for each. */
const PIECES_MAX = 16_384

/** The text so far, in pieces: reading the end of one growing string copies it each time, and 2 MiB of `a<b>` took 15 s. */
export class TextOutput {
  #pieces: string[] = []
  #length = 0
  /** The last two characters of the text. */
  #end = ''

  get length(): number {
    return this.#length
  }

  addText(raw: string): void {
    const text = raw.replace(BLANKS, ' ')
    this.#add(this.#endsWithBlank() ? text.trimStart() : text)
  }

  addBlank(): void {
    if (this.#end === '' || !this.#endsWithBlank()) this.#add(' ')
  }

  addBreak(): void {
    if (this.#end === '' || this.#end === '\n\n') return
    if (this.#end.endsWith(' ')) this.#dropLast()
    this.#add('\n')
  }

  toString(): string {
    return this.#pieces.join('')
  }

  #add(piece: string): void {
    if (piece === '') return
    if (this.#pieces.length === PIECES_MAX) this.#pieces = [this.#pieces.join('')]
    this.#pieces.push(piece)
    this.#length += piece.length
    this.#end = (this.#end + piece.slice(-2)).slice(-2)
  }

  /** The start counts as a blank. */
  #endsWithBlank(): boolean {
    const last = this.#end.charCodeAt(this.#end.length - 1)
    // Letters and the space need no pattern.
    return this.#end === '' || last === 0x20 || (!(last > 0x20 && last < 0x7f) && /\s$/.test(this.#end))
  }

  #dropLast(): void {
    const last = this.#pieces.pop()?.slice(0, -1) ?? ''
    if (last !== '') this.#pieces.push(last)
    this.#length--
    this.#end = last === '' ? (this.#pieces.at(-1) ?? '').slice(-2) : last.slice(-2)
  }
}
