import { FILES_IN_TEXT_MAX } from '../mime-limits.ts'
import { toPrintableLine } from './printable.ts'

/** A uuencoded file within a text, as mail programs sent them before MIME. Offsets are bytes of the text; `size` is that of the file. */
export type UuencodedFile = { readonly name: string; readonly offset: number; readonly length: number; readonly size: number }

const LF = 10
const BEGIN = Buffer.from('begin ', 'latin1')
const BEGIN_LINE = /^begin [0-7]{3,4} (\S[^\r\n]*)$/
const BEGIN_LINE_BYTES_MAX = 300
/** No mail has so many words that could start a file. */
const BEGINS_MAX = 1000

/**
 * Finds the files between `begin` and `end`. A `begin` without valid lines and an `end` is text. With `mayBeCut`, a file that is cut off at
 * the end counts too. Each line is read once; a line that breaks off a file is checked again only as a possible `begin`.
 */
export function uuencodedFiles(bytes: Buffer, mayBeCut: boolean): UuencodedFile[] {
  const files: UuencodedFile[] = []
  let at = bytes.indexOf(BEGIN)
  for (let begins = 0; at !== -1 && files.length < FILES_IN_TEXT_MAX && begins < BEGINS_MAX; begins++) {
    const read: FileRead = at === 0 || bytes[at - 1] === LF ? readFile(bytes, at, mayBeCut) : { end: at + 1 }
    if (read.file) files.push(read.file)
    at = bytes.indexOf(BEGIN, read.end)
  }
  return files
}

type FileRead = { readonly end: number; readonly file?: UuencodedFile }

function readFile(bytes: Buffer, offset: number, mayBeCut: boolean): FileRead {
  const first = lineAt(bytes, offset)
  const head = bytes.toString('latin1', offset, Math.min(first.textEnd, offset + BEGIN_LINE_BYTES_MAX))
  const name = BEGIN_LINE.exec(head)?.[1]
  if (name === undefined) return { end: first.next }
  let size = 0
  for (let at = first.next; at < bytes.length; ) {
    if (bytes[at] === LF && at + 1 < bytes.length) {
      at++
      continue
    }
    const { textEnd, next } = lineAt(bytes, at)
    if (textEnd - at === 3 && bytes.toString('latin1', at, textEnd) === 'end') {
      return { end: next, file: { name: toPrintableLine(name), offset, length: next - offset, size } }
    }
    const count = dataBytes(bytes, at, textEnd)
    if (count === -1) return mayBeCut && next >= bytes.length ? cutOff(bytes, name, offset, size) : { end: at }
    size += count
    at = next
  }
  return mayBeCut ? cutOff(bytes, name, offset, size) : { end: bytes.length }
}

function cutOff(bytes: Buffer, name: string, offset: number, size: number): FileRead {
  return { end: bytes.length, file: { name: toPrintableLine(name), offset, length: bytes.length - offset, size } }
}

/** The number of bytes in a line of data, or -1 if it is none. Trailing spaces may be lost, and some programs add a check character. */
function dataBytes(bytes: Buffer, from: number, to: number): number {
  if (to === from) return 0
  const head = bytes[from] ?? 0
  if (head < 32 || head > 96) return -1
  const count = (head - 32) & 63
  const chars = Math.ceil(count / 3) * 4
  if (to - from - 1 > chars + 2) return -1
  for (let at = from + 1; at < to; at++) {
    const byte = bytes[at] ?? 0
    if (byte < 32 || byte > 96) return -1
  }
  return count
}

function lineAt(bytes: Buffer, from: number): { textEnd: number; next: number } {
  let end = from
  // Lines of data are short, and a search costs more than it saves where there are a million empty ones.
  while (end < bytes.length && bytes[end] !== LF) end++
  return { textEnd: end > from && bytes[end - 1] === 13 ? end - 1 : end, next: Math.min(end + 1, bytes.length) }
}

/**
 * The text without its uuencoded files, which are listed as attachments. With `mayBeCut`, also without a file that is cut off at the end.
 */
export function withoutFilesInText(bytes: Buffer, mayBeCut = false): Buffer {
  const files = uuencodedFiles(bytes, mayBeCut)
  if (files.length === 0) return bytes
  const pieces: Buffer[] = []
  let at = 0
  for (const { offset, length } of files) {
    pieces.push(bytes.subarray(at, offset))
    at = offset + length
  }
  return Buffer.concat([...pieces, bytes.subarray(at)])
}
