/** A file as the disk has it: written bytes are on it once a later sync succeeded, and lost when one failed. */
type Step = { readonly op: string; readonly file: number; readonly offset: number; readonly data: Buffer; readonly end: number }

const HEAD_BYTES = 18

/** What `journal.c` wrote. `end`: the size of the journal with this step. */
export function parseSteps(journal: Buffer): Step[] {
  const steps: Step[] = []
  for (let at = 0; at < journal.length; ) {
    const op = String.fromCharCode(journal[at] ?? 0)
    const end = at + HEAD_BYTES + (op === 'w' ? Number(journal.readBigUInt64LE(at + 10)) : 0)
    const offset = Number(journal.readBigUInt64LE(at + 2))
    steps.push({ op, file: journal[at + 1] ?? 0, offset, data: journal.subarray(at + HEAD_BYTES, end), end })
    at = end
  }
  return steps
}

export class DiskFile {
  #bytes: Buffer
  #size: number
  #waiting: Step[] = []

  constructor(start: Buffer) {
    this.#bytes = Buffer.from(start)
    this.#size = start.length
  }

  take(step: Step): void {
    if (step.op === 'w' || step.op === 't') this.#waiting.push(step)
    if (step.op === 's') for (const written of this.#waiting) this.#apply(written)
    if (step.op === 's' || step.op === 'f') this.#waiting = []
  }

  /** What is left when the power goes now. */
  get content(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#size))
  }

  #apply({ op, offset, data }: Step): void {
    if (op === 't') {
      if (offset < this.#size) this.#bytes.fill(0, offset, this.#size)
      else this.#grow(offset)
      this.#size = offset
      return
    }
    this.#grow(offset + data.length)
    data.copy(this.#bytes, offset)
    this.#size = Math.max(this.#size, offset + data.length)
  }

  #grow(size: number): void {
    if (size <= this.#bytes.length) return
    const grown = Buffer.alloc(2 * size)
    this.#bytes.copy(grown, 0, 0, this.#size)
    this.#bytes = grown
  }
}
