import { expect, test } from 'vitest'
import { networksAround } from '#server/platform/net/ip-address.ts'
import { CpuTurns } from './cpu-turns.ts'

/** A piece of work of some milliseconds. */
function burn(): void {
  const start = process.threadCpuUsage()
  while (process.threadCpuUsage(start).user < 3000);
}

test('who has used little goes before those who have used much, in the order of their use', async () => {
  const turns = new CpuTurns()
  const done: string[] = []
  const work = async (networks: readonly string[], pieces: number) => {
    for (let piece = 0; piece < pieces; piece++) {
      await turns.next(networks)
      burn()
    }
    done.push(networks[0] ?? '')
  }
  await work(['a1', 'a'], 8)
  await work(['b1', 'b'], 2)
  done.length = 0
  // Neighbours of one network share what it has used, and each of them counts as well.
  await Promise.all([work(['a1', 'a'], 2), work(['a2', 'a'], 2), work(['b1', 'b'], 2), work(['c1', 'c'], 1)])
  expect(done).toEqual(['c1', 'b1', 'a2', 'a1'])
})

test.each([
  ['192.0.2.1', '2001:db8::1'],
  ['2001:db8::1', '192.0.2.1'],
  ['192.0.2.1', '198.51.100.1'],
  ['2001:db8::1', '2001:db8:1::1'],
  ['2001:db8::1', '2001:db8:0:1::1'],
])('whoever has used much at %s does not go before %s', async (busy, other) => {
  const turns = new CpuTurns()
  const done: string[] = []
  const work = async (ip: string, pieces: number) => {
    for (let piece = 0; piece < pieces; piece++) {
      await turns.next(networksAround(ip))
      burn()
    }
    done.push(ip)
  }
  await work(busy, 10)
  await work(other, 1)
  done.length = 0
  await Promise.all([work(busy, 3), work(other, 2)])
  expect(done).toEqual([other, busy])
})

test('whoever no longer wants a turn leaves the queue, and gets none that is free', async () => {
  const turns = new CpuTurns()
  const ending = new AbortController()
  const first = turns.next(['a'])
  const given = [turns.next(['b'], ending.signal), turns.next(['c'])]
  ending.abort()
  burn()
  expect(await Promise.all([first, ...given])).toEqual([true, false, true])
  expect(await turns.next(['b'], ending.signal)).toBe(false)
  expect(turns.usedBy('b')).toBe(0)
})
