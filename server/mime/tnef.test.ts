import { describe, expect, test } from 'vitest'
import { attachmentsOf, decodeAttachment } from './content.ts'
import { parseMessage } from './parse.ts'
import { readTnef } from './tnef.ts'

function attribute(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUInt8(2, 0)
  head.writeUInt32LE(id, 1)
  head.writeUInt32LE(data.length, 5)
  return Buffer.concat([head, data, Buffer.alloc(2)])
}

function unicodeProperty(id: number, text: string): Buffer {
  const value = Buffer.from(`${text}\0`, 'utf16le')
  const head = Buffer.alloc(12)
  head.writeUInt16LE(0x1f, 0)
  head.writeUInt16LE(id, 2)
  head.writeUInt32LE(1, 4)
  head.writeUInt32LE(value.length, 8)
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

const file = Buffer.from('PK\u0003\u0004 bytes of a file', 'latin1')
const stream = Buffer.concat([
  Buffer.from('789f3e220100', 'hex'),
  attribute(0x00069002, Buffer.alloc(14)),
  attribute(0x00018010, Buffer.from('SHORT~1.ZIP\0', 'latin1')),
  attribute(0x0006800f, file),
  attribute(0x00069005, Buffer.concat([uint32(1), unicodeProperty(0x3707, 'año – informe.zip')])),
])

describe('M18: winmail.dat', () => {
  test('gives its files under their long names', () => {
    const { files, hasMore } = readTnef(stream)
    expect(files.map(({ name, contentType }) => [name, contentType])).toEqual([['año – informe.zip', 'application/octet-stream']])
    expect(files.map(({ offset, length }) => stream.subarray(offset, offset + length))).toEqual([file])
    expect(hasMore).toBe(false)
  })

  test('is replaced by its files in the attachment list', () => {
    const raw = Buffer.from(
      `Content-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n${stream.toString('base64')}\r\n`,
    )
    const [first, ...others] = attachmentsOf(raw, parseMessage(raw))
    expect(others).toEqual([])
    expect(first).toMatchObject({ index: 0, filename: 'año – informe.zip', size: file.length })
    expect(first && Buffer.from(decodeAttachment(raw, first))).toEqual(file)
  })

  test('that is no TNEF stays one attachment', () => {
    const raw = Buffer.from('Content-Type: application/ms-tnef; name="winmail.dat"\r\n\r\nnot TNEF')
    expect(attachmentsOf(raw, parseMessage(raw))).toMatchObject([{ filename: 'winmail.dat', size: 8 }])
  })

  test('cut off or damaged at any byte gives windows inside the stream', () => {
    for (let at = 0; at < stream.length; at++) {
      const damaged = Buffer.from(stream)
      damaged.writeUInt8(0xff, at)
      for (const bytes of [stream.subarray(0, at), damaged]) {
        for (const { offset, length } of readTnef(bytes).files) expect(offset + length).toBeLessThanOrEqual(bytes.length)
      }
    }
  })
})
