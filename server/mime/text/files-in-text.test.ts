/** Files in texts that no MIME announces. Nothing here is timed: a quadratic step would run into the test timeout. */
import { describe, expect, test } from 'vitest'
import { readMail } from '#test/read-mail.ts'
import { decodeAttachment } from '../content.ts'

const lines = (...all: string[]) => all.join('\r\n')
const filesOf = (text: string) => {
  const { raw, body, attachments } = readMail(text)
  const files = attachments.map(attachment => {
    const content = Buffer.from(decodeAttachment(raw, attachment)).toString('latin1')
    expect(attachment.size).toBe(content.length)
    return [attachment.filename, content]
  })
  return { text: body.text, files }
}

describe('yEnc', () => {
  // =}  escapes a NUL's 0x2a+… : the four critical bytes, and a dot at the beginning of a line
  const encoded = [...'a file\0\x13\xe3\xe0\xd6'].map(char => {
    const byte = (char.charCodeAt(0) + 42) & 0xff
    return [0, 10, 13, 61].includes(byte) ? `=${String.fromCharCode((byte + 64) & 0xff)}` : String.fromCharCode(byte)
  })
  const part = lines('=ybegin line=128 size=11 name=my file.bin', encoded.slice(0, 6).join(''), encoded.slice(6).join(''), '=yend size=11')

  test('a file in a text is an attachment and no longer text', () => {
    expect(filesOf(lines('', 'before', part, 'after'))).toEqual({
      text: 'before\nafter',
      files: [['my file.bin', 'a file\0\x13\xe3\xe0\xd6']],
    })
  })

  test('one of several pieces is offered as it is', () => {
    const piece = part.replace('\r\n', '\r\n=ypart begin=1 end=11\r\n').replace('line=', 'part=1 line=')
    expect(filesOf(`\r\n${piece}`).files).toEqual([['my file.bin', 'a file\0\x13\xe3\xe0\xd6']])
  })

  test('a beginning without an end stays text', () => {
    const text = lines('=ybegin line=128 size=11 name=x', 'abc')
    expect(filesOf(`\r\n${text}`)).toEqual({ text: text.replaceAll('\r', ''), files: [] })
    const many = '=ybegin line=1 size=1 name=x\r\n'.repeat(50_000)
    expect(filesOf(`\r\n${many}`).files).toEqual([])
  })

  test('what may begin a file is read once, however its line is made', () => {
    const sizes = `=ybegin size=${'1'.repeat(880)}\r\n=ybegin ${'size=1 '.repeat(125)}\r\n`
    expect(filesOf(`\r\n${sizes.repeat(14_000)}`).files).toEqual([])
  })

  test('the name is all that comes last', () => {
    expect(filesOf(`\r\n${part.replace('my file.bin', 'a name=b size=2.bin ')}`).files).toEqual([
      ['a name=b size=2.bin', 'a file\0\x13\xe3\xe0\xd6'],
    ])
    expect(filesOf(`\r\n${part.replace('size=11 name=', 'name=size=')}`).files).toEqual([])
  })
})

describe('BinHex 4.0', () => {
  const DIGITS = '!"#$%&\'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr'
  const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
  const MARK = '(This file must be converted with BinHex 4.0)'

  function binhex(name: string, packed: string, size: number): string {
    const lengths = Buffer.alloc(8)
    lengths.writeUInt32BE(size)
    const head = `${String.fromCharCode(name.length)}${name}\0TEXTttxt\0\0${lengths.toString('latin1')}\0\0`
    // the same six bits to a character as base64, in another alphabet
    const digits = Buffer.from(`${head}${packed}\0\0`, 'latin1').toString('base64').replaceAll('=', '')
    return lines(MARK, '', `:${digits.replace(/./g, digit => DIGITS[BASE64.indexOf(digit)] ?? '').replace(/.{63}/g, '$&\r\n')}:`)
  }

  const file = binhex('story.txt', 'aaa\x90\x05b\x90\0', 9)

  test('a file in a text is an attachment, its repetitions undone', () => {
    expect(filesOf(lines('', 'before', file, 'after'))).toEqual({ text: 'before\n\nafter', files: [['story.txt', 'aaaaaaab\x90']] })
  })

  test('a part of its own has the name of the part', () => {
    const fields = lines('Content-Type: application/mac-binhex40', 'Content-Disposition: attachment; filename="own.txt"')
    expect(filesOf(lines(fields, '', file)).files).toEqual([['own.txt', 'aaaaaaab\x90']])
  })

  test('what is damaged, or claims to grow without measure, stays as it came', () => {
    for (const bad of [
      MARK,
      lines(MARK, 'no colon'),
      lines(MARK, ':"$%'),
      file.slice(0, -20),
      binhex('x', `a${'\x90\xff'.repeat(1000)}`, 254_001),
    ])
      expect(filesOf(`\r\n${bad}`)).toEqual({ text: bad.replaceAll('\r', ''), files: [] })
    expect(filesOf(`\r\n${`${MARK}\r\n`.repeat(50_000)}`).files).toEqual([])
    expect(filesOf(`\r\n${`${MARK}${' \n'.repeat(78)}\r\n`.repeat(120_000)}`).files).toEqual([])
    expect(filesOf(lines('Content-Type: application/mac-binhex40; name=x.hqx', '', 'nothing')).files).toEqual([['x.hqx', 'nothing']])
  })

  test('what asks for more memory than any mail carries stays as it came', () => {
    const bytes = 33 * 1024 * 1024
    const packed = 'a\x90\xff'.repeat(Math.ceil(bytes / 255)) + 'b'.repeat(bytes / 8)
    expect(filesOf(`\r\n${binhex('x', packed, bytes)}`).files).toEqual([])
  })
})
