import { FILES_IN_TEXT_MAX } from '../mime-limits.ts'
import type { UuencodedFile } from '../types.ts'
import { toPrintableLine } from './printable.ts'

const LF = 10
const BEGIN = Buffer.from('begin ', 'latin1')
const BEGIN_LINE = /^begin [0-7]{3,4} (\S[^\r\n]*)$/
const BEGIN_LINE_BYTES_MAX = 300
/** No mail has so many words that could start a file. */
const BEGINS_MAX = 1000

/**
 * Finds the files between `begin` and `end`. A `begin` without valid lines and an `end` is text. Each line is read once; a line that breaks
 * off a file is checked again only as a possible `begin`.
 */
export function uuencodedFiles(bytes: Buffer): UuencodedFile[] {
  const files: UuencodedFile[] = []
  let at = bytes.indexOf(BEGIN)
  for (let begins = 0; at !== -1 && files.length < FILES_IN_TEXT_MAX && begins < BEGINS_MAX; begins++) {
    const read: FileRead = at === 0 || bytes[at - 1] === LF ? readFile(bytes, at) : { end: at + 1 }
    if (read.file) files.push(read.file)
    at = bytes.indexOf(BEGIN, read.end)
  }
  return files
}

type FileRead = { readonly end: number; readonly file?: UuencodedFile }

function readFile(bytes: Buffer, offset: number): FileRead {
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
    if (count === -1) return { end: at }
    size += count
    at = next
  }
  return { end: bytes.length }
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

/** A text, or the start of it, without these files in it. */
export function withoutFiles(bytes: Buffer, files: readonly UuencodedFile[]): Buffer {
  if (files.length === 0) return bytes
  const pieces: Buffer[] = []
  let at = 0
  for (const { offset, length } of files) {
    pieces.push(bytes.subarray(at, offset))
    at = offset + length
  }
  return Buffer.concat([...pieces, bytes.subarray(at)])
}
