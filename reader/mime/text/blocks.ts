const BLOCK_CHARS = 65_536

/**
 * Applies `change` block by block: V8 keeps an object for every match of a replacement until it is done, and the four million matches of a
 * hostile 4 MiB text would fill a thread's heap. `cut` moves the end of a block to where nothing is split.
 */
export function changeInBlocks(text: string, cut: (text: string, end: number) => number, change: (block: string) => string): string {
  if (text.length <= BLOCK_CHARS) return change(text)
  const blocks: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = at + BLOCK_CHARS >= text.length ? text.length : cut(text, at + BLOCK_CHARS)
    blocks.push(change(text.slice(at, end)))
    at = end
  }
  return blocks.join('')
}

/** For changes that look at one character at a time. */
export const cutAnywhere = (_text: string, end: number): number => end

const [CR, LF] = [13, 10]
/** Per block. Texts have half as many lines; of shorter ones, a string for each costs more than its characters. */
const LINES_MAX = 2048

/** Converts line ends to LF: CR LF, CR CR LF (gateways) and CR alone (old Macs). Linear in the text. */
export const withPlainLineEnds = (text: string): string => (text.includes('\r') ? changeInBlocks(text, afterLineEnd, change) : text)

function change(text: string): string {
  const lines = text.split('\r\n', LINES_MAX)
  if (lines.length === LINES_MAX) return changeEach(text)
  const plain = lines.join('\n')
  return plain.includes('\r') ? changeEach(text) : plain
}

function changeEach(text: string): string {
  const bytes = Buffer.from(text, 'utf16le')
  const codes = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
  const end = codes.length
  let length = 0
  let bits = 0
  for (let at = 0; at < end; at++) {
    const code = codes[at] ?? 0
    if (code !== CR) {
      codes[length++] = code
      bits |= code
      continue
    }
    const start = at
    while (at + 1 < end && codes[at + 1] === CR) at++
    if (at + 1 < end && codes[at + 1] === LF) continue
    for (let written = start; written <= at; written++) codes[length++] = LF
  }
  return textOf(codes.subarray(0, length), bits)
}

/** `bits`: of all codes together. A text without any above 255 takes half the memory. */
function textOf(codes: Uint16Array<ArrayBuffer>, bits: number): string {
  return bits < 0x100
    ? Buffer.from(codes).toString('latin1')
    : Buffer.from(codes.buffer, codes.byteOffset, codes.byteLength).toString('utf16le')
}

/** After the run of CR in which the block would end, and what follows it. */
function afterLineEnd(text: string, end: number): number {
  let at = end
  while (text.charCodeAt(at - 1) === CR && at < text.length) at++
  return at
}

const WRITTEN_CHARS = 16_384

export class CharacterWriter {
  readonly #block = new Uint16Array(WRITTEN_CHARS)
  readonly #texts: string[] = []
  #length = 0
  /** The bits of all codes in the block. */
  #bits = 0

  write(code: number): void {
    if (this.#length === WRITTEN_CHARS) this.#flush()
    this.#block[this.#length++] = code
    this.#bits |= code
  }

  text(): string {
    this.#flush()
    return this.#texts.join('')
  }

  #flush(): void {
    this.#texts.push(textOf(this.#block.subarray(0, this.#length), this.#bits))
    this.#length = 0
    this.#bits = 0
  }
}
