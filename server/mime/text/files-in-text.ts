import { uuencodedFiles } from './uuencoded-files.ts'

/** The text without its files, which are offered as attachments. With `mayBeCut` a file that the end of the bytes cuts off goes too. */
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
