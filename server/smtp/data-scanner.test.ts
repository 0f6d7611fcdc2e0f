import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DataScanner } from './data-scanner.ts'

/** Scans `wire` split at `cuts`; resolves to the message and the bytes after it, or to no message if it did not end. */
function scan(wire: string, cuts: readonly number[] = []): { message: string; rest: string } | { unfinished: string } {
  const pieces: Buffer[] = []
  const scanner = new DataScanner({ append: piece => pieces.push(Buffer.from(piece)) })
  const edges = [...new Set([0, ...cuts.filter(cut => cut > 0 && cut < wire.length), wire.length])].sort((a, b) => a - b)
  for (const [index, edge] of edges.slice(0, -1).entries()) {
    const chunk = Buffer.from(wire.slice(edge, edges[index + 1]), 'latin1')
    const end = scanner.read(chunk, 0)
    if (end !== -1) return { message: Buffer.concat(pieces).toString('latin1'), rest: wire.slice(edge + end) }
  }
  return { unfinished: Buffer.concat(pieces).toString('latin1') }
}

/** RFC 5321 4.5.2 in short: lines end with CR LF, a line of one dot ends the message, a leading dot is removed. */
function byTheBook(wire: string): { message: string; rest: string } | undefined {
  const end = `\r\n${wire}`.indexOf('\r\n.\r\n')
  if (end === -1) return undefined
  return {
    message: `\r\n${wire}`
      .slice(0, end + 2)
      .replace(/\r\n\./g, '\r\n')
      .slice(2),
    rest: wire.slice(end + 3),
  }
}

const alphabet = fc.array(fc.constantFrom('\r', '\n', '.', 'a', '\r\n', '\r\n.', '\0'), { maxLength: 40 }).map(parts => parts.join(''))

describe('the final dot', () => {
  test('only a leading dot after CR LF is removed', () => {
    expect(scan('.a\r\n..b\r\n...\r\n..\r\nx\n..y\n.z\r..w\r\n.\r\n')).toEqual({
      message: 'a\r\n.b\r\n..\r\n.\r\nx\n..y\n.z\r..w\r\n',
      rest: '',
    })
  })

  test('an empty message is accepted', () => {
    expect(scan('.\r\nQUIT\r\n')).toEqual({ message: '', rest: 'QUIT\r\n' })
  })

  test('any bytes, split anywhere, give the message that the RFC defines', () => {
    fc.assert(
      fc.property(alphabet, fc.array(fc.nat(90), { maxLength: 12 }), (text, cuts) => {
        const wire = `${text}\r\n.\r\nafter`
        expect(scan(wire, cuts)).toEqual(byTheBook(wire))
      }),
      { numRuns: 3000 },
    )
  })

  test('an unfinished message loses no byte but the dots', () => {
    fc.assert(
      fc.property(alphabet, fc.array(fc.nat(40), { maxLength: 8 }), (text, cuts) => {
        fc.pre(byTheBook(text) === undefined)
        const result = scan(text, cuts)
        const { message } = byTheBook(`${text}X\r\n.\r\n`) ?? { message: '' }
        expect('unfinished' in result && message.startsWith(result.unfinished)).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test('a megabyte of dots is scanned in linear time', () => {
    const lines = 200_000
    const result = scan(`${'..\r\n'.repeat(lines)}.\r\n`, [65_535, 65_536, 131_071])
    expect(result).toEqual({ message: '.\r\n'.repeat(lines), rest: '' })
  })
})
