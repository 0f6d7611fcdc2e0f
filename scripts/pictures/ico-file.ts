/** Bytes of the header, and of the entry that each image has. */
const [HEADER, ENTRY] = [6, 16]

/**
 * A Windows icon of one PNG image, `px` wide and high: what a program gets that asks for /favicon.ico without reading the page. All
 * browsers read a PNG in it (https://en.wikipedia.org/wiki/ICO_(file_format)).
 */
export function icoFile(png: Buffer, px: number): Buffer {
  const head = Buffer.alloc(HEADER + ENTRY)
  head.writeUInt16LE(1, 2)
  head.writeUInt16LE(1, 4)
  head.writeUInt8(px, HEADER)
  head.writeUInt8(px, HEADER + 1)
  // One plane, 32 bits for each pixel.
  head.writeUInt16LE(1, HEADER + 4)
  head.writeUInt16LE(32, HEADER + 6)
  head.writeUInt32LE(png.length, HEADER + 8)
  head.writeUInt32LE(head.length, HEADER + 12)
  return Buffer.concat([head, png])
}
