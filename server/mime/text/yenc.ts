/** A yEnc file in the middle of a text (yenc.org 1.3): Usenet's way, and that of mirrors that mail it. */

import { FILES_IN_TEXT_MAX } from '../limits.ts'
import type { FileInText } from './file-in-text.ts'
import { printable } from './printable.ts'

const LF = 10
const CR = 13
const ESCAPE = 0x3d
const BEGIN = Buffer.from('=ybegin ', 'latin1')
const END = Buffer.from('\n=yend ', 'latin1')
const NAME = ' name='
const LINE_BYTES_MAX = 1000

/** A `=ybegin` without a `=yend` is text; with `mayBeCut` it is a file that the end of the bytes cuts off. */
export function yencFiles(bytes: Buffer, mayBeCut: boolean): FileInText[] {
  const files: FileInText[] = []
  let at = bytes.indexOf(BEGIN)
  while (at !== -1 && files.length < FILES_IN_TEXT_MAX) {
    const name = at === 0 || bytes[at - 1] === LF ? nameIn(bytes, at) : undefined
    if (name === undefined) at = bytes.indexOf(BEGIN, at + 1)
    else {
      const end = bytes.indexOf(END, at)
      if (end === -1 && !mayBeCut) break
      const next = end === -1 ? bytes.length : lineEnd(bytes, end + 1)
      const size = decodeYenc(bytes.subarray(at, next)).length
      files.push({ name: printable(name.trim()), offset: at, length: next - at, size, encoding: 'x-yenc' })
      at = bytes.indexOf(BEGIN, next)
    }
  }
  return files
}

/**
 * The name is the last on the line that begins a file, whatever is in it; the size stands before it. Found from left to right: an expression
 * for the whole line tries each size with each rest, for each of the lines of a hostile mail.
 */
function nameIn(bytes: Buffer, at: number): string | undefined {
  const line = bytes.toString('latin1', at, Math.min(lineEnd(bytes, at), at + LINE_BYTES_MAX)).trimEnd()
  const name = line.indexOf(NAME)
  return name !== -1 && /\bsize=\d/.test(line.slice(0, name)) ? line.slice(name + NAME.length) || undefined : undefined
}

/** The bytes between the lines of keywords: each 42 more than it was, `=` before one that is 64 more again. Line breaks mean nothing. */
export function decodeYenc(bytes: Buffer): Buffer {
  const out = Buffer.allocUnsafe(bytes.length)
  let length = 0
  let at = 0
  while (at < bytes.length) {
    if (isKeyword(bytes, at)) {
      at = lineEnd(bytes, at)
      continue
    }
    const end = lineEnd(bytes, at)
    for (; at < end; at++) {
      const byte = bytes[at] ?? 0
      if (byte === CR || byte === LF) continue
      if (byte !== ESCAPE) out[length++] = (byte - 42) & 0xff
      else out[length++] = ((bytes[++at] ?? 0) - 106) & 0xff
    }
  }
  return out.subarray(0, length)
}

/** `=y` can begin no data: 0x79 need not be escaped. */
function isKeyword(bytes: Buffer, at: number): boolean {
  return bytes[at] === ESCAPE && bytes[at + 1] === 0x79
}

/** After the line break. */
function lineEnd(bytes: Buffer, from: number): number {
  const found = bytes.indexOf(LF, from)
  return found === -1 ? bytes.length : found + 1
}
