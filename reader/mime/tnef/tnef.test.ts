import { describe, expect, test } from 'vitest'
import { readMail } from '../../read-mail.ts'
import { summarise } from '../../summary.ts'
import { decodeAttachment, listAttachments } from '../structure/attachments.ts'
import { parseMessage } from '../structure/parse.ts'
import { readTnef } from './tnef.ts'

function attribute(id: number, data: Buffer): Buffer {
  const head = Buffer.alloc(9)
  head.writeUInt8(2, 0)
  head.writeUInt32LE(id, 1)
  head.writeUInt32LE(data.length, 5)
  return Buffer.concat([head, data, Buffer.alloc(2)])
}

function unicodeProperty(id: number, text: string): Buffer {
  return binaryProperty(id, Buffer.from(`${text}\0`, 'utf16le'), 0x1f)
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

function binaryProperty(id: number, value: Buffer, type = 0x102): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16LE(type, 0)
  head.writeUInt16LE(id, 2)
  head.writeUInt32LE(1, 4)
  head.writeUInt32LE(value.length, 8)
  return Buffer.concat([head, value, Buffer.alloc((4 - (value.length % 4)) % 4)])
}

function tnefStream(...attributes: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from('789f3e220100', 'hex'), ...attributes])
}

function attachmentsIn(tnef: Buffer): { filename: string; size: number; content: string }[] {
  const raw = Buffer.concat([Buffer.from('Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: binary\r\n\r\n'), tnef])
  return listAttachments(raw, parseMessage(raw)).map(attachment => ({
    filename: attachment.filename,
    size: attachment.size,
    content: Buffer.from(decodeAttachment(raw, attachment)).toString('latin1'),
  }))
}

const file = Buffer.from('PK\u0003\u0004 bytes of a file', 'latin1')
const stream = tnefStream(
  attribute(0x00069002, Buffer.alloc(14)),
  attribute(0x00018010, Buffer.from('SHORT~1.ZIP\0', 'latin1')),
  attribute(0x0006800f, file),
  attribute(0x00069005, Buffer.concat([uint32(1), unicodeProperty(0x3707, 'año – informe.zip')])),
)

describe('winmail.dat', () => {
  test('with many files is decoded once for all of their hashes', () => {
    const files = Array.from({ length: 50 }, () => [attribute(0x00069002, Buffer.alloc(14)), attribute(0x0006800f, Buffer.alloc(10_000))])
    const encoded = tnefStream(...files.flat()).toString('base64')
    const raw = Buffer.from(`Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\n${encoded}\r\n`)
    const decoded = new Set<ArrayBufferLike>()
    const { attachments } = readMail(raw, bytes => {
      decoded.add(bytes.buffer)
      return ''
    })
    expect([attachments.length, decoded.size]).toEqual([50, 1])
  })

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
    const [first, ...others] = listAttachments(raw, parseMessage(raw))
    expect(others).toEqual([])
    expect(first).toMatchObject({ index: 0, filename: 'año – informe.zip', size: file.length })
    expect(first && Buffer.from(decodeAttachment(raw, first))).toEqual(file)
  })

  // [MS-OXRTFCP] section 4.1.1: the first example
  const packed = Buffer.from('2d0000002b0000004c5a4675f1c5c7a703000a007263706731323542320af32068656c090020627705b06c647d0a800fa0', 'hex')
  const number = (id: number, value: number) => Buffer.concat([Buffer.from([3, 0, id & 255, id >> 8]), uint32(value)])
  const properties = (...all: Buffer[]) => attribute(0x00069003, Buffer.concat([uint32(all.length), ...all]))

  test.each([
    ['packed RTF', properties(binaryProperty(0x1009, packed)), 'hello world'],
    ['Unicode text', properties(unicodeProperty(0x1000, 'Your code is 660218. Año')), 'Your code is 660218. Año'],
    [
      'text in a code page',
      Buffer.concat([attribute(0x00069007, uint32(1251)), properties(binaryProperty(0x1000, Buffer.from([0xcf, 0xf0, 0]), 0x1e))]),
      'Пр',
    ],
    ['text of an old program', attribute(0x0002800c, Buffer.from('Your code is 660218.\0')), 'Your code is 660218.'],
    ['HTML', properties(number(0x3fde, 28592), binaryProperty(0x1013, Buffer.from('<p>Za\xbf\xf3\xb3\xe6</p>', 'latin1'))), 'Zażółć'],
  ])('%s is read in every view, and not listed', (_, content, words) => {
    const tnef = tnefStream(content)
    const head =
      'From: a@example.org\r\nSubject: x\r\nContent-Type: application/ms-tnef; name="winmail.dat"\r\nContent-Transfer-Encoding: base64\r\n\r\n'
    const raw = Buffer.from(`${head}${tnef.toString('base64')}\r\n`)
    const { text, htmlText } = readMail(raw)
    expect((text ?? htmlText)?.trim()).toBe(words)
    const { preview, codes } = summarise(raw, '')
    expect(preview.trim()).toBe(words)
    expect(codes).toEqual(words.includes('660218') ? ['660218'] : [])
    expect(listAttachments(raw, parseMessage(raw))).toEqual([])
  })

  const beside = (text: string, content: Buffer) => {
    const tnef = `Content-Type: application/ms-tnef\r\nContent-Transfer-Encoding: base64\r\n\r\n${tnefStream(content).toString('base64')}\r\n`
    return Buffer.from(`Content-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n${text}\r\n--b\r\n${tnef}--b--\r\n`)
  }

  test.each([
    ['a note of a gateway', '\r\nScanned by Example Guard.', 'Scanned by Example Guard.\nYour code is 660218. Año'],
    ['an empty text', '\r\n\r\n', 'Your code is 660218. Año'],
    [
      'a note in HTML',
      'Content-Type: text/html\r\n\r\n<p>Scanned by Example Guard.</p>',
      'Scanned by Example Guard.\nYour code is 660218. Año',
    ],
  ])('its letter is shown below %s', (_, note, words) => {
    const raw = beside(note, properties(unicodeProperty(0x1000, 'Your code is 660218. Año')))
    const { text, htmlText } = readMail(raw)
    expect((text ?? htmlText)?.trim().replace(/\n+/g, '\n')).toBe(words)
    expect(summarise(raw, '')).toMatchObject({ preview: words.replace('\n', ' '), codes: ['660218'], attachments: [] })
  })

  test('is listed itself, and its letter not shown, if the text of the mail repeats it', () => {
    const raw = beside('\r\n* hello\r\n* world', properties(binaryProperty(0x1009, packed)))
    expect(readMail(raw).text).toBe('* hello\n* world')
    expect(listAttachments(raw, parseMessage(raw))).toMatchObject([{ contentType: 'application/ms-tnef' }])
  })

  test('opens a message inside it instead of the placeholder note', () => {
    const inner = Buffer.concat([Buffer.alloc(16), stream])
    const outer = tnefStream(
      attribute(0x00069002, Buffer.alloc(14)),
      attribute(0x0006800f, Buffer.from('This attachment is a MAPI 1.0 embedded message')),
      attribute(0x00069005, Buffer.concat([uint32(1), binaryProperty(0x3701, inner, 0x0d)])),
    )
    expect(attachmentsIn(outer)).toEqual([{ filename: 'año – informe.zip', size: file.length, content: file.toString('latin1') }])
  })

  test('opens a hundred nested messages down to the tenth', () => {
    let nested = stream
    for (let level = 0; level < 100; level++) {
      const object = binaryProperty(0x3701, Buffer.concat([Buffer.alloc(16), nested]), 0x0d)
      nested = tnefStream(attribute(0x00069002, Buffer.alloc(14)), attribute(0x00069005, Buffer.concat([uint32(1), object])))
    }
    expect(readTnef(nested).files).toMatchObject([{ name: undefined }])
  })

  test('stays one attachment if it is not TNEF', () => {
    const raw = Buffer.from('Content-Type: application/ms-tnef; name="winmail.dat"\r\n\r\nnot TNEF')
    expect(listAttachments(raw, parseMessage(raw))).toMatchObject([{ filename: 'winmail.dat', size: 8 }])
  })

  test('that is truncated or damaged at any byte yields ranges inside the stream', () => {
    for (let at = 0; at < stream.length; at++) {
      const damaged = Buffer.from(stream)
      damaged.writeUInt8(0xff, at)
      for (const bytes of [stream.subarray(0, at), damaged]) {
        for (const { offset, length } of readTnef(bytes).files) expect(offset + length).toBeLessThanOrEqual(bytes.length)
      }
    }
  })
})
