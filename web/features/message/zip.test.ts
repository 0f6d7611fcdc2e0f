import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { zip } from './zip.ts'

/** Reads an archive by its central directory, as unpackers do. */
function unzip(archive: Buffer): Record<string, string> {
  const end = archive.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  let at = archive.readUInt32LE(end + 16)
  const files: Record<string, string> = {}
  for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
    expect(archive.toString('latin1', at, at + 4)).toBe('PK\x01\x02')
    const [sum, size] = [archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 24)]
    const nameLength = archive.readUInt16LE(at + 28)
    const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
    const local = archive.readUInt32LE(at + 42)
    expect(archive.toString('latin1', local, local + 4)).toBe('PK\x03\x04')
    expect(archive.toString('utf8', local + 30, local + 30 + nameLength)).toBe(name)
    const bytes = archive.subarray(local + 30 + nameLength, local + 30 + nameLength + size)
    expect(sum).toBe(crc32(bytes))
    files[name] = bytes.toString()
    at += 46 + nameLength
  }
  expect(at).toBe(end)
  return files
}

const file = (name: string, text: string) => ({ name, bytes: new Uint8Array(Buffer.from(text)).buffer })

test('an archive contains each file completely, under its name', async () => {
  expect(unzip(Buffer.from(await zip([file('señal.txt', 'uno'), file('b.bin', ''), file('c', 'three')])))).toEqual({
    'señal.txt': 'uno',
    'b.bin': '',
    c: 'three',
  })
})

test('files with the same name get different ones, and no name leads to another folder', async () => {
  const names = ['a.txt', 'A.txt', 'a.txt', '../../etc/passwd', '..', '', 'noext', 'noext']
  expect(Object.keys(unzip(Buffer.from(await zip(names.map(name => file(name, name))))))).toEqual([
    'a.txt',
    'A-2.txt',
    'a-3.txt',
    '.._.._etc_passwd',
    '_',
    '_-2',
    'noext',
    'noext-2',
  ])
})
