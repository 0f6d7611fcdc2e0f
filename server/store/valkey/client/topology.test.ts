import { expect, test } from 'vitest'
import { Topology } from './topology.ts'

test('a slot that its master does not serve stays so while that does not reply', () => {
  const at = (port: number) => [Buffer.from('127.0.0.1'), port]
  const read = (last: number) =>
    Topology.read(
      [
        [0, last, at(1)],
        [100, 16_383, at(2)],
      ],
      { host: '127.0.0.1', port: 2 },
    )
  const [others, own] = [read(99), read(98)]
  const known = others.seenBy(new Map([['127.0.0.1:1', own]]), others)
  expect(known.unservedSlots).toBe('99')
  expect(others.seenBy(new Map(), known).unservedSlots).toBe('99')
  expect(others.seenBy(new Map([['127.0.0.1:1', others]]), known).unservedSlots).toBe('')
})
