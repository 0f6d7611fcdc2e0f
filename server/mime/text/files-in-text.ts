import { uuencodedFiles } from './uuencoded-files.ts'

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
