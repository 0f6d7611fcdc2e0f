import { binhexFiles } from './binhex.ts'
import type { FileInText } from './file-in-text.ts'
import { uuencodedFiles } from './uuencoded-files.ts'
import { yencFiles } from './yenc.ts'

/** In order, none inside another. With `mayBeCut` a file that the end of the bytes cuts off counts too. */
export function filesInText(bytes: Buffer, mayBeCut = false): FileInText[] {
  const all = [...uuencodedFiles(bytes, mayBeCut), ...yencFiles(bytes, mayBeCut), ...binhexFiles(bytes, mayBeCut)]
  let end = 0
  return all
    .sort((a, b) => a.offset - b.offset)
    .filter(({ offset, length }) => {
      if (offset < end) return false
      end = offset + length
      return true
    })
}

/** The text without its files: they are offered as attachments. */
export function withoutFilesInText(bytes: Buffer, mayBeCut = false): Buffer {
  const files = filesInText(bytes, mayBeCut)
  if (files.length === 0) return bytes
  const pieces: Buffer[] = []
  let at = 0
  for (const { offset, length } of files) {
    pieces.push(bytes.subarray(at, offset))
    at = offset + length
  }
  return Buffer.concat([...pieces, bytes.subarray(at)])
}
