/** One text or binary property of a TNEF stream, as a view of the stream. */
export type MapiProperty = { readonly id: number; readonly type: number; readonly offset: number; readonly length: number }

export const MapiType = { string8: 0x1e, unicode: 0x1f, binary: 0x102, object: 0x0d } as const

const MULTI_VALUED = 0x1000
const FIRST_NAMED_ID = 0x8000
const GUID_BYTES = 16
/** [MS-OXCDATA] §2.11.1, sizes in the stream: values shorter than 4 bytes are padded to 4. */
const FIXED_BYTES = new Map([
  [0x02, 4],
  [0x03, 4],
  [0x04, 4],
  [0x05, 8],
  [0x06, 8],
  [0x07, 8],
  [0x0a, 4],
  [0x0b, 4],
  [0x14, 8],
  [0x40, 8],
  [0x48, 16],
])
// Real messages have fewer than 200.
const PROPERTIES_MAX = 5000

/**
 * The properties of an attMsgProps or attAttachment ([MS-OXTNEF] §2.1.3.4) in `bytes`, from `offset` to `end`. Stops at the first property
 * of unknown length. Every step moves forward, so a malformed stream costs no more than a valid one.
 */
export function readMapiProperties(bytes: Buffer, offset: number, end: number): MapiProperty[] {
  const found: MapiProperty[] = []
  const cursor = new Cursor(bytes, offset, end)
  let left = Math.min(cursor.uint32(), PROPERTIES_MAX)
  while (left-- > 0 && !cursor.isBroken) readProperty(cursor, found)
  return found
}

function readProperty(cursor: Cursor, found: MapiProperty[]): void {
  const declared = cursor.uint16()
  const id = cursor.uint16()
  if (id >= FIRST_NAMED_ID) skipName(cursor)
  const type = declared & ~MULTI_VALUED
  const fixed = FIXED_BYTES.get(type)
  const isMany = fixed === undefined || (declared & MULTI_VALUED) !== 0
  const count = isMany ? cursor.uint32() : 1
  if (fixed === undefined && !Object.values<number>(MapiType).includes(type)) cursor.giveUp()
  if (fixed !== undefined) cursor.skip(count * fixed)
  for (let index = 0; fixed === undefined && index < count && !cursor.isBroken; index++) {
    const length = cursor.uint32()
    const offset = cursor.at
    cursor.skip(padded(length))
    if (!cursor.isBroken) found.push({ id, type, offset, length })
  }
}

function skipName(cursor: Cursor): void {
  cursor.skip(GUID_BYTES)
  const isString = cursor.uint32() !== 0
  const value = cursor.uint32()
  if (isString) cursor.skip(padded(value))
}

function padded(length: number): number {
  return Math.ceil(length / 4) * 4
}

/** Reads little-endian numbers up to an end. Beyond it, numbers are 0 and the cursor is marked broken. */
class Cursor {
  readonly #bytes: Buffer
  readonly #end: number
  at: number
  isBroken = false

  constructor(bytes: Buffer, at: number, end: number) {
    this.#bytes = bytes
    this.at = at
    this.#end = Math.min(end, bytes.length)
  }

  giveUp(): void {
    this.isBroken = true
  }

  skip(count: number): void {
    // the padding of the last value may be missing
    if (this.at + count > this.#end + 3) this.isBroken = true
    this.at += count
  }

  uint16(): number {
    return this.#read(2)
  }

  uint32(): number {
    return this.#read(4)
  }

  #read(count: 2 | 4): number {
    const at = this.at
    if (at + count > this.#end) this.isBroken = true
    this.at += count
    if (this.isBroken) return 0
    return count === 2 ? this.#bytes.readUInt16LE(at) : this.#bytes.readUInt32LE(at)
  }
}
