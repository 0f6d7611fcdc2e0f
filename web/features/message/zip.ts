/** A ZIP archive without compression (APPNOTE 6.3.10, sections 4.3 and 4.4): attachments are mostly compressed already. */

type ZipFile = { readonly name: string; readonly bytes: ArrayBuffer }

const LOCAL_HEADER = 0x04034b50
const CENTRAL_HEADER = 0x02014b50
const END_OF_DIRECTORY = 0x06054b50
const VERSION = 20
/** Bit 11: names are UTF-8. */
const UTF8_NAMES = 0x0800
/** 1 January 1980, the first day of the format, because nobody needs to know when a file was made. */
const NO_DATE = 0x0021

/** Two files of one name get a number, and no name leads out of the folder it is unpacked in. */
export function zip(files: readonly ZipFile[]): ArrayBuffer {
  const names = uniqueNames(files.map(file => file.name))
  return writeZip(files.map(({ bytes }, index) => ({ name: names[index] ?? '', bytes })))
}

/** For names that are trusted: a slash in one makes a folder. */
export function writeZip(files: readonly ZipFile[]): ArrayBuffer {
  const locals: Uint8Array[] = []
  const central: Uint8Array[] = []
  let offset = 0
  for (const file of files) {
    const name = new TextEncoder().encode(file.name)
    const bytes = new Uint8Array(file.bytes)
    const facts = [VERSION, UTF8_NAMES, 0, 0, NO_DATE]
    const sizes = [crc32(bytes), bytes.length, bytes.length]
    const local = join(words(4, [LOCAL_HEADER]), words(2, facts), words(4, sizes), words(2, [name.length, 0]), name, bytes)
    locals.push(local)
    central.push(
      join(
        words(4, [CENTRAL_HEADER]),
        words(2, [VERSION, ...facts]),
        words(4, sizes),
        words(2, [name.length, 0, 0, 0, 0]),
        words(4, [0, offset]),
        name,
      ),
    )
    offset += local.length
  }
  const directory = join(...central)
  const counts = [0, 0, files.length, files.length]
  const end = join(words(4, [END_OF_DIRECTORY]), words(2, counts), words(4, [directory.length, offset]), words(2, [0]))
  return join(...locals, directory, end).buffer
}

function uniqueNames(given: readonly string[]): string[] {
  const taken = new Set<string>()
  return given.map(raw => {
    const name = raw.replace(/[/\\\0]/g, '_').replace(/^\.+$/, '_') || '_'
    let unique = name
    for (let count = 2; taken.has(unique.toLowerCase()); count++) unique = name.replace(/(\.[^.]*)?$/, `-${count}$1`)
    taken.add(unique.toLowerCase())
    return unique
  })
}

/** Little-endian numbers of 2 or 4 bytes. */
function words(size: 2 | 4, values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(size * values.length)
  const view = new DataView(bytes.buffer)
  for (const [index, value] of values.entries()) {
    if (size === 2) view.setUint16(index * size, value, true)
    else view.setUint32(index * size, value, true)
  }
  return bytes
}

function join(...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1
  return value
})

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return (crc ^ 0xffffffff) >>> 0
}
